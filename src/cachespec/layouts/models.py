"""Plain values to the generated models, and models to plain values and canonical text."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Any, get_args, get_origin

from pydantic import TypeAdapter

from cachespec.findings import CachePolicyError, Finding, Mistake, refusal
from cachespec.schema import DOCUMENT_TYPE
from cachespec.validation import rules
from cachespec.validation.structure import accepts
from cachespec_types import models
from cachespec_types.base import Model

__all__ = ["validate"]


def model_of(name: str, value: Any) -> Any:
    """The model of type `name` that a valid plain value says; a unit variant is its string."""
    return _adapter(name).validate_python(value)


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(getattr(models, name))


def plain_value(value: Model | str) -> Any:
    """The plain value of a model, absent fields of a layout left out, annotations sorted by key."""
    if not isinstance(value, Model):
        return value
    return _without_absent(value, value.model_dump(mode="json", by_alias=True, warnings=False))


def _without_absent(model: Model, fields: dict[str, Any]) -> dict[str, Any]:
    if isinstance(model, models.CacheLayout):
        fields = {name: field for name, field in fields.items() if field is not None}
        if isinstance(fields.get("annotations"), dict):
            fields["annotations"] = dict(sorted(fields["annotations"].items()))
    return fields


def validate(model: Model | str) -> tuple[Finding, ...]:
    """The findings of a model built in Python, as `check` has them for its text; without lines and columns."""
    name = type_name(model)
    if name is None:
        message = f"a value of the Python type `{type(model).__name__}` is no model of cachespec"
        return (Finding("wrong-type", "error", message, ""),)
    return tuple(mistake.finding() for mistake in mistakes(name, model))


def refuse_bad(model: object, expected: str | None = None) -> None:
    """Raises CachePolicyError with the errors of `validate`, and for another type than the one expected."""
    if expected is not None and type_name(model) != expected:
        raise refusal("wrong-type", f"expected a {expected}, not a value of the Python type `{type(model).__name__}`")
    errors = [finding for finding in validate(model) if finding.level == "error"]  # type: ignore[arg-type]
    if errors:
        raise CachePolicyError(errors)


def mistakes(name: str, value: object) -> list[Mistake]:
    """What is wrong with a model, or with a plain value, of type `name`."""
    fields = _in_python(value)
    if _is_sound(name, fields):
        return list(rules.judge(name, fields))
    from cachespec.validation.documents import unknown_document
    from cachespec.validation.explanation import explain, refuse
    from cachespec.validation.python_values import NotPlain, plain

    try:
        exact = plain(value)
    except NotPlain as stop:
        return [stop.mistake]
    if name == DOCUMENT_TYPE and (unknown := unknown_document(exact)):
        return [unknown]
    found = list(explain(name, exact))
    return [*found, *rules.judge(name, refuse(exact, found))]


def has_structure(name: str, value: object) -> bool:
    """Whether a model, or a plain value, is a `name` by the schema, whatever the rules say of it."""
    return _is_sound(name, _in_python(value))


def _in_python(value: object) -> Any:
    # In Python's own types: as JSON, True would be written as 1 where an integer belongs.
    return value.model_dump(by_alias=True, warnings=False) if isinstance(value, Model) else value


def _is_sound(name: str, value: Any) -> bool:
    try:
        if not accepts(name, value):
            return False
        if name == DOCUMENT_TYPE:
            # All other text is one of a few words.
            texts = [text for text in value.values() if isinstance(text, str)]
            "".join(chain(texts, *(value.get("annotations") or {}).items())).encode()
    except ValueError:
        # No text holds such a value: a set, a key that is a number, half a character.
        return False
    return True


def type_name(model: object) -> str | None:
    """The type of the schema that a model is of, or a unit variant; None for what is neither."""
    if isinstance(model, str):
        return _types().get(model, "LayerCachePolicy")
    return _types().get(type(model)) if isinstance(model, Model) else None


@cache
def _types() -> dict[object, str]:
    """The type of every model and unit variant; a variant is of the union that it belongs to."""
    types: dict[object, str] = {}
    for name in models.__all__:
        declared = getattr(models, name)
        if isinstance(declared, type):
            types.setdefault(declared, name)
            continue
        value = declared.__value__
        if get_origin(value) is list:
            # Its entries are of their own types.
            continue
        for member in (value, *get_args(value)):
            for variant in (member, *get_args(member)):
                if isinstance(variant, str):
                    types.setdefault(variant, name)
                elif isinstance(variant, type) and issubclass(variant, Model):
                    types[variant] = name
    return types
