"""The module that the quick verdict compiles: the types in the words of draft 4."""

from __future__ import annotations

from pprint import pformat
from typing import Any

from generate.draft_07 import with_definitions
from generate.project import MADE_BY, formatted
from generate.schemas import DOCUMENT_TYPE, Schema, rewritten

MODULE = f'''# {MADE_BY}
"""Every type in the words of draft 4, the last draft to which 8.0 is no integer; a module loads faster than JSON."""

from typing import Any

TYPES: dict[str, dict[str, Any]] = {{types}}
'''


def draft_4_module(bundle: Schema) -> str:
    """The text of the module."""
    return formatted(MODULE.format(types=pformat(draft_4(bundle), sort_dicts=False)))


def draft_4(bundle: Schema) -> dict[str, Schema]:
    """Every type of the bundle in the words of draft 4, without what only people read."""
    root = {keyword: value for keyword, value in bundle.items() if keyword not in ("$schema", "$id", "$defs")}
    types = {**bundle["$defs"], DOCUMENT_TYPE: root}
    return {name: rewritten(schema, _to_draft_4) for name, schema in types.items()}


def _to_draft_4(keyword: str, value: Any) -> tuple[str, Any] | None:
    if keyword in ("title", "description", "examples"):
        return None
    if keyword == "const":
        return "enum", [value]
    if keyword == "oneOf":
        # The branches of a union are disjoint, so that the first that accepts settles it: the rest need not be tried.
        return "anyOf", value
    return with_definitions(keyword, value)
