"""The command line: what each command takes; the module of a command runs it."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple, NoReturn

from cachespec import __version__

OK, ERRORS, CANNOT_RUN = 0, 1, 2


class Command(NamedTuple):
    """One command: the module below cachespec.cli whose `run` it is, and what it takes."""

    module: str
    what: str
    example: str
    arguments: Callable[[ArgumentParser], None]


def script() -> NoReturn:
    """The program `cachespec`: runs one command and ends the process."""
    try:
        status = main()
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; nothing is left to say.
        status = CANNOT_RUN
    except OSError as error:
        print(f"cachespec: {error}", file=sys.stderr)
        status = CANNOT_RUN
    # Everything is written. To give every object back one by one would take longer than to read a layout.
    os._exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0 without errors, 1 with errors, 2 when it cannot run."""
    options = _parsed(sys.argv[1:] if arguments is None else arguments)
    run: Callable[[Namespace], int] = import_module(f"cachespec.cli.{options.module}").run
    return run(options)


def _parsed(arguments: Sequence[str]) -> Namespace:
    if arguments and arguments[0] in COMMANDS:
        # One parser is enough then; to build them all takes longer than to check a layout.
        name, *rest = arguments
        parser = ArgumentParser(prog=f"cachespec {name}", formatter_class=_of_any_width)
        return _with_arguments(parser, COMMANDS[name]).parse_args(rest)
    parser = ArgumentParser(
        prog="cachespec",
        description="What a language model must remember between tokens: check, expand and look up cache layouts.",
    )
    parser.add_argument("--version", action="version", version=f"cachespec {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        _with_arguments(commands.add_parser(name, help=command.what), command)
    return parser.parse_args(arguments)


def _with_arguments(parser: ArgumentParser, command: Command) -> ArgumentParser:
    parser.description = command.what[0].upper() + command.what[1:]
    parser.epilog = f"example:\n  {command.example}"
    parser.set_defaults(module=command.module)
    command.arguments(parser)
    parser.formatter_class = RawDescriptionHelpFormatter
    return parser


def _of_any_width(prog: str) -> HelpFormatter:
    """For the time in which arguments are added: to ask for the terminal's width takes longer than to add them all."""
    return HelpFormatter(prog, width=80)


def _check(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--type", default="CacheLayout", metavar="T", help="what the documents are (CacheLayout)")
    parser.add_argument("--syntax", choices=("json", "yaml"), help="read every file so, whatever its name says")
    parser.add_argument("--format", choices=("text", "json", "github", "sarif"), default="text", help="(text)")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")


def _components(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a layout file, or - for standard input")
    parser.add_argument("--batch-size", type=_count, metavar="B", help="sequences in the batch")
    parser.add_argument("--prefix-tokens", type=_count, metavar="N", help="tokens in the prefix")
    parser.add_argument("--layer", type=_count, metavar="I", help="only the layer with this global index")
    parser.add_argument("--syntax", choices=("json", "yaml"), help="read the file so, whatever its name says")
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table", help="(table)")


def _format(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder")
    parser.add_argument("--check", action="store_true", help="list what would change, and write nothing")


def _schema(parser: ArgumentParser) -> None:
    parser.add_argument("type", nargs="?", default="CacheLayout", metavar="TYPE", help="one type alone (CacheLayout)")
    parser.add_argument("--draft", choices=("2020-12", "draft-07"), default="2020-12", help="(2020-12)")


def _import(parser: ArgumentParser) -> None:
    parser.add_argument("configs", nargs="+", metavar="CONFIG", help="a config.json")
    parser.add_argument("--runtime", choices=("transformers", "eredu"), default="transformers", help="(transformers)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write here; for several CONFIG, a folder")
    parser.add_argument("--tensor-parallel", type=_count, default=1, metavar="SIZE", help="ranks that share a layer")
    parser.add_argument("--rank", type=_count, default=0, metavar="R", help="the rank to describe, from 0")
    parser.add_argument("--layers", type=_stage, metavar="A:B", help="a pipeline stage: layers A to B - 1")


def _size(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a layout file, or two to compare; - for standard input"
    )
    parser.add_argument("--batch-size", type=_count, default=1, metavar="B", help="sequences in the batch (1)")
    parser.add_argument("--prefix-tokens", type=_count, default=4096, metavar="N", help="tokens in the prefix (4096)")
    parser.add_argument(
        "--dtype",
        choices=("float16", "bfloat16", "float32", "float64"),
        default="bfloat16",
        help="what floating tensors are stored as (bfloat16)",
    )
    parser.add_argument("--syntax", choices=("json", "yaml"), help="read the files so, whatever their names say")
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table", help="(table)")
    parser.add_argument("--plot", metavar="FILE", help="also draw an .svg or .png; needs the extra cachespec[plot]")


def _explain(parser: ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="the code of a finding")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 20:
        raise ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)


def _stage(text: str) -> tuple[int, int]:
    first, _, end = text.partition(":")
    return _count(first), _count(end)


COMMANDS = {
    "check": Command("checks", "check documents", "cachespec check layouts/ --strict", _check),
    "components": Command(
        "component_table",
        "list every tensor of a layout",
        "cachespec components model.cachespec.yaml --batch-size 1 --prefix-tokens 4096 --layer 3",
        _components,
    ),
    "format": Command("formatter", "write layouts in canonical form", "cachespec format layouts/ --check", _format),
    "schema": Command("schemas", "print the published schema", "cachespec schema LayerCachePolicy", _schema),
    "import": Command(
        "imports",
        "make a layout from a model's config.json",
        "cachespec import config.json --runtime transformers -o model.cachespec.yaml",
        _import,
    ),
    "size": Command(
        "size_table",
        "say how many bytes a layout takes, or compare two",
        "cachespec size model.cachespec.yaml --prefix-tokens 131072 --plot model.svg",
        _size,
    ),
    "explain": Command("code_pages", "explain a finding's code", "cachespec explain duplicate-role", _explain),
}
