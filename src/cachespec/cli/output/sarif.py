"""Findings as SARIF 2.1.0, the format that code hosts and editors take from static checkers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from cachespec import __version__
from cachespec.cli.output.printing import write_json_value
from cachespec.findings import Finding
from cachespec.validation.codes import Code, codes

if TYPE_CHECKING:
    from cachespec.cli.documents import Checked


def write_sarif(checked: Sequence[Checked]) -> None:
    """One run, every code a rule with its page as help, every finding a result at its line and column."""
    numbers = {name: number for number, name in enumerate(codes())}
    driver = {"name": "cachespec", "version": __version__, "rules": [_rule(code) for code in codes().values()]}
    results = [
        _result(found.file, finding, numbers[finding.code]) for found in checked for finding in found.report.findings
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    write_json_value(log)


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.name,
        "shortDescription": {"text": code.meaning.partition("\n")[0]},
        "fullDescription": {"text": code.meaning},
        "help": {"text": code.text()},
        "defaultConfiguration": {"level": code.level},
    }


def _result(file: str, finding: Finding, rule: int) -> dict[str, Any]:
    hint = f" Help: {finding.hint}" if finding.hint else ""
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(os.fsencode(PurePath(file).as_posix()))}}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column}
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.level,
        "message": {"text": finding.message + hint},
        "locations": [{"physicalLocation": place, "logicalLocations": [{"fullyQualifiedName": finding.path}]}],
    }
