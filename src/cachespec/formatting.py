"""The canonical form of a layout document in its own syntax: fields in the order of the schema, nothing else moved.

ruamel.yaml parses a YAML document and writes its structure, anchors, aliases and quotes anew. What it cannot keep when
fields move is put back into its output here: comments and blank lines, each with the field or entry that it belongs
to, and the line breaks inside values that the author spread over several lines.
"""

from __future__ import annotations

import io
import json
import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cachespec.checking import check
from cachespec.findings import CachePolicyError
from cachespec.models import dumps
from cachespec.published import DOCUMENT_TYPE, Schema, definitions, referenced
from cachespec.reader import Syntax, Value

# An event of ruamel.yaml. Which attributes it has depends on its class.
Event: TypeAlias = Any

EXTRA = "ruamel.yaml"
STEP = 2

# Emitters write a longer key with a question mark; readers take up to 1,024 characters without.
_LONG_KEY, _LONGEST_KEY = 100, 1000
# An editor looks for this comment at the head of the document, whatever stands below it.
_MODELINE = re.compile(r"#\s*yaml-language-server:")
_PROPERTIES = re.compile(r"(?:&[^\s,\[\]{}]+(?:\s|#[^\n]*)*)?")
_BLOCK_HEADER = re.compile(r"[|>][-+0-9]*")


class CannotFormat(Exception):
    """The text stays as it is; the message says why, for a person."""


def formatted(text: str, syntax: Syntax) -> str:
    """The canonical form of a layout document; it says the same, and formatting it again changes nothing.

    Raises CachePolicyError for a document with errors, and CannotFormat when the form cannot be made: without
    ruamel.yaml, or where the result would not say the same.
    """
    report = check(text, syntax=syntax)
    if not report.ok:
        raise CachePolicyError(report.findings)
    result = _formatted_json(text) if syntax == "json" else _Yaml().formatted(text)
    after = check(result, syntax=syntax)
    if not after.ok or dumps(after.value) != dumps(report.value):
        raise CannotFormat("the formatted document would not say the same")
    return result


# The order of fields.


def _fields(schema: Schema, keys: Iterable[str]) -> dict[str, Schema]:
    """The fields of the object that has these keys, in order; of a union, those of the branch that has them."""
    schema = _resolved(schema)
    for branch in map(_resolved, schema.get("oneOf", [schema])):
        fields: dict[str, Schema] = branch.get("properties", {})
        if fields.keys() >= set(keys):
            return fields
    return {}


def _items(schema: Schema) -> Schema:
    items: Schema = _resolved(schema).get("items", {})
    return items


def _resolved(schema: Schema) -> Schema:
    return definitions()[referenced(schema["$ref"])] if "$ref" in schema else schema


# JSON.


def _formatted_json(text: str) -> str:
    value = _ordered(json.loads(text), definitions()[DOCUMENT_TYPE])
    return json.dumps(value, indent=STEP, ensure_ascii=False) + "\n"


def _ordered(value: Value, schema: Schema) -> Value:
    if isinstance(value, list):
        return [_ordered(item, _items(schema)) for item in value]
    if not isinstance(value, dict):
        return value
    fields = _fields(schema, value)
    # The keys of a map, such as the annotations, have the order that the author gave them.
    return {key: _ordered(value[key], fields.get(key, {})) for key in (fields or value) if key in value}


# YAML: the document as a tree that knows where everything stands.


@dataclass(eq=False, slots=True)
class _Node:
    """A value, or a key, with the place where it is written.

    `breaks` says, for a collection in flow style, whether a line break stands before each entry and before the end.
    `opening` is a comment after the opening bracket, `trailing` what stands between the last entry and the end.
    """

    event: Event
    start: int
    end: int
    flow: bool = False
    entries: list[_Entry] = field(default_factory=list)
    closing: Event = None
    breaks: list[bool] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    trailing: list[str] = field(default_factory=list)
    target: _Node | None = None

    @property
    def kind(self) -> str:
        return type(self.event).__name__

    @property
    def collection(self) -> bool:
        return self.closing is not None

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
class _Entry:
    """A field of an object or an item of a list.

    `leading` are the comments (and blank lines, as empty strings) on the lines before it, `remarks` those at the end
    of its own lines.
    """

    key: _Node | None
    value: _Node
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
class _Note:
    """A comment or, without text, a blank line."""

    offset: int
    column: int
    text: str
    own_line: bool


class _Tree:
    """The tree of one document. `document` is a list in block style with the root as its only item."""

    def __init__(self, text: str, events: Iterator[Event]) -> None:
        self.text = text
        self._events = events
        self._anchors: dict[str, _Node] = {}
        # The text without what scalars and comments hold, character for character.
        self._bare = list(text)
        self._scalars: list[tuple[int, int]] = []
        self.opening = [next(events), next(events)]
        root = self._node(next(events), 0)
        self.closing = [next(events), next(events)]
        self.notes = self._found_notes()
        bare = "".join(self._bare)
        self._place(root, bare)
        self.root = root
        self.document = _Node(None, 0, len(text), entries=[_Entry(None, root, root.start)], closing=self.closing[0])

    @property
    def header(self) -> int:
        """Where the marker `---` starts, or 0."""
        start = self.opening[1]
        offset: int = start.start_mark.index if start.explicit else 0
        return offset

    def column(self, offset: int) -> int:
        return offset - self.text.rfind("\n", 0, offset) - 1

    def indentation(self, offset: int) -> int:
        """The blanks at the start of the line of an offset."""
        line = self.text[self.text.rfind("\n", 0, offset) + 1 :]
        return len(line) - len(line.lstrip(" "))

    def body(self, node: _Node) -> int:
        """Where a value starts, after its anchor."""
        match = _PROPERTIES.match(self.text, node.start)
        return match.end() if match else node.start

    def several_lines(self, node: _Node) -> bool:
        return "\n" in self.text[node.start : node.end]

    def _node(self, event: Event, after: int) -> _Node:
        node = _Node(event, event.start_mark.index, event.end_mark.index)
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

    def _scalar(self, node: _Node, after: int) -> None:
        if node.start == node.end:
            # Parsers place an empty value where the next token is.
            node.start = node.end = after
        body = self.body(node)
        if not node.block_scalar:
            self._scalars.append((body, node.end))
            return
        header = _BLOCK_HEADER.match(self.text, body)
        assert header is not None
        line_end = self.text.find("\n", body)
        if line_end < 0:
            line_end = node.end
        # The blank lines after it belong to it only where they count.
        kept = node.end - (self.text[node.end - 1 : node.end] == "\n")
        node.end = kept if "+" in header[0] else body + len(self.text[body:kept].rstrip("\n"))
        node.end = max(node.end, line_end)
        self._scalars += [(body, header.end()), (line_end + 1, node.end)]

    def _fill(self, node: _Node) -> None:
        node.flow = bool(node.event.flow_style)
        keyed = node.kind == "MappingStartEvent"
        after = node.event.end_mark.index
        while not type(event := next(self._events)).__name__.endswith("EndEvent"):
            key = self._node(event, after) if keyed else None
            value = self._node(next(self._events) if keyed else event, key.end if key else after)
            node.entries.append(_Entry(key, value, (key or value).start))
            after = value.end
        node.closing = event
        node.end = event.end_mark.index

    def _found_notes(self) -> list[_Note]:
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
                notes.append(_Note(at, self.column(at), text, not before.strip()))
                self._bare[at : at + len(mark + comment)] = " " * len(mark + comment)
            offset += len(line) + 1
        return notes

    def _place(self, node: _Node, bare: str) -> None:
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


# Which comment belongs to what.


class _Owners:
    """Gives every comment and blank line of a tree to the entry, or to the end of the collection, it belongs to."""

    def __init__(self, tree: _Tree) -> None:
        self._tree = tree
        self.header: list[str] = []
        # Blank lines go where the comment after them goes, if one follows before the next entry.
        self._blank = False
        self._leading: list[str] | None = None
        self._goes_on = False
        for note in tree.notes:
            if note.offset < tree.header:
                self.header.append(note.text)
            elif note.own_line:
                self._line(note)
            else:
                self._flush()
                self._remark(note)
        self._flush()
        self._split_head()

    def _flush(self) -> None:
        """Ends a run of lines between two entries."""
        if self._blank and self._leading is not None:
            self._leading.append("")
        self._blank = self._goes_on = False

    def _line(self, note: _Note) -> None:
        trailing, leading = self._candidates(note)
        if leading is not self._leading:
            self._flush()
            self._leading = leading
        if not note.text:
            self._blank = True
            return
        # After a line for the next entry, deeper indentation is part of what that line says.
        owner = trailing if leading is None or (trailing is not None and not self._goes_on) else leading
        assert owner is not None
        self._goes_on = owner is leading
        owner += ["", note.text] if self._blank else [note.text]
        self._blank = False

    def _path(self, offset: int) -> list[tuple[_Node, _Entry | None, _Entry | None]]:
        """The collections open at an offset, outermost first, each with the entries before and after the offset."""
        path = []
        node = self._tree.document
        while True:
            index = bisect_right(node.entries, offset, key=lambda entry: entry.start)
            before = node.entries[index - 1] if index else None
            after = node.entries[index] if index < len(node.entries) else None
            path.append((node, before, after))
            if before is None or not before.value.collection or offset < before.value.start:
                return path
            if before.value.flow and offset >= before.value.end:
                return path
            node = before.value

    def _remark(self, note: _Note) -> None:
        path = self._path(note.offset)
        node, before, after = path[-1]
        if before is not None:
            before.remarks.append(note.text)
        elif node.flow:
            node.opening.append(note.text)
        elif len(path) > 1 and (outer := path[-2][1]) is not None:
            outer.remarks.append(note.text)
        else:
            assert after is not None
            after.leading.append(note.text)

    def _candidates(self, note: _Note) -> tuple[list[str] | None, list[str] | None]:
        """The end of a collection, or the entry, that a line can belong to; the first goes before the second."""
        path = self._path(note.offset)
        node, before, after = path[-1]
        if before is not None and note.offset < before.value.end:
            inside = before.value
            if not inside.block_collection:
                return None, before.leading
            if note.offset < inside.start:
                return None, inside.entries[0].leading
        if node.flow or before is None:
            return (None, after.leading) if after is not None else (node.trailing, None)
        return self._after_blocks(note, path)

    def _after_blocks(
        self, note: _Note, path: list[tuple[_Node, _Entry | None, _Entry | None]]
    ) -> tuple[list[str] | None, list[str] | None]:
        """A line after some blocks have ended: its indentation says whether it belongs to the end of one."""
        going_on = max((level for level, (_, _, after) in enumerate(path) if after is not None), default=-1)
        after = path[going_on][2] if going_on >= 0 else None
        ended = [node for node, _, _ in path[going_on + 1 :]]
        columns = [self._tree.column(node.entries[0].start) for node in ended]
        if after is not None and note.column <= self._tree.column(after.start):
            return None, after.leading
        within = [node for node, column in zip(ended, columns, strict=True) if column <= note.column]
        if after is not None:
            return within[-1].trailing if within else None, after.leading
        return (within or ended)[-1 if within else 0].trailing, None

    def _split_head(self) -> None:
        """What touches the first field belongs to it; what a blank line separates is the head of the document."""
        root, head = self._tree.root, self._tree.document.entries[0].leading
        if not root.block_collection:
            return
        cut = 1 + max((at for at, line in enumerate(head) if not line or _MODELINE.match(line)), default=-1)
        root.entries[0].leading[:0] = head[cut:]
        del head[cut:]


# Writing.


def _order(node: _Node, schema: Schema) -> None:
    if node.kind == "MappingStartEvent":
        fields = _fields(schema, (entry.name for entry in node.entries))
        order = {name: place for place, name in enumerate(fields)}
        for entry in node.entries:
            _order(entry.value, fields.get(entry.name, {}))
        node.entries.sort(key=lambda entry: order.get(entry.name, 0))
    else:
        for entry in node.entries:
            _order(entry.value, _items(schema))


class _Definitions:
    """Brings every anchor before its aliases again, after fields have moved."""

    def __init__(self, root: _Node) -> None:
        self._seen: set[int] = set()
        self._moved: dict[int, _Node] = {}
        self._visit(root)

    def _visit(self, node: _Node) -> None:
        for entry in node.entries:
            if entry.key is not None:
                entry.key = self._first(entry.key)
            entry.value = self._first(entry.value)

    def _first(self, node: _Node) -> _Node:
        if node.target is not None:
            if id(node.target) in self._seen:
                return node
            self._moved[id(node.target)] = node
            node = node.target
        elif id(node) in self._moved:
            return self._moved[id(node)]
        self._seen.add(id(node))
        self._visit(node)
        return node


class _Yaml:
    """ruamel.yaml, set to the style of the example layouts."""

    def __init__(self) -> None:
        try:
            from ruamel.yaml import YAML
            from ruamel.yaml.error import YAMLError
            from ruamel.yaml.events import ScalarEvent
        except ImportError:
            raise CannotFormat(f"formatting YAML needs {EXTRA}: pip install 'cachespec[format]'") from None
        self._yaml, self._error, self._scalar_event = YAML, YAMLError, ScalarEvent

    def formatted(self, text: str) -> str:
        # YAML reads every line end as a line feed, inside scalars too.
        tree = self._tree(text.replace("\r\n", "\n").replace("\r", "\n"))
        owners = _Owners(tree)
        _order(tree.root, definitions()[DOCUMENT_TYPE])
        _Definitions(tree.root)
        result = _Writer(tree, self._tree(self._emitted(tree))).written(owners.header)
        if _kept(self._tree(result)) != _kept(tree):
            raise CannotFormat("a comment or an anchor would be lost")
        return result

    def _tree(self, text: str) -> _Tree:
        try:
            return _Tree(text, iter(self._yaml(typ="rt").parse(text)))
        except self._error as error:
            raise CannotFormat(f"{EXTRA} does not read it: {' '.join(str(error).split())}") from None

    def _emitted(self, tree: _Tree) -> str:
        """The document without its comments; one word stands for every value that has several lines."""
        yaml = self._yaml(typ="rt")
        yaml.width = sys.maxsize
        yaml.indent(mapping=STEP, sequence=2 * STEP, offset=STEP)
        tree.closing[0].explicit = False
        stream = io.StringIO()
        yaml.emit([*tree.opening, *self._events(tree, tree.root), *tree.closing], stream)
        return stream.getvalue()

    def _events(self, tree: _Tree, node: _Node, key: bool = False) -> Iterator[Event]:
        event = node.event
        event.comment = None
        if _stands_in(tree, node, key):
            yield self._scalar_event(event.anchor, None, (True, False), "_")
            return
        if node.kind == "ScalarEvent":
            if not event.value and event.style is None:
                event.value = "null"
            if node.block_scalar:
                event.style = '"'
        yield event
        for entry in node.entries:
            if entry.key is not None:
                yield from self._events(tree, entry.key, key=True)
            yield from self._events(tree, entry.value)
        if node.closing is not None:
            node.closing.comment = None
            yield node.closing


def _stands_in(tree: _Tree, node: _Node, key: bool) -> bool:
    """Whether the author's own text is written in place of what ruamel.yaml would write."""
    if node.kind == "AliasEvent" or node.block_collection:
        return False
    if key:
        return _LONG_KEY < node.end - node.start < _LONGEST_KEY and not tree.several_lines(node)
    return node.block_scalar or tree.several_lines(node)


def _kept(tree: _Tree) -> tuple[Counter[str], Counter[str]]:
    """What must survive: the comments, the anchors and the aliases."""
    comments = Counter(note.text for note in tree.notes)
    del comments[""]
    anchors: Counter[str] = Counter()
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        if node.event.anchor:
            anchors[f"{node.kind} {node.event.anchor}"] += 1
        waiting += [child for entry in node.entries for child in (entry.key, entry.value) if child is not None]
    return comments, anchors


class _Writer:
    """Puts comments, blank lines and the author's line breaks into what ruamel.yaml has written."""

    def __init__(self, tree: _Tree, plain: _Tree) -> None:
        self._tree = tree
        self._plain = plain
        self._edits: list[tuple[int, int, str]] = []
        # Lines that go before the next entry, with their indentation.
        self._waiting: list[tuple[int, str]] = []
        # After a scalar that keeps the blank lines below it, one more would be part of it.
        self._no_blank = True

    def written(self, header: list[str]) -> str:
        self._collection(self._tree.document, self._plain.document)
        result, offset = [line + "\n" for line in _tidy(header)], 0
        # Sorting is stable: what goes to the same place keeps its order.
        for start, end, text in sorted(self._edits, key=lambda edit: edit[0]):
            result += [self._plain.text[offset:start], text]
            offset = end
        result.append(self._plain.text[offset:])
        result += self._lines()
        return "".join(result)

    def _collection(self, node: _Node, place: _Node) -> None:
        for entry, its_place in zip(node.entries, place.entries, strict=True):
            self._entry(entry, its_place, first=entry is node.entries[0])
        last = place.entries[-1]
        indent = self._plain.column(last.start) if last.key is not None else self._plain.indentation(last.start)
        self._waiting += [(indent, line) for line in node.trailing]

    def _entry(self, entry: _Entry, place: _Entry, first: bool) -> None:
        above = entry.remarks if entry.compact else entry.remarks[:-1]
        remark = "" if entry.compact or not entry.remarks else entry.remarks[-1]
        self._above([*(_tidy(entry.leading) if first else entry.leading), *above], place)
        if place.key is not None:
            assert entry.key is not None
            if _stands_in(self._tree, entry.key, key=True):
                self._replace(place.key, self._scalar(entry.key, 0))
            indent = self._plain.column(place.key.start)
        else:
            indent = self._plain.indentation(place.start)
        if entry.value.block_collection:
            self._at_line_end(place.key.end if place.key is not None else place.value.start, remark)
            self._collection(entry.value, place.value)
        elif entry.value.block_scalar and not place.value.event.style:
            self._replace(place.value, self._block_scalar(entry.value, indent, remark))
        else:
            if _stands_in(self._tree, entry.value, key=False):
                self._replace(place.value, self._flow(entry.value, indent))
            self._at_line_end(place.value.end, remark)

    def _above(self, lines: list[str], place: _Entry) -> None:
        start = self._plain.text.rfind("\n", 0, place.start) + 1
        indent = self._plain.indentation(place.start)
        self._waiting += [(indent, line) for line in lines]
        if not (place.value.collection and place.key is None and not place.value.flow and not self._waiting):
            self._edits.append((start, start, "".join(self._lines())))

    def _lines(self) -> list[str]:
        """The waiting lines; never two blank lines in a row."""
        lines: list[str] = []
        for indent, line in self._waiting:
            if line or not (self._no_blank or (lines and lines[-1] == "\n")):
                lines.append(" " * indent + line + "\n" if line else "\n")
            self._no_blank = self._no_blank and not line
        self._waiting = []
        return lines

    def _at_line_end(self, offset: int, remark: str) -> None:
        self._no_blank = False
        if remark:
            end = self._plain.text.index("\n", offset)
            self._edits.append((end, end, "  " + remark))

    def _replace(self, place: _Node, text: str) -> None:
        self._edits.append((place.start, place.end, text))

    def _block_scalar(self, node: _Node, indent: int, remark: str) -> str:
        """A literal or folded text, moved to the indentation that its place has now."""
        start = self._tree.body(node)
        header = _BLOCK_HEADER.match(self._tree.text, start)
        assert header is not None
        lines = self._tree.text[start : node.end].split("\n")[1:]
        self._no_blank = "+" in header[0]
        digit = re.search("[1-9]", header[0])
        outer = self._outer_indentation(node)
        old = outer + int(digit[0]) if digit else _indentation_of(lines)
        moved = (line[old:] and " " * (indent + STEP) + line[old:] for line in lines)
        first = node.anchor + re.sub("[1-9]", str(STEP), header[0]) + (f"  {remark}" if remark else "")
        return "\n".join([first, *moved])

    def _outer_indentation(self, node: _Node) -> int:
        return node.outer

    def _flow(self, node: _Node, indent: int) -> str:
        return ""

    def _scalar(self, node: _Node, indent: int) -> str:
        return ""
