"""What the tests of consumers share: the line that a consumer must print, and vectors that it must notice as wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.conformance.run import Vector, vectors
from tests.consumers.languages import REFUSES, SYNTAX_ERROR, cells


def line(language: str, agreed: Iterable[Vector]) -> str:
    """The first line of a consumer's output."""
    counts = Counter(vector.get("stage", "accept") for vector in agreed)
    return (
        f"{language}: reader {counts['reader']} left out, "
        f"schema {counts['schema']}, rules {counts['rules']}, accept {counts['accept']} agreed"
    )


def departures(output: str) -> set[tuple[str, str]]:
    """The accepted vectors that a parser reads otherwise, as a consumer prints them: reader and vector."""
    prefix = "  departs, "
    told = [line.removeprefix(prefix).split(": ")[:2] for line in output.splitlines() if line.startswith(prefix)]
    return {(reader, vector) for reader, vector in told}


def documented_departures(*readers: str) -> set[tuple[str, str]]:
    """The same, as docs/languages.md says it."""
    return {
        (cell.reader, cell.vector)
        for cell in cells()
        if cell.reader in readers and cell.verdict == "accept" and cell.says in (REFUSES, SYNTAX_ERROR)
    }


def write_wrong_vectors(folder: Path) -> list[str]:
    """Writes one wrong vector of each kind into a folder; what a consumer says of them must begin with these names."""
    plain = [vector for vector in vectors() if vector["syntax"] == "json" and "large_integers" not in vector]
    wrong = [
        _changed(plain, "accept", {"verdict": "refuse", "stage": "schema"}),
        _changed(plain, "schema", {"stage": "rules"}),
        _changed(plain, "rules", {"stage": "schema"}),
        _changed(plain, "accept", {"canonical": '"nothing"'}),
    ]
    for index, vector in enumerate(wrong):
        vector["name"] = f"wrong-{index}"
    (folder / "wrong.json").write_text(json.dumps({"about": "wrong", "vectors": wrong}), encoding="utf-8")
    return [vector["name"] for vector in wrong]


def _changed(among: list[Vector], stage: str, change: Vector) -> Vector:
    original = next(vector for vector in among if vector.get("stage", "accept") == stage)
    return {**original, **change}
