"""The canonical form of a layout document in its own syntax: fields in the order of the schema, nothing else moved.

The round-trip mode of ruamel.yaml writes the structure of a YAML document, with anchors and aliases. It ties a comment
to what stands before it, so that comments would stay behind when fields move; and it joins values over several lines.
So comments, blank lines and the author's own spelling of values are put into what it has written.
"""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from cachespec.checking import check
from cachespec.findings import CachePolicyError
from cachespec.formatting.comments import Owners
from cachespec.formatting.tree import STEP, Node, Tree
from cachespec.formatting.writer import Writer
from cachespec.reading.document import Syntax, Value
from cachespec.schema import DOCUMENT_TYPE, Schema, definitions, referenced

# The extra of the package that brings ruamel.yaml.
EXTRA = "cachespec[format]"


class CannotFormat(Exception):
    """A text has to stay as it is; the message says why, for a person."""


def formatted(text: str, syntax: Syntax) -> str:
    """The canonical form of a layout document; it says the same, and formatting it again changes nothing.

    Raises CachePolicyError for a document with errors, and CannotFormat when the form cannot be made: without
    ruamel.yaml, or where the result would not say the same.
    """
    report = check(text, syntax=syntax)
    if not report.ok:
        raise CachePolicyError(report.findings)
    # YAML reads every line end as a line feed, inside text too.
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    result = _formatted_json(text) if syntax == "json" else _formatted_yaml(lines)
    after = check(result, syntax=syntax)
    if not after.ok or after.value != report.value:
        raise CannotFormat("the formatted document would not say the same")
    if syntax == "yaml" and _kept(Tree(result)) != _kept(Tree(lines)):
        raise CannotFormat("a comment or an anchor would be lost")
    return result


# The order of fields.


def _fields(schema: Schema, keys: Iterable[str]) -> dict[str, Schema]:
    """The fields of the object that has these keys, in order; of a union, those of the branch that has them."""
    names, schema = set(keys), _resolved(schema)
    for branch in map(_resolved, schema.get("oneOf", [schema])):
        fields: dict[str, Schema] = branch.get("properties", {})
        if fields.keys() >= names:
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


# YAML.


def _formatted_yaml(text: str) -> str:
    tree = Tree(text)
    owners = Owners(tree)
    _order(tree.root, definitions()[DOCUMENT_TYPE])
    _Anchors().bring_forward(tree.root)
    return Writer(tree, Tree(_structure(tree))).written(owners.header)


def _order(node: Node, schema: Schema) -> None:
    if node.kind == "MappingStartEvent":
        fields = _fields(schema, (entry.name for entry in node.entries))
        order = {name: place for place, name in enumerate(fields)}
        for entry in node.entries:
            _order(entry.value, fields.get(entry.name, {}))
        node.entries.sort(key=lambda entry: order.get(entry.name, 0))
    else:
        for entry in node.entries:
            _order(entry.value, _items(schema))


class _Anchors:
    """Where anchors are, and the aliases that they have changed places with."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._moved: dict[int, Node] = {}

    def bring_forward(self, node: Node) -> None:
        """Puts an anchor and its value where an alias has come to stand before it, and the alias in their place."""
        for entry in node.entries:
            if entry.key is not None:
                entry.key = self._first(entry.key)
            entry.value = self._first(entry.value)

    def _first(self, node: Node) -> Node:
        if node.target is not None:
            if id(node.target) in self._seen:
                return node
            self._moved[id(node.target)] = node
            node = node.target
        elif id(node) in self._moved:
            return self._moved[id(node)]
        self._seen.add(id(node))
        self.bring_forward(node)
        return node


def _structure(tree: Tree) -> str:
    """The document as ruamel.yaml writes it: no comments, and a word where the author's own text goes."""
    try:
        from ruamel.yaml import YAML, events
    except ImportError:
        raise CannotFormat(f"formatting YAML needs ruamel.yaml: pip install '{EXTRA}'") from None
    yaml = YAML(typ="rt")
    yaml.width = sys.maxsize
    yaml.indent(mapping=STEP, sequence=2 * STEP, offset=STEP)
    start = tree.start
    opening = events.DocumentStartEvent(explicit=start.explicit, version=start.version, tags=start.tags)
    stream = io.StringIO()
    document = [opening, *_events(events, tree, tree.root), events.DocumentEndEvent(explicit=False)]
    yaml.emit([events.StreamStartEvent(), *document, events.StreamEndEvent()], stream)
    return stream.getvalue()


def _events(events: Any, tree: Tree, node: Node, key: bool = False) -> Iterator[Any]:
    """The events of a value; `events` is the module of ruamel.yaml that has their classes."""
    anchor = node.event.anchor
    if tree.stands_in(node, key):
        # In quotes: after a plain word as the whole document, ruamel.yaml would write an end marker.
        yield events.ScalarEvent(anchor, None, (True, True), "_", style='"')
    elif node.target is not None:
        yield events.AliasEvent(anchor)
    elif not node.collection:
        # An empty value is a null; a text over several lines, as a key, is one line in quotes.
        style = '"' if node.block_scalar else node.event.style or None
        yield events.ScalarEvent(anchor, None, (True, True), node.event.value or "null", style=style)
    else:
        mapping = node.kind == "MappingStartEvent"
        yield (events.MappingStartEvent if mapping else events.SequenceStartEvent)(anchor, None, True, flow_style=False)
        for entry in node.entries:
            if entry.key is not None:
                yield from _events(events, tree, entry.key, key=True)
            yield from _events(events, tree, entry.value)
        yield (events.MappingEndEvent if mapping else events.SequenceEndEvent)()


def _kept(tree: Tree) -> tuple[Counter[str], Counter[str]]:
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
