"""Documents from files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cachespec.checking import check
from cachespec.findings import CachePolicyError
from cachespec.reader import Syntax

if TYPE_CHECKING:
    from cachespec_types.models import CacheLayout


def load(path: str | os.PathLike[str]) -> CacheLayout:
    """The layout in a file: JSON when the name ends in `.json`, otherwise YAML.

    Raises CachePolicyError for a document with errors, OSError for a file that cannot be read.
    """
    with open(path, "rb") as file:
        report = check(file.read(), syntax=syntax_of(path))
    if not report.ok:
        raise CachePolicyError(report.findings)
    layout: CacheLayout = report.value
    return layout


def syntax_of(path: str | os.PathLike[str]) -> Syntax:
    return "json" if os.path.splitext(path)[1].lower() == ".json" else "yaml"
