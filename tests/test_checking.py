"""What `check` and `loads` take: texts, paths and values; and what a report says of itself."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import cachespec
from tests.refusals import codes

YAML = "cachespec: 1\nlayers: [no_state]\n"
JSON = '{"cachespec": 1, "layers": ["no_state"]}'
VALUE = {"cachespec": 1, "layers": ["no_state"]}
LAYER = {"key_value": {"attention": "full", "num_key_value_heads": 8, "head_dim": 64}}


def test_a_report_is_true_when_it_is_ok() -> None:
    assert cachespec.check(YAML)
    assert not cachespec.check("cachespec: 1\nlayers: [no_stat]\n")
    warned = cachespec.check(
        {
            "fixed_state": {
                "tensors": [
                    {
                        "role": "prefix_embedding",
                        "shape": ["batch", {"prefix_tokens_rem": 4}],
                        "dtype": "floating",
                        "residency": "always_device_mutable",
                        "presence": "required",
                    }
                ]
            }
        },
        "LayerCachePolicy",
    )
    assert warned.warnings == 1
    assert warned


@pytest.mark.parametrize("text", [YAML, JSON, YAML.encode(), JSON.encode(), "- no_state\n", '["no_state"]'])
def test_the_syntax_of_a_text_is_found(text: str | bytes) -> None:
    found = cachespec.check(text)
    again = cachespec.check(text, syntax="json" if text[:1] in ("{", "[", b"{") else "yaml")
    assert found == again


def test_json_is_not_read_as_yaml() -> None:
    (finding,) = cachespec.check('{"cachespec":1,"layers":["no_state"],}').findings
    assert (finding.code, finding.line, finding.column) == ("syntax", 1, 37)


@pytest.mark.parametrize(("text", "syntax"), [("{cachespec: 1, layers: [no_state]}", None), (YAML, "json")])
def test_yaml_that_was_read_as_json_says_so(text: str, syntax: str | None) -> None:
    (finding,) = cachespec.check(text, syntax=syntax).findings
    assert finding.code == "syntax"
    assert finding.hint
    assert "read as JSON" in finding.hint
    assert "syntax `yaml`" in finding.hint
    assert cachespec.check(text, syntax="yaml")


def test_what_is_neither_says_nothing_of_yaml() -> None:
    (finding,) = cachespec.check('{"cachespec": 1').findings
    assert "YAML" not in (finding.hint or "")


def test_a_path_is_a_file_whose_suffix_chooses_the_syntax(tmp_path: Path) -> None:
    yaml, json = tmp_path / "a.cachespec.yaml", tmp_path / "a.cachespec.JSON"
    yaml.write_text('{"cachespec": 1, layers: [no_state]}', encoding="utf-8")
    json.write_text(JSON, encoding="utf-8")
    assert cachespec.check(yaml).value == cachespec.check(json).value == cachespec.loads(JSON)
    json.write_text("cachespec: 1\nlayers: [no_state, no_stat]\n", encoding="utf-8")
    assert [(found.code, found.file) for found in cachespec.check(json).findings] == [("syntax", str(json))]
    (finding,) = cachespec.check(json, syntax="yaml").findings
    assert (finding.file, finding.line, finding.column) == (str(json), 2, 20)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFO on this system")
def test_a_fifo_a_folder_and_a_missing_file_are_os_errors(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.cachespec.yaml")
    for path in (tmp_path, tmp_path / "fifo.cachespec.yaml", tmp_path / "missing.cachespec.yaml"):
        for read in (cachespec.check, cachespec.load):
            with pytest.raises(OSError, match=r"\S"):
                read(path)


def test_a_file_has_the_bound_of_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "large.cachespec.yaml"
    with path.open("wb") as file:
        file.truncate(2**34)
    assert codes(lambda: cachespec.load(path)) == [("too-large", "")]


@pytest.mark.parametrize(
    "value",
    [VALUE, OrderedDict(VALUE), MappingProxyType(VALUE), {**VALUE, "layers": ("no_state",)}, cachespec.loads(YAML)],
)
def test_a_plain_value_is_checked_without_places(value: object) -> None:
    assert cachespec.check(value).value == cachespec.loads(YAML)


@pytest.mark.parametrize(
    ("wrong", "code", "path"),
    [
        ({"cachespec": 1, "layers": ["no_stat"]}, "unknown-variant", "/layers/0"),
        ({"cachespec": 1, "layers": []}, "too-few-items", "/layers"),
        ({"cachespec": 1, "layers": {"no_state"}}, "wrong-type", "/layers"),
        ({"cachespec": 1, 2: 3, "layers": ["no_state"]}, "wrong-type", ""),
        ({"cachespec": 1, "layers": ["no_state"], "layer_count": 8.0}, "non-canonical", "/layer_count"),
        ({"cachespec": 1, "layers": ["no_state"], "layer_count": float("nan")}, "not-finite", "/layer_count"),
        ({"cachespec": 1, "layers": ["no_state"], "name": "\ud800"}, "encoding", "/name"),
        ({"cachespec": True, "layers": ["no_state"]}, "wrong-type", "/cachespec"),
        (None, "unknown-document", ""),
        (5, "unknown-document", ""),
        ([], "unknown-document", ""),
        ({}, "unknown-document", ""),
        (object(), "wrong-type", ""),
    ],
)
def test_a_bad_plain_value_has_a_finding_and_no_line(wrong: object, code: str, path: str) -> None:
    (finding,) = cachespec.check(wrong).findings
    assert (finding.code, finding.path, finding.line, finding.column, finding.file) == (code, path, None, None, None)


def test_values_that_are_too_deep_or_too_large_are_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    large: Any = "no_state"
    for _ in range(30):
        large = [large, large]
    assert [found.code for found in cachespec.check(circle).findings] == ["too-deep"]
    assert [found.code for found in cachespec.check(large).findings] == ["too-large"]


def test_a_value_may_be_of_any_type() -> None:
    assert cachespec.check(LAYER, "LayerCachePolicy").value == cachespec.key_value(cachespec.full(), 8, 64)
    assert cachespec.check(cachespec.sliding(4), "AttentionPolicy").value == cachespec.sliding(4)
    assert not cachespec.check({**LAYER, "no_state": None}, "LayerCachePolicy")


def test_the_major_is_one_that_is_known() -> None:
    assert cachespec.check(YAML, major=1)
    with pytest.raises(ValueError, match="no format major 3"):
        cachespec.check(YAML, major=3)


def test_loads_reads_a_text_or_raises() -> None:
    assert cachespec.loads(YAML) == cachespec.loads(JSON.encode()) == cachespec.loads(JSON, "yaml")
    assert codes(lambda: cachespec.loads("cachespec: 1\nlayers: [no_stat]\n")) == [("unknown-variant", "/layers/0")]
    with pytest.raises(TypeError, match="there is `load`"):
        cachespec.loads(Path("a.cachespec.yaml"))  # type: ignore[arg-type]
