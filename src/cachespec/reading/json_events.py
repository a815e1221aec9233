"""JSON text as the parse events of PyYAML, so that one builder serves both syntaxes.

jiter reads well-formed documents much faster and is used for them; it knows no positions. This parser runs
when something is unusual, and for places where libyaml cannot read the text as YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]

from yaml.error import Mark, MarkedYAMLError
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

_BLANKS = frozenset(" \t\r\n")
_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_CONSTANT = re.compile(r"true|false|null|NaN|-?Infinity")
_WORD = re.compile(r"[\w.+-]+")


class JsonSyntaxError(MarkedYAMLError):
    """JSON text that RFC 8259 does not allow; `note` is the hint."""


class JsonEvents:
    """The events of one JSON text, with `get_event` as PyYAML's parsers have it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._events = self._document()

    def get_event(self) -> Event:
        return next(self._events)

    def _document(self) -> Iterator[Event]:
        """The events, without recursion: a hostile text must not exhaust the stack before its depth is refused."""
        text, skip, mark = self._text, self._skip, self._mark
        yield StreamStartEvent(mark(0))
        at = skip(0)
        if at == len(text):
            yield StreamEndEvent(mark(at))
            return
        yield DocumentStartEvent(mark(at))
        closers: list[str] = []
        while True:
            character = text[at : at + 1]
            if character == "{" or character == "[":
                start = MappingStartEvent if character == "{" else SequenceStartEvent
                yield start(None, None, True, mark(at))
                closers.append("}" if character == "{" else "]")
                at = skip(at + 1)
                opened = text[at : at + 1] != closers[-1]
            else:
                event, at = self._scalar(at)
                yield event
                opened = False
            if not opened:
                # A value has ended: close what ends here, then go on to the next entry.
                while closers and text[skip(at) : skip(at) + 1] == closers[-1]:
                    at = skip(at)
                    yield (MappingEndEvent if closers.pop() == "}" else SequenceEndEvent)(mark(at))
                    at += 1
                if not closers:
                    break
                at = self._next_entry(skip(at), closers[-1])
            if closers[-1] == "}":
                event, at = self._key(at)
                yield event
        yield DocumentEndEvent(mark(at))
        at = skip(at)
        if at < len(text):
            raise self._error(at, "text after the end of the document", "keep one JSON value in the file")
        yield StreamEndEvent(mark(at))

    def _next_entry(self, at: int, closer: str) -> int:
        collection = "object" if closer == "}" else "list"
        if at >= len(self._text):
            raise self._error(at, f"the text ends inside {_a(collection)}", f"close it with `{closer}`")
        if self._text[at] != ",":
            raise self._error(at, f"expected `,` or `{closer}` in {_a(collection)}", self._foreign(at))
        after = self._skip(at + 1)
        if self._text[after : after + 1] == closer:
            raise self._error(at, f"a comma after the last entry of {_a(collection)}", "remove the comma")
        return after

    def _key(self, at: int) -> tuple[Event, int]:
        """A key, and the offset of its value."""
        if self._text[at : at + 1] != '"':
            raise self._error(at, "expected a key in double quotes", self._foreign(at))
        event, at = self._scalar(at)
        at = self._skip(at)
        if self._text[at : at + 1] != ":":
            raise self._error(at, "expected `:` after the key", None)
        return event, self._skip(at + 1)

    def _scalar(self, at: int) -> tuple[Event, int]:
        """A string, a number or a literal, and the offset after it."""
        text = self._text
        if text[at : at + 1] == '"':
            try:
                value: str
                end: int
                value, end = scanstring(text, at + 1, True)
            except JSONDecodeError as error:
                raise self._error(min(error.pos, len(text)), _string_fault(error.msg), None) from None
            return ScalarEvent(None, None, (False, True), value, self._mark(at), None, '"'), end
        match = _CONSTANT.match(text, at) or _NUMBER.match(text, at)
        if match is None or _WORD.match(text, match.end()):
            if at >= len(text):
                raise self._error(at, "the text ends where a value is expected", None)
            raise self._error(at, "expected a value", self._foreign(at) or self._misspelt(at))
        return ScalarEvent(None, None, (True, False), match[0], self._mark(at), None, ""), match.end()

    def _foreign(self, at: int) -> str | None:
        """What JSON wants instead of a mark that other languages have."""
        rest = self._text[at : at + 2]
        if rest[:1] == "'":
            return "strings are written in double quotes"
        if rest[:1] == "#" or rest in ("//", "/*"):
            return "JSON has no comments"
        return "this bracket does not close what is open" if rest[:1] in ("]", "}") else None

    def _misspelt(self, at: int) -> str | None:
        """What JSON wants instead of a word that is no value."""
        word = _WORD.match(self._text, at)
        if word is None:
            return None
        if word[0][0].isdigit() or word[0][0] in "+-.":
            return "an integer is plain decimal, without leading zeros, `+` or other bases"
        return "text is written in double quotes"

    def _skip(self, at: int) -> int:
        if self._text[at : at + 1] in _BLANKS:
            match = _SPACE.match(self._text, at)
            return match.end() if match else at
        return at

    def _mark(self, at: int) -> Mark:
        # Lines are counted where a finding needs them.
        return Mark("", at, 0, 0, None, 0)

    def _error(self, at: int, problem: str, hint: str | None) -> JsonSyntaxError:
        return JsonSyntaxError(problem=problem, problem_mark=self._mark(at), note=hint)


def _a(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def _string_fault(message: str) -> str:
    """The complaint of the string scanner in our words."""
    if message.startswith("Unterminated"):
        return "a string is not closed"
    if message.startswith("Invalid control"):
        return "a control character in a string; write it as an escape"
    return "an escape that JSON does not know"
