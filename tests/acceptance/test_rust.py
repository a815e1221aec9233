"""The original, and the types that typify makes of the published schema, answer the vectors and the examples."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cachespec
from cachespec.schema import definitions
from tests.conformance import reference
from tests.conformance.run import Vector, data, orders, vectors
from tests.consumers.agreement import PAYLOADS, differences, left_out
from tests.consumers.answers import answered
from tests.consumers.original import Program, built, generated, original
from tests.tools import Tell

pytestmark = [pytest.mark.consumers, pytest.mark.oracle]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "schema" / "v1" / "examples").glob("*.cachespec.*"))
PROBES = [(1, 0), (2, 9), (1, 4096), (1, 2**31)]

VECTORS = vectors()
ACCEPTED = [vector for vector in VECTORS if vector["verdict"] == "accept"]
REFUSED_BY_SCHEMA = [vector for vector in VECTORS if vector.get("stage") == "schema" and vector["syntax"] == "json"]

# Types of what the command line prints, which are no documents.
OF_REPORTS = {
    "Report",
    "ReportFinding",
    "FindingLevel",
    "ComponentReport",
    "ReportComponent",
    "ResolvedExtent",
    "SizeReport",
    "LayoutSize",
    "LayerBytes",
    "PartBytes",
    "SizeComparison",
    "SizeDifference",
    "PartDifference",
}


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    with original() as running:
        yield running


@pytest.fixture(scope="module")
def types() -> Iterator[Program]:
    with generated() as running:
        yield running


# --- the original ----------------------------------------------------------------------------------------


def test_the_original_agrees_with_the_vectors(program: Program, tell: Tell) -> None:
    asked = [vector for vector in VECTORS if not left_out(vector)]
    different = {vector["name"]: found for vector in asked if (found := differences(vector, program.ask))}
    counts = Counter(vector.get("stage", "accept") for vector in asked if vector["name"] not in different)
    each = ", ".join(f"{stage} {counts[stage]}" for stage in ("reader", "schema", "rules", "accept"))
    tell(
        f"rust: {each} agreed\n"
        f"  left out: {len(VECTORS) - len(asked)}, refused YAML, or of a type that the original lacks"
    )
    assert different == {}


def test_every_vector_that_the_original_can_answer_is_asked() -> None:
    for vector in VECTORS:
        if left_out(vector):
            assert vector["type"] == "LayerPrefixOffset" or (vector["syntax"], vector["verdict"]) == ("yaml", "refuse")


def test_every_type_has_a_place_in_the_original(program: Program) -> None:
    answer = program.ask({"op": "types"})
    assert set(answer["types"]) == reference.TYPES | {"CacheLayout"}
    assert {*answer["types"], *PAYLOADS, "LayerPrefixOffset"} == definitions().keys() - OF_REPORTS


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name.partition(".")[0])
def test_example(path: Path, program: Program) -> None:
    layout = cachespec.load(path)
    assert differences(answered("CacheLayout", cachespec.dumps(layout), PROBES), program.ask) == []
    for layer in set(layout.layers):
        assert differences(answered("LayerCachePolicy", cachespec.dumps(layer), PROBES), program.ask) == []


@pytest.mark.parametrize("order", orders(), ids=lambda order: order["name"])
def test_order(order: Vector, program: Program) -> None:
    answer = program.ask({"op": "sort", "type": order["type"], "values": order["values"]})
    assert answer["sorted"] == order["sorted"]


def falsified(vector: Vector) -> Iterator[tuple[str, Vector]]:
    """The vector with one answer wrong that the original can see."""
    if vector["verdict"] == "refuse":
        # Of a layout only the parts are known to the original.
        if vector["type"] not in reference.TYPES:
            return
        if "stricter" in vector:
            yield "stricter", {name: value for name, value in vector.items() if name != "stricter"}
        else:
            yield "stricter", {**vector, "stricter": ["S1"]}
            yield "verdict", {**vector, "verdict": "accept", "canonical": vector["text"]}
        return
    if vector["syntax"] == "json" and vector["type"] in reference.TYPES:
        yield "verdict", {**vector, "verdict": "refuse", "findings": []}
    if vector["type"] != "CacheLayout":
        yield "canonical", {**vector, "canonical": vector["canonical"].replace('"', '" ', 1)}
    if vector.get("components"):
        (first, *others), (probe, *probes) = vector["components"], vector["resolved"]
        yield "components", {**vector, "components": others}
        yield "components", {**vector, "components": [{**first, "name": "x"}, *others]}
        yield "components", {**vector, "components": [{**first, "policy": {**first["policy"], "dtype": "x"}}, *others]}
        yield "resolved", {**vector, "resolved": [{**probe, "components": probe.get("components", [])[1:]}, *probes]}
    if "stable_name" in vector:
        yield "stable_name", {**vector, "stable_name": "x"}
    if "dtypes" in vector:
        wrong = {"accepted": vector["dtypes"]["refused"], "refused": vector["dtypes"]["accepted"]}
        yield "dtypes", {**vector, "dtypes": wrong}


def test_a_wrong_vector_is_noticed(program: Program) -> None:
    wrong = [(what, vector) for right in VECTORS if not left_out(right) for what, vector in falsified(right)]
    unnoticed = [(vector["name"], what) for what, vector in wrong if not differences(vector, program.ask)]
    assert {what for what, _ in wrong} == {
        *("verdict", "stricter", "canonical", "components", "resolved", "stable_name", "dtypes")
    }
    assert unnoticed == []


@pytest.mark.parametrize(
    "question",
    [
        {"op": "guess"},
        {"op": "decode", "type": "Unknown", "text": "8"},
        {"op": "decode", "type": "LayerCachePolicy"},
        {"op": "sort", "type": "CacheTier", "values": []},
        {"op": "sort", "type": "CacheRepresentation", "values": ["8"]},
        {"op": "build", "builder": "unknown", "arguments": []},
    ],
)
def test_a_bad_question_has_no_answer(question: dict[str, Any], program: Program) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        program.ask(question)


def test_the_benchmark_mode(tmp_path: Path) -> None:
    path = tmp_path / "layers.json"
    path.write_text('["no_state",{"key_value":{"attention":"full","num_key_value_heads":2,"head_dim":64}}]')
    command = [str(built("rust", "cachespec-reference")), "--bench", str(path), "11"]
    times = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert (times.pop("layers"), times.pop("rounds")) == (2, 11)
    assert times.keys() == {"decode_and_validate_ns", "decode_validate_and_components_ns"}
    assert min(times.values()) > 0
    path.write_text('["unknown"]')
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2


# --- the generated types ---------------------------------------------------------------------------------

# Mistakes that the types refuse always. Of the others they let some pass: a bound that is not that of an integer type
# of Rust, the least length of a list, and the lenient forms of derived decoders.
KNOWN_TO_TYPES = {"unknown-field", "missing-field", "wrong-type", "unknown-variant", "several-variants"}
LET_PASS = {"out-of-range", "unknown-document", "too-few-items", "non-canonical"}


def document(vector: Vector) -> str:
    """The document as JSON text; what is no UTF-8 is refused before there is a text."""
    text = data(vector) if vector["syntax"] == "json" else vector["canonical"]
    return text if isinstance(text, str) else text.decode()


def written(kind: str, text: str, types: Program) -> str | None:
    """The document as a generated type writes it, or None where it does not read it."""
    answer = types.ask({"type": kind, "text": text})
    canonical: str | None = answer.get("canonical")
    return canonical


def structural(vector: Vector) -> set[str]:
    """The codes of a vector's mistakes that are the schema's to see."""
    return {finding["code"] for finding in vector["findings"]} & (KNOWN_TO_TYPES | LET_PASS)


def test_generated_types_write_every_accepted_vector(types: Program, tell: Tell) -> None:
    different = {
        vector["name"]: back
        for vector in ACCEPTED
        if (back := written(vector["type"], document(vector), types)) != vector["canonical"]
    }
    tell(f"rust, typify: accept {len(ACCEPTED) - len(different)} of {len(ACCEPTED)} written to the same bytes")
    assert different == {}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name.partition(".")[0])
def test_generated_types_write_the_example(path: Path, types: Program) -> None:
    canonical = cachespec.dumps(cachespec.load(path))
    assert written("CacheLayout", canonical, types) == canonical


def test_generated_types_refuse_what_they_can_know(types: Program, tell: Tell) -> None:
    back = {vector["name"]: written(vector["type"], document(vector), types) for vector in REFUSED_BY_SCHEMA}
    refused = [vector for vector in REFUSED_BY_SCHEMA if back[vector["name"]] is None]
    passed = [vector for vector in REFUSED_BY_SCHEMA if back[vector["name"]] is not None]
    counts = Counter(code for vector in passed for code in structural(vector))
    let_pass = ", ".join(f"{code} {count}" for code, count in sorted(counts.items()))
    tell(f"rust, typify: schema {len(refused)} of {len(back)} refused, let pass: {let_pass}")
    assert {vector["name"] for vector in passed if structural(vector) & KNOWN_TO_TYPES} == set()
    assert set().union(*map(structural, refused)) >= KNOWN_TO_TYPES
    # As soon as the types know more, ../consumers/README.md says too little of them.
    assert counts.keys() == LET_PASS
