"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Writes beside the file and renames, so that nobody ever sees half of it; a link keeps leading to it.

    The permissions of a file that is there stay. Raises OSError, and then leaves the old file as it was.
    """
    target = path.resolve()
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    beside = Path(name)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _umask() -> int:
    # The only way to read it is to set it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
