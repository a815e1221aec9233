"""`cachespec format`: documents in canonical form, each rewritten whole or left alone."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, Namespace
from difflib import unified_diff
from pathlib import Path

from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK
from cachespec.cli.documents import NO_DOCUMENTS, STANDARD_INPUT, CannotRead, Checked, checked, files, syntax
from cachespec.cli.output.printing import escaped, named, remark, say, write_document
from cachespec.files import reason, replace_file
from cachespec.formatting.canonical import CannotFormat, formatted

EXAMPLE = "cachespec format layouts/ --check"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a file, a folder, or - to read standard input and write to output"
    )
    parser.add_argument("--check", action="store_true", help="list what would change, and write nothing")
    parser.add_argument("--diff", action="store_true", help="show what would change, and write nothing")


def run(options: Namespace) -> int:
    """0 when nothing had to change, 1 when a file was changed or has errors, 2 when it cannot run."""
    run = _Run(options.check, options.diff)
    if options.paths == [STANDARD_INPUT]:
        return run.standard_input()
    run.paths(options.paths)
    return run.status()


class _Run:
    """What happened to the files so far."""

    def __init__(self, only_check: bool, show_changes: bool) -> None:
        self._only_check = only_check
        self._show_changes = show_changes
        self._count = 0
        self._changed = False
        self._failed = False
        self._refused: list[Checked] = []

    def paths(self, paths: list[str]) -> None:
        for file in files(paths):
            if isinstance(file, CannotRead):
                self._cannot(str(file))
            elif file == STANDARD_INPUT:
                self._cannot("standard input is formatted alone, since its document goes to standard output")
            else:
                self._count += 1
                self._file(file)
        if self._count == 0 and not self._failed:
            self._cannot(NO_DOCUMENTS)

    def standard_input(self) -> int:
        """Standard input in canonical form to standard output, and 0; what is wrong with it, on standard error."""
        try:
            found = checked(STANDARD_INPUT, None)
            if not found.report.ok:
                from cachespec.cli.output.findings import write_findings

                write_findings([found], sys.stderr)
                return ERRORS
            after = self._formatted(found)
        except (CannotFormat, CannotRead) as error:
            say(str(error) if isinstance(error, CannotRead) else f"{STANDARD_INPUT}: {error}")
            return CANNOT_RUN
        if not (self._only_check or self._show_changes):
            write_document(after)
            return OK
        if after.encode() != found.data:
            self._would_change(found, after)
        return ERRORS if self._changed else OK

    def status(self) -> int:
        if self._refused:
            from cachespec.cli.output.findings import write_findings, write_summary

            write_findings(self._refused, sys.stderr if self._show_changes else sys.stdout)
            write_summary(self._count, self._refused)
        return CANNOT_RUN if self._failed else ERRORS if self._changed or self._refused else OK

    def _file(self, file: str) -> None:
        """One file; what goes wrong with it is said and keeps no other file from being formatted."""
        try:
            self._format(file)
        except (CannotFormat, CannotRead) as error:
            self._cannot(str(error) if isinstance(error, CannotRead) else f"{file}: {error}")

    def _format(self, file: str) -> None:
        found = checked(file, None)
        if not found.report.ok:
            self._refused.append(found)
            return
        after = self._formatted(found)
        if after.encode() == found.data:
            return
        if self._only_check or self._show_changes:
            self._would_change(found, after)
            return
        try:
            links = os.stat(file).st_nlink
            if links > 1:
                # Written anew, it would part from its other names, and those would keep the old text.
                self._cannot(f"{file}: left alone, since the file has {links} names (hard links)")
                return
            replace_file(Path(file), after.encode())
        except OSError as error:
            self._cannot(f"{file}: {reason(error)}")
            return
        self._changed = True
        print(named(f"reformatted: {file}"))

    def _formatted(self, found: Checked) -> str:
        return formatted(found.data.decode("utf-8"), syntax(found.file, found.data))

    def _would_change(self, found: Checked, after: str) -> None:
        self._changed = True
        if not self._show_changes:
            print(named(f"would reformat: {found.file}"))
            return
        name = escaped(found.file)
        for line in unified_diff(_lines(found.data.decode("utf-8")), _lines(after), name, name):
            text, end = (line[:-1], "") if line.endswith("\n") else (line, "\n\\ No newline at end of file")
            print("\t".join(map(escaped, text.split("\t"))) + end)
        remark(f"would reformat: {found.file}")

    def _cannot(self, message: str) -> None:
        say(message)
        self._failed = True


def _lines(text: str) -> list[str]:
    """The lines as a diff counts them: only a line feed ends one."""
    return [line for line in re.split(r"(?<=\n)", text) if line]
