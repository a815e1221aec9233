"""A progress bar for runs that take longer than a second on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

_PATIENCE = 1.0  # seconds


def shown_progress(items: Sequence[Item], doing: str) -> Iterator[Item]:
    """The items, and a bar on standard error from the first second on; nothing where nobody watches."""
    if not sys.stderr.isatty():
        yield from items
        return
    start = time.monotonic()
    for done, item in enumerate(items):
        if time.monotonic() - start > _PATIENCE:
            yield from _with_bar(items, done, doing)
            return
        yield item


def _with_bar(items: Sequence[Item], done: int, doing: str) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(doing, total=len(items), completed=done)
        for item in items[done:]:
            yield item
            progress.advance(task)
