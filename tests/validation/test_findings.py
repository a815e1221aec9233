"""Every mistake of structure in its words: where it stands, what is wrong, and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import cachespec

FINDINGS: dict[str, dict[str, list[str]]] = yaml.safe_load(
    Path(__file__).with_name("findings.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    ("name", "text", "expected"), [(name, *row) for name, table in FINDINGS.items() for row in table.items()]
)
def test_findings(name: str, text: str, expected: list[str]) -> None:
    found = []
    for finding in cachespec.check(text, type=name, syntax="json").findings:
        level = "warning " if finding.level == "warning" else ""
        hint = f" ({finding.hint})" if finding.hint else ""
        found.append(f"{level}{finding.code} {finding.path}: {finding.message}{hint}")
    assert found == expected


def test_more_unknown_fields_than_are_listed_are_counted() -> None:
    for number in (99, 100, 101, 102, 250):
        fields = ", ".join(f'"{index:x<9}": 1' for index in range(number))
        report = cachespec.check(f'{{"cachespec": 1, "layers": ["no_state"], {fields}}}')
        assert (report.errors, len(report.findings), report.more) == (number, min(number, 100), max(number - 100, 0))
        assert {finding.code for finding in report.findings} == {"unknown-field"}


def test_so_many_keys_are_compared_with_the_variants() -> None:
    for before, path in ((99, "/key_valu"), (100, "")):
        fields = "".join(f'"{index:x<9}": 1, ' for index in range(before))
        (finding,) = cachespec.check(f'{{{fields}"key_valu": 1}}', type="LayerCachePolicy").findings
        assert (finding.code, finding.path) == ("unknown-variant", path)


YAML: list[tuple[str, str, list[str]]] = [
    # a key that the reader refused may have been meant as any field, or as the name of the variant
    ("LayerCachePolicy", "on: 1\n", ["ambiguous-scalar"]),
    ("LayerCachePolicy", "on: 1\nkey_valu: 1\n", ["ambiguous-scalar"]),
    ("LayerCachePolicy", "no_state: 1\non: 1\n", ["non-canonical", "ambiguous-scalar"]),
    (
        "LayerCachePolicy",
        "key_value: {attention: full, num_key_value_heads: 8, head_dim: 8}\non: 1\n",
        ["ambiguous-scalar"],
    ),
    ("LayerCachePolicy", "key_value: 0x10\n", ["ambiguous-scalar"]),
    ("LayerCachePolicy", "0x10\n", ["ambiguous-scalar"]),
    ("KeyValue", "{attention: full, num_key_value_heads: 8, on: 8}\n", ["ambiguous-scalar"]),
    ("KeyValue", "{attention: full, on: 8}\n", ["missing-field", "ambiguous-scalar"]),
    ("KeyValue", "{attention: full, on: 8, off: 8}\n", ["ambiguous-scalar", "ambiguous-scalar"]),
    ("KeyValue", "{attention: full, num_key_value_heads: 0x10, head_dim: 8}\n", ["ambiguous-scalar"]),
    (
        "KeyValue",
        "{attention: full, num_key_value_heads: 8, head_dim: 8, x: 0x10}\n",
        ["unknown-field", "ambiguous-scalar"],
    ),
    ("CacheLayout", "cachespec: 1\nlayers: [no_state]\nrank: 0x10\n", ["ambiguous-scalar"]),
    (
        "CacheLayout",
        "cachespec: 1\nlayers: [no_state]\nannotations: {a: 0x10, b: 1}\n",
        ["ambiguous-scalar", "wrong-type"],
    ),
]


@pytest.mark.parametrize(("name", "text", "expected"), YAML)
def test_what_the_reader_refused_is_one_finding(name: str, text: str, expected: list[str]) -> None:
    assert [finding.code for finding in cachespec.check(text, type=name, syntax="yaml").findings] == expected


def test_a_mistake_that_aliases_share_is_one_finding() -> None:
    bad = "{key_value: {attention: full, num_key_value_heads: 0, head_dim: 8}}"
    text = f"cachespec: 1\nlayers:\n  - &bad {bad}\n  - *bad\n  - {bad}\n"
    report = cachespec.check(text, syntax="yaml")
    assert [(finding.path, finding.line) for finding in report.findings] == [
        ("/layers/0/key_value/num_key_value_heads", 3),
        ("/layers/2/key_value/num_key_value_heads", 5),
    ]


def test_so_many_keys_are_compared_with_the_one_that_is_missing() -> None:
    for before, code in ((99, "unknown-field"), (100, "unknown-document")):
        fields = "".join(f'"{index:x<9}": 1, ' for index in range(before))
        report = cachespec.check(f'{{{fields}"cachespek": 1, "layers": ["no_state"]}}')
        assert {finding.code for finding in report.findings} == {code}
