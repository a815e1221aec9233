"""Findings as people and as programs read them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from cachespec.cli.output.printing import (
    console,
    escaped,
    name_in_json,
    named,
    remark,
    write_json_value,
)
from cachespec.findings import Finding
from cachespec.reading.positions import Lines
from cachespec.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from cachespec.cli.documents import Checked

# A minified document is one line of any length; people see this much of it.
_SHOWN_BEFORE, _SHOWN = 60, 120


def write_json(count: int, checked: Sequence[Checked]) -> None:
    """One object: `checked`, `errors`, `warnings` and `findings`, each a finding with its `file`."""
    findings = [_fields(found.file, finding) for found in checked for finding in found.report.findings]
    errors, warnings = _counts(checked)
    report = {"checked": count, "errors": errors, "warnings": warnings, "findings": findings}
    write_json_value(report)


def _fields(file: str, finding: Finding) -> dict[str, object]:
    name = name_in_json(file)
    fields: dict[str, object] = {"file": name, **finding._asdict()}
    return fields | {"file": name}


def write_github(checked: Sequence[Checked]) -> None:
    """Workflow commands that show each finding at its line of a pull request."""
    from pathlib import PurePath

    for found in checked:
        for finding in found.report.findings:
            # GitHub finds `a.yaml` in the repository, and not `./a.yaml`.
            file = _property(escaped(PurePath(found.file).as_posix()))
            where = "" if finding.line is None else f",line={finding.line},col={finding.column}"
            place = f"file={file}{where}"
            hint = f"\nhelp: {escaped(finding.hint)}" if finding.hint else ""
            title = _property(finding.code)
            print(f"::{finding.level} {place},title={title}::{_escaped(escaped(finding.message) + hint)}")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def write_text(count: int, checked: Sequence[Checked], unread: int = 0, quiet: bool = False) -> None:
    """`path:line:column: code: message`, the line with a caret, the hint; a summary on standard error unless quiet."""
    if checked:
        write_findings(checked, sys.stdout)
    if not quiet:
        write_summary(count, checked, unread)


def write_summary(count: int, checked: Sequence[Checked], unread: int = 0) -> None:
    """What was found in so many documents; `unread` paths could not be read, which others have said."""
    errors, warnings = _counts(checked)
    found = [counted(errors, "error"), counted(warnings, "warning")] if errors or warnings else []
    found += [f"{unread:,} not read"] if unread else []
    remark(f"checked {counted(count, 'document')}: {', '.join(found) or 'no findings'}")


def write_findings(checked: Sequence[Checked], stream: TextIO) -> None:
    """The findings as text, with colour where the stream is a terminal and NO_COLOR is not set."""
    out = console(stream)
    for found in checked:
        lines = Lines(found.data.decode("utf-8", "replace"))
        for finding in found.report.findings:
            _write_finding(out, named(found.file), finding, lines)
        if found.report.more:
            out.print(f"{named(found.file)}: {counted(found.report.more, 'more finding')}", soft_wrap=True)


def _write_finding(out: Console, file: str, finding: Finding, lines: Lines) -> None:
    from rich.text import Text

    colour = "bold red" if finding.level == "error" else "bold yellow"
    head = Text.assemble(
        (f"{file}:{finding.line}:{finding.column}: ", "bold"), (finding.code, colour), f": {escaped(finding.message)}"
    )
    assert finding.line is not None
    assert finding.column is not None
    source, caret = _excerpt(lines.line(finding.line), finding.column)
    margin = f"{finding.line:>5} | "
    below = " " * (len(margin) - 2)
    shown = [
        head,
        Text.assemble((margin, "dim"), source),
        Text.assemble((below + "| ", "dim"), caret, ("^", colour)),
    ]
    if finding.hint:
        shown.append(Text.assemble((below + "= ", "dim"), ("help: ", "bold cyan"), escaped(finding.hint)))
    for line in shown:
        out.print(line, soft_wrap=True)


def _excerpt(line: str, column: int) -> tuple[str, str]:
    """The part of a line around a column, and the blanks that bring a caret below it."""
    from rich.cells import cell_len

    start = max(0, column - 1 - _SHOWN_BEFORE) if len(line) > _SHOWN else 0
    shown = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line[start : start + _SHOWN])
    before = shown[: column - 1 - start]
    # A tab is as wide below as above only as a tab; a wide character takes two blanks.
    caret = "".join("\t" if c == "\t" else " " * cell_len(c) for c in before)
    return shown, caret


def _counts(checked: Sequence[Checked]) -> tuple[int, int]:
    return sum(found.report.errors for found in checked), sum(found.report.warnings for found in checked)
