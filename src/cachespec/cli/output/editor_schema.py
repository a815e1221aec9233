"""The published schema as the YAML language server takes it best: what it completes is whole, valid, and named so.

The server inserts the required fields of which it knows a value, calls a branch of a union by its title, and offers
an example that is an object as `[object Object]`. So here the examples of the types become the values that are
inserted, and a branch has neither title nor example. The verdicts are those of the published schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from cachespec.schema import Schema, referenced

_COMMENT = "For editors: each `default` is a value to start from. When a required field is absent, no value is assumed"


def editor_schema(schema: Schema) -> Schema:
    """A copy of a self-contained schema, of either draft, with values to insert instead of examples."""
    key = "$defs" if "$defs" in schema else "definitions"
    types: dict[str, Schema] = schema.get(key, {})
    root = {keyword: value for keyword, value in schema.items() if keyword != key}
    copies = _Copies({**types, root["title"]: root})
    copy = {**copies.of_type(root["title"]), "$comment": _COMMENT}
    return {**copy, key: {name: copies.of_type(name) for name in types}} if types else copy


class _Copies:
    def __init__(self, types: dict[str, Schema]) -> None:
        self._types = types
        referring = [one for schema in types.values() for one in _subschemas(schema)]
        self._items = {referenced(one["items"]["$ref"]) for one in referring if "$ref" in one.get("items", {})}
        # The server labels the fields of a type, all together, by its title: a payload by the name of its variant, and
        # what a list holds by the name of the list.
        self._labels = {
            referenced(one["items"]["$ref"]): name.removesuffix("s")
            for schema in types.values()
            for name, one in schema.get("properties", {}).items()
            if "properties" in types.get(referenced(one.get("items", {}).get("$ref", "")), {})
        }
        self._labels |= {
            referenced(payload["$ref"]): tag
            for schema in types.values()
            for branch in schema.get("oneOf", ())
            for tag, payload in branch.get("properties", {}).items()
            if "$ref" in payload
        }

    def of_type(self, name: str) -> Schema:
        schema = self._types[name]
        if schema.keys() == {"$ref"}:
            return schema
        copy = {keyword: value for keyword, value in schema.items() if keyword != "examples"}
        example = schema["examples"][0]
        if name in self._labels:
            copy["title"] = self._labels[name]
        if "properties" in schema:
            required = schema.get("required", ())
            copy["properties"] = {
                field: self._field(subschema, example.get(field), field in required)
                for field, subschema in schema["properties"].items()
            }
        if "oneOf" in schema:
            copy["oneOf"] = [self._branch(branch, name in self._items) for branch in schema["oneOf"]]
            if name in self._items:
                copy["default"] = example
        return copy

    def _branch(self, branch: Schema, is_item: bool) -> Schema:
        copy = {keyword: value for keyword, value in branch.items() if keyword not in ("title", "examples")}
        if "properties" in branch:
            (example,) = branch["examples"]
            ((tag, payload),) = branch["properties"].items()
            # The one field must be there. Were it required by its name, the server would offer the branch twice.
            del copy["required"]
            copy["minProperties"] = 1
            if "$ref" not in payload:
                copy["properties"] = {tag: {**payload, "examples": [example[tag]]}}
            elif "tensors" in example[tag]:
                snippet = {"label": f"{tag}, an example", "body": f"^{_block(example[tag])}"}
                copy["properties"] = {tag: {**_wrapped(payload), "defaultSnippets": [snippet]}}
            if not is_item:
                copy["defaultSnippets"] = [_snippet(example)]
        return copy

    def _field(self, field: Schema, value: Any, is_required: bool) -> Schema:
        if "oneOf" in field:
            # A type or null: without a value to insert, the server leaves even the colon out.
            (example, *_) = self._types[referenced(field["oneOf"][0]["$ref"])]["examples"]
            given = {name: one for name, one in example.items() if one is not None}
            return {**field, "defaultSnippets": [_snippet(given)]}
        if "integer" in field.get("type", ()):
            start = max(0, field["minimum"]) if value is None else value
            return {**field, **({"default": start} if is_required else {"examples": [start]})}
        if "$ref" in field and is_required and isinstance(value, str):
            # Of what is required the server inserts types that it knows, and of those with branches `anyOf` alone.
            return {**_wrapped(field), "default": value}
        if "items" in field and "properties" in self._types[referenced(field["items"]["$ref"])]:
            # Of the fields of an item the server would give two one tab stop, which makes one value of both.
            return {**field, "items": _wrapped(field["items"])}
        return field


def _wrapped(reference: Schema) -> Schema:
    """The same schema, but the server does not see through it what fields there are to insert."""
    described = {keyword: value for keyword, value in reference.items() if keyword != "$ref"}
    return {**described, "anyOf": [{"$ref": reference["$ref"]}]}


def _subschemas(schema: Schema) -> Iterator[Schema]:
    yield schema
    yield from schema.get("properties", {}).values()


def _snippet(value: Any) -> Schema:
    """A value in one line: as people see it, and with a tab stop at every number."""
    return {"label": _flow(value, iter(())), "body": f"^{_flow(value, count(1))}"}


def _block(payload: dict[str, Any]) -> str:
    """A payload with tensors, a line for each field, as it stands below its tag in an item of a list."""
    stops = count(1)
    lines = [f"{name}: {_flow(value, stops)}" for name, value in payload.items() if name != "tensors"]
    lines.append("tensors:")
    for tensor in payload["tensors"]:
        first, *rest = (f"{name}: {_flow(value, stops)}" for name, value in tensor.items())
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    # The dash of the item and its blank indent what stands below the tag as well.
    return "".join(f"\n    {line}" for line in lines)


def _flow(value: Any, stops: Iterator[int]) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {_flow(field, stops)}' for name, field in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(_flow(item, stops) for item in value)}]"
    stop = next(stops, None) if isinstance(value, int) else None
    return str(value) if stop is None else f"${{{stop}:{value}}}"
