"""What is wrong with the fields of an object: unknown ones, missing ones, and those that are one misspelling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cachespec.findings import Mistake
from cachespec.reading.document import REFUSED_KEY
from cachespec.schema import Schema, definitions, referenced
from cachespec.wording import listed, nearest, shown

# More unknown fields than this in one object are counted, not listed.
_LISTED = 100


def field_mistakes(instance: Mapping[str, Any], schema: Schema) -> Iterator[Mistake]:
    """The unknown and missing fields of an object; paths are relative to it.

    An unknown field close to a missing one is one mistake. A key that the reader refused may have been meant as any
    field, so it makes up for a missing one.
    """
    known: list[str] = list(schema["properties"])
    missing = [name for name in schema.get("required", ()) if name not in instance]
    unknown = [name for name in instance if name not in schema["properties"]]
    refused = [name for name in unknown if instance[name] is REFUSED_KEY]
    unknown = [name for name in unknown if instance[name] is not REFUSED_KEY]
    variant = _variant_of(instance) if unknown and _is_a_variant(schema) else None
    if variant and len(unknown) == len(missing) > 1:
        # Another variant's fields, all of them: the one mistake is the name of the variant.
        message = f"unknown fields {listed(unknown)}, and {listed(missing)} are missing"
        yield Mistake("unknown-field", message, (unknown[0],), f"the variant `{variant}` has these fields", at_key=True)
        return
    for name in unknown[:_LISTED]:
        meant = nearest(name, missing)
        if meant is not None:
            missing.remove(meant)
            message = f"unknown field {shown(name)}, and `{meant}` is missing"
            yield Mistake("unknown-field", message, (name,), f"write `{meant}`", at_key=True)
        else:
            message = f"unknown field {shown(name)}"
            yield Mistake("unknown-field", message, (name,), _hint(name, instance, known, variant), at_key=True)
    if rest := unknown[_LISTED:]:
        yield Mistake("unknown-field", "unknown fields", (rest[0],), at_key=True, times=len(rest))
    # A merge key that the reader refused may have been meant to supply any number of fields.
    for name in () if "<<" in refused else missing[len(refused) :]:
        yield Mistake("missing-field", f"missing field `{name}`", (), f"add `{name}`: {_meaning(schema, name)}")


def _hint(name: str, instance: Mapping[str, Any], known: list[str], variant: str | None) -> str:
    if meant := nearest(name, [candidate for candidate in known if candidate not in instance]):
        return f"did you mean `{meant}`?"
    if variant:
        return f"the variant `{variant}` has these fields"
    return f"remove it; the fields here are {listed(known)}"


def _is_a_variant(schema: Schema) -> bool:
    """Whether these are the fields of a variant of a layer, so that another variant can be meant."""
    payloads = (
        definitions()[referenced(payload["$ref"])]
        for branch in definitions()["LayerCachePolicy"]["oneOf"]
        for payload in branch.get("properties", {}).values()
    )
    return any(schema["properties"].keys() == payload["properties"].keys() for payload in payloads)


def _variant_of(instance: Mapping[str, Any]) -> str | None:
    """The layer variant that has all fields of the object, if there is one."""
    for branch in definitions()["LayerCachePolicy"]["oneOf"]:
        for tag, payload in branch.get("properties", {}).items():
            if instance.keys() <= definitions()[referenced(payload["$ref"])]["properties"].keys():
                return str(tag)
    return None


def _meaning(schema: Schema, name: str) -> str:
    """The first words of a field's description."""
    described = schema["properties"][name]
    if "$ref" in described:
        described = definitions()[referenced(described["$ref"])]
    text: str = described["description"]
    return text[:1].lower() + text[1:]
