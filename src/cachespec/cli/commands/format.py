"""`cachespec format`: documents in canonical form, each rewritten whole or left alone."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK
from cachespec.cli.documents import NO_DOCUMENTS, STANDARD_INPUT, CannotRead, Checked, checked, files, syntax
from cachespec.files import reason, replace_file
from cachespec.formatting.canonical import CannotFormat, formatted

EXAMPLE = "cachespec format layouts/ --check"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder")
    parser.add_argument("--check", action="store_true", help="list what would change, and write nothing")


def run(options: Namespace) -> int:
    """0 when nothing had to change, 1 when a file was changed or has errors, 2 when it cannot run."""
    run = _Run(options.check)
    for path in options.paths:
        run.path(path)
    return run.status()


class _Run:
    """What happened to the files so far."""

    def __init__(self, only_check: bool) -> None:
        self._only_check = only_check
        self._count = 0
        self._changed = False
        self._failed = False
        self._refused: list[Checked] = []

    def path(self, path: str) -> None:
        try:
            if path == STANDARD_INPUT:
                raise CannotRead("standard input is no file that can be rewritten")
            for file in files(path):
                self._count += 1
                self._file(file)
        except CannotRead as error:
            self._cannot(str(error))

    def status(self) -> int:
        if self._refused:
            from cachespec.cli.output.findings import write_text

            write_text(self._count, self._refused)
        if self._count == 0 and not self._failed:
            self._cannot(NO_DOCUMENTS)
        return CANNOT_RUN if self._failed else ERRORS if self._changed or self._refused else OK

    def _file(self, file: str) -> None:
        """One file; what goes wrong with it is said and keeps no other file from being formatted."""
        try:
            self._format(file)
        except (CannotFormat, CannotRead) as error:
            self._cannot(str(error) if isinstance(error, CannotRead) else f"{file}: {error}")
        except OSError as error:
            self._cannot(f"{file}: {reason(error)}")

    def _format(self, file: str) -> None:
        form = syntax(file, None)
        found = checked(file, form)
        if not found.report.ok:
            self._refused.append(found)
            return
        before = found.data
        after = formatted(before.decode("utf-8"), form).encode("utf-8")
        if after == before:
            return
        if not self._only_check:
            replace_file(Path(file), after)
        self._changed = True
        print(f"{'would reformat' if self._only_check else 'reformatted'}: {file}")

    def _cannot(self, message: str) -> None:
        print(f"cachespec: {message}", file=sys.stderr)
        self._failed = True
