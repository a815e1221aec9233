"""Layouts as text for people."""

from __future__ import annotations

import json
from typing import Any

import yaml

from cachespec.reading.document import Syntax, Value
from cachespec.reading.scalars import Ambiguous, NotFinite, yaml_scalar
from cachespec.schema import DOCUMENT_TYPE, definitions


def layout_text(document: Value, syntax: Syntax) -> str:
    """A layout as a document for people: in YAML, layers that are equal are written once and aliased."""
    document = {name: document[name] for name in definitions()[DOCUMENT_TYPE]["properties"] if name in document}
    if syntax == "json":
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return yaml_text(document)


def yaml_text(value: Value) -> str:
    """A value of any type in YAML, a layout in the form of `layout_text`."""
    if not (isinstance(value, dict) and "layers" in value):
        # In a line of its own, `{` would start a text that is read as JSON.
        whole = _Block(value) if isinstance(value, dict) else value
        text = yaml.dump(whole, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
        # PyYAML ends a document that is one plain scalar.
        return text.removesuffix("...\n")
    document: dict[str, Value] = value
    layers: list[Value] = []
    for layer in document["layers"]:
        # PyYAML writes an alias for the second occurrence of one object.
        layers.append(next((earlier for earlier in layers if earlier == layer), layer))
    block = _Block({**document, "layers": layers})
    if "annotations" in document:
        block["annotations"] = _Block(document["annotations"])
    return yaml.dump(block, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)


_WIDTH = 120
_IN_ONE_LINE = 90


class _Block(dict[str, Any]):
    """An object that has a line for each field, however short it is."""


class _Dumper(yaml.SafeDumper):
    """Short objects in one line, layers with a name for an anchor, text that every reader takes for text."""

    def generate_anchor(self, node: yaml.Node) -> str:
        super().generate_anchor(node)
        return f"layer_{self.last_anchor_id}"

    def ignore_aliases(self, data: Any) -> bool:
        # Only layers are aliased: what is the same object by chance is written out.
        return not (isinstance(data, dict) and data.keys() & _VARIANTS)

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _collection(dumper: yaml.SafeDumper, data: Any) -> yaml.Node:
    flow = not isinstance(data, _Block) and len(json.dumps(data)) <= _IN_ONE_LINE
    if isinstance(data, dict):
        return dumper.represent_mapping("tag:yaml.org,2002:map", data, flow)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    try:
        plain = yaml_scalar(text) == text
    except (Ambiguous, NotFinite):
        plain = False
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, None if plain else '"')


_VARIANTS = {tag for branch in definitions()["LayerCachePolicy"]["oneOf"] for tag in branch.get("properties", ())}
for _type in (dict, list, _Block):
    _Dumper.add_representer(_type, _collection)
_Dumper.add_representer(str, _text)
