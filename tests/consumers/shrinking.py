"""A failing document made as small as it can be while it still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.consumers.trees import Node, Pairs, Token, parsed, written


def shrunk(text: str, fails: Callable[[str], bool]) -> str:
    """The smallest text that is found by leaving out one thing at a time."""
    while (smaller := next(filter(fails, _smaller_texts(text)), None)) is not None:
        text = smaller
    return text


def _smaller_texts(text: str) -> Iterator[str]:
    try:
        tree = parsed(text)
    except (ValueError, RecursionError):
        yield from _without_a_piece(text)
        return
    for candidate in (tree, *_smaller(tree)):
        shorter = written(candidate)
        if len(shorter) < len(text):
            yield shorter


def _without_a_piece(text: str) -> Iterator[str]:
    size = len(text)
    while size:
        for start in range(0, len(text) - size + 1, size):
            yield text[:start] + text[start + size :]
        size //= 2


def _smaller(node: Node) -> Iterator[Node]:
    """The trees with one thing less, the largest steps first."""
    if isinstance(node, Token):
        yield from (Token(digit) for digit in "01" if len(node) > 1)
        yield Token(node[: len(node) // 2])
    elif isinstance(node, str):
        yield ""
    elif isinstance(node, list):
        of_pairs = isinstance(node, Pairs)
        yield from (entry[1] if of_pairs else entry for entry in node)
        for index, entry in enumerate(node):
            yield type(node)([*node[:index], *node[index + 1 :]])
            for smaller in _smaller(entry[1] if of_pairs else entry):
                changed = [entry[0], smaller] if of_pairs else smaller
                yield type(node)([*node[:index], changed, *node[index + 1 :]])
