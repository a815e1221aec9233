"""The value of plain JSON, fast: whatever is unusual in a text is left to the close reading."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from cachespec.limits import MAX_NODES
from cachespec.mistakes import REFUSED

_MINUS_ZERO = re.compile(r"(?:^|[\[:,\s])-0")


class _Unusual(Exception):
    """The text needs the close reading."""


def quick_json(text: str) -> Any:
    """The value of plain JSON, or REFUSED for a text with anything that the close reading must look at.

    That is: keys written twice, numbers that are no plain integer, escapes that may be lone surrogates, text that is
    not JSON, and more nodes than are allowed.
    """
    if "\\u" in text or ("-0" in text and _MINUS_ZERO.search(text)):
        return REFUSED
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_float=_unusual, parse_constant=_unusual)
    except (_Unusual, ValueError, RecursionError):
        return REFUSED
    # A node takes at least two characters.
    return REFUSED if len(text) > 2 * MAX_NODES and _nodes(value) > MAX_NODES else value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _Unusual
    return result


def _unusual(_: str) -> NoReturn:
    raise _Unusual


def _nodes(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + len(value) + sum(map(_nodes, value.values()))
    return 1 + sum(map(_nodes, value)) if isinstance(value, list) else 1
