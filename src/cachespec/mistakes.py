"""A mistake as the stages of a check hand it on: found in a value, not yet placed in a text."""

from typing import NamedTuple, TypeAlias

from cachespec.findings import Finding, Level, pointer

Path: TypeAlias = tuple[str | int, ...]

# What stands in a value where a stage has refused what was written, so that no later stage judges it again: a value,
# or a key together with its value. Compared by identity; strings, because every validator takes strings.
REFUSED = "(refused)"
REFUSED_KEY = "(refused key)"


class Mistake(NamedTuple):
    """What is wrong at `path`; it is placed at the key there when `at_key`, else at the value.

    `offset` (in code points) is set by the reader alone, which knows where it stands in the text. `times` above
    1 stands for as many mistakes of one kind, which are counted and not listed.
    """

    code: str
    message: str
    path: Path
    hint: str | None = None
    level: Level = "error"
    at_key: bool = False
    offset: int | None = None
    times: int = 1

    def finding(self, line: int | None = None, column: int | None = None) -> Finding:
        """The mistake as it is reported, at a place in a text if it has one."""
        return Finding(self.code, self.level, self.message, pointer(self.path), line, column, self.hint)


class Unreadable(Exception):
    """The reader cannot go on after this mistake."""

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake
        super().__init__(mistake.code)


def is_refused(value: object) -> bool:
    return value is REFUSED or value is REFUSED_KEY
