"""Documents from files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cachespec.checking import check
from cachespec.findings import CachePolicyError
from cachespec.reading.document import syntax_of

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
