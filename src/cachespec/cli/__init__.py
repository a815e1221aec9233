"""The command line: `cachespec check`, `components`, `schema` and `explain`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
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

    schema = _add(commands, "schema", _schema, "print the published schema", "cachespec schema LayerCachePolicy")
    schema.add_argument("type", nargs="?", default="CacheLayout", metavar="TYPE", help="one type alone (CacheLayout)")
    schema.add_argument("--draft", choices=("2020-12", "draft-07"), default="2020-12", help="(2020-12)")

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
        raise ValueError(text)
    return int(text)


# A command imports its module when it runs, so that none waits for what another needs.


def _check(options: Namespace) -> int:
    from cachespec.cli import checks

    return checks.run(options)


def _components(options: Namespace) -> int:
    from cachespec.cli import component_table

    return component_table.run(options)


def _schema(options: Namespace) -> int:
    from cachespec.cli import schemas

    return schemas.run(options)


def _explain(options: Namespace) -> int:
    from cachespec.cli import code_pages

    return code_pages.run(options)
