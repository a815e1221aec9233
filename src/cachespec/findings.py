"""What is wrong: a mistake before it has a place, a finding as it is reported, and the error that carries findings."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

__all__ = ["CachePolicyError", "CachePolicyWarning", "Finding"]

Level: TypeAlias = Literal["error", "warning"]
Path: TypeAlias = tuple[str | int, ...]


class Finding(NamedTuple):
    """One mistake in one document, in one line.

    `path` is a JSON Pointer into the document. `line` and `column` count from 1, columns in code points, and
    stand at the offending key or value; both are None when the value was built in Python and has no text. `file` is
    the file that was read, as it was named; None for a text without a file.
    """

    code: str
    level: Level
    message: str
    path: str
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    file: str | None = None


class Mistake(NamedTuple):
    """What is wrong at `path`, before it has a place; it belongs to the key there when `at_key`, else to the value.

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


class CachePolicyError(ValueError):
    """A policy, a layout or a configuration was refused; `findings` says where and why.

    Its text has a line for each finding. Errors with equal findings are equal.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(map(_in_one_line, self.findings)))

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are made anew from `args`, and that is the text.
        return type(self), (self.findings,), self.__dict__

    def __eq__(self, other: object) -> bool:
        return self.findings == other.findings if isinstance(other, CachePolicyError) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.findings)


class CachePolicyWarning(UserWarning):
    """A configuration was read, and `finding` says what in it deserves a look."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(_in_one_line(finding))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.finding,), self.__dict__


def refusal(code: str, message: str, path: str = "", hint: str | None = None) -> CachePolicyError:
    """The error for a single mistake in a value that has no text."""
    return CachePolicyError([Finding(code, "error", message, path, hint=hint)])


def pointer(path: Iterable[str | int]) -> str:
    """The JSON Pointer (RFC 6901) of a path of keys and indices."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _in_one_line(finding: Finding) -> str:
    hint = f" ({finding.hint})" if finding.hint else ""
    text = f"{_place(finding)}{finding.code}: {finding.message}{hint}"
    # A file may have any name, and a finding is one line.
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _place(finding: Finding) -> str:
    """What stands before a finding: its file, line and column as far as they are known, else its path."""
    place = [str(part) for part in (finding.file, finding.line, finding.column) if part is not None]
    if finding.line is None and finding.path:
        place.append(finding.path)
    return f"{':'.join(place)}: " if place else ""
