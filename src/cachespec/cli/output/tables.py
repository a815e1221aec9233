"""Tables on a terminal, in a file and in a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDE = 240

# The commands that print tables print JSON and CSV as well, and need no rich for those.


def output() -> Console:
    """Standard output. A file or a pipe has no width to keep to, and what is folded is of no use in either."""
    from rich.console import Console

    return Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else _WIDE)


def table() -> Table:
    """A table with a line below its headings and no other."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False)
