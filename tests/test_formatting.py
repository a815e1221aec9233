"""The canonical form: the same document, comments and anchors where they belong, a file whole or untouched."""

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

import cachespec
from cachespec.cli import main
from cachespec.formatting import formatted
from cachespec.reader import Syntax
from tests.strategies import valid

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "schema" / "v1" / "examples").glob("*.cachespec.*"))

MESSY = """\
# yaml-language-server: $schema=./cachespec.schema.json
# The model.
layers:
  # the first
  - &full {key_value: {head_dim: 128, num_key_value_heads: 8, attention: full}}  # with a remark
  # the others
  - *full
  - key_value:
      head_dim: 64   # narrow
      attention: full
      num_key_value_heads: 2

# what it is called
name: 'a "model"'
cachespec: 1
"""
TIDY = """\
# yaml-language-server: $schema=./cachespec.schema.json
cachespec: 1

# what it is called
name: 'a "model"'
# The model.
layers:
  # the first
  - &full {key_value: {attention: full, num_key_value_heads: 8, head_dim: 128}}  # with a remark
  # the others
  - *full
  - key_value:
      attention: full
      num_key_value_heads: 2
      head_dim: 64  # narrow
"""


def canonical(text: str, syntax: Syntax) -> str:
    report = cachespec.check(text, syntax=syntax)
    assert report.ok, report.findings
    return cachespec.dumps(report.value)


def test_fields_move_and_comments_and_anchors_go_with_them() -> None:
    assert formatted(MESSY, "yaml") == TIDY
    assert formatted(TIDY, "yaml") == TIDY
    assert canonical(MESSY, "yaml") == canonical(TIDY, "yaml")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_are_canonical(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert formatted(text, "json" if example.suffix == ".json" else "yaml") == text


def test_windows_line_ends_become_plain() -> None:
    assert formatted(MESSY.replace("\n", "\r\n"), "yaml") == TIDY


def test_json_has_its_fields_in_order() -> None:
    text = '{"layers": ["no_state"], "name": "\u00e9", "cachespec": 1}'
    assert formatted(text, "json") == '{\n  "cachespec": 1,\n  "name": "é",\n  "layers": [\n    "no_state"\n  ]\n}\n'


def test_a_bad_document_is_not_formatted() -> None:
    with pytest.raises(cachespec.CachePolicyError):
        formatted("cachespec: 1\nlayers: []\n", "yaml")


def shuffled(value: Any, order: random.Random) -> Any:
    if isinstance(value, list):
        return [shuffled(item, order) for item in value]
    if isinstance(value, dict):
        keys = list(value)
        order.shuffle(keys)
        return {key: shuffled(value[key], order) for key in keys}
    return value


@given(valid("CacheLayout"), st.integers(0, 2**32), st.sampled_from([None, False, True]))
@settings(max_examples=150, deadline=None)
def test_the_form_says_the_same_and_is_final(value: Any, seed: int, flow: bool | None) -> None:
    mixed = shuffled(value, random.Random(seed))
    texts: dict[Syntax, str] = {
        "json": json.dumps(mixed),
        "yaml": yaml.safe_dump(mixed, sort_keys=False, default_flow_style=flow, allow_unicode=True),
    }
    for syntax, text in texts.items():
        if cachespec.check(text, syntax=syntax).ok:
            form = formatted(text, syntax)
            assert canonical(form, syntax) == canonical(text, syntax)
            assert formatted(form, syntax) == form


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "a.cachespec.yaml"
    path.write_text(MESSY, encoding="utf-8")
    return path


def test_the_command_rewrites_once(messy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", "--check", str(messy)]) == 1
    assert messy.read_text(encoding="utf-8") == MESSY
    assert main(["format", str(messy.parent)]) == 1
    assert messy.read_text(encoding="utf-8") == TIDY
    assert main(["format", str(messy)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"would reformat: {messy}", f"reformatted: {messy}"]
    assert list(messy.parent.iterdir()) == [messy]


def test_a_bad_file_gets_its_findings_and_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cachespec.yaml"
    path.write_text("layers: [no_stat]\ncachespec: 1\n", encoding="utf-8")
    assert main(["format", str(path)]) == 1
    assert "1:10: unknown-variant" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == "layers: [no_stat]\ncachespec: 1\n"
    assert main(["format", str(tmp_path / "missing.cachespec.yaml")]) == 2
    assert main(["format", "-"]) == 2


def test_permissions_and_links_survive(messy: Path) -> None:
    messy.chmod(0o640)
    link = messy.with_name("link.cachespec.yaml")
    link.symlink_to(messy)
    assert main(["format", str(link)]) == 1
    assert link.is_symlink()
    assert messy.read_text(encoding="utf-8") == TIDY
    assert messy.stat().st_mode & 0o777 == 0o640


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(
    messy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert main(["format", str(messy)]) == 2
    assert "no space left" in capsys.readouterr().err
    assert messy.read_text(encoding="utf-8") == MESSY
    assert list(messy.parent.iterdir()) == [messy]


def test_without_the_extra_the_answer_names_it(
    messy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ruamel.yaml", None)
    assert main(["format", str(messy)]) == 2
    assert "cachespec[format]" in capsys.readouterr().err
    assert messy.read_text(encoding="utf-8") == MESSY
