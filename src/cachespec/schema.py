"""The published schema, read from the package that carries it."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypeAlias

Schema: TypeAlias = dict[str, Any]
Draft: TypeAlias = Literal["2020-12", "draft-07"]

DOCUMENT_TYPE = "CacheLayout"
FORMAT_MAJOR = 1

_FILES: dict[Draft, str] = {
    "2020-12": "cachespec.schema.json",
    "draft-07": "cachespec.draft-07.schema.json",
}


def schema_text(draft: Draft = "2020-12") -> str:
    """The published schema file, as it is."""
    # A good document needs names of this module and no file, and importing this takes longer than reading a layout.
    from importlib.resources import files

    return files("cachespec_types").joinpath(_FILES[draft]).read_text(encoding="utf-8")


def _bundle(draft: Draft = "2020-12") -> Schema:
    import json

    bundle: Schema = json.loads(schema_text(draft))
    return bundle


@cache
def definitions() -> dict[str, Schema]:
    """Every type's schema by name; references are `#/$defs/NAME`."""
    bundle = _bundle()
    types: dict[str, Schema] = bundle.pop("$defs")
    del bundle["$schema"], bundle["$id"]
    return {**types, DOCUMENT_TYPE: bundle}


def referenced(reference: str) -> str:
    """The type that a reference of the published schema names."""
    return reference.rpartition("/")[2]


def schema_of(name: str, draft: Draft = "2020-12") -> Schema:
    """A self-contained schema of one type: the type at the root, beside the definitions that it reaches."""
    bundle = _bundle(draft)
    if name == DOCUMENT_TYPE:
        return bundle
    key = "$defs" if draft == "2020-12" else "definitions"
    types: dict[str, Schema] = bundle[key]
    reached: dict[str, Schema] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        reached[current] = types[current]
        waiting += [found for found in _references(types[current]) if found not in reached]
    root = reached.pop(name)
    identity = {"$schema": bundle["$schema"], "$id": f"{bundle['$id']}:{name}"}
    return {**identity, "title": name, **root, **({key: dict(sorted(reached.items()))} if reached else {})}


def _references(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        own = {referenced(schema["$ref"])} if isinstance(schema.get("$ref"), str) else set()
        return own.union(*map(_references, schema.values()))
    return set().union(*map(_references, schema)) if isinstance(schema, list) else set()
