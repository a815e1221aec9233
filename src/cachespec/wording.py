"""How findings speak of what they found: short, on one line, never a dump."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_LONGEST = 40
# Comparing words costs time in proportion to their length; a longer word is no misspelling of a short one.
_LONGEST_MISSPELT = 64


def shown(text: str) -> str:
    """A piece of a document in backticks, cut when long, control characters escaped."""
    cut = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    return "`" + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in cut) + "`"


def described(value: object) -> str:
    """What a value is, in a few words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the string {shown(value)}"
    if isinstance(value, (int, float)):
        return f"the number {number(value)}"
    if isinstance(value, (list, tuple)):
        return "a list" if value else "an empty list"
    return "an object" if value else "an empty object"


def number(value: float) -> str:
    """A number, cut when it has more digits than anyone reads."""
    if isinstance(value, float):
        return repr(value)
    # Beyond 4,300 digits Python refuses to write the number at all; the reader never makes one so long.
    digits = str(value)
    return digits if len(digits) <= _LONGEST else f"{digits[:12]}... of {len(digits.lstrip('-'))} digits"


def counted(number: int, noun: str) -> str:
    """A number of things, such as `1 layer` or `2,048 layers`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def nearest(word: str, candidates: Sequence[str]) -> str | None:
    """The candidate that `word` is most probably a misspelling of, if any is near."""
    if len(word) > _LONGEST_MISSPELT:
        return None
    # A good document is spoken of without it, and importing it takes as long as checking the rules.
    import difflib

    by_lower = {candidate.lower(): candidate for candidate in reversed(candidates)}
    matches = difflib.get_close_matches(word.lower().replace("-", "_"), by_lower, n=1, cutoff=0.6)
    return by_lower[matches[0]] if matches else None
