"""Which files the paths on a command line mean, and what is in them."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator

from cachespec.reading.document import MAX_BYTES, Syntax, syntax_of

STANDARD_INPUT = "-"
SUFFIXES = (".cachespec.yaml", ".cachespec.yml", ".cachespec.json")
NO_DOCUMENTS = "no documents found; their names end in .cachespec.yaml or .cachespec.json"


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
    """The bytes of a file, or of standard input; one byte more than is allowed at most.

    Raises CannotRead for what is no readable regular file.
    """
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        # Opening a pipe would wait for a writer; a device may have no end.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise CannotRead(f"{path}: not a regular file")
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CannotRead(f"{path}: {reason(error)}") from None


def syntax(path: str, chosen: Syntax | None) -> Syntax:
    """The syntax of a file: as chosen, else by its suffix; YAML for standard input."""
    if chosen is not None:
        return chosen
    return "yaml" if path == STANDARD_INPUT else syntax_of(path)


def reason(error: OSError) -> str:
    """Why the system refused something, in its words."""
    return (error.strerror or str(error)).lower()


def _refuse(error: OSError) -> None:
    raise CannotRead(f"{error.filename}: {reason(error)}")
