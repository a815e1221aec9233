"""Values for property tests: valid ones made from the schema, and valid ones with one mutation."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from cachespec.schema import Schema, definitions, referenced

Value = Any

TYPES = sorted(definitions())

# What people and programs write by mistake.
JUNK: list[Value] = [
    *(None, True, False, 0, 1, -1, 8.0, 1.5, -0.0, 2**31 - 1, 2**31, 2**32, 2**63, 2**64 - 1, 2**64, -(2**63) - 1),
    *("", "8", "full", "no_state", "required", "pooled", "batch", "scalar", "Full"),
    *([], ["full"], [8], {}, {"full": None}, {"no_state": None}, {"fixed": 16}, {"sliding": {"window": 8}}),
]
NAMES = ["x", "window", "head_dim", "num_key_heads", "tensors", "no_state", "key_value", "fixed", "Head_dim"]


# Strategies are built once for a type: to build one takes longer than to draw from it.


@cache
def valid(name: str) -> st.SearchStrategy[Value]:
    """Values that the schema accepts as a type; the rules may still refuse them."""
    return _of(definitions()[name])


@cache
def sound(name: str) -> st.SearchStrategy[Value]:
    """Values that the schema and every rule accept; some of them with warnings."""
    return valid(name).map(_mended)


def _mended(value: Value) -> Value:
    """A valid value changed where a rule would refuse it, and nowhere else."""
    if isinstance(value, list):
        return [_mended(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    value = {field: _mended(entry) for field, entry in value.items()}
    if {"role", "residency", "shape"} <= value.keys():
        value["residency"] = _residency(value["role"])
        value["shape"] = ["scalar"] if "scalar" in value["shape"] else value["shape"]
    if "tensors" in value:
        value["tensors"] = list(
            {json.dumps(tensor["role"], sort_keys=True): tensor for tensor in value["tensors"]}.values()
        )
    if {"start", "end"} <= value.keys():
        start, end = sorted((value["start"], value["end"]))
        value |= {"start": start - (start == end > 0), "end": end + (start == end == 0)}
    if "layers" in value:
        _mend_layout(value)
    return value


def _residency(role: Value) -> str:
    role = role["fixed"] if isinstance(role, dict) and "fixed" in role else role
    if isinstance(role, str):
        by_role = {"recurrent": "layer_scoped_offloadable"}
        by_role |= dict.fromkeys(("prefix_embedding", "position_delta"), "always_device_mutable")
        return by_role.get(role, "sealable_paged")
    return "sealable_paged" if role.get("pooling", {}).get("component") == "pooled" else "always_device_mutable"


def _mend_layout(layout: Value) -> None:
    count, start = len(layout["layers"]), layout.get("global_layer_start") or 0
    if start:
        layout["global_layer_start"] = start = min(start, 2**64 - 1 - count)
    if layout.get("layer_count") is not None:
        layout["layer_count"] = max(layout["layer_count"], start + count)
    if layout.get("layer_prefix_offsets") is not None:
        layout["layer_prefix_offsets"] = ([*layout["layer_prefix_offsets"], *[0] * count])[:count]


def _of(schema: Schema) -> st.SearchStrategy[Value]:
    if "$ref" in schema:
        return st.deferred(lambda: valid(referenced(schema["$ref"])))
    if "const" in schema:
        return st.just(schema["const"])
    if "oneOf" in schema:
        return st.one_of([_of(branch) for branch in schema["oneOf"]])
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return st.one_of([_of_type(kind, schema) for kind in types])


def _of_type(kind: str, schema: Schema) -> st.SearchStrategy[Value]:
    if kind == "null":
        return st.none()
    if kind == "boolean":
        return st.booleans()
    if kind == "number":
        return st.floats(schema.get("minimum"), schema.get("maximum"), allow_nan=False, allow_infinity=False)
    if kind == "string":
        return st.text(max_size=8)
    if kind == "integer":
        low, high = schema["minimum"], schema["maximum"]
        return st.one_of(st.sampled_from([low, high]), st.integers(low, high), st.integers(low, min(high, low + 300)))
    if kind == "array":
        return st.lists(_of(schema["items"]), min_size=schema.get("minItems", 0), max_size=3)
    if "properties" not in schema:
        return st.dictionaries(st.text(max_size=8), _of(schema["additionalProperties"]), max_size=2)
    required = schema.get("required", [])
    fields = {field: _of(subschema) for field, subschema in schema["properties"].items()}
    return st.fixed_dictionaries(
        {field: fields[field] for field in fields if field in required},
        optional={field: fields[field] for field in fields if field not in required},
    )


def _places(value: Value, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _places(entry, (*path, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _places(entry, (*path, index))


@cache
def mutated(name: str) -> st.SearchStrategy[Value]:
    """Valid values with one mutation somewhere, which may leave them valid."""
    return _mutated(name)


@st.composite
def _mutated(draw: st.DrawFn, name: str) -> Value:
    value = copy.deepcopy(draw(valid(name)))
    path = draw(st.sampled_from(list(_places(value))))
    holder = {"root": value}
    container: Any = holder
    steps: list[str | int] = ["root", *path]
    for step in steps[:-1]:
        container = container[step]
    last = steps[-1]
    node = container[last]
    changes = ["replace", "wrap"]
    if isinstance(node, dict):
        changes += ["drop", "add", "rename", "as_list"]
    if isinstance(node, str):
        changes += ["as_object", "misspell"]
    change = draw(st.sampled_from(changes))
    if change == "replace":
        container[last] = copy.deepcopy(draw(st.sampled_from(JUNK)))
    elif change == "wrap":
        container[last] = [node]
    elif change == "as_object":
        container[last] = {node: None}
    elif change == "misspell":
        container[last] = node[:-1]
    elif change == "as_list":
        container[last] = list(node.values())
    elif change == "add":
        node[draw(st.sampled_from(NAMES))] = copy.deepcopy(draw(st.sampled_from(JUNK)))
    elif node:
        key = draw(st.sampled_from(sorted(node)))
        entry = node.pop(key)
        if change == "rename":
            node[draw(st.sampled_from(NAMES))] = entry
    return holder["root"]
