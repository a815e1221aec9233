"""The command line: which commands there are, and how one of them runs."""

import gc
import os
import signal
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from cachespec import __version__
from cachespec.cli.arguments import CANNOT_RUN, INTERRUPTED
from cachespec.cli.output.printing import escaped, say

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

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
    "explain": Command("explain", "explain a finding's code, or list the codes"),
    "completion": Command("completion", "print a script that completes commands in a shell"),
}


class _Parser(ArgumentParser):
    """A parser whose complaints about an argument are one line without its escapes."""

    def error(self, message: str) -> NoReturn:
        super().error(escaped(message))

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        # argparse takes no notice of an output that nothing can be written to.
        if file is sys.stdout:
            print(message, end="")
        else:
            super()._print_message(message, file)


def script() -> NoReturn:
    """The program `cachespec`: runs one command and ends the process."""
    # A document becomes many objects and no cycles, and to look for cycles among them takes up to half as long as to
    # read it. The process is ours here, and only here: what a library does to the collector, all its users see.
    gc.set_threshold(_OBJECTS)
    status = CANNOT_RUN
    try:
        _open_streams()
        status = _status()
        sys.stdout.flush()
    except KeyboardInterrupt:
        # Nobody has to press it twice for one line.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        say("interrupted")
        status = INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; nothing is left to say.
        status = CANNOT_RUN
    except OSError as error:
        say(str(error))
        status = CANNOT_RUN
    except MemoryError:
        say("not enough memory")
        status = CANNOT_RUN
    except Exception:
        # A mistake of ours; 1 would say that documents have errors.
        sys.excepthook(*sys.exc_info())
        status = CANNOT_RUN
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    # Everything is written. To give every object back one by one would take longer than to read a layout.
    os._exit(status)


def _status() -> int:
    try:
        return main()
    except SystemExit as stop:
        # How argparse ends after --help, --version and a mistake.
        return stop.code if isinstance(stop.code, int) else 0


def _open_streams() -> None:
    """Standard output and error that can be written to: without an error for what their encoding does not have.

    Python has None for what was closed. What is written to a closed output is an error, as it is for every program;
    messages that nobody wanted are none.
    """
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0 without errors, 1 with errors, 2 when it cannot run."""
    name, *rest = _command_first(sys.argv[1:] if arguments is None else arguments)
    command = COMMANDS[name]
    module = import_module(f"cachespec.cli.commands.{command.module}")
    parser = _Parser(
        prog=f"cachespec {name}",
        description=command.what[0].upper() + command.what[1:],
        epilog=f"example:\n  {module.EXAMPLE}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    module.arguments(parser)
    status: int = module.run(parser.parse_args(_options_first(rest)))
    return status


def all_commands() -> ArgumentParser:
    """The parser of the whole command line, with the arguments of every command."""
    parser, commands = _commands()
    for name, command in COMMANDS.items():
        import_module(f"cachespec.cli.commands.{command.module}").arguments(commands[name])
    return parser


def _command_first(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments from the name of a command on; ends the process for what has none, such as --help."""
    if arguments and arguments[0] in COMMANDS:
        return arguments
    if arguments and arguments[0] == "help":
        return _command_first([*arguments[1:], "--help"])
    parser, _ = _commands()
    parser.parse_args(arguments)
    # Only `--` may stand before the name of a command.
    return _command_first(arguments[1:])


def _commands() -> tuple[_Parser, dict[str, _Parser]]:
    """The parser of what stands before a command, and one for each command that has no arguments yet."""
    parser = _Parser(
        prog="cachespec",
        description="What a language model must remember between tokens: check, expand and look up cache layouts.",
    )
    parser.add_argument("--version", action="version", version=f"cachespec {__version__}")
    group = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    commands = {name: group.add_parser(name, help=command.what) for name, command in COMMANDS.items()}
    group.add_parser("help", help="show the arguments of a command")
    return parser, commands


def _options_first(arguments: Sequence[str]) -> Sequence[str]:
    """The options that stand between `--` and the first file, before the `--`.

    The entries of the hooks end with `--`, so that a file whose name begins with a dash is one, and pre-commit puts
    the `args` that a user gives a hook behind it.
    """
    before, dashes, after = _parted(arguments, "--")
    if not dashes or not after or not after[0].startswith("-") or after[0] == "-":
        return arguments
    from cachespec.cli.documents import SUFFIXES

    options = list(takewhile(lambda word: not (word.endswith(SUFFIXES) or os.path.lexists(word)), after))
    files = after[len(options) :]
    return [*before, *options, *dashes, *files] if files else arguments


def _parted(words: Sequence[str], at: str) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    if at not in words:
        return words, (), ()
    index = words.index(at)
    return words[:index], words[index : index + 1], words[index + 1 :]
