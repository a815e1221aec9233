"""Tables on a terminal, in a file and in a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cachespec.cli.output.printing import console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDE = 240
_MOST = 10_000

# The commands that print tables print JSON and CSV as well, and need no rich for those.


def output() -> Console:
    """Standard output. A file or a pipe has no width to keep to, and what is folded is of no use in either."""
    return console(sys.stdout, None if sys.stdout.isatty() else _WIDE)


def write(table: Table, to: Console | None = None) -> None:
    """A table in as much width as its longest words take, so that no name is broken inside one."""
    from rich.measure import Measurement, measure_renderables

    to = to or output()
    wide = to.options.update(width=_MOST)
    for column in table.columns:
        words = measure_renderables(to, wide, [column.header, *column.cells])
        column.min_width = words.minimum
        column.no_wrap = words.minimum == words.maximum
    room = to.width
    to.width = max(room, Measurement.get(to, wide, table).minimum)
    to.print(table, crop=False)
    to.width = room


def table() -> Table:
    """A table with a line below its headings and no other."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False)
