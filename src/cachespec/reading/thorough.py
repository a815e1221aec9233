"""Parse events to values, with every mistake on the way: keys, scalars, tags, aliases, depth and size."""

from __future__ import annotations

import re
from dataclasses import dataclass

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from cachespec.findings import Mistake
from cachespec.reading.document import (
    MAX_DEPTH,
    MAX_NODES,
    MAX_REPEATED,
    REFUSED,
    REFUSED_KEY,
    Syntax,
    Unreadable,
    Value,
)
from cachespec.reading.events import Event, comment_in_header, events, is_name_unclear, value_offset
from cachespec.reading.positions import Lines
from cachespec.reading.quick_yaml import characters
from cachespec.reading.scalars import Ambiguous, NotFinite, Scalar, json_scalar, yaml_scalar
from cachespec.reading.syntax_errors import NO_YAML, TOO_DEEP, comment_mistake, not_in_yaml, syntax_mistake
from cachespec.wording import shown


@dataclass(frozen=True, slots=True)
class _Anchored:
    """The value behind an anchor; what each alias adds to the nodes, depth and text of the document."""

    value: Value
    nodes: int
    height: int
    size: int


class Builder:
    """Builds the value of one document."""

    def __init__(self, text: str, syntax: Syntax) -> None:
        self._text = text
        self._syntax = syntax
        self.complete = True
        self._scalar = yaml_scalar if syntax == "yaml" else json_scalar
        self._scalars: dict[str, Scalar] = {}
        self._path: list[str | int] = []
        self._mistakes: list[Mistake] = []
        self._twice: set[tuple[str | int, ...]] = set()
        self._anchors: dict[str, _Anchored] = {}
        self._open_anchors: set[str] = set()
        self._sizes: dict[int, int] = {}
        self._lines: Lines | None = None
        self._nodes = 0
        self._repeated = 0
        self._depth = 0
        self._deepest = 0

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """All mistakes so far, without those in the values of a key written twice."""
        return tuple(mistake for mistake in self._mistakes if not self._is_in_a_value_written_twice(mistake))

    def _is_in_a_value_written_twice(self, mistake: Mistake) -> bool:
        if not self._twice:
            return False
        lengths = range(len(mistake.path) + (mistake.code != "duplicate-key"))
        return any(mistake.path[:length] in self._twice for length in lengths)

    def document(self) -> Value:
        """The value of the one document in the text; REFUSED, and not complete, where reading had to stop."""
        try:
            return self._document()
        except Unreadable as stop:
            self._mistakes.append(stop.mistake)
            self.complete = False
            return REFUSED

    def _document(self) -> Value:
        if self._syntax == "yaml" and (found := NO_YAML.search(self._text)):
            raise Unreadable(not_in_yaml(found))
        self._events = events(self._text, self._syntax)
        self._next()
        if type(self._next()) is StreamEndEvent:
            raise Unreadable(_NOTHING)
        event = self._next()
        if type(event) is ScalarEvent and event.implicit[0] and not event.value:
            raise Unreadable(_NOTHING)
        value = self._node(event)
        self._next()
        after = self._next()
        if type(after) is DocumentStartEvent:
            self._add("unsupported-yaml", "a second document starts here", "keep one document in a file", after)
        return value

    def _next(self) -> Event:
        try:
            return self._events.get_event()
        except YAMLError as error:
            raise Unreadable(syntax_mistake(error, self._text)) from None

    def _node(self, event: Event) -> Value:
        self._count(1, event)
        if type(event) is AliasEvent:
            return self._aliased(event)
        anchor = event.anchor
        if anchor is None:
            return self._plain_node(event)
        self._name(event)
        nodes, deepest = self._nodes, self._deepest
        self._deepest = self._depth
        self._open_anchors.add(anchor)
        value = self._plain_node(event)
        self._open_anchors.discard(anchor)
        self._anchors[anchor] = _Anchored(
            value, self._nodes - nodes, self._deepest - self._depth, characters(value, self._sizes)
        )
        self._deepest = max(deepest, self._deepest)
        return value

    def _plain_node(self, event: Event) -> Value:
        kind = type(event)
        if kind is ScalarEvent:
            value: Value = self._scalar_value(event)
        elif kind is MappingStartEvent:
            value = self._mapping(event)
        else:
            value = self._sequence(event)
        if event.tag is not None:
            hint = "remove the tag; a string that looks like a number is written in quotes"
            return self._add("unsupported-yaml", f"the tag {shown(event.tag)} is not read", hint, event)
        return value

    def _sequence(self, start: Event) -> list[Value]:
        self._enter(start)
        values: list[Value] = []
        self._path.append(0)
        while type(event := self._next()) is not SequenceEndEvent:
            self._path[-1] = len(values)
            values.append(self._node(event))
        self._path.pop()
        self._depth -= 1
        return values

    def _mapping(self, start: Event) -> dict[str, Value]:
        self._enter(start)
        values: dict[str, Value] = {}
        offsets: dict[str, int] = {}
        self._path.append("")
        while type(event := self._next()) is not MappingEndEvent:
            key, good = self._key(event)
            self._path[-1] = key
            value = self._node(self._next())
            if key not in values:
                values[key] = value if good else REFUSED_KEY
                offsets[key] = event.start_mark.index
            elif good and (path := tuple(self._path)) not in self._twice:
                self._lines = self._lines or Lines(self._text)
                line, _ = self._lines.position(offsets[key])
                message = f"the key {shown(key)} is written twice, first in line {line}"
                self._add("duplicate-key", message, "keep one of them", event)
                values[key] = REFUSED_KEY
                self._twice.add(path)
        self._path.pop()
        self._depth -= 1
        return values

    def _key(self, event: Event) -> tuple[str, bool]:
        """A key and whether it is a good one. A bad one keeps its text, so that its place in the value stays taken."""
        self._count(1, event)
        self._path[-1] = text = self._key_text(event)
        if type(event) is ScalarEvent:
            if event.implicit[0] and text == "<<":
                hint = "write the fields out, or alias the whole value"
                self._add("unsupported-yaml", "a merge key is not read", hint, event)
                return text, False
            if event.tag is not None:
                self._add("unsupported-yaml", "a key with a tag is not read", "remove the tag", event)
                return text, False
            key: Value = self._scalar_value(event)
            if event.anchor is not None:
                self._anchors[event.anchor] = _Anchored(key, 1, 0, characters(key, self._sizes))
                self._name(event)
        elif type(event) is AliasEvent:
            key = self._aliased(event)
        else:
            key = self._plain_node(event)
        if isinstance(key, str):
            return text, key is not REFUSED
        self._add("unsupported-yaml", "a key that is not a string", "write the key as text", event)
        return text, False

    def _key_text(self, event: Event) -> str:
        """The text of a key as paths show it."""
        if type(event) is AliasEvent:
            anchored = self._anchors.get(str(event.anchor))
            return anchored.value if anchored and isinstance(anchored.value, str) else f"*{event.anchor}"
        return _SURROGATE.sub("\ufffd", event.value) if type(event) is ScalarEvent else "?"

    def _scalar_value(self, event: Event) -> Scalar:
        text: str = event.value
        if not event.implicit[0]:
            if event.style in ("|", ">") and (comment := comment_in_header(self._text, event)) is not None:
                raise Unreadable(comment_mistake(comment))
            if not text.isascii() and _SURROGATE.search(text):
                message = "an escape stands for half a character (a lone surrogate)"
                return self._add("encoding", message, "write the character itself", event)
            return text
        if text in self._scalars:
            return self._scalars[text]
        try:
            value = self._scalars[text] = self._scalar(text)
        except Ambiguous as error:
            message = f"YAML readers do not agree on what {shown(text)} means"
            return self._add("ambiguous-scalar", message, error.args[0], event)
        except NotFinite:
            return self._add("not-finite", f"{shown(text)} is not a finite number", "write a plain integer", event)
        return value

    def _aliased(self, event: Event) -> Value:
        name = event.anchor
        self._name(event)
        anchored = self._anchors.get(name)
        if name in self._open_anchors:
            return self._add("syntax", f"the alias {shown('*' + name)} stands inside its own anchor", None, event)
        if anchored is None:
            hint = f"write {shown('&' + name)} before the value it stands for"
            return self._add("syntax", f"the alias {shown('*' + name)} has no anchor before it", hint, event)
        self._count(anchored.nodes, event)
        self._repeated += anchored.size
        if self._repeated > MAX_REPEATED:
            raise Unreadable(Mistake(*_TOO_MUCH_TEXT, offset=event.start_mark.index))
        self._deepest = max(self._deepest, self._depth + anchored.height)
        if self._depth + anchored.height > MAX_DEPTH:
            raise Unreadable(Mistake(*TOO_DEEP, offset=event.start_mark.index))
        return anchored.value

    def _name(self, event: Event) -> None:
        """Refuses the name of an anchor or an alias that parsers read differently."""
        if is_name_unclear(self._text, event):
            message = f"YAML readers do not agree on where the name {shown(event.anchor)} ends"
            hint = "write a blank after it" if type(event) is AliasEvent else "use letters, digits, `-` and `_`"
            end = event.start_mark.index + 1 + len(event.anchor)
            raise Unreadable(Mistake("unsupported-yaml", message, tuple(self._path), hint, offset=end))

    def _enter(self, event: Event) -> None:
        self._depth += 1
        self._deepest = max(self._deepest, self._depth)
        if self._depth > MAX_DEPTH:
            raise Unreadable(Mistake(*TOO_DEEP, offset=event.start_mark.index))

    def _count(self, nodes: int, event: Event) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            raise Unreadable(Mistake(*_TOO_LARGE, offset=event.start_mark.index))

    def _mistake(self, code: str, message: str, hint: str | None, event: Event) -> Mistake:
        return Mistake(code, message, tuple(self._path), hint, offset=self._offset(event))

    def _offset(self, event: Event) -> int:
        offset: int = event.start_mark.index
        # A tag is the mistake itself; any other is about the value behind the anchor.
        return value_offset(self._text, offset) if getattr(event, "tag", None) is None else offset

    def _add(self, code: str, message: str, hint: str | None, event: Event) -> str:
        """Notes a mistake and returns what stands for the value there."""
        self._mistakes.append(self._mistake(code, message, hint, event))
        return REFUSED


_SURROGATE = re.compile("[\ud800-\udfff]")
_NOTHING = Mistake(
    "unknown-document",
    "there is nothing in the document",
    (),
    "start with `cachespec: 1` and `layers:`",
    offset=0,
)
_TOO_LARGE = (
    "too-large",
    f"more than {MAX_NODES:,} values, aliases counted as often as they are used",
    (),
    "split the layout",
)
_TOO_MUCH_TEXT = (
    "too-large",
    f"more than {MAX_REPEATED // 2**20} MiB of text, aliases counted as often as they are used",
    (),
    "split the layout",
)
