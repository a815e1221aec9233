"""Plain values to the generated models, and models to plain values and canonical text."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, get_args

from pydantic import TypeAdapter

from cachespec.findings import Finding
from cachespec.validation import rules
from cachespec_types import models
from cachespec_types.base import Model

__all__ = ["dumps", "validate"]

_LAYER_VARIANTS = tuple(variant for variant in get_args(models.LayerCachePolicy.__value__) if isinstance(variant, type))


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
    fields = value.model_dump(mode="json", by_alias=True)
    if isinstance(value, models.CacheLayout):
        fields = {name: field for name, field in fields.items() if field is not None}
        if "annotations" in fields:
            fields["annotations"] = dict(sorted(fields["annotations"].items()))
    return fields


def dumps(model: Model | str) -> str:
    """Canonical JSON: fields in the order of the schema, no spaces, nulls where the reference writes them."""
    return json.dumps(plain_value(model), ensure_ascii=False, separators=(",", ":"))


def validate(model: Model | str) -> tuple[Finding, ...]:
    """The findings of the rules (`rules.py`) on a model built in Python; without lines and columns."""
    name = "LayerCachePolicy" if isinstance(model, _LAYER_VARIANTS) else type(model).__name__
    return tuple(mistake.finding() for mistake in rules.judge(name, plain_value(model)))
