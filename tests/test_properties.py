"""What holds for every value: schema, models and checks agree, canonical text is a fixed point, expansion is total."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cachespec
from cachespec.layouts import models
from cachespec.reading import reader
from cachespec.schema import schema_text
from cachespec.validation import structure
from cachespec.validation.explanation import explain
from tests.strategies import TYPES, mutated, valid


def is_integer(_: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


BUNDLE: dict[str, Any] = json.loads(schema_text())
CHECKER = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer)
BY_SCHEMA = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator, type_checker=CHECKER
)


def accepted_by_schema(name: str, value: object) -> bool:
    return bool(BY_SCHEMA({"$ref": f"#/$defs/{name}", "$defs": _definitions()}).is_valid(value))


def _definitions() -> dict[str, Any]:
    root = {key: value for key, value in BUNDLE.items() if key not in ("$id", "$schema", "$defs")}
    return {**BUNDLE["$defs"], "CacheLayout": root}


def accepted_by_models(name: str, value: object) -> bool:
    try:
        models.model(name, value)
    except pydantic.ValidationError:
        return False
    return True


def explained(name: str, value: object) -> bool:
    return not list(explain(name, value))


@pytest.mark.parametrize("name", TYPES)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_schema_models_and_structure_give_one_verdict(name: str, data: st.DataObject) -> None:
    value = data.draw(st.one_of(valid(name), mutated(name)))
    document = reader.read(json.dumps(value), "json")
    if document.mistakes:
        return
    read = document.value
    verdict = accepted_by_schema(name, read)
    assert structure.accepts(name, read) is verdict
    assert accepted_by_models(name, read) is verdict
    assert explained(name, reader.read_closely(document.text, "json").value) is verdict


@pytest.mark.parametrize("name", TYPES)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_canonical_text_is_a_fixed_point(name: str, data: st.DataObject) -> None:
    report = cachespec.check(json.dumps(data.draw(valid(name))), type=name)
    if not report.ok:
        assert report.value is None
        return
    text = cachespec.dumps(report.value)
    again = cachespec.check(text, type=name)
    assert again.ok, again.findings
    assert again.value == report.value
    assert cachespec.dumps(again.value) == text


@given(valid("LayerCachePolicy"), st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
@settings(max_examples=200, deadline=None)
def test_expansion_is_total(value: object, batch_size: int, prefix_tokens: int) -> None:
    policy = models.model("LayerCachePolicy", value)
    components = cachespec.components(policy)
    assert len(components) >= len(cachespec.fixed_state(policy))
    for component in components:
        assert cachespec.stable_name(component.role)
        shape = cachespec.resolved_shape(component.shape, batch_size, prefix_tokens)
        assert len(shape) == len(component.shape)
        assert cachespec.is_required_for(component.presence, prefix_tokens) in (True, False)


@given(st.one_of(valid("CacheLayout"), mutated("CacheLayout")))
@settings(max_examples=150, deadline=None)
def test_every_finding_is_placed_inside_the_text(value: object) -> None:
    text = json.dumps(value, indent=1)
    report = cachespec.check(text)
    assert report.ok == (report.errors == 0)
    for finding in report.findings:
        assert finding.line is not None
        assert finding.column is not None
        line = text.splitlines()[finding.line - 1]
        assert 1 <= finding.column <= len(line) + 1
        assert "\n" not in finding.message
