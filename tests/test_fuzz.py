"""Whatever is thrown at a check, it answers with findings inside the text, and never with an exception."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cachespec
from tests.strategies import TYPES, mutated
from tests.texts import JSON_TEXT, YAML_TEXTS, edited

# In CI all kinds together have more than 20,000 cases.
TIMES = 11 if os.environ.get("CI") else 1


def answer(data: str | bytes, syntax: str, type_name: str = "CacheLayout") -> None:
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
    if report.value is not None:
        assert cachespec.check(cachespec.dumps(report.value), type=type_name, syntax="json").value == report.value


def answer_in_both_syntaxes(name: str, value: Any, flow: bool) -> None:
    answer(json.dumps(value), "json", name)
    answer(yaml.safe_dump(value, default_flow_style=flow, allow_unicode=flow), "yaml", name)


SYNTAXES = st.sampled_from(["json", "yaml"])
NAMES = st.sampled_from(TYPES)
NAMED_VALUES = NAMES.flatmap(lambda name: st.tuples(st.just(name), mutated(name), st.booleans()))

# Each kind with the arguments of a case, what is done with them, and how many cases there are.
KINDS: dict[str, tuple[st.SearchStrategy[tuple[Any, ...]], Callable[..., None], int]] = {
    "any text": (st.tuples(st.text(), SYNTAXES, NAMES), answer, 400),
    "any bytes": (st.tuples(st.binary(), SYNTAXES), answer, 400),
    "edited examples": (st.tuples(st.sampled_from(YAML_TEXTS).flatmap(edited), st.just("yaml")), answer, 600),
    "edited JSON": (st.tuples(edited(JSON_TEXT), st.just("json")), answer, 200),
    "mutated values": (NAMED_VALUES, answer_in_both_syntaxes, 400),
}


@pytest.mark.parametrize("kind", KINDS)
def test_everything_has_an_answer(kind: str) -> None:
    arguments, ask, count = KINDS[kind]
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    ran = 0

    @settings(max_examples=count * TIMES, deadline=None, suppress_health_check=slow)
    @given(arguments)
    def each(case: tuple[Any, ...]) -> None:
        nonlocal ran
        ran += 1
        ask(*case)

    each()
    assert ran >= 0.9 * count * TIMES
