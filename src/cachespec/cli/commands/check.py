"""`cachespec check`: documents through all stages, findings out."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from cachespec.checking import CheckReport
from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK
from cachespec.cli.documents import NO_DOCUMENTS, READ_ONCE, STANDARD_INPUT, CannotRead, Checked, checked, files
from cachespec.cli.output.printing import say
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
    parser.add_argument("-q", "--quiet", action="store_true", help="print findings and nothing else")


def run(options: Namespace) -> int:
    if options.type not in TYPES:
        say(f"no type {options.type}; the types are {', '.join(TYPES)}")
        return CANNOT_RUN
    if options.paths.count(STANDARD_INPUT) > 1:
        say(READ_ONCE)
        return CANNOT_RUN
    with_findings: list[Checked] = []
    problems: list[CannotRead] = []
    count = 0
    for outcome in _outcomes(list(files(options.paths)), partial(_outcome, name=options.type, chosen=options.syntax)):
        if isinstance(outcome, CannotRead):
            problems.append(outcome)
            continue
        count += 1
        if outcome.report.findings:
            with_findings.append(outcome)
    if count == 0 and not problems:
        problems = [CannotRead(path, NO_DOCUMENTS) for path in options.paths]
    _write(options, count, with_findings, problems)
    failed = any(found.report.errors or (options.strict and found.report.warnings) for found in with_findings)
    return CANNOT_RUN if problems else ERRORS if failed else OK


def _outcome(path: str, name: str, chosen: Syntax | None) -> Checked | CannotRead:
    """What a check of one file gives, or why it could not be read."""
    try:
        _, found, data = checked(path, chosen, name)
    except CannotRead as error:
        return error
    except MemoryError:
        return CannotRead(path, "not enough memory to check it")
    # Nobody asks for the value, and it would travel between processes.
    report: CheckReport[Any] = CheckReport(name, found.findings, found.errors, found.warnings, found.more)
    return Checked(path, report, data if report.findings else b"")


def _outcomes(
    paths: Sequence[str | CannotRead], outcome: partial[Checked | CannotRead]
) -> Iterator[Checked | CannotRead]:
    """The outcomes in the order of the paths, by as many processes as there are cores when there are many files."""
    apart = [path for path in paths if isinstance(path, str) and path != STANDARD_INPUT]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    outcomes: Iterator[Checked | CannotRead]
    if len(apart) < _WORTH_A_PROCESS or cores == 1:
        outcomes = map(outcome, apart)
    else:
        outcomes = _by_processes(apart, outcome, cores)
    for path in shown_progress(paths, "checking"):
        # Standard input is this process's alone.
        yield path if isinstance(path, CannotRead) else outcome(path) if path == STANDARD_INPUT else next(outcomes)


def _by_processes(
    paths: Sequence[str], outcome: partial[Checked | CannotRead], cores: int
) -> Iterator[Checked | CannotRead]:
    from cachespec.cli.workers import Died, spread

    for found in spread(outcome, paths, cores):
        if isinstance(found, Died):
            yield CannotRead(found.path, f"the process that checked it has ended ({found.how})")
        else:
            yield found


def _write(options: Namespace, count: int, checked: Sequence[Checked], problems: Sequence[CannotRead]) -> None:
    from cachespec.cli.output import findings as finding_formats

    for problem in problems:
        say(str(problem))
    if options.format == "text":
        finding_formats.write_text(count, checked, len(problems), quiet=options.quiet)
        return
    # The counts are those of the documents: what could not be read is none, and the status says that there was such.
    unread = [Checked(problem.path, CheckReport(options.type, (problem.finding(),)), b"") for problem in problems]
    everything = [*checked, *unread]
    if options.format == "json":
        finding_formats.write_json(count, everything)
    elif options.format == "github":
        finding_formats.write_github(everything)
    else:
        from cachespec.cli.output.sarif import write_sarif

        write_sarif(everything)
