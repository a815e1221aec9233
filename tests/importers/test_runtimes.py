"""What `import_config` takes, and how its warnings reach the caller."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import cachespec
from tests.refusals import codes

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
LLAMA = CONFIGS / "llama.json"


class Model:
    def __init__(self, fields: dict[Any, Any]) -> None:
        self.fields = fields

    def to_dict(self) -> dict[Any, Any]:
        return self.fields


def parsed(path: Path) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return fields


def test_a_mapping_a_path_and_an_object_say_the_same() -> None:
    layout = cachespec.import_config(parsed(LLAMA))
    assert cachespec.import_config(LLAMA) == layout
    assert cachespec.import_config(str(LLAMA)) == layout
    fields = {**parsed(LLAMA), "id2label": {0: "a"}, "architectures": ("LlamaForCausalLM",), "torch_dtype": object()}
    assert cachespec.import_config(Model(fields)) == layout
    assert cachespec.import_config(LLAMA, "eredu") == cachespec.import_config(parsed(LLAMA), "eredu")


def test_a_configuration_of_transformers_is_taken() -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is an extra")
    config = transformers.MistralConfig(num_hidden_layers=2)
    assert cachespec.window(cachespec.import_config(config).layers[0]) == config.sliding_window


def test_a_refusal_names_the_file_and_the_place(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{\n  "model_type": "llama",\n  "num_hidden_layers": -2\n}\n', encoding="utf-8")
    with pytest.raises(cachespec.CachePolicyError) as error:
        cachespec.import_config(path)
    finding = error.value.findings[0]
    assert (finding.file, finding.line) == (str(path), 3)
    assert str(error.value).startswith(f"{path}:3:")
    path.write_text("{", encoding="utf-8")
    with pytest.raises(cachespec.CachePolicyError, match=r"config\.json:1:2: syntax: "):
        cachespec.import_config(path)
    for text in ("[]", "5"):
        path.write_text(text, encoding="utf-8")
        assert codes(lambda: cachespec.import_config(path)) == [("invalid-config-value", "")]
    with pytest.raises(FileNotFoundError):
        cachespec.import_config(tmp_path / "missing.json")


@pytest.mark.parametrize("wrong", [None, 5, [], object()])
def test_anything_else_is_refused(wrong: Any) -> None:
    assert codes(lambda: cachespec.import_config(wrong)) == [("invalid-config-value", "")]


def test_warnings_reach_the_caller(tmp_path: Path) -> None:
    fields = {
        "model_type": "qwen2",
        "hidden_size": 3584,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "num_hidden_layers": 28,
        "use_sliding_window": True,
        "sliding_window": 131072,
        "max_window_layers": 28,
    }
    with pytest.warns(cachespec.CachePolicyWarning, match="sliding_window is stated, but no layer slides") as caught:
        cachespec.import_config(fields)
    (warning,) = caught
    assert warning.filename == __file__
    assert isinstance(warning.message, cachespec.CachePolicyWarning)
    assert (warning.message.finding.code, warning.message.finding.path) == ("unused-window", "/sliding_window")
    path = tmp_path / "config.json"
    path.write_text(json.dumps(fields, indent=2), encoding="utf-8")
    with pytest.warns(cachespec.CachePolicyWarning, match=r"config\.json:\d+:\d+: unused-window"):
        cachespec.import_config(path)
    with pytest.warns(cachespec.CachePolicyWarning, match="chunked-attention"):
        cachespec.import_config(CONFIGS / "llama4_text.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error", cachespec.CachePolicyWarning)
        with pytest.raises(cachespec.CachePolicyWarning):
            cachespec.import_config(fields)
        assert cachespec.import_config(LLAMA)
