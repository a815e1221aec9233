"""The value of plain JSON, fast: whatever is unusual in a text is left to the close reading."""

from __future__ import annotations

import re
from typing import Any

import jiter

from cachespec.reading.document import MAX_NODES, REFUSED

_MINUS_ZERO = re.compile(r"(?:^|[\[:,\s])-0")


def quick_json(text: str) -> Any:
    """The value of plain JSON, or REFUSED for a text with anything that the close reading must look at.

    That is: keys written twice, escapes that may be lone surrogates, text that is not JSON, and more nodes than are
    allowed. Numbers that are no plain integer may be left in the value, which no schema accepts then.
    """
    # To find no single character takes a hundredth of the time that it takes to find no pair.
    has_escapes = "\\" in text and "\\u" in text
    if has_escapes or ("-" in text and "-0" in text and _MINUS_ZERO.search(text)):
        return REFUSED
    data = text.encode()
    try:
        value = jiter.from_json(data, catch_duplicate_keys=True, allow_inf_nan=False)
    except ValueError:
        return REFUSED
    # A node takes two characters at least, so that most texts need no look at their nodes.
    has_many = len(data) > 2 * MAX_NODES and _most_nodes(data) > MAX_NODES
    return REFUSED if has_many and _nodes(value) > MAX_NODES else value


def _most_nodes(data: bytes) -> int:
    """As many nodes as a text can have at most: each but the first follows one of these marks."""
    return 1 + len(data) - len(data.translate(None, b",:[{"))


def _nodes(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + len(value) + sum(map(_nodes, value.values()))
    return 1 + sum(map(_nodes, value)) if isinstance(value, list) else 1
