"""`cachespec import`: layouts from the config.json of models."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK, add_import_options
from cachespec.cli.configurations import imported, show
from cachespec.cli.documents import READ_ONCE, STANDARD_INPUT, CannotRead, contents
from cachespec.cli.output.printing import say, write_document
from cachespec.cli.progress import shown_progress
from cachespec.files import is_standard_output, reason, replace_file, why_not_replaced
from cachespec.formatting.new_document import layout_text
from cachespec.reading.document import syntax_of

EXAMPLE = "cachespec import config.json --runtime transformers -o model.cachespec.yaml"

# Where a layout goes, as the user wrote it; None is standard output.
Target: TypeAlias = str | None


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("configs", nargs="+", metavar="CONFIG", help="a config.json, or - for standard input")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write here, - is standard output; for several CONFIG, a folder, which is made when it is not there",
    )
    add_import_options(parser)


def run(options: Namespace) -> int:
    configs = list(dict.fromkeys(options.configs))
    if options.configs.count(STANDARD_INPUT) > 1:
        say(READ_ONCE)
        return CANNOT_RUN
    into_folder = _names_folder(options.output, len(configs))
    if len(configs) > 1 and not into_folder:
        say("several configurations need -o FOLDER")
        return CANNOT_RUN
    targets = _targets(configs, options.output, into_folder)
    if problem := _why_not(configs, targets):
        say(problem)
        return CANNOT_RUN
    if into_folder:
        try:
            os.makedirs(options.output, exist_ok=True)
        except OSError as error:
            say(f"{options.output}: {reason(error)}")
            return CANNOT_RUN
    status = OK
    for config, target in shown_progress(list(zip(configs, targets, strict=True)), "importing"):
        status = max(status, _import(config, target, options))
    return status


def _names_folder(output: str | None, count: int) -> bool:
    """Whether an output is a folder: one that is there, or one to make, for several configurations or by its slash."""
    if output is None or is_standard_output(output):
        return False
    return os.path.isdir(output) or (not os.path.lexists(output) and (count > 1 or output.endswith(("/", os.sep))))


def _targets(configs: Sequence[str], output: str | None, into_folder: bool) -> list[Target]:
    if output is None or is_standard_output(output):
        return [None] * len(configs)
    return [os.path.join(output, _name(config)) for config in configs] if into_folder else [output]


def _name(config: str) -> str:
    path = Path(config)
    if config == STANDARD_INPUT:
        return "standard-input.cachespec.yaml"
    name = path.stem if path.stem != "config" else path.resolve().parent.name
    return f"{name}.cachespec.yaml"


def _why_not(configs: Sequence[str], targets: Sequence[Target]) -> str | None:
    """Why nothing may be written, if so: two layouts in one place, or one in the place of what is not ours."""
    written: dict[str, str] = {}
    for config, target in zip(configs, targets, strict=True):
        if target is None:
            continue
        place = os.path.realpath(target)
        if place in written:
            return f"{written[place]} and {config} would both be written to {target}; nothing is written"
        written[place] = config
        if why := why_not_replaced(target, configs):
            return f"{target}: {why}"
    return None


def _import(path: str, target: Target, options: Namespace) -> int:
    try:
        found = imported(path, contents(path), options)
    except CannotRead as error:
        say(str(error))
        return CANNOT_RUN
    except ValueError as error:
        say(f"{path}: {error}")
        return CANNOT_RUN
    if found.findings.report.findings:
        show(found.findings)
    return ERRORS if found.layout is None else _write(found.layout, target)


def _write(document: dict[str, Any], target: Target) -> int:
    if target is None:
        write_document(layout_text(document, "yaml"))
        return OK
    try:
        replace_file(Path(target), layout_text(document, syntax_of(target)).encode())
    except OSError as error:
        say(f"{target}: {reason(error)}")
        return CANNOT_RUN
    return OK
