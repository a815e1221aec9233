"""Text to values: decoding, parsing, and every mistake that can be seen without knowing what the values mean."""

import re
from typing import NoReturn

from cachespec.findings import Mistake
from cachespec.reading.document import MAX_BYTES, MAX_DEPTH, REFUSED, Document, Syntax, Unreadable, Value


def read(data: str | bytes, syntax: Syntax) -> Document:
    """A text as a value. Takes the quick path where the text is plain enough; never raises for a bad text."""
    try:
        text = _decoded(data)
    except Unreadable as stop:
        shown = data if isinstance(data, str) else data[:MAX_BYTES].decode("utf-8", "replace")
        return Document(shown, syntax, REFUSED, (stop.mistake,), complete=False)
    value = _quick_json(text) if syntax == "json" else _quick_yaml(text)
    if value is not REFUSED:
        return Document(text, syntax, value, is_settled=False)
    return read_closely(text, syntax)


# Neither syntax needs the parser of the other.


def _quick_json(text: str) -> Value:
    from cachespec.reading.quick_json import quick_json

    return quick_json(text)


def _quick_yaml(text: str) -> Value:
    from cachespec.reading.quick_yaml import quick_yaml

    return quick_yaml(text)


def settled(document: Document) -> Document:
    """A document that was refused, read closely where the quick path may have passed over a mistake."""
    if document.is_settled:
        return document
    passed_over = document.syntax == "json" and may_hold_fractions(document.text)
    return read_closely(document.text, document.syntax) if passed_over or is_too_deep(document.value) else document


def may_hold_fractions(text: str) -> bool:
    """Whether there is something like 8.0 or 8e0 in a text, which no type has."""
    return re.search("[0-9][.eE]", text) is not None


def read_closely(text: str, syntax: Syntax) -> Document:
    """A decoded text as a value, with every mistake in it."""
    # The builder is needed for unusual texts only.
    from cachespec.reading.thorough import Builder

    builder = Builder(text, syntax)
    value = builder.document()
    return Document(text, syntax, value, builder.mistakes, complete=builder.complete)


def _decoded(data: str | bytes) -> str:
    size = len(data) if isinstance(data, bytes) or len(data) * 4 <= MAX_BYTES else len(data.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        _stop(
            "too-large",
            f"the text has more than {MAX_BYTES // 2**20} MiB",
            "split the layout, or use YAML aliases",
            0,
        )
    if isinstance(data, str):
        lone = re.search("[\ud800-\udfff]", data) if not data.isascii() else None
        if lone:
            _stop("encoding", "a lone surrogate is no character", "remove it", lone.start())
        text = data
    else:
        text = _utf_8(data)
    if text.startswith("\ufeff"):
        _stop(
            "encoding",
            "the text starts with a byte-order mark",
            "save it as UTF-8 without a byte-order mark",
            0,
        )
    return text


def _utf_8(data: bytes) -> str:
    # In UTF-16 and UTF-32 every other byte of plain text is a zero, which no document in UTF-8 begins with.
    if b"\x00" in data[:4] and data[:4].strip(b"\x00"):
        _stop("encoding", "the text is not UTF-8; it looks like UTF-16 or UTF-32", "save it as UTF-8", 0)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            _stop("encoding", "the text is not UTF-8; it looks like UTF-16 or UTF-32", "save it as UTF-8", 0)
        readable = data[: error.start].decode("utf-8")
        byte = data[error.start]
        _stop("encoding", f"byte 0x{byte:02x} is not valid UTF-8 here", "save the text as UTF-8", len(readable))


def _stop(code: str, message: str, hint: str | None, offset: int) -> NoReturn:
    raise Unreadable(Mistake(code, message, (), hint, offset=offset))


def is_too_deep(value: Value, levels: int = MAX_DEPTH) -> bool:
    """Whether a value nests lists and objects in more than so many levels."""
    if not isinstance(value, (list, dict)):
        return False
    entries = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_too_deep(entry, levels - 1) for entry in entries)
