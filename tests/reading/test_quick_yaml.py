"""The quick reading of YAML and the thorough one agree: where the quick one answers, there is nothing to find."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cachespec.reading import quick_yaml, reader
from cachespec.reading import thorough as building
from cachespec.reading.document import REFUSED
from tests.conformance.run import vectors
from tests.strategies import TYPES, valid
from tests.texts import PIECES, YAML_TEXTS
from tests.tools import Tell

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "schema" / "v1" / "examples").glob("*.cachespec.*"))
# Half of a pair of surrogates gets no further than the reader, which looks at characters first.
SLIPS = [piece for piece in PIECES if piece != "\ud800"]
EDITED = 11_000 if os.environ.get("CI") else 3_000

# Texts that the quick reading answers, and others that it must leave to the thorough reading.
PLAIN = [
    *("a: 1\n", "a: 1\r\nb: 2\r\n", "a: 1\rb: 2\r", "--- {a: 1}\n...\n", "%YAML 1.2\n---\na: 1\n", "# a\na: 1 # b\n"),
    *("- &a [1]\n- *a\n", "a: &a {b: 1}\nc: [*a, *a]\n", "- &a\n- *a\n", "- &a ''\n- *a\n", "- &a 1\n- &b 2\n- *a\n"),
    *("? a\n: 1\n", "? a\n", "a:\nb:\n", "- \n-\n", "{a: , b: }", "[]", "{}", "''", "x", "&a a"),
    *(
        "a: |\n  b\n\n  c\n",
        "a: >-\n  b\n  c\n",
        "a: |2+\n   b\n\n",
        "a:\n  b\n  c\n",
        '"\\u00e9": "\\x41\\\n  b"',
        "'it''s'",
    ),
    *("[true, false, null]", "- -0\n- 0\n- -1\n- 1.5\n", "['~', \"yes\", '010']", "[a b, a:b, a#b, -x, 1 2]"),
    *(f"[{'9' * 400}, {'9' * 5000}]", "a: \u00e9\U0001f600\n", '{"a":1,"b":[{}]}'),
]
LEFT = [
    # A key with an anchor: read plainly, the alias would be the 1.
    *("a: &k 1\n&k b: 2\nc: *k\n", "&a a: 1\nb: *a\n", "? &a b\n: 1\n", "- &a b\n- {*a : 1}\n"),
    # An alias within its own anchor, which had another value before.
    *("- &a 1\n- &a [*a]\n", "b: &a 1\nc: &a {d: *a}\n"),
    *("*a", "- *a\n- &a 1\n", "- &a [*a]\n", "- &a {b: *a}\n", "{*a : 1}"),
    *(
        "<<: {a: 1}\n",
        "a: {<<: 1}\n",
        "- &a {b: 1}\n- <<: *a\n",
        "!!str a",
        "- !x 1\n",
        "!!map {a: 1}",
        "! a",
        "!!int 1: 2",
    ),
    *("a: 1\na: 2\n", "{a: 1, a: 1}", "{a: , a: }", "1: 2\n", "true: 1\n", ": 1\n", "? [a]\n: 1\n", "? {a: 1}\n: 1\n"),
    *("!!int 1: 2\n", "!!str a: 1\n"),
    *("- 010\n", "- yes\n", "- ~\n", "- 0x1\n", "- 1e5\n", "- 1_0\n", "- 1:30\n", "- .5\n", "- 2001-01-01\n", "- =\n"),
    *("- .inf\n", "- .nan\n", "- +1\n", "on: 1\n", "- <<\n", f"- {'9' * 400}.0\n"),
    *("a: 1\n---\nb: 1\n", "--- a\n--- b\n", "a: 1\n---\n", "---\n---\n", "", "\n", "# a\n", "---\n", "null", "..."),
    *("a:\n\tb: 1\n", "\ta: 1\n", "[1", "{a: 1", "a: b: c", "- a\nb: 1\n", "@", "`", "%", "'", '"\\ud800"', "a: 'b\n"),
    *("a: \u2028b\n", "a: \u0085b\n", "a: \x07\n", "x\n: 1\n"),
]


def agrees(text: str) -> bool:
    """Whether the quick reading answers; it must say then what the thorough one says, which finds no mistake."""
    quick = quick_yaml.quick_yaml(text)
    if quick is REFUSED:
        return False
    builder = building.Builder(text, "yaml")
    value = builder.document()
    if reader.is_too_deep(quick):
        # The depth of what is refused is looked at later.
        assert {mistake.code for mistake in builder.mistakes} == {"too-deep"}
    else:
        # repr tells 1 from true and 0 from -0.0.
        assert (repr(quick), builder.mistakes) == (repr(value), ())
    return True


def is_plain(text: str) -> bool:
    """Whether the thorough reading finds nothing; a document of nothing but null is no plain one."""
    builder = building.Builder(text, "yaml")
    value = builder.document()
    return value is not None and not builder.mistakes


@pytest.mark.parametrize("text", PLAIN)
def test_plain_texts_are_answered(text: str) -> None:
    assert agrees(text)


@pytest.mark.parametrize("text", LEFT)
def test_unusual_texts_are_left_to_the_thorough_reading(text: str) -> None:
    assert quick_yaml.quick_yaml(text) is REFUSED


def test_every_plain_text_of_the_project_is_answered(tell: Tell) -> None:
    texts = {vector["name"]: vector["text"] for vector in vectors() if "text" in vector}
    texts |= {path.name: path.read_text(encoding="utf-8") for path in EXAMPLES}
    answered = {name for name, text in texts.items() if agrees(text)}
    too_deep = {name for name in answered if reader.is_too_deep(quick_yaml.quick_yaml(texts[name]))}
    assert answered - too_deep == {name for name, text in texts.items() if is_plain(text)}
    assert {path.name for path in EXAMPLES} <= answered
    assert len(texts) - len(answered) > 100
    tell(f"quick YAML: {len(answered)} of {len(texts)} texts of the project answered, the rest left")


@given(st.sampled_from(TYPES).flatmap(valid), st.booleans(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_what_programs_write_is_answered(value: Any, flow: bool, ascii_only: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=not ascii_only)
    assert agrees(text) == is_plain(text)
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert agrees(text) == is_plain(text)


def test_edited_texts_are_read_alike_or_left(tell: Tell) -> None:
    seed = random.randrange(10**9)
    source = random.Random(seed)
    answered = 0
    for _ in range(EDITED):
        text = source.choice(YAML_TEXTS)[: source.choice([60, 300, 1500])]
        for _ in range(source.randint(1, 3)):
            start = source.randint(0, len(text))
            text = text[:start] + source.choice(SLIPS) + text[start + source.choice([0, 0, 1, 2, 10, 40]) :]
        try:
            answered += agrees(text)
        except AssertionError as error:
            error.add_note(f"seed {seed}: {text!r}")
            raise
    tell(f"quick YAML: {answered} of {EDITED} edited texts answered, the rest left")
    # A source that makes only one kind of text would prove little.
    assert EDITED // 10 < answered < EDITED - EDITED // 10
