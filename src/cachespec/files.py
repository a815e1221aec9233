"""Regular files: read with a bound, and written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def read_file(path: str | os.PathLike[str], most: int) -> bytes:
    """The first bytes of a regular file, `most` at most. Raises OSError, for what is no regular file as well."""
    # Opening a pipe would wait for a writer; a device may have no end.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        return file.read(most)


def reason(error: OSError) -> str:
    """Why the system refused something, in its words."""
    return (error.strerror or str(error)).lower()


def is_standard_output(path: str) -> bool:
    """Whether an output is the one that is open already: what is written goes there, and nothing is replaced."""
    return path in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def why_not_replaced(path: str | os.PathLike[str], inputs: Iterable[str] = ()) -> str | None:
    """Why a path is no place for an output, if so: a device, a pipe, a folder, or one of the inputs."""
    try:
        old = os.stat(path)
    except OSError:
        # What is not there yet can be written; what else is wrong, writing says.
        return None
    if not stat.S_ISREG(old.st_mode):
        return "not a regular file"
    for source in inputs:
        with suppress(OSError):
            if os.path.samestat(old, os.stat(source)):
                return f"the output is the input {os.fspath(source)}"
    return None


def replace_file(path: Path, data: bytes) -> None:
    """Writes beside the file and renames, so that nobody ever sees half of it.

    A link keeps leading to its file; owner, as far as we may set it, and permissions stay. Raises OSError, for a file
    that is read-only or no regular file as well, and then the old file is as it was.
    """
    # Reading needs none of it, and importing it takes longer than reading a layout.
    import tempfile

    if why := why_not_replaced(path):
        raise OSError(errno.EINVAL, why, os.fspath(path))
    target = path.resolve()
    old = target.stat() if target.exists() else None
    if old and not os.access(target, os.W_OK):
        # Replacing a file needs no right to write to it, but its owner has asked for no changes.
        raise PermissionError(None, "the file is read-only")
    descriptor, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if old and hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(beside, old.st_uid, old.st_gid)
        os.chmod(beside, old.st_mode & 0o7777 if old else 0o666 & ~_umask())
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _umask() -> int:
    # The only way to read it is to set it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
