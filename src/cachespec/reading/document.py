"""What reading hands on: one text as a plain value, the mistakes in it, and the limits of what is read."""

import os
from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard, get_args

from cachespec.findings import Mistake

Syntax: TypeAlias = Literal["json", "yaml"]
Value: TypeAlias = Any  # None, bool, int, float, str, list of values, dict from str to value

# What is larger or deeper is refused, not read.
MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_NODES = 1_000_000
# The text that aliases repeat.
MAX_REPEATED = 16 * 1024 * 1024

# What stands in a value where a stage has refused what was written, so that no later stage judges it again: a value,
# or a key together with its value. Compared by identity; strings, because every validator takes strings.
REFUSED = "(refused)"
REFUSED_KEY = "(refused key)"


class Document(NamedTuple):
    """One text as a value; where a mistake was found, the value holds REFUSED.

    `complete` is False when the reader had to stop, so that the value says nothing. `is_settled` is False after
    the quick path, which does not look at depth and at numbers: what the schema accepts is neither deep nor `8.0`.
    """

    text: str
    syntax: Syntax
    value: Value
    mistakes: tuple[Mistake, ...] = ()
    complete: bool = True
    is_settled: bool = True


class Unreadable(Exception):
    """The reader cannot go on after this mistake."""

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake
        super().__init__(mistake.code)


def is_refused(value: object) -> bool:
    return value is REFUSED or value is REFUSED_KEY


def is_syntax(name: str) -> TypeGuard[Syntax]:
    return name in get_args(Syntax)


def syntax_of(path: str | os.PathLike[str]) -> Syntax:
    return "json" if os.path.splitext(path)[1].lower() == ".json" else "yaml"


def syntax_of_text(text: str | bytes) -> Syntax:
    """The syntax of a text that comes without a name: JSON when its first character is `{`, `[` or `"`, else YAML."""
    is_json = text.startswith(("{", "[", '"')) if isinstance(text, str) else text.startswith((b"{", b"[", b'"'))
    return "json" if is_json else "yaml"
