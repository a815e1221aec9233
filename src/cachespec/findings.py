"""What is wrong: a mistake before it has a place, a finding as it is reported, and the error that carries findings."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["CachePolicyError", "Finding"]

Level: TypeAlias = Literal["error", "warning"]
Path: TypeAlias = tuple[str | int, ...]


class Finding(NamedTuple):
    """One mistake in one document, in one line.

    `path` is a JSON Pointer into the document. `line` and `column` count from 1, columns in code points, and
    stand at the offending key or value; both are None when the value was built in Python and has no text.
    """

    code: str
    level: Level
    message: str
    path: str
    line: int | None = None
    column: int | None = None
    hint: str | None = None


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
    """A policy, a layout or a configuration was refused; `findings` says where and why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(_in_one_line(finding) for finding in self.findings))


def refusal(code: str, message: str, path: str = "", hint: str | None = None) -> CachePolicyError:
    """The error for a single mistake in a value that has no text."""
    return CachePolicyError([Finding(code, "error", message, path, hint=hint)])


def pointer(path: Iterable[str | int]) -> str:
    """The JSON Pointer (RFC 6901) of a path of keys and indices."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _in_one_line(finding: Finding) -> str:
    place = f"{finding.path}: " if finding.path else ""
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{place}{finding.code}: {finding.message}{hint}"
