"""Both parsers of plain JSON read the same, so that it does not matter which of them is installed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cachespec import quick_json, reader
from cachespec.mistakes import REFUSED
from tests.strategies import TYPES, mutated

TEXTS = [
    *('{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', "[NaN]", "[Infinity]", "[1,]", "[1 2]", "[01]", "[+1]", "[.5]", "[tru]"),
    *('["a\tb"]', '["\x00"]', "[1]x", "[" * 2000, "9" * 400, f"[{'9' * 5000}]", '["\\\\"]', '["\\/"]', '["é😀"]', ""),
    *(
        "[18446744073709551615]",
        "[-9223372036854775809]",
        "[1]\n",
        "\ufeff[1]",
        '{"":{}}',
        '["\\x"]',
        "[\x0b1]",
        " [ ] ",
    ),
]
SLIPS = st.tuples(st.integers(0, 10**6), st.sampled_from('[]{},:"1x'))


def read(parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except (quick_json._Unusual, ValueError, RecursionError):
        return REFUSED


@pytest.mark.parametrize("text", TEXTS)
def test_the_parsers_agree_on_texts_that_are_odd(text: str) -> None:
    assert read(quick_json.with_jiter, text) == read(quick_json.with_library, text)


@given(
    st.sampled_from(TYPES).flatmap(mutated),
    st.sampled_from([None, 1, "\t"]),
    SLIPS,
)
@settings(max_examples=500, deadline=None)
def test_the_parsers_agree_on_values_and_on_slips(value: Any, indent: Any, slip: tuple[int, str]) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    place = slip[0] % (len(text) + 1)
    for written in (text, text[:place] + slip[1] + text[place:]):
        if not reader.may_hold_fractions(written) and "\\u" not in written:
            by_jiter, by_library = read(quick_json.with_jiter, written), read(quick_json.with_library, written)
            # -0 is looked for before either parser runs; repr tells 1 from true.
            assert repr(by_jiter) == repr(by_library)


def test_without_jiter_the_library_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_json, "jiter", None)
    assert reader.read('{"a": [1]}', "json").value == {"a": [1]}
    assert quick_json.quick_json('{"a": 1, "a": 1}') is REFUSED
