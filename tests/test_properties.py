"""What holds for every value: schema, models and checks agree, canonical text is a fixed point, layers expand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
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
from tests.strategies import TYPES, mutated, sound, valid


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
        models.model_of(name, value)
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
    report = cachespec.check(json.dumps(data.draw(sound(name))), type=name, syntax="json")
    assert report.value is not None, report.findings
    text = cachespec.dumps(report.value)
    again = cachespec.check(text, type=name, syntax="json")
    assert again.value is not None, again.findings
    assert again.value == report.value
    assert cachespec.dumps(again.value) == text


# What each variant keeps for attention: the names, and the shape by its fields.
ATTENTION: dict[str, tuple[list[str], list[str]]] = {
    "key_value": (["keys", "values"], ["batch", "num_key_value_heads", "prefix", "head_dim"]),
    "key_value_with_fixed_state": (["keys", "values"], ["batch", "num_key_value_heads", "prefix", "head_dim"]),
    "key_only": (["keys"], ["batch", "num_key_heads", "prefix", "head_dim"]),
    "key_only_with_fixed_state": (["keys"], ["batch", "num_key_heads", "prefix", "head_dim"]),
    "fixed_state": ([], []),
}


def expected(value: Any, batch: int, prefix: int) -> list[tuple[str, tuple[int, ...], bool]]:
    """Name, shape and presence of each component of a layer, by its wire form."""
    if value == "no_state":
        return []
    ((variant, fields),) = value.items()
    known = {**fields, "batch": batch, "prefix": prefix}
    if variant == "compressed_latent_rotary":
        widths = {"compressed_latent": fields["latent_dim"], "rotary_keys": fields["rotary_dim"]}
        return [(f"attention.{name}", (batch, prefix, width), True) for name, width in widths.items()]
    names, shape = ATTENTION[variant]
    attention = [(f"attention.{name}", tuple(known[field] for field in shape), True) for name in names]
    return [*attention, *(_expected_tensor(tensor, batch, prefix) for tensor in fields.get("tensors", []))]


def _expected_tensor(tensor: Any, batch: int, prefix: int) -> tuple[str, tuple[int, ...], bool]:
    role, presence = tensor["role"], tensor["presence"]
    (tag, payload) = (role, {}) if isinstance(role, str) else next(iter(role.items()))
    parts = [tag, *(str(payload[field]) for field in ("slot", "stream", "component") if field in payload)]
    holds = {
        "required": lambda _: True,
        "optional": lambda _: False,
        "prefix_remainder_non_zero": lambda divisor: prefix % divisor > 0,
        "prefix_at_least": lambda least: prefix >= least,
    }
    extents = {
        "batch": lambda _: batch,
        "prefix_tokens": lambda _: prefix,
        "scalar": lambda _: 1,
        "fixed": lambda extent: extent,
        "prefix_tokens_div": lambda divisor: prefix // divisor,
        "prefix_tokens_rem": lambda divisor: prefix % divisor,
    }
    shape = tuple(_chosen(extents, dimension) for dimension in tensor["shape"])
    return f"state.{'.'.join(parts)}", shape, _chosen(holds, presence)


def _chosen(meanings: Mapping[str, Callable[[int], Any]], unit_or_object: Any) -> Any:
    tag, number = next(iter(unit_or_object.items())) if isinstance(unit_or_object, dict) else (unit_or_object, 0)
    return meanings[tag](number)


EXTENTS = st.one_of(st.integers(0, 40), st.integers(0, 2**31 - 1))


@given(sound("LayerCachePolicy"), EXTENTS, EXTENTS)
@settings(max_examples=200, deadline=None)
def test_a_layer_expands_to_what_its_wire_form_says(value: Any, batch_size: int, prefix_tokens: int) -> None:
    layout = cachespec.CacheLayout(cachespec=1, layers=(models.model_of("LayerCachePolicy", value),))
    expanded = cachespec.expand(layout, batch_size, prefix_tokens)
    found = [(named.name.removeprefix("layers.0."), named.shape, named.required) for named in expanded]
    assert found == expected(value, batch_size, prefix_tokens)


@pytest.mark.parametrize("name", ["LayerCachePolicy", "CacheLayout", "StateTensorPolicy", "FixedState"])
def test_a_good_part_of_the_sound_values_has_tensors(name: str) -> None:
    drawn: list[bool] = []

    @given(sound(name))
    @settings(max_examples=100, database=None, deadline=None)
    def each(value: Any) -> None:
        drawn.append('"residency"' in json.dumps(value))

    each()
    assert sum(drawn) > len(drawn) / 4


@given(st.one_of(valid("CacheLayout"), mutated("CacheLayout")))
@settings(max_examples=150, deadline=None)
def test_every_finding_is_placed_inside_the_text(value: object) -> None:
    text = json.dumps(value, indent=1)
    report = cachespec.check(text, syntax="json")
    assert report.ok == (report.errors == 0)
    assert report.ok == (report.value is not None)
    for finding in report.findings:
        assert finding.line is not None
        assert finding.column is not None
        line = text.splitlines()[finding.line - 1]
        assert 1 <= finding.column <= len(line) + 1
        assert "\n" not in finding.message
