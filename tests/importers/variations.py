"""What the importers make of configurations that differ in one thing, whole: `variations.jsonl` has a line for each.

A line names a configuration (a recorded cache of transformers, or a list of layers of eredu) and what is put in the
place of its fields, and then the layers and what stands beside them, or the findings of the refusal.
`python -m tests.importers.variations` writes the lines anew with what comes out now: read the difference.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import cachespec
from tests.importers.cases import TESTS, told

FILE = Path(__file__).with_name("variations.jsonl")
GIVEN = ("of", "with", "without", "options")

Config: TypeAlias = dict[str, Any]
Variation: TypeAlias = dict[str, Any]


@cache
def configurations() -> dict[str, Config]:
    """The configurations that are varied, by name; one of eredu has the runtime before its name."""
    found: dict[str, Config] = {}
    for record in _lines(TESTS / "transformers-truth" / "transformers-5.24.jsonl"):
        found.setdefault(record["model_type"], record["config"])
    of_eredu = _lines(TESTS / "vectors" / "eredu-layouts.jsonl")
    return {**found, **{f"eredu: {case['name']}": case["config"] for case in of_eredu}}


def variations() -> Iterator[Variation]:
    return _lines(FILE)


def _lines(path: Path) -> Iterator[Any]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def answered(variation: Variation) -> Variation:
    """The variation with what comes out now, without defaults of the library."""
    config = {**configurations()[variation["of"]], **variation["with"]}
    config = {name: value for name, value in config.items() if name not in variation["without"]}
    options: dict[str, Any]
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in variation["options"].items()}
    given = {part: variation[part] for part in GIVEN}
    try:
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            patch.setitem(sys.modules, "transformers", None)
            layout = cachespec.import_config(config, **options)
    except cachespec.CachePolicyError as error:
        refused = [[finding.code, finding.path, finding.message, finding.hint] for finding in error.findings]
        return {**given, "refused": refused}
    document = json.loads(cachespec.dumps(layout))
    layers = told(document.pop("layers"))
    return {**given, "layers": layers, "beside": document, "warned": [str(warning.message) for warning in warned]}


def written(variation: Variation) -> str:
    return json.dumps(variation, ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    FILE.write_text("".join([written(answered(variation)) for variation in list(variations())]), encoding="utf-8")
