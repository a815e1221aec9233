"""Schemas as Python values: how they are rewritten, and how they are written."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

DOCUMENT_TYPE = "CacheLayout"


def rewritten(schema: Schema, change: Callable[[str, Any], tuple[str, Any] | None]) -> Schema:
    """A copy of a schema in which `change` has renamed, replaced or dropped keywords, at every depth."""

    def walk(node: Any) -> Any:
        if isinstance(node, list):
            return [walk(item) for item in node]
        if not isinstance(node, dict):
            return node
        changed = {}
        for keyword, value in node.items():
            if keyword == "properties":
                changed[keyword] = {name: walk(subschema) for name, subschema in value.items()}
            elif pair := change(keyword, value):
                changed[pair[0]] = walk(pair[1])
        return changed

    result: Schema = walk(schema)
    return result


def as_text(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
