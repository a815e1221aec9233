"""`cachespec completion`: a script with which a shell completes commands, options and files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from cachespec.cli.arguments import CANNOT_RUN, OK
from cachespec.cli.output.printing import say

EXAMPLE = 'eval "$(cachespec completion bash)"'

# The placeholders of arguments that are files.
_FILES = ("PATH", "LAYOUT", "CONFIG", "FILE")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish", "tcsh"), metavar="SHELL", help="bash, zsh, fish, tcsh")


def run(options: Namespace) -> int:
    try:
        import shtab
    except ImportError:
        say("completion needs shtab, which is not installed: pip install shtab")
        return CANNOT_RUN
    from cachespec.cli import all_commands

    parser = all_commands()
    for command in parser._subparsers._group_actions[0].choices.values():  # type: ignore[union-attr]
        for action in command._actions:
            if action.metavar in _FILES:
                action.complete = shtab.FILE
    print(shtab.complete(parser, options.shell))
    return OK
