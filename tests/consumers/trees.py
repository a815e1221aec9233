"""JSON as it is written: keys may be there twice, and numbers keep their spelling."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

# None, True, False, a string, a Token, a list, or Pairs.
Node: TypeAlias = Any


class Token(str):
    """A piece of text that stands for a value: the spelling of a number, or anything that belongs there or not."""


class Pairs(list[list[Node]]):
    """An object: lists of a key and a value."""


def parsed(text: str) -> Node:
    """The tree of a text; raises ValueError where it is no JSON, and RecursionError where it is too deep."""
    return json.loads(text, object_pairs_hook=_pairs, parse_int=Token, parse_float=Token, parse_constant=Token)


def _pairs(pairs: list[tuple[str, Node]]) -> Pairs:
    return Pairs([key, value] for key, value in pairs)


def written(node: Node) -> str:
    """The text of a tree, without spaces."""
    if isinstance(node, Token):
        return str(node)
    if isinstance(node, Pairs):
        return "{" + ",".join(f"{_string(key)}:{written(value)}" for key, value in node) + "}"
    if isinstance(node, list):
        return "[" + ",".join(map(written, node)) + "]"
    return _string(node)


def _string(value: str | None) -> str:
    return str(value) if isinstance(value, Token) else json.dumps(value)


def once(node: Node, name: str) -> Node:
    """The value of a field that is there once, otherwise None."""
    found = [value for key, value in node if key == name] if isinstance(node, Pairs) else []
    return found[0] if len(found) == 1 else None
