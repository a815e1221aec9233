"""Runs conformance vectors on the Python package: `failures` says in words where an answer differs from a vector."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT7, DRAFT202012
from tests.conformance import reference

import cachespec
from cachespec.findings import Finding
from cachespec.reading import reader
from cachespec.reading.document import Document

Vector: TypeAlias = dict[str, Any]

FOLDER = Path(__file__).parent
TYPES_FOLDER = FOLDER.parent.parent / "generated" / "cachespec_types"
EXACT_IN_A_DOUBLE = 2**53

# The two published files: the keyword of their definitions, and what jsonschema reads them with.
_DRAFTS = {
    "2020-12": ("$defs", "cachespec.schema.json", Draft202012Validator, DRAFT202012),
    "draft-07": ("definitions", "cachespec.draft-07.schema.json", Draft7Validator, DRAFT7),
}

# The names that the original was asked about, and some that are near.
DTYPE_NAMES = (
    "Float16",
    "Bfloat16",
    "Float32",
    "Float64",
    "Int32",
    "Uint32",
    "BFloat16",
    "float32",
    "F32",
    "Int64",
    "",
)


def vector_files() -> dict[str, dict[str, Any]]:
    """Every vector file by its name without the suffix."""
    paths = sorted(path for path in FOLDER.glob("*.json") if path.name != "vectors.schema.json")
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def vectors() -> list[Vector]:
    """The vectors of all files that have a document in them."""
    return [vector for file in vector_files().values() for vector in file.get("vectors", [])]


def orders() -> list[Vector]:
    """The vectors that are about the order of values."""
    return [order for file in vector_files().values() for order in file.get("orders", [])]


def data(vector: Vector) -> str | bytes:
    """The document of a vector: its text, or its bytes."""
    if "base64" in vector:
        return base64.b64decode(vector["base64"])
    text: str = vector["text"]
    return text


def failures(vector: Vector) -> list[str]:
    """Where the package, or the original as far as the vector names it, answers differently from the vector."""
    report = cachespec.check(data(vector), type=vector["type"], syntax=vector["syntax"])
    verdict = "accept" if report.ok else "refuse"
    if verdict != vector["verdict"]:
        return list(_differs("verdict", verdict, vector["verdict"]))
    found = list(_differs("large_integers", has_large_integers(vector), vector.get("large_integers", False)))
    if vector["verdict"] == "refuse":
        found += _differs("findings", list(map(_placed, report.findings)), vector["findings"])
        found += _differs("stage", stage(vector), vector["stage"])
        found += _differs("stricter", _stricter(vector), vector.get("stricter", []))
    else:
        warnings = [{"code": finding.code, "path": finding.path} for finding in report.findings]
        found += _differs("warnings", warnings, vector.get("warnings", []))
        found += _accepted(report.value, vector)
    return found


def order_failures(order: Vector) -> list[str]:
    """Where the order of the values of a vector differs from the package's."""
    values = [cachespec.check(text, type=order["type"], syntax="json").value for text in order["values"]]
    if None in values:
        return [f"value {values.index(None)} is refused"]
    ordered = [cachespec.dumps(value) for value in sorted(values, key=cachespec.sort_key) if value is not None]
    return list(_differs("sorted", ordered, order["sorted"]))


def _accepted(value: Any, vector: Vector) -> Iterator[str]:
    yield from _differs("canonical", cachespec.dumps(value), vector["canonical"])
    again = cachespec.check(vector["canonical"], type=vector["type"], syntax="json")
    yield from _differs("canonical, read again", again.value, value)
    if vector["type"] in reference.TYPES:
        # What we accept, the original accepts and writes back as we do.
        reading = reference.reads(vector["type"], vector["canonical"])
        yield from _differs("canonical of the original", reading and reading.canonical, vector["canonical"])
    if "components" in vector:
        yield from _differs("components", list(_components(value)), vector["components"])
    for probe in vector.get("resolved", []):
        yield from _differs("resolved", _resolved(value, probe), probe)
    if "stable_name" in vector:
        yield from _differs("stable_name", cachespec.stable_name(value), vector["stable_name"])
    for name in vector.get("dtypes", {}).get("accepted", []):
        yield from _differs(f"dtype {name}", cachespec.accepts_dtype_name(value, name), True)
    for name in vector.get("dtypes", {}).get("refused", []):
        yield from _differs(f"dtype {name}", cachespec.accepts_dtype_name(value, name), False)


def _components(value: Any) -> Iterator[dict[str, Any]]:
    """The components of a layer, or of a layout with their full names."""
    if isinstance(value, cachespec.CacheLayout):
        expanded = cachespec.expand(value, 1, 1)
        named = [(component.name, component.policy) for component in expanded]
    else:
        named = [(cachespec.stable_name(component.role), component) for component in cachespec.components(value)]
    for name, policy in named:
        yield {"name": name, "policy": json.loads(cachespec.dumps(policy))}


def _resolved(value: Any, probe: Vector) -> dict[str, Any]:
    """The answer for one batch and prefix, in the form of the vectors."""
    batch, prefix = probe["batch_size"], probe["prefix_tokens"]
    answer: dict[str, Any] = {"batch_size": batch, "prefix_tokens": prefix}
    if isinstance(value, cachespec.CacheLayout):
        try:
            expanded = cachespec.expand(value, batch, prefix)
        except cachespec.CachePolicyError as error:
            return {**answer, "error": error.findings[0].code}
        components = [
            {"name": component.name, "shape": list(component.shape), "required": component.required}
            for component in expanded
        ]
    else:
        components = [
            {
                "name": cachespec.stable_name(component.role),
                **_shape(component.shape, batch, prefix),
                "required": cachespec.is_required_for(component.presence, prefix),
            }
            for component in cachespec.components(value)
        ]
    return {**answer, "components": components}


def _shape(shape: Sequence[cachespec.StateTensorDimension], batch: int, prefix: int) -> dict[str, Any]:
    try:
        return {"shape": list(cachespec.resolved_shape(shape, batch, prefix))}
    except cachespec.CachePolicyError as error:
        return {"error": error.findings[0].code}


def stage(vector: Vector) -> str | None:
    """The stage at which a consumer can refuse a document, by the definitions of the README; None for no stage."""
    document = read(vector)
    if document.mistakes:
        return "reader"
    if not validator(vector["type"]).is_valid(document.value):
        return "schema"
    if not validator(vector["type"], integers="plain").is_valid(document.value):
        return "reader"
    return None if vector["verdict"] == "accept" else "rules"


def read(vector: Vector) -> Document:
    """What the reader makes of a document, with the mistakes that are its own."""
    document = reader.read(data(vector), vector["syntax"])
    return document if document.mistakes else reader.read_closely(document.text, document.syntax)


def has_large_integers(vector: Vector) -> bool:
    """Whether a document has an integer that a double cannot hold for certain."""
    return any(abs(number) > EXACT_IN_A_DOUBLE for number in _numbers(read(vector).value))


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int):
        yield value


@cache
def validator(kind: str, draft: str = "2020-12", integers: str = "any") -> Validator:
    """A validator of the published file for one type; with integers "plain", 8.0 is no integer."""
    definitions, name, base, specification = _DRAFTS[draft]
    made: type[Validator] = base
    if integers == "plain":
        checker = base.TYPE_CHECKER.redefine("integer", _is_plain_integer)
        made = extend(base, type_checker=checker)  # type: ignore[no-untyped-call]
    schema = json.loads((TYPES_FOLDER / name).read_text(encoding="utf-8"))
    # At a `$schema` jsonschema would go back to its own validator, to which 8.0 is an integer.
    del schema["$schema"]
    registry: Registry[Any] = Registry().with_resource(schema["$id"], specification.create_resource(schema))
    return made({"$ref": f"{schema['$id']}#/{definitions}/{kind}"}, registry=registry)


def _is_plain_integer(_: Any, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _stricter(vector: Vector) -> list[str]:
    """Why the original accepts what is refused, by the second opinion on it."""
    document = data(vector)
    if vector["syntax"] != "json" or isinstance(document, bytes):
        return []
    if vector["type"] == "CacheLayout":
        # The original has no layouts; it reads the list of layers, and would read an empty one.
        value = read(vector).value
        return ["S6"] if isinstance(value, dict) and value.get("layers") == [] and value.get("cachespec") == 1 else []
    if vector["type"] not in reference.TYPES:
        return []
    return sorted(reference.stricter(vector["type"], document))


def _placed(finding: Finding) -> dict[str, Any]:
    return {"code": finding.code, "path": finding.path, "line": finding.line, "column": finding.column}


def _differs(what: str, answer: object, expected: object) -> Iterable[str]:
    """One message where an answer is not what a vector says; `True` is not `1` here."""
    if answer != expected or type(answer) is not type(expected):
        yield f"{what}: {answer!r}, and the vector says {expected!r}"
