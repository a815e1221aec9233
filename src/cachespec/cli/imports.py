"""`cachespec import`: layouts from the config.json of models."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from cachespec.checking import CheckReport
from cachespec.cli import CANNOT_RUN, ERRORS, OK
from cachespec.cli.checks import Checked
from cachespec.cli.inputs import CannotRead, contents
from cachespec.cli.progress import shown_progress
from cachespec.findings import CachePolicyError, Finding
from cachespec.importers import read_config
from cachespec.importing import layout_text
from cachespec.lines import Lines
from cachespec.loading import syntax_of
from cachespec.places import Places
from cachespec.writing import replace_file


def run(options: Namespace) -> int:
    output = Path(options.output) if options.output else None
    if len(options.configs) > 1 and not (output and output.is_dir()):
        print("cachespec: several configurations need -o FOLDER, a folder that is there", file=sys.stderr)
        return CANNOT_RUN
    status = OK
    for config in shown_progress(options.configs, "importing"):
        status = max(status, _import(config, output, options))
    return status


def _import(path: str, output: Path | None, options: Namespace) -> int:
    try:
        text = contents(path).decode("utf-8")
        document, warnings = read_config(
            _parsed(path, text),
            options.runtime,
            tensor_parallel=options.tensor_parallel,
            rank=options.rank,
            layers=options.layers,
        )
    except CachePolicyError as error:
        _show(path, text, list(error.findings))
        return ERRORS
    except (CannotRead, ValueError) as error:
        print(f"cachespec: {path}: {error}", file=sys.stderr)
        return CANNOT_RUN
    if warnings:
        _show(path, text, warnings)
    return _write(document, _target(path, output))


def _parsed(path: str, text: str) -> dict[str, Any]:
    # Configurations are written by Python, whose NaN and Infinity are no JSON and yet all over the hubs.
    config = json.loads(text)
    if not isinstance(config, dict):
        raise CannotRead("a configuration is a JSON object")
    return config


def _show(path: str, text: str, findings: list[Finding]) -> None:
    """The findings on standard error, each at its field or at the object that lacks it."""
    from cachespec.cli.finding_formats import write_findings

    lines, places = Lines(text), Places(text, "json")
    placed = []
    for finding in findings:
        line, column = lines.position(places.nearest(finding.path))
        placed.append(finding._replace(line=line, column=column))
    errors = sum(finding.level == "error" for finding in placed)
    report = CheckReport("CacheLayout", tuple(placed), errors, len(placed) - errors)
    write_findings([Checked(path, report, text.encode())], sys.stderr)


def _target(path: str, output: Path | None) -> Path | None:
    if output is None or not output.is_dir():
        return output
    name = Path(path).stem if Path(path).stem != "config" else Path(path).resolve().parent.name
    return output / f"{name}.cachespec.yaml"


def _write(document: dict[str, Any], target: Path | None) -> int:
    if target is None:
        print(layout_text(document, "yaml"), end="")
        return OK
    try:
        replace_file(target, layout_text(document, syntax_of(target)).encode())
    except OSError as error:
        print(f"cachespec: {target}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return CANNOT_RUN
    return OK
