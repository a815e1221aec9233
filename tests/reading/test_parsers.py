"""Whether PyYAML was built with libyaml or not: the same verdicts, codes and lines."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

import cachespec
from cachespec.reading import events as parsing
from cachespec.reading.plain_parser import PlainParser
from tests.conformance.run import data, vectors
from tests.texts import PIECES, YAML_TEXTS

# What a parser says about a text that it refuses is its own: the message, the hint and the column of these codes.
# Everything else of a report is the same with both.
OWN_WORDS = {"syntax"}

# What the two parsers have read differently, and what is near to it.
NEAR = [
    *(
        "&",
        "|",
        "|-",
        "> ",
        ">2",
        "#",
        "'",
        "\\",
        "%",
        "? x",
        "- - ",
        "&a: ",
        ",",
        "!<x> ",
        "!",
        "!a!b ",
        "\t- ",
        "\n\t",
    ),
    *("---", "...", "%TAG ! x\n", "%YAML 1.1\n---\n", "\\x", "\\\n", "&b\n", "!!str\n", "\n\n ", "- \n", ": \n", "![]"),
    *(
        "{a}",
        "[a: b]",
        "{? a}",
        "&a &b ",
        "&a !x ",
        "*a: x",
        ":x",
        "::",
        '"a":b',
        '"\n"',
        "'\n'",
        "  \t",
        "\\U00110000",
    ),
]
SMALL = [
    "cachespec: 1\nlayers:\n- no_state\n",
    "cachespec: 1\nlayers: [no_state, {key_value: {attention: full, num_key_value_heads: 8, head_dim: 128}}]\n",
    "cachespec: 1\nname: \"a b\"\nannotations:\n  a: |\n    x\n  b: 'y'\nlayers:\n  - &a no_state\n  - *a\n",
]


class Built:
    """PyYAML as it is when it was built with libyaml, or without."""

    def __init__(self, with_libyaml: bool) -> None:
        if with_libyaml:
            self.CSafeLoader = yaml.CSafeLoader
        self.SafeLoader = yaml.SafeLoader


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | bytes, str, bool], tuple[Any, ...]]:
    def made(text: str | bytes, type_name: str, with_libyaml: bool) -> tuple[Any, ...]:
        monkeypatch.setattr(parsing, "yaml", Built(with_libyaml))
        found = cachespec.check(text, type=type_name, syntax="yaml")
        findings = [
            (finding.code, finding.level, finding.path, finding.line) if finding.code in OWN_WORDS else tuple(finding)
            for finding in found.findings
        ]
        return found.ok, found.errors, found.warnings, found.value, findings

    return made


Report = Callable[[str | bytes, str, bool], tuple[Any, ...]]


def edited_texts(texts: list[str], count: int, seed: int) -> Iterator[str]:
    choose = random.Random(seed)
    for _ in range(count):
        text = choose.choice(texts)
        for _ in range(choose.randint(1, 3)):
            start, length = choose.randint(0, len(text)), choose.choice([0, 0, 1, 2, 10, 40])
            text = text[:start] + choose.choice(["", *PIECES, *NEAR]) + text[start + length :]
        yield text


def test_without_libyaml_there_is_another_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(parsing.events("a", "yaml")) is yaml.CSafeLoader
    monkeypatch.setattr(parsing, "yaml", Built(with_libyaml=False))
    assert type(parsing.events("a", "yaml")) is PlainParser


def test_vectors_have_the_same_report_with_both_parsers(report: Report) -> None:
    asked = 0
    for vector in vectors():
        # JSON is asked as YAML too: it is nearly a part of it.
        text = data(vector)
        assert report(text, vector["type"], True) == report(text, vector["type"], False), vector["name"]
        asked += 1
    assert asked > 800


@pytest.mark.parametrize(("texts", "count"), [(SMALL, 3000), (YAML_TEXTS, 300)], ids=["small", "examples"])
def test_edited_texts_have_the_same_report_with_both_parsers(report: Report, texts: list[str], count: int) -> None:
    for text in edited_texts(texts, count, seed=11):
        assert report(text, "CacheLayout", True) == report(text, "CacheLayout", False), json.dumps(text)


def test_characters_of_all_kinds_have_the_same_report_with_both_parsers(report: Report) -> None:
    choose = random.Random(5)
    for _ in range(3000):
        text = "".join(choose.choice("ab1 :#-\n\"'\\\t,[]{}&*!|>%@`?\r\x85\u2028\ufeff\x07é😀") for _ in range(12))
        assert report(text, "CacheLayout", True) == report(text, "CacheLayout", False), json.dumps(text)


HEAD = "cachespec: 1\n"
REFUSED = {
    "a byte-order mark after a line break in flow style": ("layers: [no_state,\n\ufeff no_state]\n", "encoding", 3, 1),
    "a byte-order mark before a dash": ("layers:\n- no_state\n\ufeff- no_state\n", "encoding", 4, 1),
    "a byte-order mark in a plain text": ("name: a\ufeffb\nlayers: [no_state]\n", "encoding", 2, 8),
    "a byte-order mark in a comment": ("# \ufeff\nlayers: [no_state]\n", "encoding", 2, 3),
    "an anchor with a colon": ("name: &an:chor value\nlayers: [no_state]\n", "unsupported-yaml", 2, 10),
    "an anchor of a list with a colon": ("layers: &a:b\n- no_state\n", "unsupported-yaml", 2, 11),
    "an alias as a key with a colon at once": (
        "layers: [no_state]\nannotations: {a: &b x, *b: c}\n",
        "unsupported-yaml",
        3,
        26,
    ),
    "a folded text with a comment at once": ("name: ># comment\n  x\nlayers: [no_state]\n", "syntax", 2, 8),
    "a literal text with a comment at once": ("name: |-# comment\n  x\nlayers: [no_state]\n", "syntax", 2, 9),
    "a numbered text with a comment at once": ("name: &a >2# comment\n  x\nlayers: [no_state]\n", "syntax", 2, 12),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("with_libyaml", [True, False])
def test_what_readers_take_differently_is_refused(
    name: str, with_libyaml: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, code, line, column = REFUSED[name]
    monkeypatch.setattr(parsing, "yaml", Built(with_libyaml))
    findings = cachespec.check(HEAD + text, syntax="yaml").findings
    assert [(finding.code, finding.line, finding.column) for finding in findings] == [(code, line, column)]


def test_what_stands_near_and_is_read_alike_is_accepted() -> None:
    for text in (
        "name: > # comment\n  x\nlayers: [no_state]\n",
        "name: >\n  # text\nlayers: [no_state]\n",
        "layers: [&a no_state, *a]\nannotations: {a: &b x, *b : c}\n",
        "layers:\n- &a-1\n  no_state\n- *a-1\n",
        'name: "\\ufeff"\nlayers: [no_state]\n',
    ):
        assert cachespec.check(HEAD + text, syntax="yaml").findings == (), text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-16", "utf-32"])
@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_utf_16_has_its_hint_with_a_mark_and_without(encoding: str, syntax: str) -> None:
    for text in ("cachespec: 1\nlayers: [no_state]\n", '{"cachespec": 1}'):
        (finding,) = cachespec.check(text.encode(encoding), syntax=syntax).findings
        assert (finding.code, finding.hint) == ("encoding", "save it as UTF-8")
        assert "UTF-16" in finding.message
