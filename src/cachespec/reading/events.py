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

# YAML 1.1 ends a line at the first three, YAML 1.2 does not; a byte-order mark inside a text is a character for one
# parser and nothing for another. The same text would be two different documents.
_READ_DIFFERENTLY = re.compile("[\u0085\u2028\u2029\ufeff]")
# To register a prefix, parsers compare it with all before it. We read no tags at all.
_MOST_TAG_DIRECTIVES = 100
_TAG_DIRECTIVE = re.compile("^%TAG", re.MULTILINE)
# Where the name of an anchor ends depends on the parser when one of these follows what all take for a name.
_AFTER_NAMES = frozenset("?:%@`")
_BLOCK_HEADER_WITH_COMMENT = re.compile("[|>][-+0-9]*(#)")


def events(text: str, syntax: Syntax) -> Events:
    """The parse events of a text. Raises Unreadable where parsers of YAML see different characters or lines."""
    if syntax == "json":
        # Plain JSON is read without it, and YAML always.
        from cachespec.reading.json_events import JsonEvents

        return JsonEvents(text)
    if not text.isascii() and (found := _READ_DIFFERENTLY.search(text)):
        raise Unreadable(_read_differently(found))
    if text.count("%TAG") > _MOST_TAG_DIRECTIVES:
        for number, directive in enumerate(_TAG_DIRECTIVE.finditer(text)):
            if number == _MOST_TAG_DIRECTIVES:
                message = f"more than {_MOST_TAG_DIRECTIVES} tag directives"
                mistake = Mistake("unsupported-yaml", message, (), "remove them", offset=directive.start())
                raise Unreadable(mistake)
    # libyaml where PyYAML was built with it; the same events otherwise, more slowly.
    if hasattr(yaml, "CSafeLoader"):
        parser: Events = yaml.CSafeLoader(text)
        return parser
    from cachespec.reading.plain_parser import PlainParser

    return PlainParser(text)


def _read_differently(found: re.Match[str]) -> Mistake:
    code = ord(found[0])
    if found[0] == "\ufeff":
        message = "a byte-order mark inside the text"
        return Mistake("encoding", message, (), 'remove it, or write "\\ufeff" in double quotes', offset=found.start())
    message = f"U+{code:04X} ends a line for YAML 1.1 and not for YAML 1.2"
    hint = f'write it as "\\u{code:04x}" in double quotes'
    return Mistake("unsupported-yaml", message, (), hint, offset=found.start())


def is_name_unclear(text: str, event: Event) -> bool:
    """Whether parsers differ on where the name of an anchor or an alias ends."""
    start = event.start_mark.index + 1
    end = start + len(event.anchor)
    # A tag may stand before the anchor; it is refused itself.
    return text[end : end + 1] in _AFTER_NAMES and text.startswith(event.anchor, start)


def comment_in_header(text: str, event: Event) -> int | None:
    """The offset of a comment that follows the `|` or `>` of a text without a blank, which some parsers refuse."""
    found = _BLOCK_HEADER_WITH_COMMENT.match(text, value_offset(text, event.start_mark.index))
    return found.start(1) if found else None


def value_offset(text: str, offset: int) -> int:
    """Where a value itself begins, given where its anchor and tag do; events start at those."""
    match = _PROPERTIES.match(text, offset) if text[offset : offset + 1] in ("&", "!") else None
    return match.end() if match else offset
