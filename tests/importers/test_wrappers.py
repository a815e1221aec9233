"""Configurations that hold the one of a text model, or name a model that is not read."""

from __future__ import annotations

import pytest

from tests.importers.cases import Cases, Config, outcome, recorded, rows

LLAMA: Config = {**recorded("llama/gqa_headdim")}
CONFIGS: dict[str, Config] = {
    "exaone4_5": {"model_type": "exaone4_5", "text_config": {**LLAMA, "model_type": "exaone4_5_text"}},
    "gemma3": {"model_type": "gemma3"},
    "glmasr": {"model_type": "glmasr", "text_config": {**LLAMA, "intermediate_size": 8}},
    "qwen2_5_omni": {"model_type": "qwen2_5_omni"},
    "paligemma": {"model_type": "paligemma"},
    "rwkv": {"model_type": "rwkv"},
    "voxtral": {"model_type": "voxtral", "text_config": {**LLAMA, "intermediate_size": 8}},
}


def text(**fields: object) -> Config:
    return {"text_config": {name: value for name, value in {**LLAMA, **fields}.items() if value is not ...}}


CASES: Cases = {
    "llava": [
        (text(), "0-2: kv 3x16"),
        (text(head_dim=0), "invalid-config-value /text_config/head_dim"),
        (text(model_type="gemma"), "0-2: kv 3x16"),
        (text(model_type="rwkv"), "not-expressible /text_config/model_type"),
        (text(model_type="nothing"), "unknown-model-type /text_config/model_type"),
        (text(model_type=...), "missing-config-field /text_config/model_type"),
        (text(model_type=None), "missing-config-field /text_config/model_type"),
        (text(model_type=7), "invalid-config-value /text_config/model_type"),
        ({"text_config": ...}, "missing-config-field /text_config"),
        ({"text_config": None}, "missing-config-field /text_config"),
        ({"text_config": []}, "invalid-config-value /text_config"),
        ({"num_key_value_heads": 5, "decoder": {}}, "0-2: kv 3x12"),
        (text(model_type="llava"), "missing-config-field /text_config/text_config"),
        (
            text(model_type="mamba", expand=2147483647, conv_kernel=4, state_size=4, intermediate_size=...),
            "invalid-config-value /text_config",
        ),
    ],
    "gemma3": [
        (text(), "invalid-config-value /text_config/model_type"),
        (text(model_type="gemma3_text", sliding_window=9, sliding_window_pattern=2), "0,2: kv 3x16 in 9; 1: kv 3x16"),
        (text(model_type="gemma3"), "invalid-config-value /text_config/model_type"),
    ],
    "paligemma": [
        (text(), "invalid-config-value /text_config/model_type"),
        (text(model_type="gemma"), "0-2: kv 3x16"),
        (text(model_type="gemma2", sliding_window=9), "0,2: kv 3x16 in 9; 1: kv 3x16"),
        (text(model_type="gemma3_text"), "invalid-config-value /text_config/model_type"),
    ],
    "qwen2_5_omni": [
        ({}, "missing-config-field /thinker_config"),
        ({"thinker_config": {"model_type": "qwen2_5_vl"}}, "invalid-config-value /thinker_config/model_type"),
        (
            {"thinker_config": {"model_type": "qwen2_5_omni_thinker"}},
            "missing-config-field /thinker_config/text_config",
        ),
        (
            {"thinker_config": {"model_type": "qwen2_5_omni_thinker", **text(model_type="qwen2_5_omni_text")}},
            "0-2: kv 3x16",
        ),
        (
            {"thinker_config": {"model_type": "qwen2_5_omni_thinker", **text(model_type="qwen2")}},
            "invalid-config-value /thinker_config/text_config/model_type",
        ),
        ({**text(model_type="qwen2_5_omni_text")}, "missing-config-field /thinker_config"),
    ],
    # names of published configurations
    "exaone4_5": [
        ({}, "missing-config-field /text_config/sliding_window_pattern"),
        (
            text(model_type="exaone4_5_text", sliding_window_pattern=2, sliding_window=9),
            "0,2: kv 3x16 in 9; 1: kv 3x16",
        ),
        (text(model_type="exaone4", sliding_window_pattern=2, sliding_window=9), "0,2: kv 3x16 in 9; 1: kv 3x16"),
    ],
    "kimi_k25": [
        (
            {
                "text_config": {
                    "model_type": "kimi_k2",
                    "num_hidden_layers": 2,
                    "kv_lora_rank": 26,
                    "qk_rope_head_dim": 10,
                }
            },
            "0-1: latent 26+10",
        ),
    ],
    # fields that the wrapper supplies leave nothing to derive
    "glmasr": [
        ({}, "0-2: kv 3x16"),
        (text(num_key_value_heads=..., intermediate_size=8), "missing-config-field /text_config/num_key_value_heads"),
        (text(head_dim=..., intermediate_size=8), "0-2: kv 3x12"),
        (text(intermediate_size=...), "missing-config-field /text_config/intermediate_size"),
    ],
    "voxtral": [
        ({}, "0-2: kv 3x16"),
        (text(num_key_value_heads=..., intermediate_size=8), "missing-config-field /text_config/num_key_value_heads"),
        (text(head_dim=..., intermediate_size=8), "missing-config-field /text_config/head_dim"),
        (text(intermediate_size=...), "missing-config-field /text_config/intermediate_size"),
    ],
    "rwkv": [
        ({}, "not-expressible /model_type"),
    ],
}


@pytest.mark.parametrize(("config", "expected"), rows(CASES, CONFIGS))
def test_outcome(config: Config, expected: str) -> None:
    assert outcome(config) == expected
