"""Parse events of a text in either syntax, and what is wrong when there are none."""

from __future__ import annotations

import re
from typing import Any, Protocol, TypeAlias

import yaml
from yaml.error import MarkedYAMLError, YAMLError

from cachespec.limits import MAX_DEPTH
from cachespec.mistakes import Mistake, Unreadable
from cachespec.reader import Syntax

# An event of PyYAML. The type stubs leave out the attributes that only some events have.
Event: TypeAlias = Any


class Events(Protocol):
    """A source of parse events, as PyYAML's parsers are."""

    def get_event(self) -> Event: ...


# YAML 1.1 ends a line at these three, YAML 1.2 does not: the same text would be two different documents.
_BREAKS_OF_YAML_1_1 = re.compile("[\u0085\u2028\u2029]")
_NOT_IN_YAML = re.compile("[^\t\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# The properties of a node stand before it: its anchor or tag, then blanks, line ends and comments.
_PROPERTIES = re.compile(
    r"(?:[&!]\S*(?:[ \t]+|[ \t]*(?:[ \t]#[^\r\n]*)?[\r\n]+)(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+)*[ \t]*)+"
)

# What libyaml says, and what to do about it.
_YAML_HINTS = {
    "mapping values are not allowed": "put a value that contains `: ` in quotes, or check the indentation",
    "found character that cannot start": "put text that starts with a special character in quotes",
    "tab character": "indent with spaces",
    "did not find expected key": "check the indentation of this line and of the line before",
    "did not find expected '-'": "check the indentation of this line and of the line before",
    "did not find expected ',' or ']'": "separate entries with a comma and close the list with `]`",
    "did not find expected ',' or '}'": "separate fields with a comma and close the object with `}`",
    "could not find expected ':'": "write `key: value`, with a space after the colon",
    "unexpected end of stream": "close the quotes",
    "unknown escape": "write a backslash in double quotes as `\\\\`",
}


TOO_DEEP = ("too-deep", f"more than {MAX_DEPTH} levels of nesting", (), "no cachespec document needs so many")


def events(text: str, syntax: Syntax) -> Events:
    """The parse events of a text. Raises Unreadable where the two versions of YAML see different lines."""
    if syntax == "json":
        # Plain JSON is read without it, and YAML always.
        from cachespec.json_events import JsonEvents

        return JsonEvents(text)
    if found := _BREAKS_OF_YAML_1_1.search(text):
        code = f"U+{ord(found[0]):04X}"
        message = f"{code} ends a line for YAML 1.1 and not for YAML 1.2"
        hint = f'write it as "\\u{ord(found[0]):04x}" in double quotes'
        raise Unreadable(Mistake("unsupported-yaml", message, (), hint, offset=found.start()))
    # libyaml where PyYAML was built with it; the same events otherwise, more slowly.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parser: Events = loader(text)
    return parser


def value_offset(text: str, offset: int) -> int:
    """Where a value itself begins, given where its anchor and tag do; events start at those."""
    match = _PROPERTIES.match(text, offset) if text[offset : offset + 1] in ("&", "!") else None
    return match.end() if match else offset


def syntax_mistake(error: YAMLError, text: str) -> Mistake:
    """What a parser's error says, as a mistake."""
    if not isinstance(error, MarkedYAMLError):
        found = _NOT_IN_YAML.search(text)
        at = found.start() if found else 0
        character = f"the control character U+{ord(text[at]):04X}" if found else "a character"
        return Mistake("encoding", f"{character} is not allowed in YAML", (), "remove it", offset=at)
    problem = error.problem or error.context or "the text cannot be read"
    mark = error.problem_mark or error.context_mark
    at = mark.index if mark else len(text)
    from cachespec.json_events import JsonSyntaxError

    if isinstance(error, JsonSyntaxError):
        return Mistake("syntax", problem, (), error.note, offset=at)
    if text[at : at + 1] == "\t" and "cannot start" in problem:
        problem = "found a tab character that violates indentation"
    if "Unicode character escape" in problem:
        message = "an escape stands for half a character (a surrogate) or for none"
        return Mistake("encoding", message, (), "write the character itself", offset=at)
    if "nesting depth" in problem:
        return Mistake(*TOO_DEEP, offset=at)
    hint = next((hint for part, hint in _YAML_HINTS.items() if part in problem), None)
    return Mistake("syntax", problem, (), hint, offset=at)
