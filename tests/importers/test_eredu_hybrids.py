"""eredu's families with convolutions and recurrent state: what each field does, to its bounds."""

from __future__ import annotations

import pytest

from tests.importers.cases import Cases, Config, of_eredu, outcome, rows

FULL, SLIDING, LINEAR = "full_attention", "sliding_attention", "linear_attention"
HYBRID, HYBRID_SLIDING = "hybrid", "hybrid_sliding"
NO_BLOCKS: Config = {"hybrid_override_pattern": ...}
UNLISTED: Config = {"local_layer_ids": ...}
FLAT: Config = {"linear_attn_config": ..., "linear_num_heads": 4, "linear_head_dim": 8, "linear_conv_kernel_dim": 4}
LOCAL = "kv 2x4 in 8 + conv.0 3x8 + conv.1 3x8 + conv.2 3x16 + conv.3 3x16"
WIDE = "kv 1x8 + conv.0 3x8 + conv.1 3x8 + conv.2 3x16 + conv.3 3x16"


def kimi(**fields: object) -> Config:
    own: Config = of_eredu("kimi_linear")["linear_attn_config"]
    return {"linear_attn_config": {name: value for name, value in {**own, **fields}.items() if value is not ...}}


CONFIGS: dict[str, Config] = {
    "qwen3_next": of_eredu("qwen hybrid (published"),
    "lfm2": of_eredu("lfm2"),
    "nemotron_h": of_eredu("nemotron_h"),
    "kimi_linear": of_eredu("kimi_linear"),
    "inkling_text": {**of_eredu("inkling")["text_config"], "model_type": "inkling_text"},
}

CASES: Cases = {
    "qwen3_next": [
        ({}, "0-2: conv.0 3x64 + recurrent 4x8x8; 3-4: kv 2x8"),
        ({"full_attention_interval": 3}, "0-1,3: conv.0 3x64 + recurrent 4x8x8; 2,4: kv 2x8"),
        ({"full_attention_interval": 0}, "invalid-config-value /full_attention_interval"),
        ({"layer_types": [LINEAR, FULL, FULL, LINEAR]}, "0,3: conv.0 3x64 + recurrent 4x8x8; 1-2,4: kv 2x8"),
        ({"layer_types": []}, "0-2: conv.0 3x64 + recurrent 4x8x8; 3-4: kv 2x8"),
        ({"layer_types": None}, "0-2: conv.0 3x64 + recurrent 4x8x8; 3-4: kv 2x8"),
        ({"layer_types": [LINEAR] * 3}, "invalid-config-value /layer_types"),
        ({"layer_types": [LINEAR, FULL, FULL, SLIDING]}, "invalid-config-value /layer_types"),
        ({"mtp_num_hidden_layers": 0}, "0-2: conv.0 3x64 + recurrent 4x8x8; 3: kv 2x8"),
        ({"mtp_num_hidden_layers": ...}, "0-2: conv.0 3x64 + recurrent 4x8x8; 3: kv 2x8"),
        ({"mtp_num_hidden_layers": 2}, "0-2: conv.0 3x64 + recurrent 4x8x8; 3-5: kv 2x8"),
        ({"mtp_num_hidden_layers": -1}, "invalid-config-value /mtp_num_hidden_layers"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
        ({"head_dim": ...}, "0-2: conv.0 3x64 + recurrent 4x8x8; 3-4: kv 2x256"),
        ({"linear_num_key_heads": 3}, "invalid-config-value /linear_num_value_heads"),
        ({"linear_num_key_heads": 4}, "0-2: conv.0 3x96 + recurrent 4x8x8; 3-4: kv 2x8"),
        ({"linear_num_key_heads": 8}, "invalid-config-value /linear_num_value_heads"),
        (
            {"linear_num_key_heads": ..., "linear_num_value_heads": 16},
            "0-2: conv.0 3x384 + recurrent 16x8x8; 3-4: kv 2x8",
        ),
        ({"linear_num_value_heads": ...}, "0-2: conv.0 3x288 + recurrent 32x8x8; 3-4: kv 2x8"),
        ({"linear_key_head_dim": ...}, "0-2: conv.0 3x544 + recurrent 4x128x8; 3-4: kv 2x8"),
        ({"linear_value_head_dim": ...}, "0-2: conv.0 3x544 + recurrent 4x8x128; 3-4: kv 2x8"),
        ({"linear_conv_kernel_dim": ...}, "0-2: conv.0 3x64 + recurrent 4x8x8; 3-4: kv 2x8"),
        ({"linear_conv_kernel_dim": 1}, "invalid-config-value /linear_conv_kernel_dim"),
        ({"linear_conv_kernel_dim": 2}, "0-2: conv.0 1x64 + recurrent 4x8x8; 3-4: kv 2x8"),
        ({"linear_conv_kernel_dim": 0}, "invalid-config-value /linear_conv_kernel_dim"),
        (
            {"text_config": {"num_hidden_layers": 1, "num_key_value_heads": 2}},
            "0: conv.0 3x8192 + recurrent 32x128x128",
        ),
        ({"text_config": []}, "invalid-config-value /text_config"),
    ],
    "lfm2": [
        ({}, "0,2: conv.0 2x32; 1: kv 2x8"),
        ({"conv_L_cache": ...}, "0,2: conv.0 2x32; 1: kv 2x8"),
        ({"conv_L_cache": 1}, "0,2: none; 1: kv 2x8"),
        ({"conv_L_cache": 2}, "0,2: conv.0 1x32; 1: kv 2x8"),
        ({"conv_L_cache": 0}, "invalid-config-value /conv_L_cache"),
        ({"layer_types": ...}, "missing-config-field /layer_types"),
        ({"layer_types": ["conv"] * 4}, "invalid-config-value /layer_types"),
        ({"layer_types": ["conv", "conv", LINEAR]}, "invalid-config-value /layer_types"),
        ({"num_attention_heads": 5}, "invalid-config-value /hidden_size"),
        ({"head_dim": 99}, "0,2: conv.0 2x32; 1: kv 2x8"),
        ({"hidden_size": ...}, "missing-config-field /hidden_size"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
        ({"text_config": {}}, "invalid-config-value /text_config"),
    ],
    "nemotron_h": [
        ({}, "0,2: conv.0 3x96 + recurrent 4x8x16; 1,4: none; 3: kv 2x8"),
        ({"hybrid_override_pattern": "M-M*"}, "invalid-config-value /hybrid_override_pattern"),
        ({"hybrid_override_pattern": "M-M*EE"}, "invalid-config-value /hybrid_override_pattern"),
        ({"hybrid_override_pattern": "M-M*x"}, "invalid-config-value /hybrid_override_pattern"),
        ({"hybrid_override_pattern": "", "num_hidden_layers": ...}, "invalid-config-value /hybrid_override_pattern"),
        ({"num_hidden_layers": ...}, "0,2: conv.0 3x96 + recurrent 4x8x16; 1,4: none; 3: kv 2x8"),
        (NO_BLOCKS, "missing-config-field /hybrid_override_pattern"),
        (
            {**NO_BLOCKS, "layers_block_type": ["mamba", "mlp", "moe", "attention", FULL]},
            "0: conv.0 3x96 + recurrent 4x8x16; 1-2: none; 3-4: kv 2x8",
        ),
        (
            {**NO_BLOCKS, "layers_block_type": ["mamba", "mlp", "moe", "attention", LINEAR]},
            "0,4: conv.0 3x96 + recurrent 4x8x16; 1-2: none; 3: kv 2x8",
        ),
        (
            {**NO_BLOCKS, "layers_block_type": ["mamba", "mlp", "moe", "attention", "x"]},
            "invalid-config-value /layers_block_type",
        ),
        (
            {**NO_BLOCKS, "layers_block_type": ["mamba", "mlp", "moe", "attention", SLIDING]},
            "invalid-config-value /layers_block_type",
        ),
        ({**NO_BLOCKS, "layers_block_type": ["mamba"] * 4}, "invalid-config-value /layers_block_type"),
        ({**NO_BLOCKS, "layers_block_type": [], "num_hidden_layers": ...}, "invalid-config-value /layers_block_type"),
        ({"layers_block_type": ["attention"] * 5}, "0,2: conv.0 3x96 + recurrent 4x8x16; 1,4: none; 3: kv 2x8"),
        ({"conv_kernel": 1}, "0,2: recurrent 4x8x16; 1,4: none; 3: kv 2x8"),
        ({"conv_kernel": 2}, "0,2: conv.0 1x96 + recurrent 4x8x16; 1,4: none; 3: kv 2x8"),
        ({"conv_kernel": 0}, "invalid-config-value /conv_kernel"),
        ({"conv_kernel": ...}, "missing-config-field /conv_kernel"),
        ({"sliding_window": 6}, "0,2: conv.0 3x96 + recurrent 4x8x16; 1,4: none; 3: kv 2x8 in 6"),
        ({"sliding_window": 0}, "invalid-config-value /sliding_window"),
        ({"n_groups": 4}, "0,2: conv.0 3x160 + recurrent 4x8x16; 1,4: none; 3: kv 2x8"),
        ({"n_groups": ...}, "missing-config-field /n_groups"),
        ({"mamba_num_heads": 3}, "0,2: conv.0 3x88 + recurrent 3x8x16; 1,4: none; 3: kv 2x8"),
        ({"mamba_num_heads": ...}, "missing-config-field /mamba_num_heads"),
        ({"mamba_head_dim": ...}, "missing-config-field /mamba_head_dim"),
        ({"ssm_state_size": ...}, "missing-config-field /ssm_state_size"),
        ({"head_dim": ...}, "missing-config-field /head_dim"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
    ],
    "kimi_linear": [
        ({}, "0-2: conv.0 3x32 + conv.1 3x32 + conv.2 3x32 + recurrent 4x8x8; 3: latent 16+8"),
        (
            kimi(full_attn_layers=[2], kda_layers=[1, 3, 4]),
            "0,2-3: conv.0 3x32 + conv.1 3x32 + conv.2 3x32 + recurrent 4x8x8; 1: latent 16+8",
        ),
        (kimi(full_attn_layers=[2, 4]), "invalid-config-value /linear_attn_config/full_attn_layers"),
        (kimi(full_attn_layers=[5]), "invalid-config-value /linear_attn_config/full_attn_layers"),
        (kimi(full_attn_layers=[]), "invalid-config-value /linear_attn_config/full_attn_layers"),
        (kimi(full_attn_layers=...), "missing-config-field /linear_attn_config/full_attn_layers"),
        (kimi(num_heads=3), "0-2: conv.0 3x24 + conv.1 3x24 + conv.2 3x24 + recurrent 3x8x8; 3: latent 16+8"),
        (kimi(num_heads=...), "missing-config-field /linear_attn_config/num_heads"),
        (kimi(head_dim=...), "missing-config-field /linear_attn_config/head_dim"),
        (kimi(head_dim=6), "0-2: conv.0 3x24 + conv.1 3x24 + conv.2 3x24 + recurrent 4x6x6; 3: latent 16+8"),
        (
            kimi(short_conv_kernel_size=...),
            "0-2: conv.0 3x32 + conv.1 3x32 + conv.2 3x32 + recurrent 4x8x8; 3: latent 16+8",
        ),
        (kimi(short_conv_kernel_size=1), "invalid-config-value /linear_attn_config/short_conv_kernel_size"),
        (
            kimi(short_conv_kernel_size=2),
            "0-2: conv.0 1x32 + conv.1 1x32 + conv.2 1x32 + recurrent 4x8x8; 3: latent 16+8",
        ),
        (kimi(short_conv_kernel_size=None), "missing-config-field /linear_attn_config/short_conv_kernel_size"),
        ({"linear_attn_config": []}, "invalid-config-value /linear_attn_config"),
        (
            {**FLAT, "layer_types": [LINEAR, FULL, LINEAR, LINEAR]},
            "0,2-3: conv.0 3x32 + conv.1 3x32 + conv.2 3x32 + recurrent 4x8x8; 1: latent 16+8",
        ),
        (FLAT, "missing-config-field /layer_types"),
        ({**FLAT, "layer_types": [LINEAR, FULL, LINEAR]}, "invalid-config-value /layer_types"),
        ({**FLAT, "layer_types": [LINEAR, FULL, LINEAR, SLIDING]}, "invalid-config-value /layer_types"),
        (
            {**FLAT, "layer_types": [LINEAR, FULL, LINEAR, LINEAR], "linear_conv_kernel_dim": 1},
            "invalid-config-value /linear_conv_kernel_dim",
        ),
        (
            {**FLAT, "layer_types": [LINEAR, FULL, LINEAR, LINEAR], "linear_conv_kernel_dim": ...},
            "missing-config-field /linear_conv_kernel_dim",
        ),
        ({"qk_rope_head_dim": 0}, "invalid-config-value /qk_rope_head_dim"),
        ({"kv_lora_rank": ...}, "missing-config-field /kv_lora_rank"),
    ],
    "inkling_text": [
        ({}, f"0: {LOCAL}; 1: {WIDE}"),
        (UNLISTED, f"0-1: {LOCAL}"),
        ({**UNLISTED, "num_hidden_layers": 13}, f"0-4,6-10,12: {LOCAL}; 5,11: {WIDE}"),
        ({"local_layer_ids": []}, f"0-1: {WIDE}"),
        ({"local_layer_ids": [1]}, f"0: {WIDE}; 1: {LOCAL}"),
        ({"local_layer_ids": [2]}, "invalid-config-value /local_layer_ids"),
        ({"local_layer_ids": [-1]}, "invalid-config-value /local_layer_ids"),
        ({"layer_types": [SLIDING, FULL]}, f"0: {LOCAL}; 1: {WIDE}"),
        ({"layer_types": [HYBRID_SLIDING, HYBRID]}, f"0: {LOCAL}; 1: {WIDE}"),
        ({"layer_types": [HYBRID, HYBRID]}, "invalid-config-value /local_layer_ids"),
        ({"layer_types": [HYBRID_SLIDING, HYBRID_SLIDING]}, "invalid-config-value /local_layer_ids"),
        ({**UNLISTED, "layer_types": [HYBRID, HYBRID_SLIDING]}, f"0: {WIDE}; 1: {LOCAL}"),
        ({**UNLISTED, "layer_types": [FULL, SLIDING]}, f"0: {WIDE}; 1: {LOCAL}"),
        ({**UNLISTED, "layer_types": [HYBRID]}, "invalid-config-value /layer_types"),
        ({**UNLISTED, "layer_types": [HYBRID, LINEAR]}, "invalid-config-value /layer_types"),
        (
            {"sliding_window_size": ...},
            f"0: kv 2x4 in 512 + conv.0 3x8 + conv.1 3x8 + conv.2 3x16 + conv.3 3x16; 1: {WIDE}",
        ),
        ({"sliding_window_size": ..., "sliding_window": 8}, f"0: {LOCAL}; 1: {WIDE}"),
        ({"sliding_window": 9}, "invalid-config-value /sliding_window_size"),
        ({"sconv_kernel_size": ...}, f"0: {LOCAL}; 1: {WIDE}"),
        ({"sconv_kernel_size": ..., "conv_kernel_size": 4}, f"0: {LOCAL}; 1: {WIDE}"),
        ({"conv_kernel_size": 5}, "invalid-config-value /sconv_kernel_size"),
        ({"sconv_kernel_size": 1}, "invalid-config-value /sconv_kernel_size"),
        (
            {"num_hidden_layers": 1, "sconv_kernel_size": 2},
            "0: kv 2x4 in 8 + conv.0 1x8 + conv.1 1x8 + conv.2 1x16 + conv.3 1x16",
        ),
        ({"sconv_kernel_size": 0}, "invalid-config-value /sconv_kernel_size"),
        (
            {"swa_num_key_value_heads": ...},
            f"0: kv 1x4 in 8 + conv.0 3x4 + conv.1 3x4 + conv.2 3x16 + conv.3 3x16; 1: {WIDE}",
        ),
        ({"swa_head_dim": ...}, f"0: kv 2x8 in 8 + conv.0 3x16 + conv.1 3x16 + conv.2 3x16 + conv.3 3x16; 1: {WIDE}"),
        ({"head_dim": ...}, f"0: {LOCAL}; 1: kv 1x128 + conv.0 3x128 + conv.1 3x128 + conv.2 3x16 + conv.3 3x16"),
        (
            {"num_hidden_layers": 1, "head_dim": ..., "swa_head_dim": ...},
            "0: kv 2x128 in 8 + conv.0 3x256 + conv.1 3x256 + conv.2 3x16 + conv.3 3x16",
        ),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
        ({"hidden_size": ...}, "missing-config-field /hidden_size"),
    ],
}


@pytest.mark.parametrize(("config", "expected"), rows(CASES, CONFIGS))
def test_outcome(config: Config, expected: str) -> None:
    assert outcome(config, runtime="eredu") == expected
