"""The command line: one function per command, each importing what it needs when it runs."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence

from cachespec import __version__

OK, ERRORS, CANNOT_RUN = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0 without errors, 1 with errors, 2 when it cannot run."""
    options = _parser().parse_args(arguments)
    command: Callable[[Namespace], int] = options.command
    try:
        return command(options)
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; nothing is left to say, and no flush may try.
        sys.stderr.close()
        return CANNOT_RUN


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cachespec",
        description="What a language model must remember between tokens: check, expand and look up cache layouts.",
    )
    parser.add_argument("--version", action="version", version=f"cachespec {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    check = _add(commands, "check", _check, "check documents", "cachespec check layouts/ --strict")
    check.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    check.add_argument("--type", default="CacheLayout", metavar="T", help="what the documents are (CacheLayout)")
    check.add_argument("--syntax", choices=("json", "yaml"), help="read every file so, whatever its name says")
    check.add_argument("--format", choices=("text", "json", "github", "sarif"), default="text", help="(text)")
    check.add_argument("--strict", action="store_true", help="warnings count as errors")

    components = _add(
        commands,
        "components",
        _components,
        "list every tensor of a layout",
        "cachespec components model.cachespec.yaml --batch-size 1 --prefix-tokens 4096 --layer 3",
    )
    components.add_argument("path", metavar="PATH", help="a layout file, or - for standard input")
    components.add_argument("--batch-size", type=_count, metavar="B", help="sequences in the batch")
    components.add_argument("--prefix-tokens", type=_count, metavar="N", help="tokens in the prefix")
    components.add_argument("--layer", type=_count, metavar="I", help="only the layer with this global index")
    components.add_argument("--syntax", choices=("json", "yaml"), help="read the file so, whatever its name says")
    components.add_argument("--format", choices=("table", "json", "csv"), default="table", help="(table)")

    form = _add(commands, "format", _format, "write layouts in canonical form", "cachespec format layouts/ --check")
    form.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder")
    form.add_argument("--check", action="store_true", help="list what would change, and write nothing")

    schema = _add(commands, "schema", _schema, "print the published schema", "cachespec schema LayerCachePolicy")
    schema.add_argument("type", nargs="?", default="CacheLayout", metavar="TYPE", help="one type alone (CacheLayout)")
    schema.add_argument("--draft", choices=("2020-12", "draft-07"), default="2020-12", help="(2020-12)")

    imports = _add(
        commands,
        "import",
        _import,
        "make a layout from a model's config.json",
        "cachespec import config.json --runtime transformers -o model.cachespec.yaml",
    )
    imports.add_argument("configs", nargs="+", metavar="CONFIG", help="a config.json")
    imports.add_argument("--runtime", choices=("transformers", "eredu"), default="transformers", help="(transformers)")
    imports.add_argument("-o", "--output", metavar="FILE", help="write here; for several CONFIG, a folder")
    imports.add_argument("--tensor-parallel", type=_count, default=1, metavar="SIZE", help="ranks that share a layer")
    imports.add_argument("--rank", type=_count, default=0, metavar="R", help="the rank to describe, from 0")
    imports.add_argument("--layers", type=_stage, metavar="A:B", help="a pipeline stage: layers A to B - 1")

    size = _add(
        commands,
        "size",
        _size,
        "say how many bytes a layout takes, or compare two",
        "cachespec size model.cachespec.yaml --prefix-tokens 131072 --plot model.svg",
    )
    size.add_argument("paths", nargs="+", metavar="PATH", help="a layout file, or two to compare; - for standard input")
    size.add_argument("--batch-size", type=_count, default=1, metavar="B", help="sequences in the batch (1)")
    size.add_argument("--prefix-tokens", type=_count, default=4096, metavar="N", help="tokens in the prefix (4096)")
    size.add_argument(
        "--dtype",
        choices=("float16", "bfloat16", "float32", "float64"),
        default="bfloat16",
        help="what floating tensors are stored as (bfloat16)",
    )
    size.add_argument("--syntax", choices=("json", "yaml"), help="read the files so, whatever their names say")
    size.add_argument("--format", choices=("table", "json", "csv"), default="table", help="(table)")
    size.add_argument("--plot", metavar="FILE", help="also draw an .svg or .png; needs the extra cachespec[plot]")

    explain = _add(commands, "explain", _explain, "explain a finding's code", "cachespec explain duplicate-role")
    explain.add_argument("code", metavar="CODE", help="the code of a finding")
    return parser


def _add(commands: object, name: str, command: Callable[[Namespace], int], what: str, example: str) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(  # type: ignore[attr-defined]
        name,
        help=what,
        description=what[0].upper() + what[1:],
        epilog=f"example:\n  {example}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=command)
    return parser


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 20:
        raise ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)


def _stage(text: str) -> tuple[int, int]:
    first, _, end = text.partition(":")
    return _count(first), _count(end)


# A command imports its module when it runs, so that none waits for what another needs.


def _check(options: Namespace) -> int:
    from cachespec.cli import checks

    return checks.run(options)


def _components(options: Namespace) -> int:
    from cachespec.cli import component_table

    return component_table.run(options)


def _format(options: Namespace) -> int:
    from cachespec.cli import formatter

    return formatter.run(options)


def _schema(options: Namespace) -> int:
    from cachespec.cli import schemas

    return schemas.run(options)


def _size(options: Namespace) -> int:
    from cachespec.cli import size_table

    return size_table.run(options)


def _import(options: Namespace) -> int:
    from cachespec.cli import imports

    return imports.run(options)


def _explain(options: Namespace) -> int:
    from cachespec.cli import code_pages

    return code_pages.run(options)
