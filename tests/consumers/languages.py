"""The tables of docs/languages.md, and whether what they say of a reader is what the reader answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "languages.md"

REFUSES = "refuses"
SYNTAX_ERROR = "syntax error"
NO_ANSWER = "no type"


@dataclass(frozen=True)
class Answer:
    """What a reader makes of a document: the value as JSON, or None where its parser already refuses the text."""

    accepts: bool
    value: str | None


@dataclass(frozen=True)
class Cell:
    """What the page says that a reader makes of a vector, and that the vector's verdict is."""

    reader: str
    vector: str
    verdict: str
    says: str


def cells() -> list[Cell]:
    """All cells of the tables that have the columns what, vector and verdict, and then one for each reader."""
    found: list[Cell] = []
    readers: list[str] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        columns = [column.strip() for column in line.strip("|").split("|")]
        if not line.startswith("|"):
            readers = []
        elif columns[1] == "vector":
            readers = [_code(heading) for heading in columns[3:]]
        elif readers and not line.startswith("|--"):
            _, vector, verdict, *says = columns
            found += [Cell(reader, _code(vector), verdict, one) for reader, one in zip(readers, says, strict=True)]
    return found


def _code(text: str) -> str:
    (code,) = re.findall(r"`([^`]+)`", text)
    return str(code)


def mistakes(answers: Mapping[str, Mapping[str, Answer]]) -> list[str]:
    """Where the page says something else of these readers than they answer, by reader and vector."""
    return list(_mistakes(answers))


def _mistakes(answers: Mapping[str, Mapping[str, Answer]]) -> Iterator[str]:
    for cell in cells():
        if cell.reader in answers:
            answer = answers[cell.reader].get(cell.vector)
            if not _holds(cell.says, answer):
                yield f"{cell.reader}, {cell.vector}: the page says {cell.says}, the reader {answer}"


def _holds(says: str, answer: Answer | None) -> bool:
    if answer is None or says == NO_ANSWER:
        return answer is None and says == NO_ANSWER
    if says == SYNTAX_ERROR:
        return not answer.accepts and answer.value is None
    accepts = not says.startswith(REFUSES)
    shown = _code(says) if "`" in says else ""
    return answer.accepts == accepts and answer.value is not None and shown in answer.value
