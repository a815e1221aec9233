"""Whether a value has the structure that the schema asks for: the verdict alone, as fast as possible."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs

from cachespec.published import Schema, definitions, referenced
from cachespec.reader import Value


def accepts(name: str, value: Value) -> bool:
    """Whether a value is a `name` by the published schema, with `8.0` being no integer."""
    return _validator(name).is_valid(value)


@cache
def _validator(name: str) -> jsonschema_rs.Draft4Validator:
    # Draft 4 is the last draft to which 8.0 is no integer, and its keywords say all that our schema says.
    types = {key: _in_draft_4(schema) for key, schema in definitions().items()}
    return jsonschema_rs.Draft4Validator({**types[name], "definitions": types})


def _in_draft_4(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_in_draft_4(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    rewritten: Schema = {}
    for keyword, value in schema.items():
        if keyword == "const":
            rewritten["enum"] = [value]
        elif keyword == "$ref":
            rewritten["$ref"] = f"#/definitions/{referenced(value)}"
        else:
            rewritten[keyword] = _in_draft_4(value)
    return rewritten
