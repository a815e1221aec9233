"""`cachespec import` and `import_config`: from a file to a checked layout, and the examples derived once more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cachespec
from cachespec.cli import main
from cachespec.formatting.new_document import layout_text
from cachespec.importers.transformers import defaults

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "tests" / "configs"
EXAMPLES = ROOT / "schema" / "v1" / "examples"


def config(name: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads((CONFIGS / f"{name}.json").read_text(encoding="utf-8"))
    return parsed


def layers(layout: cachespec.CacheLayout) -> list[str]:
    return [cachespec.dumps(layer) for layer in layout.layers]


# Each example and how it is imported. lfm2 and qwen3-vl are not here: no configuration states what they show (see
# their annotations), which the test below holds to.
IMPORTED: dict[str, dict[str, Any]] = {
    "deepseek-v3": {"config": "deepseek_v3", "runtime": "eredu"},
    "deepseek-v4": {"config": "deepseek_v4", "runtime": "eredu"},
    "deepseek-v4-last-stage": {"config": "deepseek_v4", "runtime": "eredu", "layers": (33, 44)},
    "gemma4": {"config": "gemma4_text", "runtime": "eredu"},
    "gpt-oss": {"config": "gpt_oss", "runtime": "eredu"},
    "kimi-linear": {"config": "kimi_linear", "runtime": "eredu"},
    "llama": {"config": "llama", "runtime": "eredu"},
    "mistral": {"config": "mistral", "runtime": "eredu"},
    "nemotron-h": {"config": "nemotron_h", "runtime": "eredu"},
    "qwen3-next": {"config": "qwen3_next", "runtime": "eredu"},
    "qwen3-next-rank-1-of-2": {"config": "qwen3_next", "runtime": "eredu", "tensor_parallel": 2, "rank": 1},
    "gemma2": {"config": "gemma2", "runtime": "transformers"},
    "gemma3n": {"config": "gemma3n_text", "runtime": "transformers"},
    "mamba2": {"config": "mamba2", "runtime": "transformers"},
    "minimax": {"config": "minimax", "runtime": "transformers"},
    "mixtral": {"config": "mixtral", "runtime": "transformers"},
    "qwen3-next-transformers": {"config": "qwen3_next", "runtime": "transformers"},
}


def example(name: str) -> cachespec.CacheLayout:
    (path,) = (path for path in EXAMPLES.iterdir() if path.name.partition(".")[0] == name)
    return cachespec.load(path)


@pytest.mark.parametrize("name", IMPORTED)
def test_importing_a_configuration_gives_the_example(name: str) -> None:
    options = dict(IMPORTED[name])
    imported = cachespec.import_config(config(options.pop("config")), **options)
    shown = example(name)
    assert layers(imported) == layers(shown)
    assert (imported.global_layer_start or 0) == (shown.global_layer_start or 0)
    assert imported.layer_prefix_offsets == shown.layer_prefix_offsets
    assert imported.runtime == shown.runtime


def test_the_other_examples_state_what_no_configuration_says() -> None:
    names = {path.name.partition(".")[0] for path in EXAMPLES.glob("*.cachespec.*")}
    for name in names - IMPORTED.keys():
        assert "stated" in (example(name).annotations or {})


@pytest.mark.parametrize("name", sorted(path.stem for path in CONFIGS.glob("*.json") if path.stem != "rwkv"))
@pytest.mark.parametrize("syntax", ["yaml", "json"])
@pytest.mark.filterwarnings("ignore::cachespec.CachePolicyWarning")
def test_what_is_written_is_what_was_imported(name: str, syntax: Any) -> None:
    layout = cachespec.import_config(config(name))
    document = json.loads(cachespec.dumps(layout))
    text = layout_text(document, syntax)
    report = cachespec.check(text, syntax=syntax)
    assert report.findings == ()
    assert report.value == layout
    assert len(layers(layout)) < 20 or syntax == "json" or text.count("\n") < 300


def test_the_command_writes_a_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(CONFIGS / "gpt_oss.json")
    assert main(["import", source]) == 0
    printed = capsys.readouterr().out
    assert cachespec.check(printed, syntax="yaml").ok
    target = tmp_path / "gpt-oss.cachespec.yaml"
    assert main(["import", source, "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == printed
    assert main(["import", source, "--runtime", "eredu", "-o", str(tmp_path / "a.cachespec.json")]) == 0
    assert cachespec.load(tmp_path / "a.cachespec.json").runtime == "eredu"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cachespec.json", "gpt-oss.cachespec.yaml"]


def test_the_command_takes_ranks_and_stages(capsys: pytest.CaptureFixture[str]) -> None:
    source = str(CONFIGS / "qwen3_next.json")
    arguments = ["--runtime", "eredu", "--tensor-parallel", "2", "--rank", "1", "--layers", "24:48"]
    assert main(["import", source, *arguments]) == 0
    layout = cachespec.loads(capsys.readouterr().out, syntax="yaml")
    assert layout.rank is not None
    assert (layout.global_layer_start, len(layout.layers), layout.rank.shard_rank) == (24, 24, 1)
    assert main(["import", source, *arguments[:4], "--rank", "2"]) == 2
    assert main(["import", source, "--tensor-parallel", "2"]) == 2


def test_several_configurations_go_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = [str(CONFIGS / "llama.json"), str(CONFIGS / "mistral.json")]
    assert main(["import", *sources]) == 2
    assert main(["import", *sources, "-o", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["llama.cachespec.yaml", "mistral.cachespec.yaml"]
    assert main(["check", str(tmp_path)]) == 0
    assert "several configurations" in capsys.readouterr().err


def test_a_refusal_stands_at_its_field(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(defaults, "why_unavailable", lambda: "state it, or install cachespec[transformers]")
    path = tmp_path / "config.json"
    text = '{\n "model_type": "mistral",\n "num_hidden_layers": 2,\n "hidden_size": 64, "num_attention_heads": 4,\n'
    path.write_text(text + ' "num_key_value_heads": 2, "head_dim": 16,\n "sliding_window": -1\n}\n', encoding="utf-8")
    assert main(["import", str(path), "-o", str(tmp_path / "x.cachespec.yaml")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{path}:6:20: invalid-config-value: ")
    assert not (tmp_path / "x.cachespec.yaml").exists()

    path.write_text(text + ' "num_key_value_heads": 2\n}\n', encoding="utf-8")
    assert main(["import", str(path)]) == 1
    err = capsys.readouterr().err
    assert "missing-config-field" in err
    assert "cachespec[transformers]" in err


@pytest.mark.parametrize("content", ["", "[]", "{", "\ufeff{}", '"x"', "\x00"])
def test_what_is_no_configuration_is_refused(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.json"
    path.write_text(content, encoding="utf-8")
    assert main(["import", str(path)]) in (1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert str(path) in err


LLAMA = (CONFIGS / "llama.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "place", "code"),
    [
        pytest.param('{"model_type": "llama",}', "1:23", "syntax", id="a comma too many"),
        pytest.param('{"a": 1,\n "a": 2}', "2:2", "duplicate-key", id="a key written twice"),
        pytest.param('{"a": ' + "[" * 3000 + "]" * 3000 + "}", "1:70", "too-deep", id="deep"),
        pytest.param("[" * 100_000, "1:65", "too-deep", id="deep and open"),
        pytest.param("[]", "1:1", "invalid-config-value", id="no object"),
    ],
)
def test_a_configuration_that_is_no_json_has_findings_like_any_document(
    content: str, place: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.json"
    path.write_text(content, encoding="utf-8")
    assert main(["import", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{path}:{place}: {code}: ")


def test_the_infinity_that_python_writes_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(CONFIGS / "llama.json")]) == 0
    expected = capsys.readouterr().out
    path = tmp_path / "config.json"
    path.write_text(LLAMA.replace("{", '{"limits": [Infinity, -Infinity, NaN], ', 1), encoding="utf-8")
    assert main(["import", str(path)]) == 0
    assert capsys.readouterr().out == expected


def test_a_configuration_that_is_not_there_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "nowhere.json"]) == 2
    assert capsys.readouterr().err == "cachespec: nowhere.json: no such file or directory\n"


def test_an_output_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "missing" / "a.cachespec.yaml"
    assert main(["import", str(CONFIGS / "llama.json"), "-o", str(target)]) == 2
    assert "no such file" in capsys.readouterr().err


def test_a_warning_does_not_stop_the_import(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(CONFIGS / "llama4_text.json")]) == 0
    out, err = capsys.readouterr()
    assert cachespec.check(out, syntax="yaml").ok
    assert "chunked-attention" in err
