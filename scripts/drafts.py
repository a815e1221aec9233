"""The schema files as one schema, in the words of each draft that a reader may need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

DOCUMENT_TYPE = "CacheLayout"
BUNDLE_ID = "urn:cachespec:schema:v1"
DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def flat(schemas: dict[str, Schema]) -> Schema:
    """The schema files as one self-contained schema with CacheLayout at its root."""
    definitions = {name: rewritten(schema, _to_definition) for name, schema in sorted(schemas.items())}
    root = definitions[DOCUMENT_TYPE]
    # The root stays reachable by its name, without a copy that generators would turn into a second type.
    definitions[DOCUMENT_TYPE] = {"$ref": "#"}
    return {"$schema": DRAFT_2020_12, "$id": BUNDLE_ID, **root, "$defs": definitions}


def draft_07(bundle: Schema) -> Schema:
    """The bundle in the words of draft-07: same verdicts, for editors that know nothing newer."""
    copy = rewritten(bundle, _to_draft_07)
    return {**copy, "$schema": DRAFT_07}


def draft_4(bundle: Schema) -> dict[str, Schema]:
    """Every type of the bundle in the words of draft 4, without what only people read."""
    root = {keyword: value for keyword, value in bundle.items() if keyword not in ("$schema", "$id", "$defs")}
    types = {**bundle["$defs"], DOCUMENT_TYPE: root}
    return {name: rewritten(schema, _to_draft_4) for name, schema in types.items()}


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


def _to_definition(keyword: str, value: Any) -> tuple[str, Any] | None:
    if keyword == "$schema":
        return None
    if keyword == "$ref":
        return keyword, "#/$defs/" + value.removesuffix(".json")
    return keyword, value


def _to_draft_07(keyword: str, value: Any) -> tuple[str, Any] | None:
    if keyword == "$defs":
        return "definitions", value
    if keyword == "$ref":
        return keyword, value.replace("#/$defs/", "#/definitions/")
    return keyword, value


def _to_draft_4(keyword: str, value: Any) -> tuple[str, Any] | None:
    if keyword in ("title", "description"):
        return None
    if keyword == "const":
        return "enum", [value]
    return _to_draft_07(keyword, value)
