"""`cachespec size`: the bytes of one layout, or of two side by side, as a table, JSON or CSV, and as a picture."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence

from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK, add_import_options, count, tokens
from cachespec.cli.configurations import checked_layout
from cachespec.cli.documents import READ_ONCE, STANDARD_INPUT, CannotRead
from cachespec.cli.output.printing import remark, say
from cachespec.cli.output.sizes import WRITERS, Sized
from cachespec.files import why_not_replaced
from cachespec.findings import CachePolicyError
from cachespec.layouts.expansion import FLOATING
from cachespec.layouts.sizing import size
from cachespec.wording import nearest
from cachespec_types.models import CacheLayout

EXAMPLE = "cachespec size model.cachespec.yaml --prefix-tokens 128k --plot model.svg"

# The names that runtimes, frameworks and people use beside those of FLOATING.
_ALSO = {
    "float16": "fp16 f16 half",
    "bfloat16": "bf16",
    "float32": "fp32 f32 float",
    "float64": "fp64 f64 double",
    "float8_e4m3fn": "fp8 fp8_e4m3 fp8_e4m3fn f8_e4m3 f8_e4m3fn float8_e4m3 e4m3",
    "float8_e5m2": "fp8_e5m2 f8_e5m2 e5m2",
    "int8": "i8",
    "uint8": "u8",
}
_DTYPES = {name: name for name in FLOATING} | {
    other: name for name, others in _ALSO.items() for other in others.split()
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="LAYOUT", help="a layout or a config.json, or two to compare; - for standard input"
    )
    parser.add_argument("--batch-size", type=count, default=1, metavar="B", help="sequences in the batch (1)")
    parser.add_argument(
        "--prefix-tokens",
        type=tokens,
        default=4096,
        metavar="N",
        help="tokens in the prefix (4096); 128k is 131,072",
    )
    parser.add_argument(
        "--dtype",
        type=_dtype,
        default="bfloat16",
        metavar="D",
        help=f"what floating tensors are stored as: {', '.join(FLOATING)}, or short bf16, fp16, fp8 ... (bfloat16)",
    )
    parser.add_argument("--syntax", choices=("json", "yaml"), help="read the files so, whatever their names say")
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help="(table)")
    parser.add_argument("--plot", metavar="FILE", help="also draw an .svg or .png; needs the extra cachespec[plot]")
    add_import_options(parser)


def _dtype(text: str) -> str:
    name = text.lower().replace("-", "_").removeprefix("torch.")
    if name not in _DTYPES:
        meant = nearest(name, list(_DTYPES))
        hint = f"; did you mean {meant}?" if meant else ""
        raise ArgumentTypeError(f"no dtype {text!r}{hint or ';'} the dtypes are {', '.join(FLOATING)}")
    return _DTYPES[name]


def run(options: Namespace) -> int:
    if options.paths.count(STANDARD_INPUT) > 1:
        say(READ_ONCE)
        return CANNOT_RUN
    if len(options.paths) > 2:
        say("name one layout, or two to compare")
        return CANNOT_RUN
    # What cannot be drawn is known before anything is read.
    if options.plot is not None and (why := why_not_replaced(options.plot, options.paths)):
        say(f"{options.plot}: {why}")
        return CANNOT_RUN
    read = []
    for path in options.paths:
        try:
            read.append(checked_layout(path, options))
        except CannotRead as error:
            say(str(error))
            return CANNOT_RUN
        except ValueError as error:
            say(f"{path}: {error}")
            return CANNOT_RUN
    if not all(one.report.ok for one in read):
        from cachespec.cli.output.findings import write_text

        write_text(len(read), read)
        return ERRORS
    try:
        sized = [_sized(one.file, one.report.value, options) for one in read if one.report.value]
    except CachePolicyError as error:
        say(str(error))
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
    except OSError as error:
        say(f"{options.plot}: {error.strerror or error}")
        return False
    except (ImportError, ValueError) as error:
        say(str(error))
        return False
    remark(f"wrote {options.plot}")
    return True
