"""Which documents the paths on a command line mean; each of them read and checked."""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cachespec.checking import CheckReport, check
from cachespec.files import read_file, reason
from cachespec.findings import Finding
from cachespec.reading.document import MAX_BYTES, Syntax, syntax_of, syntax_of_text
from cachespec.schema import DOCUMENT_TYPE

STANDARD_INPUT = "-"
SUFFIXES = (".cachespec.yaml", ".cachespec.yml", ".cachespec.json")
NO_DOCUMENTS = "no documents found; their names end in .cachespec.yaml or .cachespec.json"
READ_ONCE = "standard input can be read only once: write - once"

# Folders that hold what others have written or a tool has made. One that is named outright is walked all the same.
_SKIPPED = frozenset(
    (
        *(".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox"),
        *(".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode"),
        *("__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv"),
    )
)


class Checked(NamedTuple):
    """One document and its report; the bytes are kept only where findings show lines of them."""

    file: str
    report: CheckReport[Any]
    data: bytes


class CannotRead(Exception):
    """A path that cannot be read at all, and why, for a person."""

    def __init__(self, path: str, why: str) -> None:
        self.path = path
        self.why = why
        # The arguments of an exception are what it is made of anew in another process.
        super().__init__(path, why)

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"

    def finding(self) -> Finding:
        return Finding("cannot-read", "error", self.why, "")


def files(paths: Iterable[str]) -> Iterator[str | CannotRead]:
    """The files that paths name, each once, and the cachespec documents below folders, in the order of their names.

    What ruff skips by default in a folder is skipped here too. A folder that cannot be read is a CannotRead.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _files(path):
            place = (
                found if found == STANDARD_INPUT else os.path.abspath(found if isinstance(found, str) else found.path)
            )
            if place not in seen:
                seen.add(place)
                yield found


def _files(path: str) -> Iterator[str | CannotRead]:
    if path == STANDARD_INPUT or not os.path.isdir(path):
        yield path
        return
    refused: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=refused.append):
        yield from map(_refused, refused)
        refused.clear()
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(SUFFIXES))
    yield from map(_refused, refused)


def _refused(error: OSError) -> CannotRead:
    return CannotRead(str(error.filename), reason(error))


def contents(path: str) -> bytes:
    """The bytes of a file, or of standard input; one byte more than is allowed at most. Raises CannotRead."""
    try:
        if path != STANDARD_INPUT:
            return read_file(path, MAX_BYTES + 1)
        if sys.stdin is None:
            raise CannotRead(path, "standard input is closed")
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise CannotRead(path, reason(error)) from None
    except ValueError as error:
        # No file system has a name with a null character in it.
        raise CannotRead(path, str(error)) from None


def checked(path: str, chosen: Syntax | None, name: str = DOCUMENT_TYPE) -> Checked:
    """One file as a value of a type, read in the syntax chosen or in its own. Raises CannotRead."""
    data = contents(path)
    return Checked(path, check(data, name, syntax(path, data, chosen)), data)


def syntax(path: str, data: bytes, chosen: Syntax | None = None) -> Syntax:
    """The syntax of a file: as chosen, else by its suffix; of standard input, by its first character."""
    if chosen is not None:
        return chosen
    return syntax_of_text(data) if path == STANDARD_INPUT else syntax_of(path)
