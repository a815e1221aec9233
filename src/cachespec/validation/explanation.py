"""Why a value does not have the structure that the schema asks for: jsonschema, taught to name single mistakes.

The keywords that decide what people see are replaced: a union is explained through the branch that its tag names, the
unknown and the missing fields of an object are matched with each other, and an integer is never a float. Whatever
the quick verdict accepts is skipped, so that the cost is that of the mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from cachespec.findings import Mistake
from cachespec.reading.document import REFUSED, Value, is_refused
from cachespec.schema import Schema, definitions, referenced
from cachespec.validation.objects import field_mistakes
from cachespec.validation.structure import accepts
from cachespec.validation.unions import Payload, union_mistakes
from cachespec.wording import described, listed, number

_KINDS = {
    "integer": "an integer",
    "string": "a string",
    "array": "a list",
    "object": "an object",
    "number": "a number",
    "boolean": "true or false",
}
# Floats are exact integers up to here; beyond, the integer that was meant is not known.
_EXACT = 2**53


def explain(name: str, value: Value) -> Iterator[Mistake]:
    """Every structural mistake of a value that should be a `name`, apart from what the reader has refused."""
    seen: set[tuple[int, str]] = set()

    def is_explained(name: str, instance: Value) -> bool:
        """Whether nothing is to be said of a value: it is good, refused already, or explained at another alias."""
        shared = (id(instance), name)
        if shared in seen or is_refused(instance) or accepts(name, instance):
            return True
        if isinstance(instance, (dict, list)):
            seen.add(shared)
        return False

    def reference(validator: Validator, target: str, instance: Value, _: Schema) -> Iterator[ValidationError]:
        named = referenced(target)
        if not is_explained(named, instance):
            yield from validator.descend(instance, definitions()[named])  # type: ignore[attr-defined]

    def items(validator: Validator, schema: Schema, instance: Value, _: Schema) -> Iterator[ValidationError]:
        """All lists hold a named type; going into it here spares jsonschema the good items of a long list."""
        named = referenced(schema["$ref"])
        for index, item in enumerate(instance if isinstance(instance, list) else ()):
            if not is_explained(named, item):
                yield from validator.descend(item, definitions()[named], path=index)  # type: ignore[attr-defined]

    keywords = {**_KEYWORDS, "$ref": reference, "items": items}
    explainer = extend(Draft202012Validator, keywords)  # type: ignore[no-untyped-call]
    for error in explainer({"$ref": name}).iter_errors(value):
        assert isinstance(error, _Explained)
        yield error.placed()


class _Explained(ValidationError):
    """A mistake on its way out of jsonschema, which adds the path from the root."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.message, path=mistake.path)
        self._mistake = mistake

    def placed(self) -> Mistake:
        mistake = self._mistake
        return Mistake(
            mistake.code,
            mistake.message,
            tuple(self.absolute_path),
            mistake.hint,
            at_key=mistake.at_key,
            times=mistake.times,
        )


def refuse(value: Value, mistakes: Iterable[Mistake]) -> Value:
    """The value with REFUSED at every mistake, so that no rule judges it again; changes containers in place.

    Unknown fields are taken out: to the rules, what is there is known.
    """
    for mistake in mistakes:
        if mistake.code == "missing-field":
            continue
        # A tag that no variant has leaves nothing of the value around it.
        path = mistake.path[:-1] if mistake.code == "unknown-variant" and mistake.at_key else mistake.path
        if not path:
            return REFUSED
        container = value
        for step in path[:-1]:
            container = container[step]
        if mistake.code == "unknown-field":
            container.pop(path[-1], None)
        else:
            container[path[-1]] = REFUSED
    return value


def _type(validator: Validator, types: str | list[str], instance: Value, schema: Schema) -> Iterator[ValidationError]:
    expected = [types] if isinstance(types, str) else types
    if not is_refused(instance) and not any(_is(instance, kind) for kind in expected):
        kind = next(kind for kind in expected if kind != "null")
        yield _Explained(_wrong_type(kind, instance, schema))


def _is(instance: Value, kind: str) -> bool:
    """Whether a value is of a JSON type; an integer is never written as `true` or `8.0`."""
    if kind == "integer":
        return isinstance(instance, int) and not isinstance(instance, bool)
    types: dict[str, type | tuple[type, ...]] = {
        "string": str,
        "array": list,
        "object": dict,
        "null": type(None),
        "boolean": bool,
        "number": (int, float),
    }
    if kind == "number" and isinstance(instance, bool):
        return False
    return isinstance(instance, types[kind])


def _wrong_type(kind: str, instance: Value, schema: Schema) -> Mistake:
    message = f"expected {_KINDS[kind]}, found {described(instance)}"
    if kind == "integer":
        if isinstance(instance, float) and instance.is_integer():
            exact = f"write {int(instance)}" if abs(instance) < _EXACT else "write all digits of the integer"
            return Mistake("non-canonical", f"the integer is written as {instance!r}", (), exact)
        if isinstance(instance, str) and instance.lstrip("-").isdecimal() and len(instance) < 20:
            return Mistake("wrong-type", message, (), f"write {instance} without quotes")
        return Mistake("wrong-type", message, (), f"write {_range(schema)}")
    if kind == "string" and isinstance(instance, (int, float)):
        return Mistake("wrong-type", message, (), "write it in quotes")
    if kind == "object" and "properties" in schema:
        hint = f"write an object with the fields {listed(schema['properties'])}"
        if isinstance(instance, list):
            return Mistake("non-canonical", "an object is written as a list", (), hint)
        return Mistake("wrong-type", message, (), hint)
    if kind == "array":
        return Mistake("wrong-type", message, (), f"write a list of {referenced(schema['items']['$ref'])}")
    return Mistake("wrong-type", message, (), None)


def _minimum(_: Validator, minimum: int, instance: Value, schema: Schema) -> Iterator[ValidationError]:
    if _is(instance, "integer") and instance < minimum:
        yield _Explained(
            Mistake("out-of-range", f"{number(instance)} is below {minimum}", (), f"write {_range(schema)}")
        )


def _maximum(_: Validator, maximum: int, instance: Value, schema: Schema) -> Iterator[ValidationError]:
    if _is(instance, "integer") and instance > maximum:
        yield _Explained(
            Mistake("out-of-range", f"{number(instance)} is above {maximum}", (), f"write {_range(schema)}")
        )


def _range(schema: Schema) -> str:
    return f"an integer from {schema['minimum']} to {schema['maximum']}"


def _min_items(_: Validator, minimum: int, instance: Value, schema: Schema) -> Iterator[ValidationError]:
    if isinstance(instance, list) and len(instance) < minimum:
        item = referenced(schema["items"]["$ref"])
        yield _Explained(Mistake("too-few-items", "the list is empty", (), f"write at least one {item}"))


def _fields(validator: Validator, extra: bool | Schema, instance: Value, schema: Schema) -> Iterator[ValidationError]:
    """Unknown and missing fields together; or, in a map, the values of all keys."""
    if not isinstance(instance, dict):
        return
    if extra is False:
        yield from map(_Explained, field_mistakes(instance, schema))
        return
    for key, value in instance.items():
        yield from validator.descend(value, extra, path=key)  # type: ignore[attr-defined]


def _required(*_: Any) -> None:
    """Judged together with the unknown fields."""


def _one_of(validator: Validator, branches: list[Schema], instance: Value, _: Schema) -> Iterator[ValidationError]:
    if is_refused(instance):
        return
    if any(branch.get("type") == "null" for branch in branches):
        # A nullable reference, not a tagged union.
        if instance is not None:
            yield from validator.descend(instance, branches[0])  # type: ignore[attr-defined]
        return
    if all("$ref" in branch for branch in branches):
        # Two forms of what a command prints: the one that shares most fields is meant.
        def shared(branch: Schema) -> int:
            properties = definitions()[referenced(branch["$ref"])]["properties"]
            return len(properties.keys() & instance.keys()) if isinstance(instance, dict) else 0

        yield from validator.descend(instance, max(branches, key=shared))  # type: ignore[attr-defined]
        return
    for found in union_mistakes(instance, branches):
        if isinstance(found, Payload):
            yield from validator.descend(instance[found.tag], found.schema, path=found.tag)  # type: ignore[attr-defined]
        else:
            yield _Explained(found)


_KEYWORDS = {
    "type": _type,
    "minimum": _minimum,
    "maximum": _maximum,
    "minItems": _min_items,
    "additionalProperties": _fields,
    "required": _required,
    "oneOf": _one_of,
}
