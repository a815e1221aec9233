"""Documents made at random: valid ones from the schema, and such with a change at one place; the seed decides all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

from tests.consumers.trees import Node, Pairs, Token, parsed, written

from cachespec.schema import Schema, definitions, referenced

Value: TypeAlias = Any

# What the value of any place may be replaced by.
JUNK = [
    *("null", "true", "false", "0", "1", "-1", "8", "-0", "8.0", "8e0", "1.5", "1e999", "NaN", "Infinity", "08", "+8"),
    *("2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808"),
    *("18446744073709551615", "18446744073709551616", "-9223372036854775809", "1" + "0" * 60),
    *('""', '"8"', '"full"', '"Full"', '"no_state"', '"batch"', '"scalar"', '"pooled"', r'"\ud800"', r'"f\u0075ll"'),
    *("[]", "{}", "[8]", '["full"]', '{"full":null}', '{"no_state":null}', '{"0":null}', '{"fixed":16}'),
    *('{"sliding":{"window":8}}', '{"sliding":[8]}', '{"recurrent":null}', '{"convolution":[3]}', "[0,null,2]"),
]
NAMES = ["x", "window", "head_dim", "num_key_heads", "tensors", "no_state", "key_value", "fixed", "Head_dim", "rank"]
STRINGS = ["", "a", "layers", "é", "\U0001d11e", '"\\/\b\n', "\x7f\u2028"]

LAYERS = "LayerCachePolicy"


class Cases:
    """A source of documents that does not run out."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)

    def text(self, kind: str) -> str:
        """A document of a type: as often valid as with one change, which may leave it valid."""
        value = self.value(kind)
        if self.random.random() < 0.5:
            ascii_only = self.random.random() < 0.5
            return json.dumps(value, ensure_ascii=ascii_only, indent=self.random.choice([None, None, 1]))
        text = written(self._changed(parsed(json.dumps(value))))
        if self.random.random() < 0.02:
            return self.random.choice([text[:-1], f"\ufeff{text}", f"{text}{text}", f" \r\n{text}\t"])
        return text

    def value(self, kind: str) -> Value:
        """A value of a type. Now and then it breaks a rule; the schema accepts it always."""
        value = self._of(definitions()[kind])
        if self.random.random() < 0.95:
            _mend(kind, value)
        return value

    def integer(self, low: int, high: int) -> int:
        """Often a bound, or small."""
        near = self.random.randint(low, min(high, low + 300))
        power = min(max(2 ** self.random.randint(0, 64) - self.random.randint(0, 1), low), high)
        choices: list[int] = [low, high, near, near, near, power, self.random.randint(low, high)]
        return self.random.choice(choices)

    def _of(self, schema: Schema) -> Value:
        if "$ref" in schema:
            return self.value(referenced(schema["$ref"]))
        if "const" in schema:
            return schema["const"]
        if "oneOf" in schema:
            return self._of(self.random.choice(schema["oneOf"]))
        types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        return self._of_type(self.random.choice(types), schema)

    def _of_type(self, kind: str, schema: Schema) -> Value:
        if kind == "null":
            return None
        if kind == "string":
            return self.random.choice(STRINGS)
        if kind == "integer":
            return self.integer(schema["minimum"], schema["maximum"])
        if kind == "array":
            return [self._of(schema["items"]) for _ in range(self.random.randint(schema.get("minItems", 0), 4))]
        if "properties" not in schema:
            keys = self.random.sample(STRINGS, self.random.randint(0, 2))
            return {key: self._of(schema["additionalProperties"]) for key in keys}
        required = schema.get("required", [])
        fields = [name for name in schema["properties"] if name in required or self.random.random() < 0.5]
        # The order of the fields is free.
        if self.random.random() < 0.2:
            self.random.shuffle(fields)
        return {name: self._of(schema["properties"][name]) for name in fields}

    def _changed(self, node: Node) -> Node:
        root = [node]
        container, index = self.random.choice(list(_places(root, 0)))
        container[index] = self.random.choice(self._changes(container[index]))
        return root[0]

    def _changes(self, node: Node) -> list[Node]:
        """What a node may become: twice something of its own kind of value, or something that any may become."""
        own = [
            *self._of_an_object(node),
            *(self._of_a_list(node) if type(node) is list else ()),
            *(self._of_a_string(node) if type(node) is str else ()),
        ]
        after = self.random.choice([" ", "\n", "\t", " // x", "x", ",", "]", "\u00a0"])
        return [*own, *own, [node], Token(written(node) + after), *map(Token, self.random.sample(JUNK, 4))]

    def _of_an_object(self, node: Node) -> list[Node]:
        if not isinstance(node, Pairs) or not node:
            return []
        pair = self.random.choice(node)
        name, junk = self.random.choice(NAMES), Token(self.random.choice(JUNK))
        without = Pairs(other for other in node if other is not pair)
        return [
            without,
            Pairs([*node, [name, junk]]),
            Pairs([[name, junk], *node]),
            Pairs([*without, [name, pair[1]]]),
            Pairs([*node, pair]),
            Pairs([*node, [pair[0], junk]]),
            Pairs([[pair[0], junk], *node]),
            Pairs([*without, pair]),
            [value for _, value in node],
        ]

    def _of_a_list(self, node: Node) -> list[Node]:
        junk = Token(self.random.choice(JUNK))
        return [[], node[1:], node[::-1], [*node, *node[:1]], [*node, junk], [*node, "scalar"]]

    def _of_a_string(self, node: str) -> list[Node]:
        return [Pairs([[node, None]]), node[:-1], node.title(), f"{node} ", Token(_with_an_escape(node))]


def _with_an_escape(text: str) -> str:
    start = f"\\u{ord(text[0]):04x}" if text and ord(text[0]) < 0x10000 else ""
    return f'"{start}{json.dumps(text[1:] if start else text)[1:]}'


def _places(holder: list[Node], index: int) -> Iterator[tuple[list[Node], int]]:
    """A place, and every place below it: the list that holds a value, and its index."""
    yield holder, index
    node = holder[index]
    if isinstance(node, Pairs):
        for pair in node:
            yield from _places(pair, 1)
    elif isinstance(node, list):
        for below in range(len(node)):
            yield from _places(node, below)


def _mend(kind: str, value: Value) -> None:
    """Makes a value that the schema accepts one that follows the rules too."""
    if kind in ("StateTensorPolicy", "StateComponentPolicy"):
        value["residency"] = _residency(value["role"])
        if len(value["shape"]) > 1:
            value["shape"] = [dimension for dimension in value["shape"] if dimension != "scalar"] or ["scalar"]
    elif kind in ("FixedState", "KeyValueWithFixedState", "KeyOnlyWithFixedState"):
        by_role = {json.dumps(tensor["role"]): tensor for tensor in value["tensors"]}
        value["tensors"] = list(by_role.values())
    elif kind == "CacheBlockId":
        value["start"], value["end"] = sorted([min(value["start"], 2**63 - 2), max(value["end"], 1)])
        value["end"] += value["start"] == value["end"]
    elif kind == "CacheLayout":
        _mend_layout(value)


def _residency(role: Value) -> str:
    if role == "recurrent":
        return "layer_scoped_offloadable"
    if isinstance(role, dict) and "fixed" in role:
        return _residency(role["fixed"])
    if isinstance(role, dict) and role.get("pooling", {}).get("component") == "pooled":
        return "sealable_paged"
    attention = role in ("attention_keys", "attention_values", "compressed_latent", "rotary_keys")
    return "sealable_paged" if attention else "always_device_mutable"


def _mend_layout(value: Value) -> None:
    start, layers = value.get("global_layer_start") or 0, len(value["layers"])
    if value.get("layer_count") is not None:
        value["global_layer_start"] = min(start, 2**64 - 1 - layers)
        value["layer_count"] = max(value["layer_count"], value["global_layer_start"] + layers)
    if value.get("layer_prefix_offsets") is not None:
        value["layer_prefix_offsets"] = (value["layer_prefix_offsets"] + [0] * layers)[:layers]
