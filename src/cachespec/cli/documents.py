"""Which documents the paths on a command line mean; each of them read and checked."""

import os
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from cachespec.checking import CheckReport, check
from cachespec.files import read_file, reason
from cachespec.reading.document import MAX_BYTES, Syntax, syntax_of
from cachespec.schema import DOCUMENT_TYPE

STANDARD_INPUT = "-"
SUFFIXES = (".cachespec.yaml", ".cachespec.yml", ".cachespec.json")
NO_DOCUMENTS = "no documents found; their names end in .cachespec.yaml or .cachespec.json"


class Checked(NamedTuple):
    """One document and its report; the bytes are kept only where findings show lines of them."""

    file: str
    report: CheckReport[Any]
    data: bytes


class CannotRead(Exception):
    """A path that cannot be read at all; the message says why, for a person."""


def files(path: str) -> Iterator[str]:
    """The file that a path names, or the cachespec documents below a folder, in the order of their names."""
    if path == STANDARD_INPUT or not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path, onerror=_refuse):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(SUFFIXES))


def contents(path: str) -> bytes:
    """The bytes of a file, or of standard input; one byte more than is allowed at most. Raises CannotRead."""
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        return read_file(path, MAX_BYTES + 1)
    except OSError as error:
        raise CannotRead(f"{path}: {reason(error)}") from None


def checked(path: str, chosen: Syntax | None, name: str = DOCUMENT_TYPE) -> Checked:
    """One file as a value of a type, read in the syntax chosen or in its own. Raises CannotRead."""
    data = contents(path)
    return Checked(path, check(data, name, syntax(path, chosen)), data)


def syntax(path: str, chosen: Syntax | None) -> Syntax:
    """The syntax of a file: as chosen, else by its suffix; YAML for standard input."""
    if chosen is not None:
        return chosen
    return "yaml" if path == STANDARD_INPUT else syntax_of(path)


def _refuse(error: OSError) -> None:
    raise CannotRead(f"{error.filename}: {reason(error)}")
