"""Findings as people and as programs read them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

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
    import json

    findings = [{"file": found.file, **finding._asdict()} for found in checked for finding in found.report.findings]
    errors, warnings = _counts(checked)
    report = {"checked": count, "errors": errors, "warnings": warnings, "findings": findings}
    print(json.dumps(report, indent=2, ensure_ascii=False))


def write_github(checked: Sequence[Checked]) -> None:
    """Workflow commands that show each finding at its line of a pull request."""
    from pathlib import PurePath

    for found in checked:
        for finding in found.report.findings:
            # GitHub finds `a.yaml` in the repository, and not `./a.yaml`.
            file = _property(PurePath(found.file).as_posix())
            place = f"file={file},line={finding.line},col={finding.column}"
            hint = f"\nhelp: {finding.hint}" if finding.hint else ""
            title = _property(finding.code)
            print(f"::{finding.level} {place},title={title}::{_escaped(finding.message + hint)}")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def write_text(count: int, checked: Sequence[Checked]) -> None:
    """`path:line:column: code: message`, the line with a caret, the hint; a summary on standard error."""
    if checked:
        write_findings(checked, sys.stdout)
    errors, warnings = _counts(checked)
    documents = counted(count, "document")
    found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}" if errors or warnings else "no findings"
    print(f"checked {documents}: {found}", file=sys.stderr)


def write_findings(checked: Sequence[Checked], stream: TextIO) -> None:
    """The findings as text, with colour where the stream is a terminal and NO_COLOR is not set."""
    from rich.console import Console

    console = Console(file=stream, highlight=False, soft_wrap=True, markup=False, emoji=False)
    for found in checked:
        lines = Lines(found.data.decode("utf-8", "replace"))
        for finding in found.report.findings:
            _write_finding(console, found.file, finding, lines)
        if found.report.more:
            console.print(f"{found.file}: {counted(found.report.more, 'more finding')}")


def _write_finding(console: Console, file: str, finding: Finding, lines: Lines) -> None:
    from rich.text import Text

    colour = "bold red" if finding.level == "error" else "bold yellow"
    head = Text.assemble(
        (f"{file}:{finding.line}:{finding.column}: ", "bold"), (finding.code, colour), f": {finding.message}"
    )
    console.print(head)
    assert finding.line is not None
    assert finding.column is not None
    source, caret = _excerpt(lines.line(finding.line), finding.column)
    margin = f"{finding.line:>5} | "
    console.print(Text.assemble((margin, "dim"), source))
    console.print(Text.assemble((" " * (len(margin) - 2) + "| ", "dim"), caret, ("^", colour)))
    if finding.hint:
        console.print(Text.assemble((" " * (len(margin) - 2) + "= ", "dim"), ("help: ", "bold cyan"), finding.hint))


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
