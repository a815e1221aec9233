"""The published schema: the schema files as one."""

from __future__ import annotations

import json
from typing import Any

from generate.project import SOURCE
from generate.schemas import DOCUMENT_TYPE, Schema, rewritten

BUNDLE_ID = "urn:cachespec:schema:v1"
DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"


def bundle() -> Schema:
    """The schema files as one self-contained schema with CacheLayout at its root."""
    schemas = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in SOURCE.glob("*.json")}
    definitions = {name: rewritten(schema, _to_definition) for name, schema in sorted(schemas.items())}
    root = definitions[DOCUMENT_TYPE]
    # The root stays reachable by its name, without a copy that generators would turn into a second type.
    definitions[DOCUMENT_TYPE] = {"$ref": "#"}
    return {"$schema": DRAFT_2020_12, "$id": BUNDLE_ID, **root, "$defs": definitions}


def _to_definition(keyword: str, value: Any) -> tuple[str, Any] | None:
    if keyword == "$schema":
        return None
    if keyword == "$ref":
        return keyword, "#/$defs/" + value.removesuffix(".json")
    return keyword, value
