"""Where in a text the key and the value of every path are written."""

from __future__ import annotations

import re

from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from cachespec.mistakes import Mistake
from cachespec.parsing import Event, events
from cachespec.reader import Syntax

# The properties of a node stand before it: its anchor or tag, then blanks, line ends and comments.
_PROPERTIES = re.compile(
    r"(?:[&!]\S*(?:[ \t]+|[ \t]*(?:[ \t]#[^\r\n]*)?[\r\n]+)(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+)*[ \t]*)+"
)


class Place:
    """Where one value stands, and where its entries stand; a value behind an alias stands at its anchor."""

    __slots__ = ("entries", "keys", "offset")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.entries: dict[str, Place] | list[Place] = []
        self.keys: dict[str, int] = {}


class Places:
    """The places of one document that the reader could read to its end."""

    def __init__(self, text: str, syntax: Syntax) -> None:
        self._text = text
        self._events = events(text, syntax)
        self._anchors: dict[str, Place] = {}
        self._anchored_text: dict[str, str] = {}
        self._events.get_event()
        self._events.get_event()
        self._root = self._place(self._events.get_event())

    def offset(self, mistake: Mistake) -> int:
        """The offset of the key or value that a mistake is about, in code points."""
        if mistake.offset is not None:
            return mistake.offset
        place = self._root
        key: int | None = None
        for step in mistake.path:
            if isinstance(place.entries, dict):
                key = place.keys[str(step)]
                place = place.entries[str(step)]
            else:
                key = None
                place = place.entries[int(step)]
        if mistake.at_key and key is not None:
            return key
        match = _PROPERTIES.match(self._text, place.offset)
        return match.end() if match and self._text[place.offset] in "&!" else place.offset

    def _place(self, event: Event) -> Place:
        kind = type(event)
        if kind is AliasEvent:
            return self._anchors.get(event.anchor) or Place(event.start_mark.index)
        place = Place(event.start_mark.index)
        if kind is SequenceStartEvent:
            entries: list[Place] = []
            while type(item := self._events.get_event()) is not SequenceEndEvent:
                entries.append(self._place(item))
            place.entries = entries
        elif kind is MappingStartEvent:
            self._fill(place)
        if event.anchor is not None:
            self._anchors[event.anchor] = place
            if kind is ScalarEvent:
                self._anchored_text[event.anchor] = event.value
        return place

    def _fill(self, place: Place) -> None:
        fields: dict[str, Place] = {}
        while type(key := self._events.get_event()) is not MappingEndEvent:
            self._place(key)
            fields.setdefault(name := self._name(key), self._place(self._events.get_event()))
            place.keys.setdefault(name, key.start_mark.index)
        place.entries = fields

    def _name(self, key: Event) -> str:
        if type(key) is ScalarEvent:
            text: str = key.value
            return text
        # A collection as a key has been refused, and its path is never asked for.
        return self._anchored_text.get(key.anchor, "")
