"""The command line: which commands there are, and how one of them runs."""

import gc
import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, NoReturn

from cachespec import __version__
from cachespec.cli.arguments import CANNOT_RUN

# So many new objects, those of some thousand layers, until the collector looks for cycles.
_OBJECTS = 200_000


class Command(NamedTuple):
    """One command: its module below cachespec.cli.commands, and what it does.

    The module has an EXAMPLE of a call, `arguments` that says to a parser what the command takes, and `run`.
    """

    module: str
    what: str


COMMANDS = {
    "check": Command("check", "check documents"),
    "components": Command("components", "list every tensor of a layout"),
    "format": Command("format", "write layouts in canonical form"),
    "schema": Command("schema", "print the published schema"),
    "import": Command("import_config", "make a layout from a model's config.json"),
    "size": Command("size", "say how many bytes a layout takes, or compare two"),
    "explain": Command("explain", "explain a finding's code"),
}


def script() -> NoReturn:
    """The program `cachespec`: runs one command and ends the process."""
    # A document becomes many objects and no cycles, and to look for cycles among them takes up to half as long as to
    # read it. The process is ours here, and only here: what a library does to the collector, all its users see.
    gc.set_threshold(_OBJECTS)
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
    name, *rest = _command_first(sys.argv[1:] if arguments is None else arguments)
    command = COMMANDS[name]
    module = import_module(f"cachespec.cli.commands.{command.module}")
    parser = ArgumentParser(
        prog=f"cachespec {name}",
        description=command.what[0].upper() + command.what[1:],
        epilog=f"example:\n  {module.EXAMPLE}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    module.arguments(parser)
    status: int = module.run(parser.parse_args(rest))
    return status


def _command_first(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments from the name of a command on; ends the process for what has none, such as --help."""
    if arguments and arguments[0] in COMMANDS:
        return arguments
    parser = ArgumentParser(
        prog="cachespec",
        description="What a language model must remember between tokens: check, expand and look up cache layouts.",
    )
    parser.add_argument("--version", action="version", version=f"cachespec {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.what)
    parser.parse_args(arguments)
    # Only `--` may stand before the name of a command.
    return _command_first(arguments[1:])
