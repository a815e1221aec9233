"""`cachespec size`: the bytes of one layout, or of two side by side, as a table, JSON or CSV, and as a picture."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK, count
from cachespec.cli.documents import STANDARD_INPUT, CannotRead, checked
from cachespec.cli.output.sizes import WRITERS, Sized
from cachespec.findings import CachePolicyError
from cachespec.layouts.expansion import FLOATING
from cachespec.layouts.sizing import size
from cachespec_types.models import CacheLayout

EXAMPLE = "cachespec size model.cachespec.yaml --prefix-tokens 131072 --plot model.svg"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a layout file, or two to compare; - for standard input"
    )
    parser.add_argument("--batch-size", type=count, default=1, metavar="B", help="sequences in the batch (1)")
    parser.add_argument("--prefix-tokens", type=count, default=4096, metavar="N", help="tokens in the prefix (4096)")
    parser.add_argument(
        "--dtype",
        choices=tuple(FLOATING),
        default="bfloat16",
        help="what floating tensors are stored as (bfloat16)",
    )
    parser.add_argument("--syntax", choices=("json", "yaml"), help="read the files so, whatever their names say")
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help="(table)")
    parser.add_argument("--plot", metavar="FILE", help="also draw an .svg or .png; needs the extra cachespec[plot]")


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
        from cachespec.cli.output.findings import write_text

        write_text(len(read), read)
        return ERRORS
    try:
        sized = [_sized(one.file, one.report.value, options) for one in read if one.report.value]
    except CachePolicyError as error:
        print(f"cachespec: {error}", file=sys.stderr)
        return ERRORS
    # The picture comes first: when it cannot be made, nothing has been printed that looks like success.
    if options.plot is not None and not _plotted([one.layout for one in sized], options):
        return CANNOT_RUN
    WRITERS[options.format](sized)
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
