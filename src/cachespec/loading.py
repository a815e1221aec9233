"""Documents from files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from cachespec.checking import check
from cachespec.findings import CachePolicyError
from cachespec.reader import Syntax

if TYPE_CHECKING:
    from cachespec_types.models import CacheLayout


def load(path: str | PathLike[str]) -> CacheLayout:
    """The layout in a file: JSON when the name ends in `.json`, otherwise YAML.

    Raises CachePolicyError for a document with errors, OSError for a file that cannot be read.
    """
    file = Path(path)
    report = check(file.read_bytes(), syntax=syntax_of(file))
    if not report.ok:
        raise CachePolicyError(report.findings)
    layout: CacheLayout = report.value
    return layout


def syntax_of(path: Path) -> Syntax:
    return "json" if path.suffix.lower() == ".json" else "yaml"
