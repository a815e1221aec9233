"""Parse events of a text in either syntax."""

from __future__ import annotations

import re
from typing import Any, Protocol, TypeAlias

import yaml

from cachespec.findings import Mistake
from cachespec.reading.document import Syntax, Unreadable

# An event of PyYAML. The type stubs leave out the attributes that only some events have.
Event: TypeAlias = Any


class Events(Protocol):
    """A source of parse events, as PyYAML's parsers are."""

    def get_event(self) -> Event: ...


# The properties of a node stand before it: its anchor or tag, then blanks, line ends and comments.
_PROPERTIES = re.compile(
    r"(?:[&!]\S*(?:[ \t]+|[ \t]*(?:[ \t]#[^\r\n]*)?[\r\n]+)(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+)*[ \t]*)+"
)

# YAML 1.1 ends a line at these three, YAML 1.2 does not: the same text would be two different documents.
_BREAKS_OF_YAML_1_1 = re.compile("[\u0085\u2028\u2029]")


def events(text: str, syntax: Syntax) -> Events:
    """The parse events of a text. Raises Unreadable where the two versions of YAML see different lines."""
    if syntax == "json":
        # Plain JSON is read without it, and YAML always.
        from cachespec.reading.json_events import JsonEvents

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
