"""The value of plain YAML, fast: whatever is unusual in a text is left to the close reading."""

from __future__ import annotations

from typing import Any

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from cachespec.reading.document import MAX_NODES, MAX_REPEATED, REFUSED, Unreadable
from cachespec.reading.events import Event, Events, comment_in_header, events, is_name_unclear
from cachespec.reading.scalars import Ambiguous, NotFinite, yaml_scalar

_BLOCK_STYLES = ("|", ">")


class _Unusual(Exception):
    """The text needs the close reading."""


def quick_yaml(text: str) -> Any:
    """The value of plain YAML, or REFUSED for a text with anything that the close reading must look at.

    That is: tags, merge keys, keys that are written twice, that are no strings or that have anchors, scalars that
    readers do not agree on, aliases without anchors, several documents, and more nodes or text than are allowed.
    """
    try:
        return _Reading(text, events(text, "yaml")).document()
    except (_Unusual, Unreadable, YAMLError, Ambiguous, NotFinite, RecursionError):
        return REFUSED


class _Reading:
    """One reading, by recursion: what it costs is paid for every value of every good document."""

    def __init__(self, text: str, source: Events) -> None:
        self._text = text
        self._next = source.get_event
        self._nodes = 0
        self._scalars: dict[str, Any] = {}
        self._repeated = 0
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._sizes: dict[int, int] = {}

    def document(self) -> Any:
        self._next()
        if type(self._next()) is StreamEndEvent:
            raise _Unusual
        first = self._next()
        value = self._node(first)
        self._next()
        if value is None or type(self._next()) is not StreamEndEvent:
            raise _Unusual
        return value

    def _node(self, event: Event) -> Any:
        kind = type(event)
        if kind is AliasEvent:
            return self._aliased(event)
        if event.tag is not None:
            raise _Unusual
        self._nodes += 1
        before = self._nodes
        if kind is ScalarEvent:
            value = self._plain(event.value) if event.implicit[0] else self._quoted(event)
        else:
            if event.anchor is not None:
                # Inside, the name means the value itself, which is no value yet.
                self._anchors.pop(event.anchor, None)
            value = self._mapping() if kind is MappingStartEvent else self._sequence()
        if event.anchor is not None:
            if is_name_unclear(self._text, event):
                raise _Unusual
            self._anchors[event.anchor] = (value, self._nodes - before + 1, characters(value, self._sizes))
        if self._nodes > MAX_NODES:
            raise _Unusual
        return value

    def _sequence(self) -> list[Any]:
        values: list[Any] = []
        following = self._next
        while type(event := following()) is not SequenceEndEvent:
            values.append(self._node(event))
        return values

    def _mapping(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        following = self._next
        while type(event := following()) is not MappingEndEvent:
            if type(event) is not ScalarEvent or event.anchor is not None or event.tag is not None:
                raise _Unusual
            key = self._plain(event.value) if event.implicit[0] else event.value
            if key.__class__ is not str or key in values:
                raise _Unusual
            self._nodes += 1
            values[key] = self._node(following())
        return values

    def _quoted(self, event: Event) -> Any:
        if event.style in _BLOCK_STYLES and comment_in_header(self._text, event):
            raise _Unusual
        return event.value

    def _plain(self, text: str) -> Any:
        """The value of a plain scalar; one object for all its occurrences, of which a layout has thousands."""
        try:
            return self._scalars[text]
        except KeyError:
            value = self._scalars[text] = yaml_scalar(text)
            return value

    def _aliased(self, event: Event) -> Any:
        value, nodes, size = self._anchors.get(event.anchor, (None, MAX_NODES, 0))
        self._nodes += nodes + 1
        self._repeated += size
        if self._nodes > MAX_NODES or self._repeated > MAX_REPEATED or is_name_unclear(self._text, event):
            raise _Unusual
        return value


def characters(value: Any, sizes: dict[int, int]) -> int:
    """The text in a value behind an anchor; `sizes` remembers the collections that are behind anchors themselves."""
    if isinstance(value, str):
        return len(value)
    if not isinstance(value, (list, dict)):
        return 0
    if id(value) not in sizes:
        entries = [*value, *value.values()] if isinstance(value, dict) else value
        sizes[id(value)] = sum(characters(entry, sizes) for entry in entries)
    return sizes[id(value)]
