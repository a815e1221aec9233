"""`cachespec import`: layouts from the config.json of models."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cachespec.checking import CheckReport, placed_report
from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK, count
from cachespec.cli.documents import CannotRead, Checked, contents
from cachespec.cli.progress import shown_progress
from cachespec.files import reason, replace_file
from cachespec.findings import CachePolicyError, Finding
from cachespec.formatting.new_document import layout_text
from cachespec.importers.runtimes import read_config
from cachespec.reading.document import syntax_of
from cachespec.reading.positions import Lines, Places
from cachespec.reading.reader import read, settled
from cachespec.schema import DOCUMENT_TYPE

EXAMPLE = "cachespec import config.json --runtime transformers -o model.cachespec.yaml"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("configs", nargs="+", metavar="CONFIG", help="a config.json")
    parser.add_argument("--runtime", choices=("transformers", "eredu"), default="transformers", help="(transformers)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write here; for several CONFIG, a folder")
    parser.add_argument("--tensor-parallel", type=count, default=1, metavar="SIZE", help="ranks that share a layer")
    parser.add_argument("--rank", type=count, default=0, metavar="R", help="the rank to describe, from 0")
    parser.add_argument("--layers", type=_stage, metavar="A:B", help="a pipeline stage: layers A to B - 1")


def _stage(text: str) -> tuple[int, int]:
    first, _, end = text.partition(":")
    return count(first), count(end)


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
        document = settled(read(contents(path), "json"))
    except CannotRead as error:
        print(f"cachespec: {error}", file=sys.stderr)
        return CANNOT_RUN
    text = document.text
    # Configurations are written by Python, whose NaN and Infinity are no JSON and yet all over the hubs.
    if mistakes := [mistake for mistake in document.mistakes if mistake.code != "not-finite"]:
        _show(path, text, placed_report(DOCUMENT_TYPE, document, mistakes))
        return ERRORS
    try:
        layout, warnings = read_config(
            json.loads(text),
            options.runtime,
            tensor_parallel=options.tensor_parallel,
            rank=options.rank,
            layers=options.layers,
        )
    except CachePolicyError as error:
        _show(path, text, _report_of_fields(text, error.findings))
        return ERRORS
    except ValueError as error:
        print(f"cachespec: {path}: {error}", file=sys.stderr)
        return CANNOT_RUN
    if warnings:
        _show(path, text, _report_of_fields(text, warnings))
    return _write(layout, _target(path, output))


def _show(path: str, text: str, report: CheckReport[Any]) -> None:
    from cachespec.cli.output.findings import write_findings

    write_findings([Checked(path, report, text.encode("utf-8", "replace"))], sys.stderr)


def _report_of_fields(text: str, findings: Sequence[Finding]) -> CheckReport[Any]:
    """The findings, each at its field or at the object that lacks it."""
    lines, places = Lines(text), Places(text, "json")
    placed = []
    for finding in findings:
        line, column = lines.position(places.nearest(finding.path))
        placed.append(finding._replace(line=line, column=column))
    errors = sum(finding.level == "error" for finding in placed)
    return CheckReport(DOCUMENT_TYPE, tuple(placed), errors, len(placed) - errors)


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
        print(f"cachespec: {target}: {reason(error)}", file=sys.stderr)
        return CANNOT_RUN
    return OK
