"""What values built in Python hold that no text says, each at its place."""

from __future__ import annotations

from typing import Any

import pytest

import cachespec
from cachespec import CacheLayout
from cachespec.validation import python_values

SUPPOSED = "write None, bool, int, str, a list or a dict"


class Text(str):
    """Text of a type of its own, as configurations have it."""


def found(**fields: Any) -> list[tuple[str, str, str, str | None]]:
    layout = CacheLayout.model_construct(**{"cachespec": 1, "layers": ("no_state",), **fields})
    return [(finding.code, finding.path, finding.message, finding.hint) for finding in cachespec.validate(layout)]


VALUES: list[tuple[dict[str, Any], list[tuple[str, str, str, str | None]]]] = [
    ({"name": "é"}, []),
    ({"name": Text("x")}, []),
    ({"name": None}, []),
    ({"layers": ["no_state"]}, []),
    ({"annotations": {"é": "\U0001f600"}}, []),
    ({"name": "\ud800"}, [("encoding", "/name", "a lone surrogate is no character", "remove it")]),
    ({"name": "\udfff"}, [("encoding", "/name", "a lone surrogate is no character", "remove it")]),
    ({"name": "\ud7ff\ue000"}, []),
    ({"annotations": {"\ud800": "x"}}, [("encoding", "/annotations", "a lone surrogate is no character", "remove it")]),
    (
        {"annotations": {"a": "\ud800"}},
        [("encoding", "/annotations/a", "a lone surrogate is no character", "remove it")],
    ),
    (
        {"annotations": {1: "x"}},
        [
            (
                "wrong-type",
                "/annotations",
                "a key of the Python type `int` is not text",
                "write the keys of a dict as text",
            )
        ],
    ),
    (
        {"layer_count": float("inf")},
        [("not-finite", "/layer_count", "`inf` is not a finite number", "write an integer")],
    ),
    (
        {"layer_prefix_offsets": [0, float("nan")]},
        [("not-finite", "/layer_prefix_offsets/1", "`nan` is not a finite number", "write an integer")],
    ),
    ({"layer_count": 2.0}, [("non-canonical", "/layer_count", "the integer is written as 2.0", "write 2")]),
    (
        {"layers": {"no_state"}},
        [("wrong-type", "/layers", "a value of the Python type `set` is not one of a document", SUPPOSED)],
    ),
    (
        {"layers": ["no_state", b"no_state"]},
        [("wrong-type", "/layers/1", "a value of the Python type `bytes` is not one of a document", SUPPOSED)],
    ),
]


@pytest.mark.parametrize(("fields", "expected"), VALUES)
def test_values_of_python(fields: dict[str, Any], expected: list[tuple[str, str, str, str | None]]) -> None:
    assert found(**fields) == expected


def test_a_value_may_be_as_deep_as_a_text() -> None:
    def nested(levels: int) -> Any:
        value: Any = "x"
        for _ in range(levels):
            value = [value]
        return value

    # The object around it and the field are a level each.
    assert [code for code, *_ in found(name=nested(64))] == ["wrong-type"]
    assert found(name=nested(65)) == [("too-deep", "", "more than 64 levels of nesting", None)]


def test_a_value_may_be_as_large_as_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_values, "MAX_NODES", 20)
    # Beside the layers there are the layout, its fields as an object, and its 11 fields; a good value is not counted.
    assert {code for code, *_ in found(layers=["no_stat"] * 7)} == {"unknown-variant"}
    assert found(layers=["no_stat"] * 8) == [("too-large", "", "the value has more than 20 nodes", None)]
    assert found(layers=["no_state"] * 17) == []
