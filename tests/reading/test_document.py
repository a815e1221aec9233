"""Which syntax a text without a name is in."""

from __future__ import annotations

import pytest

from cachespec.reading.document import syntax_of_text


@pytest.mark.parametrize("text", ['{"cachespec": 1}', "[1]", '"no_state"', b"{}", b"[]", b'""', "{", '"'])
def test_json_starts_with_a_bracket_or_a_quotation_mark(text: str | bytes) -> None:
    assert syntax_of_text(text) == "json"


@pytest.mark.parametrize(
    "text", ["cachespec: 1", "no_state", "", b"", b"a: 1", "# {", "- {}", "'a'", "\ufeff{}", " {}"]
)
def test_all_other_text_is_yaml(text: str | bytes) -> None:
    assert syntax_of_text(text) == "yaml"
