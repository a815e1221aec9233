"""The quick reading of JSON and the parser of the standard library agree on every text."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cachespec.reading import reader
from cachespec.reading.document import REFUSED
from cachespec.reading.quick_json import quick_json
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
        "[-0]",
        "[10,-0]",
        '{"a-0": "-01"}',
        '["\\ud800"]',
        '["\\u00e9"]',
    ),
]
SLIPS = st.tuples(st.integers(0, 10**6), st.sampled_from('[]{},:"1x'))


def by_library(text: str) -> Any:
    """The value by the standard library with every check on; REFUSED where the quick reading must give up."""
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_int=_integer, parse_constant=_unusual)
    except (ValueError, RecursionError):
        return REFUSED


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is written twice")
    return dict(pairs)


def _integer(text: str) -> int:
    if text == "-0":
        raise ValueError("-0 is no integer in canonical form")
    return int(text)


def _unusual(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


@pytest.mark.parametrize("text", TEXTS)
def test_odd_texts_are_read_alike_or_left_to_the_close_reading(text: str) -> None:
    # Escapes may be lone surrogates, which only the close reading tells from pairs.
    assert quick_json(text) == (REFUSED if "\\u" in text else by_library(text))


@given(
    st.sampled_from(TYPES).flatmap(mutated),
    st.sampled_from([None, 1, "\t"]),
    SLIPS,
)
@settings(max_examples=500, deadline=None)
def test_values_and_slips_are_read_alike(value: Any, indent: Any, slip: tuple[int, str]) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    place = slip[0] % (len(text) + 1)
    for written in (text, text[:place] + slip[1] + text[place:]):
        if not reader.may_hold_fractions(written) and "\\u" not in written:
            # repr tells 1 from true.
            assert repr(quick_json(written)) == repr(by_library(written))
