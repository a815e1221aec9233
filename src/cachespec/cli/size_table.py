"""`cachespec size`: the bytes of one layout, or of two side by side, as a table, JSON or CSV, and as a picture."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass

from cachespec.cli import CANNOT_RUN, ERRORS, OK
from cachespec.cli.checks import checked
from cachespec.cli.inputs import STANDARD_INPUT, CannotRead
from cachespec.findings import CachePolicyError
from cachespec.layouts.labels import title
from cachespec.layouts.sizing import Size, size
from cachespec_types.models import CacheLayout


@dataclass(frozen=True, slots=True)
class Sized:
    """One layout of the command line, and its size."""

    path: str
    layout: CacheLayout
    size: Size

    @property
    def title(self) -> str:
        return title(self.layout)


def run(options: Namespace) -> int:
    if len(options.paths) > 2 or options.paths.count(STANDARD_INPUT) > 1:
        print("cachespec: name one layout, or two different ones to compare", file=sys.stderr)
        return CANNOT_RUN
    try:
        read = [checked(path, options.syntax) for path in options.paths]
    except CannotRead as error:
        print(f"cachespec: {error}", file=sys.stderr)
        return CANNOT_RUN
    if not all(one.report.ok for one in read):
        from cachespec.cli.finding_formats import write_text

        write_text(len(read), read)
        return ERRORS
    try:
        sized = [_sized(one.file, one.report.value, options) for one in read]
    except CachePolicyError as error:
        print(f"cachespec: {error}", file=sys.stderr)
        return ERRORS
    from cachespec.cli import size_formats

    # The picture comes first: when it cannot be made, nothing has been printed that looks like success.
    if options.plot is not None and not _plotted([one.layout for one in sized], options):
        return CANNOT_RUN
    size_formats.WRITERS[options.format](sized)
    return OK


def _sized(path: str, layout: CacheLayout, options: Namespace) -> Sized:
    return Sized(path, layout, size(layout, options.batch_size, options.prefix_tokens, options.dtype))


def _plotted(layouts: Sequence[CacheLayout], options: Namespace) -> bool:
    from cachespec.plotting.picture import plot

    try:
        plot(layouts, options.plot, options.batch_size, options.dtype)
    except (ImportError, OSError, ValueError) as error:
        print(f"cachespec: {error}", file=sys.stderr)
        return False
    print(f"wrote {options.plot}", file=sys.stderr)
    return True
