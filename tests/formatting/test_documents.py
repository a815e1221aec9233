"""Models as text, in a string and in a file."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

import cachespec
from tests.refusals import codes

LAYER = cachespec.key_value(cachespec.full(), 8, 64)
LAYOUT = cachespec.layout([LAYER, LAYER, "no_state"], name="yes", annotations={"b": "1", "a": "é"})
EXAMPLES = sorted((Path(__file__).parents[2] / "schema" / "v1" / "examples").glob("*.cachespec.*"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_form_says_the_same(path: Path, tmp_path: Path) -> None:
    layout = cachespec.load(path)
    for text in (
        cachespec.dumps(layout),
        cachespec.dumps(layout, indent=2),
        cachespec.dumps(layout, indent=0),
        cachespec.dumps(layout, syntax="yaml"),
    ):
        assert cachespec.loads(text) == layout
    for name in ("a.cachespec.yaml", "a.cachespec.json", "a.JSON", "a"):
        cachespec.dump(layout, tmp_path / name)
        assert cachespec.load(tmp_path / name) == layout


def test_indented_json_is_the_canonical_value() -> None:
    text = cachespec.dumps(LAYOUT, indent=2)
    assert text.startswith('{\n  "cachespec": 1,\n  "name": "yes",\n  "layers": [\n    {\n')
    assert json.loads(text) == json.loads(cachespec.dumps(LAYOUT))
    assert "é" in text


def test_yaml_writes_equal_layers_once() -> None:
    text = cachespec.dumps(LAYOUT, syntax="yaml")
    assert text.startswith('cachespec: 1\nname: "yes"\nlayers:\n  - &layer_1 {key_value: ')
    assert text.count("{key_value:") == 1
    assert text.count("*layer_1") == 1


def test_values_of_every_type_are_written() -> None:
    assert cachespec.dumps("no_state", syntax="yaml") == "no_state\n"
    for model, name in ((LAYER, "LayerCachePolicy"), (cachespec.sliding(4), "AttentionPolicy")):
        assert cachespec.check(cachespec.dumps(model, syntax="yaml"), name).value == model


def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no syntax 'toml'"):
        cachespec.dumps(LAYOUT, syntax="toml")
    with pytest.raises(ValueError, match="`indent` is for JSON"):
        cachespec.dumps(LAYOUT, syntax="yaml", indent=2)


def test_dump_writes_whole_files_of_good_layouts(tmp_path: Path) -> None:
    path = tmp_path / "a.cachespec.json"
    cachespec.dump(LAYOUT, str(path))
    before = path.read_text(encoding="utf-8")
    assert before == cachespec.dumps(LAYOUT, indent=2) + "\n"
    bad = cachespec.CacheLayout.model_construct(cachespec=1, layers=())
    assert codes(lambda: cachespec.dump(bad, path)) == [("too-few-items", "/layers")]
    assert codes(lambda: cachespec.dump(LAYER, path)) == [("wrong-type", "")]  # type: ignore[arg-type]
    assert path.read_text(encoding="utf-8") == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    with pytest.raises(FileNotFoundError):
        cachespec.dump(LAYOUT, tmp_path / "missing" / "a.yaml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFO on this system")
def test_dump_replaces_no_pipe_and_no_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    for name in ("fifo", "folder"):
        with pytest.raises(OSError, match="not a regular file"):
            cachespec.dump(LAYOUT, tmp_path / name)
    assert stat.S_ISFIFO((tmp_path / "fifo").stat().st_mode)
