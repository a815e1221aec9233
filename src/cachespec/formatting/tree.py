"""A YAML document as a tree that knows where everything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from yaml.events import MappingEndEvent, SequenceEndEvent

from cachespec.reading.events import Event, events

STEP = 2
# Readers take a key of up to 1,024 characters without a question mark before it.
LONGEST_KEY = 1000

_NOT_PLAIN = frozenset("\n\"'")
_BLANKS = re.compile(" *")
_ANCHOR = re.compile(r"(?:&[^\s,\[\]{}]+(?:\s|#[^\n]*)*)?")
_BLOCK_HEADER = re.compile(r"[|>][-+0-9]*")


@dataclass(eq=False, slots=True)
class Node:
    """A value, or a key, with the place where it is written.

    `breaks` says, for a collection in flow style, whether a line break stands before each entry and before the end.
    `opening` is a comment after the opening bracket, `trailing` what stands between the last entry and the end.
    """

    event: Event
    start: int
    end: int
    collection: bool = False
    flow: bool = False
    entries: list[Entry] = field(default_factory=list)
    breaks: list[bool] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    trailing: list[str] = field(default_factory=list)
    target: Node | None = None
    # The indentation of the entry in block style that this is the value of.
    outer: int = 0

    @property
    def kind(self) -> str:
        return type(self.event).__name__

    @property
    def block_collection(self) -> bool:
        return self.collection and not self.flow

    @property
    def block_scalar(self) -> bool:
        return self.kind == "ScalarEvent" and self.event.style in ("|", ">")

    @property
    def anchor(self) -> str:
        """The anchor as it is written before the value, or nothing."""
        return f"&{self.event.anchor} " if self.kind != "AliasEvent" and self.event.anchor else ""


@dataclass(eq=False, slots=True)
class Entry:
    """A field of an object or an item of a list.

    `leading` are the comments (and blank lines, as empty strings) on the lines before it, `remarks` those at the end
    of its own lines.
    """

    key: Node | None
    value: Node
    start: int
    leading: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        assert self.key is not None
        name: str = (self.key.target or self.key).event.value
        return name

    @property
    def compact(self) -> bool:
        """Whether the first field of the value stands on the line of the dash."""
        return self.key is None and self.value.block_collection and not self.value.anchor


@dataclass(frozen=True, slots=True)
class Note:
    """A comment or, without text, a blank line."""

    offset: int
    column: int
    text: str
    own_line: bool


class Tree:
    """The tree of one document. `document` is a list in block style with the root as its only item."""

    def __init__(self, text: str) -> None:
        self.text = text
        # The events that a check reads too: what it accepts can be formatted.
        self._events = events(text, "yaml")
        self._anchors: dict[str, Node] = {}
        # The text without what scalars and comments hold, character for character.
        self._bare = list(text)
        self._scalars: list[tuple[int, int]] = []
        self._events.get_event()
        self.start = self._events.get_event()
        self.root = self._node(self._events.get_event(), 0, 0)
        self.notes = self._found_notes()
        self._place(self.root, "".join(self._bare))
        entries = [Entry(None, self.root, self.root.start)]
        self.document = Node(None, 0, len(text), collection=True, entries=entries)

    @property
    def header(self) -> int:
        """Where the marker `---` ends, or 0."""
        offset: int = self.start.end_mark.index if self.start.explicit else 0
        return offset

    def column(self, offset: int) -> int:
        return offset - self.text.rfind("\n", 0, offset) - 1

    def indentation(self, offset: int) -> int:
        """The blanks at the start of the line of an offset."""
        start = offset - self.column(offset)
        match = _BLANKS.match(self.text, start)
        return match.end() - start if match else 0

    def body(self, node: Node) -> int:
        """Where a value starts, after its anchor."""
        match = _ANCHOR.match(self.text, node.start)
        return match.end() if match else node.start

    def block_text(self, node: Node) -> tuple[str, list[str]]:
        """The indicators of a literal or folded text, and its lines without their indentation."""
        first, *lines = self.text[self.body(node) : node.end].split("\n")
        match = _BLOCK_HEADER.match(first)
        assert match is not None
        stated = re.search("[1-9]", match[0])
        # Without a number, the first line that is not blank says where the text starts.
        started = next((line for line in lines if line.strip(" ")), "")
        indentation = node.outer + int(stated[0]) if stated else len(started) - len(started.lstrip(" "))
        lines = [line[indentation:] for line in lines]
        while "+" not in match[0] and lines and not lines[-1]:
            lines.pop()
        return match[0], lines

    def written(self, node: Node, indent: int, key: bool = False) -> str:
        """A scalar as the author wrote it, its further lines at a new indentation; a key on one line."""
        if node.target is not None:
            return f"*{node.event.anchor}"
        if node.block_scalar or (key and "\n" in self.text[node.start : node.end]):
            return node.anchor + _quoted(node.event.value)
        first, *more = self.text[self.body(node) : node.end].split("\n")
        lines = (_stripped(line) for line in more)
        return node.anchor + (_stripped(first) + on_lines(lines, indent + STEP) or "null")

    def stands_in(self, node: Node, key: bool = False) -> bool:
        """Whether the author's own text is written, as it has quotes or line breaks that ruamel.yaml might not keep."""
        if node.kind == "AliasEvent" or node.block_collection:
            return False
        if key:
            return len(self.written(node, 0, key=True)) <= LONGEST_KEY
        return node.collection or node.block_scalar or not _NOT_PLAIN.isdisjoint(self.text[node.start : node.end])

    def _node(self, event: Event, after: int, outer: int) -> Node:
        node = Node(event, event.start_mark.index, event.end_mark.index, outer=outer)
        if node.kind == "AliasEvent":
            node.target = self._anchors[event.anchor]
            return node
        if event.anchor:
            self._anchors[event.anchor] = node
        if node.kind == "ScalarEvent":
            self._scalar(node, after)
        else:
            self._fill(node)
        return node

    def _scalar(self, node: Node, after: int) -> None:
        if node.start == node.end:
            # Parsers place an empty value where the next token is.
            node.start = node.end = after
        body = self.body(node)
        if not node.block_scalar:
            self._scalars.append((body, node.end))
            return
        node.end -= self.text[node.end - 1 : node.end] == "\n"
        header, lines = self.block_text(node)
        before, *written = self.text[body : node.end].split("\n")
        # The blank lines below it belong to it only where they count.
        node.end = body + len("\n".join([before, *written[: len(lines)]]))
        self._scalars += [(body, body + len(header)), (body + len(before) + 1, node.end)]

    def _fill(self, node: Node) -> None:
        node.collection, node.flow = True, bool(node.event.flow_style)
        keyed = node.kind == "MappingStartEvent"
        after = node.event.end_mark.index
        outer = self.column(after)
        while type(event := self._events.get_event()) not in (MappingEndEvent, SequenceEndEvent):
            key = self._node(event, after, outer) if keyed else None
            value = self._node(self._events.get_event() if keyed else event, key.end if key else after, outer)
            node.entries.append(Entry(key, value, (key or value).start))
            after = value.end
        node.end = event.end_mark.index

    def _found_notes(self) -> list[Note]:
        """All comments and blank lines; blanks them and the scalars out of the bare text."""
        for start, end in self._scalars:
            self._bare[start:end] = "x" * (end - start)
        bare = "".join(self._bare)
        notes = []
        offset = 0
        # A scalar over several lines is one line now.
        for line in bare.split("\n"):
            before, mark, comment = line.partition("#")
            if mark or (not line.strip() and offset < len(bare)):
                at = offset + len(before)
                text = self.text[at : offset + len(line)].rstrip()
                notes.append(Note(at, self.column(at), text, not before.strip()))
                self._bare[at : at + len(mark + comment)] = " " * len(mark + comment)
            offset += len(line) + 1
        return notes

    def _place(self, node: Node, bare: str) -> None:
        """Where the entries of lists start, at their dashes, and where lines break in flow style."""
        end = node.event.end_mark.index if node.collection else node.end
        for entry in node.entries:
            if not node.flow and entry.key is None:
                entry.start = bare.rindex("-", 0, entry.value.start)
            node.breaks.append("\n" in self.text[end : entry.start])
            self._place(entry.value, bare)
            end = entry.value.end
        if node.flow:
            node.breaks.append("\n" in self.text[end : node.end])


def on_lines(lines: Iterable[str], indent: int) -> str:
    return "".join("\n" + (" " * indent + line if line else "") for line in lines)


def _quoted(value: str) -> str:
    """A text on one line in double quotes."""
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\U{ord(char):08x}" for char in value) + '"'


def _stripped(line: str) -> str:
    """A line of a scalar in quotes or of a plain one, without the blanks that say nothing."""
    text = line.strip(" \t")
    # After a backslash, a blank says something.
    return line.lstrip(" \t") if text.endswith("\\") else text
