"""Layouts from files that are one, or that are a model's config.json."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any, NamedTuple

from cachespec.checking import CheckReport, check, placed_report
from cachespec.cli.documents import Checked, checked
from cachespec.findings import CachePolicyError, Finding
from cachespec.importers.runtimes import read_config
from cachespec.reading.positions import Lines, Places
from cachespec.reading.reader import read, settled
from cachespec.schema import DOCUMENT_TYPE
from cachespec.validation.documents import is_configuration


class Imported(NamedTuple):
    """What a configuration gives: a layout as plain values, or None; and what is wrong with the configuration."""

    layout: dict[str, Any] | None
    findings: Checked


def imported(path: str, data: bytes, options: Namespace) -> Imported:
    """The layout of a configuration. Raises ValueError for options that its runtime does not have."""
    document = settled(read(data, "json"))
    text = document.text
    # Configurations are written by Python, whose NaN and Infinity are no JSON and yet all over the hubs.
    if mistakes := [mistake for mistake in document.mistakes if mistake.code != "not-finite"]:
        return Imported(None, _of_text(path, text, placed_report(DOCUMENT_TYPE, document, mistakes)))
    try:
        layout, warnings = read_config(
            json.loads(text),
            options.runtime,
            tensor_parallel=options.tensor_parallel,
            rank=options.rank,
            layers=options.layers,
        )
    except CachePolicyError as error:
        return Imported(None, _of_text(path, text, _report_of_fields(text, error.findings)))
    return Imported(layout, _of_text(path, text, _report_of_fields(text, warnings)))


def checked_layout(path: str, options: Namespace) -> Checked:
    """The layout in a file, or the one that is imported from the configuration in it.

    Warnings of the import go to standard error. Raises CannotRead, and ValueError as `imported` does.
    """
    one = checked(path, options.syntax)
    if one.report.ok or not _holds_configuration(one.data):
        return one
    found = imported(path, one.data, options)
    if found.layout is None:
        return found.findings
    if found.findings.report.findings:
        show(found.findings)
    text = json.dumps(found.layout)
    return Checked(path, check(text, syntax="json"), text.encode())


def show(found: Checked) -> None:
    """The findings of a configuration, on standard error: a layout goes to standard output."""
    from cachespec.cli.output.findings import write_findings

    write_findings([found], sys.stderr)


def _holds_configuration(data: bytes) -> bool:
    try:
        return is_configuration(json.loads(data))
    except (ValueError, RecursionError):
        return False


def _of_text(path: str, text: str, report: CheckReport[Any]) -> Checked:
    return Checked(path, report, text.encode("utf-8", "replace"))


def _report_of_fields(text: str, findings: Sequence[Finding]) -> CheckReport[Any]:
    """The findings, each at its field or at the object that lacks it."""
    lines, places = Lines(text), Places(text, "json")
    placed = []
    for finding in findings:
        line, column = lines.position(places.nearest(finding.path))
        placed.append(finding._replace(line=line, column=column))
    errors = sum(finding.level == "error" for finding in placed)
    return CheckReport(DOCUMENT_TYPE, tuple(placed), errors, len(placed) - errors)
