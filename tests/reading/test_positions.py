"""Findings stand where the mistake is written: for every way to write a document, one place per mistake."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cachespec
from cachespec.reading import positions as places
from cachespec.reading.events import events

Found = list[tuple[str, str, int | None, int | None]]


def found(text: str, syntax: str = "yaml", name: str = "CacheLayout") -> Found:
    report = cachespec.check(text, type=name, syntax=syntax)
    return [(finding.code, finding.path, finding.line, finding.column) for finding in report.findings]


HEAD = "cachespec: 1\nlayers:\n"

PLACES: dict[str, tuple[str, str, Found]] = {
    "block style": (
        "yaml",
        HEAD + "  - key_value:\n      attention: full\n      num_key_value_heads: 0\n      head_dim: 128\n",
        [("out-of-range", "/layers/0/key_value/num_key_value_heads", 5, 28)],
    ),
    "flow style over lines": (
        "yaml",
        HEAD + "  - {key_value: {attention: full,\n     num_key_value_heads: 8,\n     head_dim:\n       0}}\n",
        [("out-of-range", "/layers/0/key_value/head_dim", 6, 8)],
    ),
    "an unknown field stands at its key": (
        "yaml",
        HEAD + "  - key_value: {attention: full, heads: 8, num_key_value_heads: 8, head_dim: 128}\n",
        [("unknown-field", "/layers/0/key_value/heads", 3, 34)],
    ),
    "a missing field stands at its object": (
        "yaml",
        HEAD + "  - key_value: {attention: full, num_key_value_heads: 8}\n",
        [("missing-field", "/layers/0/key_value", 3, 16)],
    ),
    "windows line ends": (
        "yaml",
        (HEAD + "  - no_stat\n  - no_stat\n").replace("\n", "\r\n"),
        [("unknown-variant", "/layers/0", 3, 5), ("unknown-variant", "/layers/1", 4, 5)],
    ),
    "old line ends": (
        "yaml",
        (HEAD + "  - no_stat\n").replace("\n", "\r"),
        [("unknown-variant", "/layers/0", 3, 5)],
    ),
    "columns are code points": (
        "yaml",
        "cachespec: 1\nlayers: [no_state]\nannotations: {é😀: 8}\n",
        [("wrong-type", "/annotations/é😀", 3, 19)],
    ),
    "tabs count as one": (
        "json",
        '{\t"cachespec": 1,\n\t\t"layers": ["no_stat"]}',
        [("unknown-variant", "/layers/0", 2, 14)],
    ),
    "a key over several lines": (
        "yaml",
        HEAD + '  - ? "key_\\\n       valu"\n    : {attention: full, num_key_value_heads: 8, head_dim: 128}\n',
        [("unknown-variant", "/layers/0/key_valu", 3, 7)],
    ),
    "an explicit key": (
        "yaml",
        HEAD + "  - ? key_valu\n    : {attention: full, num_key_value_heads: 8, head_dim: 128}\n",
        [("unknown-variant", "/layers/0/key_valu", 3, 7)],
    ),
    "an empty value stands after its key": (
        "yaml",
        HEAD + "  - key_value:\n      attention:\n      num_key_value_heads: 8\n      head_dim: 128\n",
        [("wrong-type", "/layers/0/key_value/attention", 4, 17)],
    ),
    "a value stands after its anchor": (
        "yaml",
        HEAD + "  - &a # the one\n    # and only\n    key_valu: {}\n",
        [("unknown-variant", "/layers/0/key_valu", 5, 5)],
    ),
    "a value stands after its anchor on one line": (
        "yaml",
        HEAD + "  - key_value: {attention: full, num_key_value_heads: &h 0, head_dim: 128}\n",
        [("out-of-range", "/layers/0/key_value/num_key_value_heads", 3, 58)],
    ),
    "an aliased mistake stands where it is written, once": (
        "yaml",
        HEAD + "  - &a {key_value: {attention: full, num_key_value_heads: 0, head_dim: 128}}\n  - *a\n  - *a\n",
        [("out-of-range", "/layers/0/key_value/num_key_value_heads", 3, 59)],
    ),
    "a key in JSON is a string with escapes": (
        "json",
        '{"cachespec": 1, "layers": [{"key_v\\u0061lu": 1}]}',
        [("unknown-variant", "/layers/0/key_valu", 1, 30)],
    ),
    "pointers are escaped": (
        "json",
        '{"cachespec": 1, "layers": ["no_state"], "a/b~c": 1}',
        [("unknown-field", "/a~1b~0c", 1, 42)],
    ),
    "the end of the text is the end of its last line": (
        "json",
        '{"cachespec": 1,\n "layers": [\n\n',
        [("syntax", "", 2, 13)],
    ),
    "a second document stands at its dashes": (
        "yaml",
        HEAD + "  - no_state\n# more\n--- # again\na: 1\n",
        [("unsupported-yaml", "", 5, 1)],
    ),
    "a key written twice stands at the second": (
        "yaml",
        "cachespec: 1\nname: a\nlayers: [no_state]\nname: {b: ~}\n",
        [("duplicate-key", "/name", 4, 1)],
    ),
    "an alias below an object where the list of layers belongs": (
        "yaml",
        "cachespec: 1\nname: &n x\nlayers: {b: *n}\n",
        [("wrong-type", "/layers", 3, 9)],
    ),
    "findings are in the order of the text": (
        "yaml",
        "layer_prefix_offsets: [0, 0]\ncachespec: 1\nname: 010\nlayers: [no_stat]\nannotations: {a: 1}\n",
        [
            ("offset-count", "/layer_prefix_offsets", 1, 23),
            ("ambiguous-scalar", "/name", 3, 7),
            ("unknown-variant", "/layers/0", 4, 10),
            ("wrong-type", "/annotations/a", 5, 18),
        ],
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_places(name: str) -> None:
    syntax, text, expected = PLACES[name]
    assert found(text, syntax) == expected


def test_an_aliased_mistake_names_the_layers_that_use_it() -> None:
    layer = "{key_value: {attention: full, num_key_value_heads: 0, head_dim: 128}}"
    text = HEAD + f"  - no_state\n  - &a {layer}\n" + "  - *a\n" * 6
    (finding,) = cachespec.check(text, syntax="yaml").findings
    assert finding.message == "0 is below 1 (also used by layers 2, 3, 4, 5 and 2 more)"
    text = HEAD + f"  - &a {layer}\n  - *a\n"
    (finding,) = cachespec.check(text, syntax="yaml").findings
    assert finding.message == "0 is below 1 (also used by layer 1)"


def shape(place: places.Place) -> Any:
    if isinstance(place, int):
        return place
    if isinstance(place.entries, dict):
        return place.offset, place.keys, {key: shape(entry) for key, entry in place.entries.items()}
    return (place.offset, [shape(entry) for entry in place.entries]) if place.entries is not None else place.offset


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=4), inner, max_size=4)),
)


@given(VALUES, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
@settings(max_examples=400, deadline=None)
def test_both_parsers_of_json_see_the_same_places(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    located = places.Places(text, "json")
    plainly = places.Places.__new__(places.Places)
    plainly.__dict__.update(located.__dict__)
    assert shape(plainly._read(events(text, "json"))) == shape(located._root)
