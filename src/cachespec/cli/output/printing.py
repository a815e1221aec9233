"""What goes to a terminal, to a log and to a program: no text of others can command any of them."""

import os
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, TextIO

if TYPE_CHECKING:
    from rich.console import Console


def escaped(text: str) -> str:
    """A text on one line, with an escape for each character that cannot be seen or changes how others are shown."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    # A byte of a file name that is not UTF-8 is a lone surrogate in Python.
    byte = ord(character) - 0xDC00
    if 0x80 <= byte <= 0xFF:
        return f"\\x{byte:02x}"
    return character.encode("unicode_escape").decode("ascii")


def named(file: str) -> str:
    """The name of a file as it can begin a line: what begins with `::`, a log of GitHub Actions takes for a command."""
    name = escaped(file)
    return f"./{name}" if name.lstrip().startswith("::") else name


def say(message: str) -> None:
    """One line for a person, on standard error; that nobody can read it changes no result."""
    with suppress(OSError):
        print(f"cachespec: {escaped(message)}", file=sys.stderr)


def remark(message: str) -> None:
    """A line on standard error that is not about a mistake."""
    with suppress(OSError):
        print(escaped(message), file=sys.stderr)


def write_json_value(value: Any) -> None:
    """A value as JSON that is the same in every encoding that standard output can have."""
    import json

    unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    text = json.dumps(value, indent=2, ensure_ascii=not unicode)
    print(re.sub("[^\x00-\x7e]", _in_json, text))


def _in_json(match: re.Match[str]) -> str:
    import json

    return match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1]


def name_in_json(file: str) -> str:
    """The name of a file as a string of JSON; bytes that are not UTF-8 are written as escapes, since JSON has none."""
    return re.sub("[\udc80-\udcff]", lambda match: _escape(match[0]), file)


def write_document(text: str) -> None:
    """A document on standard output: UTF-8, whatever the encoding of the terminal, since documents are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def console(stream: TextIO, width: int | None = None) -> "Console":
    """A console that styles nothing where NO_COLOR is set, and takes no text of others for markup."""
    from rich.console import Console

    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return Console(file=stream, width=width, color_system=colours, markup=False, emoji=False, highlight=False)
