"""The page of a code, as `cachespec explain` prints it."""

from __future__ import annotations

import pytest

from cachespec.cli import main
from cachespec.validation.codes import Code

PAGE = """\
block-range-empty (error)

A block holds at least one token: `end` is above `start`.

Fails (CacheBlockId, yaml):

    {session_id: 7, global_layer: 3, representation: key_value, start: 16, end: 16}

Passes:

    {session_id: 7, global_layer: 3, representation: key_value, start: 16, end: 32}
"""


def test_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "block-range-empty"]) == 0
    assert capsys.readouterr().out == PAGE


def test_what_cannot_be_printed_is_escaped() -> None:
    page = Code("x", "error", "Why.", failing="\ufeffcachespec: 1\nlayers: [no_state]\n", corrected="c\n")
    assert "    \\ufeffcachespec: 1\n    layers: [no_state]\n" in page.text()


def test_examples_are_indented_but_for_their_empty_lines() -> None:
    page = Code("x", "warning", "Why.", failing="a\n\nb\x07\n", corrected="c\n\n  d\n").text()
    assert page.split("\n") == [
        *("x (warning)", "", "Why.", ""),
        *("Fails (CacheLayout, yaml):", "", "    a", "", "    b\\u0007", ""),
        *("Passes:", "", "    c", "", "      d"),
    ]
