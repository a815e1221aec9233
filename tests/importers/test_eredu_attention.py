"""eredu's families with attention alone: what each field does, to its bounds."""

from __future__ import annotations

import pytest

from tests.importers.cases import SMALL, Cases, Config, of_eredu, outcome, rows

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
HEAVY, SPARSE = "heavily_compressed_attention", "compressed_sparse_attention"
RATES: Config = {SPARSE: 4, HEAVY: 128}
NO_GLOBAL: Config = {"num_global_key_value_heads": ..., "global_head_dim": ...}
EMBEDDING = " + prefix_embedding prefix_tokensx32 if optional"
POOLED_BY_128 = (
    "keys 1x32 in 16 + pooling.0.pending_values rest128x32 if rest128 + pooling.0.pending_gates rest128x32 if rest128"
    " + pooling.0.pooled groups128x32 if tokens128"
)
POOLED_BY_4 = (
    "keys 1x32 in 16 + pooling.0.pending_values rest4x64 if rest4 + pooling.0.pending_gates rest4x64 if rest4"
    " + pooling.0.pooled groups4x32 if tokens4 + pooling.0.overlap_values 4x32 if tokens4"
    " + pooling.0.overlap_gates 4x32 if tokens4"
    " + pooling.1.pending_values rest4x16 if rest4 + pooling.1.pending_gates rest4x16 if rest4"
    " + pooling.1.pooled groups4x8 if tokens4 + pooling.1.overlap_values 4x8 if tokens4"
    " + pooling.1.overlap_gates 4x8 if tokens4"
)
CONFIGS: dict[str, Config] = {
    "llama": of_eredu("llama"),
    "mistral": of_eredu("mistral"),
    "qwen2": of_eredu("qwen2"),
    "qwen3": {"model_type": "qwen3", **SMALL},
    "gpt_oss": of_eredu("gpt_oss"),
    "gemma4_text": {**of_eredu("gemma4")["text_config"], "model_type": "gemma4_text"},
    "deepseek_v3": of_eredu("deepseek_v3"),
    "deepseek_v4": of_eredu("deepseek_v4"),
    "qwen3_vl": of_eredu("qwen3_vl")["text_config"],
    "muse_glimmer": of_eredu("muse_glimmer")["text_config"],
}
# The text model stands in `text_config`, and the rows change that.
NESTED = {"qwen3_vl", "muse_glimmer"}

CASES: Cases = {
    "llama": [
        ({}, "0-1: kv 2x8"),
        ({"num_key_value_heads": 0}, "0-1: kv 8x8"),
        ({"num_key_value_heads": None}, "0-1: kv 8x8"),
        ({"num_key_value_heads": ...}, "0-1: kv 8x8"),
        ({"num_key_value_heads": -1}, "invalid-config-value /num_key_value_heads"),
        ({"num_key_value_heads": 1}, "0-1: kv 1x8"),
        ({"head_dim": 0}, "0-1: kv 2x8"),
        ({"head_dim": None}, "0-1: kv 2x8"),
        ({"head_dim": 9}, "0-1: kv 2x9"),
        ({"head_dim": -1}, "invalid-config-value /head_dim"),
        ({"num_attention_heads": 7}, "invalid-config-value /hidden_size"),
        ({"sliding_window": 5}, "0-1: kv 2x8 in 5"),
        ({"sliding_window": None}, "0-1: kv 2x8"),
        ({"sliding_window": 0}, "invalid-config-value /sliding_window"),
        ({"layer_types": [FULL] * 2}, "0-1: kv 2x8"),
        ({"layer_types": [SLIDING] * 2}, "invalid-config-value /layer_types"),
        ({"layer_types": [SLIDING] * 2, "sliding_window": 5}, "0-1: kv 2x8 in 5"),
        ({"layer_types": [SLIDING, FULL], "sliding_window": 5}, "invalid-config-value /layer_types"),
        ({"layer_types": [FULL] * 3}, "invalid-config-value /layer_types"),
        ({"layer_types": [CHUNKED] * 2}, "invalid-config-value /layer_types"),
        ({"attention_chunk_size": 5}, "not-expressible /attention_chunk_size"),
        ({"attention_chunk_size": None}, "0-1: kv 2x8"),
        ({"num_hidden_layers": 0}, "invalid-config-value /num_hidden_layers"),
        ({"num_hidden_layers": ...}, "missing-config-field /num_hidden_layers"),
        ({"text_config": {}}, "invalid-config-value /text_config"),
        ({"model_type": "lama"}, "unknown-model-type /model_type"),
        ({"model_type": None}, "missing-config-field /model_type"),
        ({"model_type": ...}, "missing-config-field /model_type"),
        ({"model_type": "gemma"}, "unknown-model-type /model_type"),
    ],
    "mistral": [
        ({}, "0-1: kv 4x16 in 32"),
        ({"sliding_window": ...}, "0-1: kv 4x16"),
    ],
    "qwen2": [
        ({}, "0: kv 2x8; 1-2: kv 2x8 in 16"),
        ({"max_window_layers": 0}, "0-2: kv 2x8 in 16"),
        ({"max_window_layers": 2}, "0-1: kv 2x8; 2: kv 2x8 in 16"),
        ({"max_window_layers": 3}, "invalid-config-value /max_window_layers"),
        ({"max_window_layers": 4}, "invalid-config-value /max_window_layers"),
        ({"max_window_layers": -1}, "invalid-config-value /max_window_layers"),
        ({"max_window_layers": ...}, "missing-config-field /max_window_layers"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
        ({"use_sliding_window": False}, "0-2: kv 2x8"),
        ({"use_sliding_window": False, "max_window_layers": ..., "sliding_window": ...}, "0-2: kv 2x8"),
        ({"use_sliding_window": ...}, "0-2: kv 2x8"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
        ({"head_dim": 9}, "0: kv 2x9; 1-2: kv 2x9 in 16"),
        ({"layer_types": [FULL] * 3}, "invalid-config-value /layer_types"),
        ({"sliding_window_pattern": 2}, "invalid-config-value /sliding_window_pattern"),
        ({"attention_chunk_size": 4}, "invalid-config-value /attention_chunk_size"),
        (
            {"layer_types": None, "sliding_window_pattern": None, "attention_chunk_size": None},
            "0: kv 2x8; 1-2: kv 2x8 in 16",
        ),
    ],
    "qwen3": [
        ({}, "0-2: kv 3x16"),
        ({"use_sliding_window": True, "sliding_window": 5}, "not-expressible /use_sliding_window"),
        ({"use_sliding_window": False}, "0-2: kv 3x16"),
        ({"use_sliding_window": 1}, "invalid-config-value /use_sliding_window"),
        ({"layer_types": [FULL] * 3}, "invalid-config-value /layer_types"),
        ({"sliding_window_pattern": 2}, "invalid-config-value /sliding_window_pattern"),
        ({"attention_chunk_size": 4}, "invalid-config-value /attention_chunk_size"),
        ({"head_dim": ...}, "0-2: kv 3x12"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
    ],
    "qwen3_vl": [
        ({}, "0: kv 2x16 + position_delta scalar; 1: kv 2x16"),
        ({"layer_types": [FULL] * 2}, "0: kv 2x16 + position_delta scalar; 1: kv 2x16"),
        ({"layer_types": [FULL, SLIDING]}, "not-expressible /text_config/layer_types"),
        ({"layer_types": [FULL] * 3}, "invalid-config-value /text_config/layer_types"),
        ({"layer_types": [FULL, "conv"]}, "invalid-config-value /text_config/layer_types"),
        ({"head_dim": ...}, "0: kv 2x8 + position_delta scalar; 1: kv 2x8"),
        ({"num_key_value_heads": ...}, "missing-config-field /text_config/num_key_value_heads"),
        ({"num_hidden_layers": 1}, "0: kv 2x16 + position_delta scalar"),
    ],
    "gpt_oss": [
        ({}, "0,2: kv 2x64 in 128; 1,3: kv 2x64"),
        ({"sliding_window": ...}, "0,2: kv 2x64 in 128; 1,3: kv 2x64"),
        ({"head_dim": ...}, "0,2: kv 2x64 in 128; 1,3: kv 2x64"),
        ({"sliding_window": 5, "num_hidden_layers": 3}, "0,2: kv 2x64 in 5; 1: kv 2x64"),
        ({"layer_types": [FULL, FULL, SLIDING, FULL]}, "0-1,3: kv 2x64; 2: kv 2x64 in 128"),
        ({"layer_types": [FULL, FULL, SLIDING]}, "invalid-config-value /layer_types"),
        ({"layer_types": [FULL, FULL, SLIDING, CHUNKED]}, "invalid-config-value /layer_types"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
        ({"sliding_window": 0}, "invalid-config-value /sliding_window"),
    ],
    "muse_glimmer": [
        ({}, "0-2: kv 2x8 in 16; 3: kv 2x8"),
        ({"layer_rope_theta": ...}, "missing-config-field /text_config/layer_rope_theta"),
        ({"layer_rope_theta": None}, "missing-config-field /text_config/layer_rope_theta"),
        ({"layer_rope_theta": 7}, "invalid-config-value /text_config/layer_rope_theta"),
        ({"layer_rope_theta": [1, 1, 1, "0"]}, "invalid-config-value /text_config/layer_rope_theta"),
        ({"layer_rope_theta": [1, 1, 1, 0]}, "0-2: kv 2x8 in 16; 3: kv 2x8"),
        ({"layer_rope_theta": [1, 1, 0]}, "invalid-config-value /text_config/layer_rope_theta"),
        ({"layer_rope_theta": [1, 1, 1, 0, 0]}, "invalid-config-value /text_config/layer_rope_theta"),
        ({"layer_rope_theta": [1, 1, 1, 2]}, "invalid-config-value /text_config/layer_rope_theta"),
        ({"layer_rope_theta": [1, 1, 0, 0]}, "invalid-config-value /text_config/layer_rope_theta"),
        ({"layer_rope_theta": [0, 1, 1, 0]}, "invalid-config-value /text_config/layer_rope_theta"),
        ({"layer_types": ...}, "missing-config-field /text_config/layer_types"),
        ({"layer_types": [FULL] * 4, "layer_rope_theta": [0, 0, 0, 0.0], "sliding_window": ...}, "0-3: kv 2x8"),
        ({"sliding_window": ...}, "missing-config-field /text_config/sliding_window"),
        ({"head_dim": 9}, "0-2: kv 2x9 in 16; 3: kv 2x9"),
        ({"num_key_value_heads": ...}, "missing-config-field /text_config/num_key_value_heads"),
        ({"layer_types": [SLIDING, SLIDING, SLIDING, CHUNKED]}, "invalid-config-value /text_config/layer_types"),
    ],
    "gemma4_text": [
        ({}, f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 1x16; 3-4: none"),
        ({"num_kv_shared_layers": 0}, f"0: kv 2x8 in 4{EMBEDDING}; 1,3: kv 2x8 in 4; 2,4: kv 1x16"),
        ({"num_kv_shared_layers": ...}, f"0: kv 2x8 in 4{EMBEDDING}; 1,3: kv 2x8 in 4; 2,4: kv 1x16"),
        ({"num_kv_shared_layers": 4}, f"0: kv 2x8 in 4{EMBEDDING}; 1-4: none"),
        ({"num_kv_shared_layers": 5}, "0-4: none"),
        ({"num_kv_shared_layers": 6}, "invalid-config-value /num_kv_shared_layers"),
        ({"num_kv_shared_layers": -1}, "invalid-config-value /num_kv_shared_layers"),
        ({"layer_types": ...}, f"0: kv 1x16{EMBEDDING}; 1-2: kv 1x16; 3-4: none"),
        ({"layer_types": [FULL] * 4}, "invalid-config-value /layer_types"),
        ({"layer_types": [FULL] * 4 + [CHUNKED]}, "invalid-config-value /layer_types"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
        ({"sliding_window": ..., "layer_types": ...}, f"0: kv 1x16{EMBEDDING}; 1-2: kv 1x16; 3-4: none"),
        ({"hidden_size": ...}, "missing-config-field /hidden_size"),
        ({"head_dim": ...}, "missing-config-field /head_dim"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
        ({"global_head_dim": ...}, f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 1x8; 3-4: none"),
        ({"num_global_key_value_heads": ...}, f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 2x16; 3-4: none"),
        (
            {**NO_GLOBAL, "per_layer_config": {"2": {"head_dim": 16}, "4": {"head_dim": 16}}},
            f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 2x16; 3-4: none",
        ),
        (
            {**NO_GLOBAL, "per_layer_config": {"2": {"num_key_value_heads": 1}, "04": {"num_key_value_heads": 1}}},
            f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 1x8; 3-4: none",
        ),
        ({**NO_GLOBAL, "per_layer_config": {"2": {"head_dim": 16}}}, "invalid-config-value /num_kv_shared_layers"),
        (
            {**NO_GLOBAL, "per_layer_config": {"2": {"num_key_value_heads": 1}}},
            "invalid-config-value /num_kv_shared_layers",
        ),
        ({**NO_GLOBAL, "per_layer_config": {"4": {"head_dim": 16}}}, "invalid-config-value /num_kv_shared_layers"),
        (
            {
                **NO_GLOBAL,
                "per_layer_config": {
                    "2": {"head_dim": 16},
                    "02": {"num_key_value_heads": 1},
                    "4": {"head_dim": 16, "num_key_value_heads": 1},
                },
            },
            f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 1x16; 3-4: none",
        ),
        (
            {"per_layer_config": {"2": {"head_dim": 99}, "4": {"head_dim": 99}}},
            f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 1x16; 3-4: none",
        ),
        (
            {"per_layer_config": {"2": {"head_dim": None}}},
            f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 1x16; 3-4: none",
        ),
        ({"per_layer_config": {"0": {"head_dim": 16}}}, "not-expressible /per_layer_config/0"),
        ({"per_layer_config": {"2": {"sliding_window": 5}}}, "not-expressible /per_layer_config/2"),
        ({"per_layer_config": {"5": {}}}, "invalid-config-value /per_layer_config/5"),
        ({"per_layer_config": {"x": {}}}, "invalid-config-value /per_layer_config/x"),
        ({"per_layer_config": {"2": {"head_dim": 0}}}, "invalid-config-value /per_layer_config/2/head_dim"),
        ({"per_layer_config": {"2": 5}}, "invalid-config-value /per_layer_config/2"),
        ({"per_layer_config": []}, "invalid-config-value /per_layer_config"),
        ({"per_layer_config": None}, f"0: kv 2x8 in 4{EMBEDDING}; 1: kv 2x8 in 4; 2: kv 1x16; 3-4: none"),
    ],
    "deepseek_v3": [
        ({}, "0-1: latent 512+64"),
        ({"kv_lora_rank": ...}, "missing-config-field /kv_lora_rank"),
        ({"qk_rope_head_dim": 0}, "invalid-config-value /qk_rope_head_dim"),
        ({"qk_rope_head_dim": 1}, "0-1: latent 512+1"),
        ({"num_hidden_layers": ...}, "missing-config-field /num_hidden_layers"),
    ],
    "deepseek_v4": [
        ({}, f"0,3-4: keys 1x32 in 16; 1: {POOLED_BY_4}; 2: {POOLED_BY_128}"),
        ({"num_key_value_heads": 1}, f"0,3-4: keys 1x32 in 16; 1: {POOLED_BY_4}; 2: {POOLED_BY_128}"),
        ({"num_key_value_heads": 2}, "invalid-config-value /num_key_value_heads"),
        ({"sliding_window": ..., "compress_ratios": [0] * 5}, "0-4: keys 1x32 in 128"),
        ({"head_dim": ...}, "missing-config-field /head_dim"),
        ({"index_head_dim": ...}, "missing-config-field /index_head_dim"),
        ({"num_nextn_predict_layers": -1}, "invalid-config-value /num_nextn_predict_layers"),
        ({"num_nextn_predict_layers": 0}, f"0,3: keys 1x32 in 16; 1: {POOLED_BY_4}; 2: {POOLED_BY_128}"),
        ({"num_nextn_predict_layers": ...}, f"0,3: keys 1x32 in 16; 1: {POOLED_BY_4}; 2: {POOLED_BY_128}"),
        ({"num_hidden_layers": 1, "num_nextn_predict_layers": 0}, "0: keys 1x32 in 16"),
        ({"num_hidden_layers": 2, "num_nextn_predict_layers": 2}, "0-3: keys 1x32 in 16"),
        ({"num_hidden_layers": 7}, f"0,6-7: keys 1x32 in 16; 1,3,5: {POOLED_BY_4}; 2,4: {POOLED_BY_128}"),
        ({"compress_ratios": [0, 4, 128, 128, 0]}, f"0,4: keys 1x32 in 16; 1: {POOLED_BY_4}; 2-3: {POOLED_BY_128}"),
        ({"compress_ratios": [0, 4, 128, 128]}, "invalid-config-value /compress_ratios"),
        ({"compress_ratios": [0] * 6}, "invalid-config-value /compress_ratios"),
        ({"compress_ratios": [0, 4, 128, 8, 0]}, "invalid-config-value /compress_ratios"),
        ({"compress_ratios": [0, 4, 128, 4, 4]}, "invalid-config-value /compress_ratios"),
        ({"compress_ratios": "x"}, "invalid-config-value /compress_ratios"),
        (
            {"layer_types": [SLIDING, SPARSE, HEAVY, SLIDING], "compress_rates": RATES},
            f"0,3-4: keys 1x32 in 16; 1: {POOLED_BY_4}; 2: {POOLED_BY_128}",
        ),
        ({"layer_types": [SLIDING, SPARSE, HEAVY], "compress_rates": RATES}, "invalid-config-value /layer_types"),
        ({"layer_types": [SLIDING] * 4}, "missing-config-field /compress_rates"),
        ({"layer_types": [SLIDING] * 4, "compress_rates": {}}, "0-4: keys 1x32 in 16"),
        (
            {"layer_types": [SLIDING, SPARSE, HEAVY, SLIDING], "compress_rates": {SPARSE: 4}},
            "missing-config-field /compress_rates/heavily_compressed_attention",
        ),
        (
            {"layer_types": [SPARSE] * 4, "compress_rates": {SPARSE: 5}},
            "not-expressible /compress_rates/compressed_sparse_attention",
        ),
        (
            {"layer_types": [SPARSE] * 4, "compress_rates": {SPARSE: 3}},
            "not-expressible /compress_rates/compressed_sparse_attention",
        ),
        (
            {"layer_types": [HEAVY] * 4, "compress_rates": {HEAVY: 127}},
            "not-expressible /compress_rates/heavily_compressed_attention",
        ),
        (
            {"layer_types": [HEAVY] * 4, "compress_rates": {HEAVY: 129}},
            "not-expressible /compress_rates/heavily_compressed_attention",
        ),
        ({"layer_types": [FULL] * 4, "compress_rates": RATES}, "invalid-config-value /layer_types"),
        ({"layer_types": ["x"] * 4, "compress_rates": RATES}, "invalid-config-value /layer_types"),
    ],
}


@pytest.mark.parametrize(("config", "expected"), rows(CASES, CONFIGS, nested=NESTED))
def test_outcome(config: Config, expected: str) -> None:
    assert outcome(config, runtime="eredu") == expected
