"""`cachespec check`: documents through all stages, findings out."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import dataclass

from cachespec.checking import CheckReport, check
from cachespec.cli import CANNOT_RUN, ERRORS, OK
from cachespec.cli.inputs import CannotRead, contents, files, syntax
from cachespec.published import definitions


@dataclass(frozen=True)
class Checked:
    """One document and its report; the bytes are kept only where findings show lines of them."""

    file: str
    report: CheckReport
    data: bytes


def run(options: Namespace) -> int:
    if options.type not in definitions():
        print(f"cachespec: no type {options.type}; the types are {', '.join(sorted(definitions()))}", file=sys.stderr)
        return CANNOT_RUN
    checked: list[Checked] = []
    count, unreadable = 0, False
    for path in options.paths:
        try:
            for file in files(path):
                data = contents(file)
                report = check(data, options.type, syntax(file, options.syntax))
                count += 1
                if report.findings:
                    checked.append(Checked(file, report, data))
        except CannotRead as error:
            print(f"cachespec: {error}", file=sys.stderr)
            unreadable = True
    _write(options.format, count, checked)
    failed = any(found.report.errors or (options.strict and found.report.warnings) for found in checked)
    if count == 0 and not unreadable:
        print("cachespec: no documents found; their names end in .cachespec.yaml or .cachespec.json", file=sys.stderr)
        return CANNOT_RUN
    return CANNOT_RUN if unreadable else ERRORS if failed else OK


def _write(form: str, count: int, checked: list[Checked]) -> None:
    from cachespec.cli import finding_formats

    if form == "json":
        finding_formats.write_json(count, checked)
    elif form == "github":
        finding_formats.write_github(checked)
    elif form == "sarif":
        from cachespec.cli.sarif import write_sarif

        write_sarif(checked)
    else:
        finding_formats.write_text(count, checked)
