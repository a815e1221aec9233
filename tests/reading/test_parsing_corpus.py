"""A public corpus of JSON texts that parsers must accept or refuse; it stays outside the project."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path

import pytest

import cachespec

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "parsing" / "json-test-suite.jsonl"

READER = {
    "syntax",
    "encoding",
    "too-large",
    "too-deep",
    "duplicate-key",
    "not-finite",
}


@pytest.mark.skipif(not CORPUS.is_file(), reason="the corpus is third-party data and not beside this checkout")
def test_every_case_of_the_corpus_is_accepted_or_refused_by_the_reader_as_it_says() -> None:
    verdicts: Counter[tuple[str, bool]] = Counter()
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        report = cachespec.check(base64.b64decode(case["base64"]), type="StateTensorPolicy", syntax="json")
        codes = {finding.code for finding in report.findings}
        # An empty text has its own code.
        refused = bool(codes & READER) or any(
            "nothing in the document" in finding.message for finding in report.findings
        )
        assert not report.ok, case["name"]
        if case["expect"] == "reject":
            assert refused, case["name"]
        if case["expect"] == "accept":
            assert codes & READER <= {"duplicate-key"}, case["name"]
        for finding in report.findings:
            assert finding.line is not None, case["name"]
            assert finding.line >= 1, case["name"]
        verdicts[case["expect"], refused] += 1
    print(dict(verdicts))
    assert sum(verdicts.values()) == 318
