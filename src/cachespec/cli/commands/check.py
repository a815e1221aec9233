"""`cachespec check`: documents through all stages, findings out."""

import gc
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial
from typing import Any

from cachespec.checking import CheckReport
from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK
from cachespec.cli.documents import NO_DOCUMENTS, CannotRead, Checked, checked, files
from cachespec.cli.progress import shown_progress
from cachespec.reading.document import Syntax
from cachespec.schema import DOCUMENT_TYPE
from cachespec_types.draft_4 import TYPES

EXAMPLE = "cachespec check layouts/ --strict"

# Below so many files, starting a second process takes longer than it saves.
_WORTH_A_PROCESS = 64


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--type", default=DOCUMENT_TYPE, metavar="T", help=f"what the documents are ({DOCUMENT_TYPE})")
    parser.add_argument("--syntax", choices=("json", "yaml"), help="read every file so, whatever its name says")
    parser.add_argument("--format", choices=("text", "json", "github", "sarif"), default="text", help="(text)")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")


def run(options: Namespace) -> int:
    if options.type not in TYPES:
        print(f"cachespec: no type {options.type}; the types are {', '.join(TYPES)}", file=sys.stderr)
        return CANNOT_RUN
    paths: list[str] = []
    problems: list[str] = []
    for path in options.paths:
        try:
            paths += files(path)
        except CannotRead as error:
            problems.append(str(error))
    with_findings: list[Checked] = []
    count = 0
    for outcome in _outcomes(paths, partial(_outcome, name=options.type, chosen=options.syntax)):
        if isinstance(outcome, str):
            problems.append(outcome)
            continue
        count += 1
        if outcome.report.findings:
            with_findings.append(outcome)
    _write(options.format, count, with_findings)
    if count == 0 and not problems:
        problems.append(NO_DOCUMENTS)
    for problem in problems:
        print(f"cachespec: {problem}", file=sys.stderr)
    failed = any(found.report.errors or (options.strict and found.report.warnings) for found in with_findings)
    return CANNOT_RUN if problems else ERRORS if failed else OK


def _outcome(path: str, name: str, chosen: Syntax | None) -> Checked | str:
    """What a check of one file gives, or why it could not be read."""
    try:
        _, found, data = checked(path, chosen, name)
    except CannotRead as error:
        return str(error)
    # Nobody asks for the value, and it would travel between processes.
    report: CheckReport[Any] = CheckReport(name, found.findings, found.errors, found.warnings, found.more)
    return Checked(path, report, data if report.findings else b"")


def _outcomes(paths: list[str], outcome: partial[Checked | str]) -> Iterator[Checked | str]:
    """The outcomes in the order of the paths, by as many processes as there are cores when there are many files."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if len(paths) < _WORTH_A_PROCESS or cores == 1:
        yield from map(outcome, shown_progress(paths, "checking"))
        return
    from concurrent.futures import ProcessPoolExecutor

    # A process that is not forked starts with the collector as Python has it.
    with ProcessPoolExecutor(cores, initializer=gc.set_threshold, initargs=gc.get_threshold()) as pool:
        outcomes = pool.map(outcome, paths, chunksize=max(1, len(paths) // (cores * 8)))
        for _, found in zip(shown_progress(paths, "checking"), outcomes, strict=True):
            yield found


def _write(form: str, count: int, checked: list[Checked]) -> None:
    from cachespec.cli.output import findings as finding_formats

    if form == "json":
        finding_formats.write_json(count, checked)
    elif form == "github":
        finding_formats.write_github(checked)
    elif form == "sarif":
        from cachespec.cli.output.sarif import write_sarif

        write_sarif(checked)
    else:
        finding_formats.write_text(count, checked)
