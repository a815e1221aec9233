"""Where in a text the key and the value of every path are written: as offsets, and as lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TypeAlias

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from cachespec.findings import Mistake, Path
from cachespec.reading.document import Syntax, Unreadable
from cachespec.reading.events import Event, Events, events, value_offset

_LINE_END = re.compile(r"\r\n|\r|\n")


class Collection:
    """Where a list or an object stands, and where its entries stand; a scalar behind an anchor has no entries."""

    __slots__ = ("entries", "keys", "offset")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.entries: dict[str, Place] | list[Place] | None = None
        self.keys: dict[str, int] | None = None


# A plain scalar is its offset alone: a large document has hundreds of thousands.
Place: TypeAlias = int | Collection


class Places:
    """The places of one document that the reader could read to its end; what an alias names stands at its anchor."""

    def __init__(self, text: str, syntax: Syntax) -> None:
        self._text = text
        self._anchors: dict[str, Collection] = {}
        self._anchored_text: dict[str, str] = {}
        self._path: list[str | int] = []
        self._layers: dict[Collection, set[int]] = {}
        try:
            # JSON is YAML in all that places need, and libyaml is several times as fast as our own parser of JSON.
            self._root = self._read(events(text, "yaml"))
        except (YAMLError, Unreadable):
            # But not quite: YAML limits the length of keys, and knows no surrogate pairs.
            self._path.clear()
            self._root = self._read(events(text, syntax))

    def _read(self, source: Events) -> Place:
        self._events = source
        source.get_event()
        source.get_event()
        return self._place(source.get_event())

    def offset(self, mistake: Mistake) -> int:
        """The offset of the key or value that a mistake is about, in code points."""
        if mistake.offset is not None:
            return mistake.offset
        *_, (key, place) = self._way(mistake.path)
        if mistake.at_key and key is not None:
            return key
        return value_offset(self._text, place if isinstance(place, int) else place.offset)

    def nearest(self, pointer: str) -> int:
        """The offset of the value at a JSON Pointer, or of the innermost value on the way to it that is there."""
        place = self._root
        for step in pointer.split("/")[1:]:
            entries = place.entries if isinstance(place, Collection) else None
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(entries, dict) and step in entries:
                place = entries[step]
            elif isinstance(entries, list) and step.isdecimal() and int(step) < len(entries):
                place = entries[int(step)]
            else:
                break
        return value_offset(self._text, place if isinstance(place, int) else place.offset)

    def layers_by_alias(self, path: Path) -> list[int]:
        """The layers of a layout that use, through an alias, something on the way to the value at a path."""
        if not self._layers:
            return []
        used = (self._layers.get(place, set()) for _, place in self._way(path) if not isinstance(place, int))
        return sorted(set().union(*used))

    def _way(self, path: Path) -> list[tuple[int | None, Place]]:
        """The places from the root to a path, each with the offset of its key, if it has one."""
        way: list[tuple[int | None, Place]] = [(None, self._root)]
        for step in path:
            _, place = way[-1]
            assert isinstance(place, Collection)
            if isinstance(place.entries, dict):
                assert place.keys is not None
                way.append((place.keys[str(step)], place.entries[str(step)]))
            else:
                assert place.entries is not None
                way.append((None, place.entries[int(step)]))
        return way

    def _place(self, event: Event) -> Place:
        kind = type(event)
        if kind is AliasEvent:
            return self._aliased(event)
        if kind is ScalarEvent and event.anchor is None:
            offset: int = event.start_mark.index
            return offset
        place = Collection(event.start_mark.index)
        if kind is SequenceStartEvent:
            self._fill_list(place)
        elif kind is MappingStartEvent:
            self._fill_object(place)
        else:
            self._anchored_text[event.anchor] = event.value
        if event.anchor is not None:
            self._anchors[event.anchor] = place
        return place

    def _aliased(self, event: Event) -> Collection:
        # An alias without an anchor has been refused; it stands for nothing but itself.
        place = self._anchors.get(event.anchor) or Collection(event.start_mark.index)
        if self._path[:1] == ["layers"] and len(self._path) > 1 and isinstance(self._path[1], int):
            self._layers.setdefault(place, set()).add(self._path[1])
        return place

    def _fill_list(self, place: Collection) -> None:
        entries: list[Place] = []
        self._path.append(0)
        while type(item := self._events.get_event()) is not SequenceEndEvent:
            self._path[-1] = len(entries)
            entries.append(self._place(item))
        self._path.pop()
        place.entries = entries

    def _fill_object(self, place: Collection) -> None:
        entries: dict[str, Place] = {}
        keys: dict[str, int] = {}
        self._path.append("")
        while type(key := self._events.get_event()) is not MappingEndEvent:
            self._place(key)
            self._path[-1] = name = self._name(key)
            value = self._place(self._events.get_event())
            if name not in entries:
                entries[name] = value
                keys[name] = key.start_mark.index
        self._path.pop()
        place.entries, place.keys = entries, keys

    def _name(self, key: Event) -> str:
        if type(key) is ScalarEvent:
            text: str = key.value
            return text
        # A collection as a key has been refused, and its path is never asked for.
        return self._anchored_text.get(key.anchor, "")


class Lines:
    """The lines of one text: they end at LF, CRLF or CR; columns count code points; both start at 1."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset; the end of the text counts as the end of its last line with text."""
        if offset >= len(self._text):
            offset = len(self._text.rstrip())
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of one line, without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self._text)
        return self._text[start:end].rstrip("\r\n")
