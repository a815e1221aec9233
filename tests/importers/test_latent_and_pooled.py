"""Latent attention, and one tensor for keys and values with streams that pool older tokens."""

from __future__ import annotations

import pytest

from tests.importers.cases import Cases, Config, outcome, rows

FULL, SLIDING, LINEAR = "full_attention", "sliding_attention", "linear_attention"
HEAVY, SPARSE = "heavily_compressed_attention", "compressed_sparse_attention"
ONE_HEAVY: Config = {"num_hidden_layers": 1, "layer_types": [HEAVY]}
ONE_SPARSE: Config = {"num_hidden_layers": 1, "layer_types": [SPARSE]}
NO_KINDS: Config = {"layer_types": ..., "compress_rates": ...}
POOLED_BY_128 = (
    "keys 1x16 in 19 + pooling.0.pending_values rest128x16 if rest128 + pooling.0.pending_gates rest128x16 if rest128"
    " + pooling.0.pooled groups128x16 if tokens128"
)
POOLED_BY_4 = (
    "keys 1x16 in 19 + pooling.0.pending_values rest4x32 if rest4 + pooling.0.pending_gates rest4x32 if rest4"
    " + pooling.0.pooled groups4x16 if tokens4 + pooling.0.overlap_values 4x16 if tokens4"
    " + pooling.0.overlap_gates 4x16 float32 if tokens4"
    " + pooling.1.pending_values rest4x44 if rest4 + pooling.1.pending_gates rest4x44 if rest4"
    " + pooling.1.pooled groups4x22 if tokens4 + pooling.1.overlap_values 4x22 if tokens4"
    " + pooling.1.overlap_gates 4x22 float32 if tokens4"
)
POOLED_BY_7 = POOLED_BY_128.replace("128", "7")
POOLED_BY_2 = POOLED_BY_4.replace("rest4", "rest2").replace("groups4", "groups2").replace("tokens4", "tokens2")
POOLED_BY_2 = POOLED_BY_2.replace(" 4x", " 2x")
CONFIGS: dict[str, Config] = {}

CASES: Cases = {
    "deepseek_v3": [
        ({"kv_lora_rank": ...}, "missing-config-field /kv_lora_rank"),
        ({"kv_lora_rank": 0}, "invalid-config-value /kv_lora_rank"),
        ({"qk_rope_head_dim": 1, "head_dim": 1}, "0-2: latent 26+1"),
        ({"qk_rope_head_dim": 0, "head_dim": ...}, "not-expressible /qk_rope_head_dim"),
        ({"qk_rope_head_dim": 0, "head_dim": 0}, "invalid-config-value /head_dim"),
        ({"qk_rope_head_dim": 0, "head_dim": 1}, "invalid-config-value /head_dim"),
        ({"qk_rope_head_dim": -1, "head_dim": ...}, "invalid-config-value /qk_rope_head_dim"),
        ({"qk_rope_head_dim": -1}, "invalid-config-value /qk_rope_head_dim"),
        ({"qk_rope_head_dim": ...}, "missing-config-field /qk_rope_head_dim"),
        ({"head_dim": 9}, "invalid-config-value /head_dim"),
        ({"head_dim": 11}, "invalid-config-value /head_dim"),
        ({"head_dim": ...}, "0-2: latent 26+10"),
        ({"head_dim": None}, "0-2: latent 26+10"),
        ({"layer_types": ["indexed_attention"] * 3}, "not-expressible /layer_types"),
        ({"layer_types": ["deepseek_sparse_attention"] * 3}, "not-expressible /layer_types"),
        ({"layer_types": ["qwen_sparse_attention"] * 3}, "not-expressible /layer_types"),
        ({"layer_types": [FULL, SLIDING, FULL], "sliding_window": 5}, "0,2: latent 26+10; 1: latent 26+10 in 5"),
        ({"layer_types": [FULL, LINEAR, FULL]}, "not-expressible /layer_types"),
        ({"sliding_window": 5}, "0-2: latent 26+10 in 5"),
        ({"num_key_value_heads": ..., "num_attention_heads": ..., "hidden_size": ...}, "0-2: latent 26+10"),
    ],
    "axk1": [
        ({"head_dim": 11}, "invalid-config-value /head_dim"),
    ],
    "minicpm3": [
        ({"qk_rope_head_dim": 0}, "not-expressible /qk_rope_head_dim"),
        ({"qk_rope_head_dim": ...}, "missing-config-field /qk_rope_head_dim"),
        ({"head_dim": 5}, "0-2: latent 26+10"),
    ],
    "glm4_moe_lite": [
        ({"qk_rope_head_dim": ..., "head_dim": 8}, "0-2: latent 26+8"),
        ({"head_dim": 8}, "invalid-config-value /qk_rope_head_dim"),
        ({"qk_rope_head_dim": ...}, "missing-config-field /qk_rope_head_dim"),
        ({"qk_rope_head_dim": 0}, "not-expressible /qk_rope_head_dim"),
    ],
    "longcat_flash": [
        ({}, "0-5: latent 26+10"),
        ({"num_layers": ..., "num_hidden_layers": 6}, "0-5: latent 26+10"),
        ({"num_layers": ..., "num_hidden_layers": 7}, "invalid-config-value /num_hidden_layers"),
        ({"num_layers": ...}, "missing-config-field /num_layers"),
        ({"num_hidden_layers": 6}, "0-5: latent 26+10"),
        ({"num_hidden_layers": 5}, "invalid-config-value /num_hidden_layers"),
        ({"num_hidden_layers": 7}, "invalid-config-value /num_hidden_layers"),
        ({"num_layers": None, "num_hidden_layers": 2}, "0-1: latent 26+10"),
        ({"num_layers": 0}, "invalid-config-value /num_layers"),
        ({"num_layers": 10001}, "invalid-config-value /num_layers"),
    ],
    "deepseek_v4": [
        ({"num_key_value_heads": 2}, "invalid-config-value /num_key_value_heads"),
        ({"num_key_value_heads": ...}, f"0,4: kv 1x16 in 19; 1,3: {POOLED_BY_4}; 2: {POOLED_BY_128}"),
        ({"num_key_value_heads": 0}, "invalid-config-value /num_key_value_heads"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
        ({"head_dim": ...}, "missing-config-field /head_dim"),
        ({"num_hidden_layers": 2, "layer_types": [SLIDING] * 2}, "0-1: kv 1x16 in 19"),
        ({"num_hidden_layers": 1, "layer_types": [FULL]}, "not-expressible /layer_types"),
        ({"num_hidden_layers": 1, "layer_types": [LINEAR]}, "not-expressible /layer_types"),
        (ONE_HEAVY, f"0: {POOLED_BY_128}"),
        ({**ONE_HEAVY, "compress_rates": {HEAVY: 7}}, f"0: {POOLED_BY_7}"),
        (
            {**ONE_HEAVY, "compress_rates": {HEAVY: 0}},
            "invalid-config-value /compress_rates/heavily_compressed_attention",
        ),
        ({**ONE_HEAVY, "compress_rates": {}}, "missing-config-field /compress_rates/heavily_compressed_attention"),
        ({**ONE_HEAVY, "compress_rates": ...}, "missing-config-field /compress_rates"),
        ({**ONE_HEAVY, "compress_rates": ..., "compress_rate_hca": 7}, f"0: {POOLED_BY_7}"),
        ({**ONE_HEAVY, "compress_rate_hca": 7}, f"0: {POOLED_BY_7}"),
        ({**ONE_HEAVY, "compress_rate_csa": 7}, f"0: {POOLED_BY_128}"),
        ({**ONE_HEAVY, "compress_rates": ..., "compress_ratios": [128]}, f"0: {POOLED_BY_128}"),
        ({**ONE_HEAVY, "compress_rates": {HEAVY: 7}, "compress_ratios": [128]}, f"0: {POOLED_BY_7}"),
        ({**ONE_HEAVY, "index_head_dim": ...}, f"0: {POOLED_BY_128}"),
        (ONE_SPARSE, f"0: {POOLED_BY_4}"),
        ({**ONE_SPARSE, "compress_rate_csa": 2}, f"0: {POOLED_BY_2}"),
        ({**ONE_SPARSE, "compress_rate_hca": 2}, f"0: {POOLED_BY_4}"),
        ({**ONE_SPARSE, "index_head_dim": ...}, "missing-config-field /index_head_dim"),
        ({**ONE_SPARSE, "compress_rates": ..., "compress_ratios": [4]}, f"0: {POOLED_BY_4}"),
        (
            {**NO_KINDS, "num_hidden_layers": 3, "compress_ratios": [0, 128, 4]},
            f"0: kv 1x16 in 19; 1: {POOLED_BY_128}; 2: {POOLED_BY_4}",
        ),
        ({**NO_KINDS, "num_hidden_layers": 3, "compress_ratios": [0, 128]}, "invalid-config-value /compress_ratios"),
        (
            {**NO_KINDS, "num_hidden_layers": 3, "compress_ratios": [0, 128, 4, 0]},
            f"0: kv 1x16 in 19; 1: {POOLED_BY_128}; 2: {POOLED_BY_4}",
        ),
        ({**NO_KINDS, "num_hidden_layers": 3, "compress_ratios": [0, 128, 8]}, "invalid-config-value /compress_ratios"),
        (
            {**NO_KINDS, "num_hidden_layers": 3, "compress_ratios": [0, 128, 4, 8]},
            "invalid-config-value /compress_ratios",
        ),
        ({"layer_types": ..., "num_hidden_layers": 6}, f"0-2,4: {POOLED_BY_128}; 3,5: {POOLED_BY_4}"),
        ({"layer_types": ..., "num_hidden_layers": 2}, f"0-1: {POOLED_BY_128}"),
    ],
}


@pytest.mark.parametrize(("config", "expected"), rows(CASES, CONFIGS))
def test_outcome(config: Config, expected: str) -> None:
    assert outcome(config) == expected
