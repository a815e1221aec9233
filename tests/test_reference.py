"""What the compiled original answered: what we accept must mean the same, what only it accepts must be S1 to S8."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from pydantic import BaseModel, TypeAdapter

import cachespec
from tests.conformance.reference import reads
from tests.conformance.run import DTYPE_NAMES
from tests.tools import Tell

Row: TypeAlias = dict[str, Any]

FILE = Path(__file__).parent / "vectors" / "reference.jsonl"
ROWS: list[Row] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def accepted_by_original(row: Row) -> bool:
    answer = row["reference"]
    return bool(answer["parsed"] and answer.get("valid", True))


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """A model as plain JSON, whether or not it breaks a rule."""
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def disagreements(policy: Any, answer: dict[str, Any]) -> list[str]:
    """Where the expansion of a layer differs from what the original answered."""
    found = []
    components = [
        {"name": cachespec.stable_name(component.role), "component": plain(component)}
        for component in cachespec.components(policy)
    ]
    if components != answer["components"]:
        found.append(f"components: {components}")
    if plain(cachespec.attention(policy)) != answer["attention"]:
        found.append(f"attention: {cachespec.attention(policy)}")
    if cachespec.attention_residency_class(policy) != answer["attention_residency_class"]:
        found.append(f"residency of attention: {cachespec.attention_residency_class(policy)}")
    tensors = cachespec.fixed_state(policy)
    if len(tensors) != len(answer["fixed_state"]):
        found.append(f"{len(tensors)} tensors")
    for tensor, expected in zip(tensors, answer["fixed_state"], strict=False):
        found += tensor_disagreements(tensor, expected)
    return found


def tensor_disagreements(tensor: cachespec.StateTensorPolicy, expected: dict[str, Any]) -> list[str]:
    found = []
    accepts = [name for name in DTYPE_NAMES if cachespec.accepts_dtype_name(tensor.dtype, name)]
    if accepts != expected["accepts"]:
        found.append(f"dtype names: {accepts}")
    if tensor.residency != expected["residency_class"]:
        found.append(f"residency: {tensor.residency}")
    for probe in expected["probes"]:
        required = cachespec.is_required_for(tensor.presence, probe["prefix"])
        if required != probe["required"]:
            found.append(f"required at {probe['prefix']}: {required}")
        shape = resolved(tensor.shape, probe["batch"], probe["prefix"])
        if shape != (None if isinstance(probe["shape"], dict) else probe["shape"]):
            found.append(f"shape at {probe['batch']}, {probe['prefix']}: {shape}")
    return found


def resolved(shape: Sequence[cachespec.StateTensorDimension], batch: int, prefix: int) -> list[int] | None:
    try:
        return list(cachespec.resolved_shape(shape, batch, prefix))
    except cachespec.CachePolicyError:
        return None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_row(row: Row) -> None:
    report = cachespec.check(row["raw"], type=row["type"], syntax="json")
    if report.value is None:
        assert report.findings
        if accepted_by_original(row):
            reading = reads(row["type"], row["raw"])
            assert reading is not None
            assert reading.stricter, f"refused for none of S1 to S8: {report.findings}"
        return
    assert accepted_by_original(row)
    assert cachespec.dumps(report.value) == row["reference"]["canonical"]
    if row["type"] == "LayerCachePolicy":
        assert disagreements(report.value, row["reference"]) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_the_second_opinion_is_right(row: Row) -> None:
    """The classifier reads as the original did, so that what it says about S1 to S8 can be trusted."""
    reading = reads(row["type"], row["raw"])
    assert (reading is not None) == accepted_by_original(row)
    if reading is not None:
        assert reading.canonical == row["reference"]["canonical"]
        assert cachespec.check(row["raw"], type=row["type"], syntax="json").ok == (not reading.stricter)


@pytest.mark.parametrize("row", [row for row in ROWS if "components" in row["reference"]], ids=lambda row: row["id"])
def test_layers_that_break_a_rule_expand_too(row: Row) -> None:
    """The expansion does not judge: every layer that has a model expands as the original expands it."""
    text = row["reference"]["canonical"]
    adapter: TypeAdapter[Any] = TypeAdapter(cachespec.LayerCachePolicy)
    try:
        policy = adapter.validate_json(text)
    except ValueError:
        # Out of our ranges, or a list without entries: no model can hold it.
        codes = {finding.code for finding in cachespec.check(text, type="LayerCachePolicy", syntax="json").findings}
        assert codes & {"out-of-range", "too-few-items"}
        return
    assert disagreements(policy, row["reference"]) == []


def test_wrong_answers_are_noticed() -> None:
    """The comparison is no formality: every falsified answer is a disagreement."""
    row = next(row for row in ROWS if accepted_by_original(row) and len(row["reference"].get("fixed_state") or []) > 1)
    policy = cachespec.check(row["raw"], type=row["type"], syntax="json").value
    answer = row["reference"]
    assert disagreements(policy, answer) == []
    tensor = answer["fixed_state"][0]
    probe = tensor["probes"][1]
    for container, key, wrong in [
        (answer["components"][0], "name", "state.other"),
        (answer["components"][0]["component"], "dtype", "other"),
        (answer, "components", answer["components"][::-1]),
        (answer, "attention", {"sliding": {"window": 77}}),
        (answer, "attention_residency_class", "other"),
        (tensor, "accepts", ["Other"]),
        (tensor, "residency_class", "other"),
        (probe, "required", not probe["required"]),
        (probe, "shape", [77]),
    ]:
        right = container[key]
        container[key] = wrong
        assert disagreements(policy, answer), key
        container[key] = right
    assert disagreements(policy, answer) == []


def test_counts(tell: Tell) -> None:
    """How the rows divide, told so that a run shows what it has compared."""
    counts: Counter[str] = Counter()
    for row in ROWS:
        ok = cachespec.check(row["raw"], type=row["type"], syntax="json").ok
        if not accepted_by_original(row):
            counts["refused by both"] += 1
        elif ok:
            counts["accepted by both"] += 1
        else:
            reading = reads(row["type"], row["raw"])
            counts["refused here: " + "+".join(sorted(reading.stricter if reading else ()))] += 1
    tell(f"reference: {len(ROWS)} rows: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    assert len(ROWS) == 614
    assert counts["accepted by both"] > 100
