"""Linear attention and convolutions, beside attention or in its place."""

from __future__ import annotations

import pytest

from tests.importers.cases import Cases, Config, outcome, recorded, rows

FULL, SLIDING, LINEAR = "full_attention", "sliding_attention", "linear_attention"
HYBRID, HYBRID_SLIDING = "hybrid", "hybrid_sliding"
NO_KINDS: Config = {"layer_types": ...}
ZAYA = "conv.0 180x3 + recurrent 30 floating"
LOCAL = "kv 2x20 in 19 + conv.0 40x4 float32 + conv.1 40x4 float32 + conv.2 72x4 float32 + conv.3 72x4 float32"
WIDE = "kv 3x16 + conv.0 48x4 float32 + conv.1 48x4 float32 + conv.2 72x4 float32 + conv.3 72x4 float32"


def kimi(**fields: object) -> Config:
    own: Config = recorded("kimi_linear")["linear_attn_config"]
    merged = {name: value for name, value in {**own, **fields}.items() if value is not ...}
    return {**NO_KINDS, "linear_attn_config": merged}


CONFIGS: dict[str, Config] = {
    "olmo_hybrid": {**recorded("qwen3_next"), "model_type": "olmo_hybrid"},
}

CASES: Cases = {
    "qwen3_next": [
        ({**NO_KINDS, "full_attention_interval": 3}, "0-1,3-4: conv.0 96x4 + recurrent 4x10x14; 2: kv 3x16"),
        ({**NO_KINDS, "full_attention_interval": 1}, "0-4: kv 3x16"),
        ({**NO_KINDS, "full_attention_interval": 0}, "invalid-config-value /full_attention_interval"),
        (NO_KINDS, "missing-config-field /full_attention_interval"),
        ({"linear_num_key_heads": 3}, "invalid-config-value /linear_num_value_heads"),
        ({"linear_num_key_heads": 4}, "0-2,4: conv.0 136x4 + recurrent 4x10x14; 3: kv 3x16"),
        ({"linear_num_key_heads": 8}, "invalid-config-value /linear_num_value_heads"),
        ({"linear_num_value_heads": ...}, "missing-config-field /linear_num_value_heads"),
        ({"linear_num_key_heads": ...}, "missing-config-field /linear_num_key_heads"),
        ({"linear_key_head_dim": ...}, "missing-config-field /linear_key_head_dim"),
        ({"linear_value_head_dim": 0}, "invalid-config-value /linear_value_head_dim"),
        ({"linear_conv_kernel_dim": ...}, "missing-config-field /linear_conv_kernel_dim"),
        ({"linear_conv_kernel_dim": 1}, "0-2,4: conv.0 96x1 + recurrent 4x10x14; 3: kv 3x16"),
        ({"linear_conv_kernel_dim": 0}, "invalid-config-value /linear_conv_kernel_dim"),
        ({"layer_types": [LINEAR, FULL, SLIDING, FULL, FULL]}, "missing-config-field /sliding_window"),
        ({"layer_types": ["mamba", "attention", FULL, FULL, FULL]}, "0: conv.0 96x4 + recurrent 4x10x14; 1-4: kv 3x16"),
        ({"layer_types": [LINEAR, "conv", FULL, FULL, FULL]}, "not-expressible /layer_types"),
    ],
    "lara_mini": [
        (NO_KINDS, "0,2: conv.0 96x4 + recurrent 4x10x14; 1,4: kv 3x16 in 19; 3: kv 3x16"),
        (
            {**NO_KINDS, "num_hidden_layers": 7},
            "0,2,5: conv.0 96x4 + recurrent 4x10x14; 1,4,6: kv 3x16 in 19; 3: kv 3x16",
        ),
    ],
    "olmo_hybrid": [
        (NO_KINDS, "0-2,4: conv.0 96x4 + recurrent 4x10x14; 3: kv 3x16"),
        ({**NO_KINDS, "num_hidden_layers": 1}, "0: kv 3x16"),
        ({**NO_KINDS, "num_hidden_layers": 2}, "0: conv.0 96x4 + recurrent 4x10x14; 1: kv 3x16"),
        ({**NO_KINDS, "num_hidden_layers": 3}, "0-1: conv.0 96x4 + recurrent 4x10x14; 2: kv 3x16"),
        ({**NO_KINDS, "num_hidden_layers": 4}, "0-2: conv.0 96x4 + recurrent 4x10x14; 3: kv 3x16"),
        ({**NO_KINDS, "num_hidden_layers": 6}, "0-2,4-5: conv.0 96x4 + recurrent 4x10x14; 3: kv 3x16"),
        ({**NO_KINDS, "head_dim": ...}, "0-2,4: conv.0 96x4 + recurrent 4x10x14; 3: kv 3x12"),
        ({**NO_KINDS, "num_key_value_heads": None}, "0-2,4: conv.0 96x4 + recurrent 4x10x14; 3: kv 6x16"),
    ],
    "kimi_linear": [
        (NO_KINDS, "0-2: conv.0 300x4 + recurrent 5x20x20; 3: latent 26+10"),
        (kimi(full_attn_layers=[2], kda_layers=[1, 3, 4]), "0,2-3: conv.0 300x4 + recurrent 5x20x20; 1: latent 26+10"),
        (kimi(full_attn_layers=[2, 4], kda_layers=[1, 3]), "0,2: conv.0 300x4 + recurrent 5x20x20; 1,3: latent 26+10"),
        (kimi(full_attn_layers=[2], kda_layers=[1, 3, 5]), "invalid-config-value /linear_attn_config/full_attn_layers"),
        (
            kimi(full_attn_layers=[2, 4], kda_layers=[1, 3, 4]),
            "invalid-config-value /linear_attn_config/full_attn_layers",
        ),
        (kimi(full_attn_layers=[0], kda_layers=[1, 2, 3]), "invalid-config-value /linear_attn_config/full_attn_layers"),
        (kimi(full_attn_layers=[2], kda_layers=[1, 3]), "invalid-config-value /linear_attn_config/full_attn_layers"),
        (kimi(full_attn_layers="x"), "invalid-config-value /linear_attn_config/full_attn_layers"),
        (kimi(full_attn_layers=...), "0-3: conv.0 300x4 + recurrent 5x20x20"),
        (kimi(kda_layers=...), "0-3: conv.0 300x4 + recurrent 5x20x20"),
        ({**NO_KINDS, "linear_attn_config": ...}, "0-3: conv.0 300x4 + recurrent 5x20x20"),
        (
            {**NO_KINDS, "linear_attn_config": ..., "num_hidden_layers": 9},
            "0-3,5-7: conv.0 300x4 + recurrent 5x20x20; 4,8: latent 26+10",
        ),
        ({**NO_KINDS, "linear_attn_config": None}, "0-3: conv.0 300x4 + recurrent 5x20x20"),
        (kimi(num_heads=3), "0-2: conv.0 180x4 + recurrent 3x20x20; 3: latent 26+10"),
        (kimi(num_heads=...), "0-2: conv.0 300x4 + recurrent 5x20x20; 3: latent 26+10"),
        (kimi(num_heads=None), "missing-config-field /linear_attn_config/num_heads"),
        (kimi(head_dim=7), "0-2: conv.0 105x4 + recurrent 5x7x7; 3: latent 26+10"),
        (kimi(head_dim=...), "0-2: conv.0 300x4 + recurrent 5x20x20; 3: latent 26+10"),
        (kimi(short_conv_kernel_size=2), "0-2: conv.0 300x2 + recurrent 5x20x20; 3: latent 26+10"),
        ({"linear_attn_config": {}, "linear_num_heads": ...}, "missing-config-field /linear_num_heads"),
        ({"linear_attn_config": []}, "invalid-config-value /linear_attn_config"),
        ({"qk_rope_head_dim": 0}, "not-expressible /qk_rope_head_dim"),
        (
            {**kimi(full_attn_layers=[1]), "layer_types": [LINEAR, LINEAR, FULL, FULL]},
            "0-1: conv.0 300x4 + recurrent 5x20x20; 2-3: latent 26+10",
        ),
    ],
    "bailing_hybrid": [
        (NO_KINDS, "0-1,3-4: conv.0 360x4 + recurrent 6x20x20; 2,5: latent 26+10"),
        ({**NO_KINDS, "layer_group_size": 4}, "0-2,4-5: conv.0 360x4 + recurrent 6x20x20; 3: latent 26+10"),
        ({**NO_KINDS, "layer_group_size": ...}, "missing-config-field /layer_group_size"),
        ({"linear_num_heads": ...}, "0-1,3-4: conv.0 360x4 + recurrent 6x20x20; 2,5: latent 26+10"),
        ({"linear_num_heads": 4}, "0-1,3-4: conv.0 240x4 + recurrent 4x20x20; 2,5: latent 26+10"),
        ({"linear_head_dim": ...}, "0-1,3-4: conv.0 180x4 + recurrent 6x10x10; 2,5: latent 26+10"),
        ({"linear_conv_kernel_dim": ...}, "0-1,3-4: conv.0 360x4 + recurrent 6x20x20; 2,5: latent 26+10"),
        (
            {"linear_conv_kernel_dim": ..., "short_conv_kernel_size": 3},
            "0-1,3-4: conv.0 360x3 + recurrent 6x20x20; 2,5: latent 26+10",
        ),
        ({"linear_conv_kernel_dim": 3}, "0-1,3-4: conv.0 360x3 + recurrent 6x20x20; 2,5: latent 26+10"),
        (
            {"linear_conv_kernel_dim": ..., "short_conv_kernel_size": ...},
            "missing-config-field /short_conv_kernel_size",
        ),
        ({"qk_rope_head_dim": 0}, "not-expressible /qk_rope_head_dim"),
        ({"linear_head_dim": ..., "head_dim": ...}, "missing-config-field /head_dim"),
        ({"num_hidden_layers": 1, "layer_types": ["conv"]}, "not-expressible /layer_types"),
    ],
    "minimax": [
        (NO_KINDS, "0,2: kv 3x16; 1,3: recurrent 6x16x16 floating"),
        ({**NO_KINDS, "num_hidden_layers": 5}, "0,2,4: kv 3x16; 1,3: recurrent 6x16x16 floating"),
        ({"head_dim": ...}, "0,2: kv 3x12; 1,3: recurrent 6x12x12 floating"),
        ({"num_attention_heads": ...}, "missing-config-field /num_attention_heads"),
        ({"num_attention_heads": 9}, "0,2: kv 3x16; 1,3: recurrent 9x16x16 floating"),
        ({"layer_types": [LINEAR, "conv", FULL, FULL]}, "not-expressible /layer_types"),
    ],
    "lfm2": [
        (NO_KINDS, "0-1,3: conv.0 72x3; 2,4: kv 3x12"),
        ({**NO_KINDS, "full_attn_idxs": [0]}, "0: kv 3x12; 1-4: conv.0 72x3"),
        ({**NO_KINDS, "full_attn_idxs": [0, 4]}, "0,4: kv 3x12; 1-3: conv.0 72x3"),
        ({**NO_KINDS, "full_attn_idxs": [5]}, "invalid-config-value /full_attn_idxs"),
        ({**NO_KINDS, "full_attn_idxs": [-1]}, "invalid-config-value /full_attn_idxs"),
        ({**NO_KINDS, "full_attn_idxs": []}, "0-4: conv.0 72x3"),
        ({**NO_KINDS, "full_attn_idxs": None}, "0-4: kv 3x12"),
        ({"conv_L_cache": ...}, "missing-config-field /conv_L_cache"),
        ({"conv_L_cache": 1}, "0-1,3: conv.0 72x1; 2,4: kv 3x12"),
        ({"conv_L_cache": 0}, "invalid-config-value /conv_L_cache"),
        ({"layer_types": ["conv"] * 4 + [LINEAR]}, "not-expressible /layer_types"),
        ({"layer_types": ["conv"] * 4 + [SLIDING], "sliding_window": 3}, "0-3: conv.0 72x3; 4: kv 3x12 in 3"),
        ({"head_dim": 9}, "0-1,3: conv.0 72x3; 2,4: kv 3x9"),
        ({"head_dim": None}, "missing-config-field /head_dim"),
    ],
    "lfm2_moe": [
        (NO_KINDS, "missing-config-field /layer_types"),
        ({"layer_types": None}, "missing-config-field /layer_types"),
    ],
    "lfm3": [
        ({**NO_KINDS, "num_hidden_layers": 9}, "0-1,3,5,7: conv.0 72x3; 2,6: kv 3x16; 4,8: kv 3x16 in 19"),
    ],
    "inkling_text": [
        (NO_KINDS, f"0-4: {LOCAL}; 5: {WIDE}"),
        ({**NO_KINDS, "num_hidden_layers": 13}, f"0-4,6-10,12: {LOCAL}; 5,11: {WIDE}"),
        ({**NO_KINDS, "num_hidden_layers": 3, "local_layer_ids": [1]}, f"0,2: {WIDE}; 1: {LOCAL}"),
        ({**NO_KINDS, "num_hidden_layers": 3, "local_layer_ids": [1, 7]}, f"0,2: {WIDE}; 1: {LOCAL}"),
        ({**NO_KINDS, "num_hidden_layers": 3, "local_layer_ids": []}, f"0-2: {WIDE}"),
        ({**NO_KINDS, "num_hidden_layers": 3, "local_layer_ids": ["x"]}, "invalid-config-value /local_layer_ids"),
        ({"num_hidden_layers": 2, "layer_types": [HYBRID, FULL]}, "not-expressible /layer_types"),
        ({"num_hidden_layers": 2, "layer_types": [HYBRID, SLIDING]}, "not-expressible /layer_types"),
        (
            {"num_hidden_layers": 1, "layer_types": [HYBRID], "conv_kernel_size": 1},
            "0: kv 3x16 + conv.0 48x1 float32 + conv.1 48x1 float32 + conv.2 72x1 float32 + conv.3 72x1 float32",
        ),
        ({"conv_kernel_size": ...}, "missing-config-field /conv_kernel_size"),
        (
            {"num_hidden_layers": 1, "layer_types": [HYBRID], "conv_kernel_size": ..., "sconv_kernel_size": 3},
            "0: kv 3x16 + conv.0 48x3 float32 + conv.1 48x3 float32 + conv.2 72x3 float32 + conv.3 72x3 float32",
        ),
        ({"sconv_kernel_size": 3}, "invalid-config-value /conv_kernel_size"),
        (
            {"num_hidden_layers": 1, "layer_types": [HYBRID_SLIDING], "sliding_window_size": ...},
            "missing-config-field /sliding_window_size",
        ),
        (
            {"num_hidden_layers": 1, "layer_types": [HYBRID_SLIDING], "sliding_window_size": ..., "sliding_window": 19},
            f"0: {LOCAL}",
        ),
        ({"swa_head_dim": ...}, "missing-config-field /swa_head_dim"),
        ({"swa_num_key_value_heads": ...}, "missing-config-field /swa_num_key_value_heads"),
        ({"head_dim": ...}, "missing-config-field /head_dim"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
        ({"hidden_size": ...}, "missing-config-field /hidden_size"),
    ],
    "inkling2_text": [
        ({**NO_KINDS, "num_hidden_layers": 7, "local_layer_ids": [0]}, f"0-4,6: {LOCAL}; 5: {WIDE}"),
    ],
    "zaya": [
        (NO_KINDS, f"0-2: kv 3x20 + {ZAYA}"),
        (
            {"layer_types": [HYBRID, HYBRID_SLIDING, HYBRID], "sliding_window": 5},
            f"0,2: kv 3x20 + {ZAYA}; 1: kv 3x20 in 5 + {ZAYA}",
        ),
        ({"layer_types": [HYBRID, HYBRID_SLIDING, HYBRID]}, "missing-config-field /sliding_window"),
        ({"layer_types": [HYBRID, FULL, HYBRID]}, "not-expressible /layer_types"),
        ({"cca_time0": 1}, "0-2: kv 3x20 + conv.0 180x2 + recurrent 30 floating"),
        ({"cca_time0": 1, "cca_time1": 1}, "not-expressible /cca_time0"),
        ({"cca_time0": 1, "cca_time1": 2}, "0-2: kv 3x20 + conv.0 180x1 + recurrent 30 floating"),
        ({"cca_time0": 2, "cca_time1": 1}, "0-2: kv 3x20 + conv.0 180x1 + recurrent 30 floating"),
        ({"cca_time0": ...}, "missing-config-field /cca_time0"),
        ({"cca_time1": ...}, "missing-config-field /cca_time1"),
        ({"cca_time0": 0}, "invalid-config-value /cca_time0"),
        ({"cca_time1": 0}, "invalid-config-value /cca_time1"),
        ({"head_dim": 21}, "invalid-config-value /head_dim"),
        ({"head_dim": 21, "num_key_value_heads": 2}, "0-2: kv 2x21 + conv.0 168x3 + recurrent 21 floating"),
        ({"head_dim": ...}, "missing-config-field /head_dim"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
        ({"num_key_value_heads": 4}, "invalid-config-value /num_key_value_heads"),
        ({"num_attention_heads": ...}, "missing-config-field /num_attention_heads"),
    ],
}


@pytest.mark.parametrize(("config", "expected"), rows(CASES, CONFIGS))
def test_outcome(config: Config, expected: str) -> None:
    assert outcome(config) == expected
