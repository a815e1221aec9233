"""Whatever is thrown at a check, it answers with findings inside the text, and never with an exception."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cachespec
from tests.strategies import TYPES, mutated

EXAMPLES = Path(__file__).resolve().parent.parent / "schema" / "v1" / "examples"
TEXTS = [path.read_text(encoding="utf-8")[:1500] for path in sorted(EXAMPLES.glob("*.cachespec.yaml"))]
JSON_TEXT = (
    '{"cachespec": 1, "layers": [{"key_value": {"attention": "full", "num_key_value_heads": 8, "head_dim": 1}}]}'
)

# Pieces that change what a YAML or JSON text means.
PIECES = [
    *(
        "\t",
        "\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "- ",
        ": ",
        "? ",
        "# ",
        "&a ",
        "*a ",
        "!x ",
        "!!int ",
        "<<: *a",
        "---\n",
        "...\n",
    ),
    *(
        "[",
        "]",
        "{",
        "}",
        ",",
        '"',
        "'",
        "|\n",
        ">\n",
        "%YAML 1.2\n",
        "@",
        "`",
        "~",
        "null",
        "yes",
        "010",
        "1e999",
        "NaN",
    ),
    *(
        "\x00",
        "\x07",
        "\x85",
        "\u2028",
        "\ufeff",
        "\ud800",
        "\U0001f600",
        "8.0",
        "-0",
        "9" * 400,
        "\\ud800",
        "\\u0000",
        "*",
    ),
]

CASES = 22_000 if os.environ.get("CI") else 2_000
SHARES = {"text": 0.2, "bytes": 0.2, "edited": 0.3, "edited_json": 0.1, "values": 0.2}
ran: dict[str, int] = dict.fromkeys(SHARES, 0)


def cases(kind: str) -> settings:
    """Settings for so many cases of a kind; in CI all kinds together have more than 20,000."""
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    return settings(max_examples=int(CASES * SHARES[kind]), deadline=None, suppress_health_check=slow)


def answer(kind: str, data: str | bytes, syntax: str, type_name: str = "CacheLayout") -> None:
    ran[kind] += 1
    report = cachespec.check(data, type=type_name, syntax=syntax)
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    lines = re.split("\r\n|\r|\n", text)
    assert report.ok or report.findings
    assert report.errors + report.warnings == len(report.findings) + report.more
    for finding in report.findings:
        assert finding.line is not None
        assert finding.column is not None
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1
        assert not re.search("[\r\n]", finding.message + (finding.hint or ""))
        assert len(finding.message) < 500
    if report.ok:
        assert cachespec.check(cachespec.dumps(report.value), type=type_name).value == report.value


SYNTAXES = st.sampled_from(["json", "yaml"])


@given(st.text(), SYNTAXES, st.sampled_from(TYPES))
@cases("text")
def test_any_text(text: str, syntax: str, name: str) -> None:
    answer("text", text, syntax, name)


@given(st.binary(), SYNTAXES)
@cases("bytes")
def test_any_bytes(data: bytes, syntax: str) -> None:
    answer("bytes", data, syntax)


@st.composite
def edited(draw: st.DrawFn, text: str) -> str:
    """A good document after a few slips of hand."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 0, 1, 2, 10, 40]))
        text = text[:start] + draw(st.sampled_from(["", *PIECES])) + text[start + length :]
    return text


@given(st.sampled_from(TEXTS).flatmap(edited))
@cases("edited")
def test_edited_examples(text: str) -> None:
    answer("edited", text, "yaml")


@given(edited(JSON_TEXT))
@cases("edited_json")
def test_edited_json(text: str) -> None:
    answer("edited_json", text, "json")


@given(st.sampled_from(TYPES).flatmap(lambda name: st.tuples(st.just(name), mutated(name))), st.booleans())
@cases("values")
def test_mutated_values_in_both_syntaxes(named: tuple[str, Any], flow: bool) -> None:
    name, value = named
    answer("values", json.dumps(value), "json", name)
    answer("values", yaml.safe_dump(value, default_flow_style=flow, allow_unicode=flow), "yaml", name)


def test_enough_cases_have_run(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> None:
    names = {item.name for item in request.session.items}
    if not {"test_any_text", "test_any_bytes", "test_edited_examples", "test_edited_json"} <= names:
        pytest.skip("only a part of the fuzz tests was asked for")
    with capsys.disabled():
        print(f"\nfuzz cases: {ran}")
    assert sum(ran.values()) >= (20_000 if os.environ.get("CI") else 1_800)
