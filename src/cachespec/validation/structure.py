"""Whether a value has the structure that the schema asks for: the verdict alone, as fast as possible."""

from __future__ import annotations

from functools import cache

import jsonschema_rs

from cachespec.reading.document import Value
from cachespec_types.draft_4 import TYPES


def accepts(name: str, value: Value) -> bool:
    """Whether a value is a `name` by the published schema, with `8.0` being no integer."""
    return _validator(name).is_valid(value)


@cache
def _validator(name: str) -> jsonschema_rs.Draft4Validator:
    return jsonschema_rs.Draft4Validator({**TYPES[name], "definitions": TYPES})
