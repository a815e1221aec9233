"""Which layers slide, by the list of kinds or by the pattern of the model type, and the window that they have."""

from __future__ import annotations

import pytest

from tests.importers.cases import SMALL, Cases, Config, outcome, recorded, rows

FULL, SLIDING = "full_attention", "sliding_attention"
NO_KINDS: Config = {"layer_types": ...}


def small(model_type: str, layers: int, **fields: object) -> Config:
    return {"model_type": model_type, **SMALL, "num_hidden_layers": layers, "sliding_window": 19, **fields}


CONFIGS: dict[str, Config] = {
    "cohere_compass_text": small("cohere_compass_text", 3),
    "cwm": small("cwm", 6),
    "exaone4": small("exaone4", 9, sliding_window_pattern=4),
    "flint": small("flint", 11),
    "granite_swa": small("granite_swa", 6),
    "granitemoe_swa": small("granitemoe_swa", 6),
    "kolibri1": small("kolibri1", 6),
    "laguna": small("laguna", 3),
    "mellum": small("mellum", 3),
    "mimo_v2_flash": small("mimo_v2_flash", 13, v_head_dim=16, sliding_window_size=18, sliding_window=...),
    "muse_glimmer_text": small("muse_glimmer_text", 6),
    "muse_spark_text": small("muse_spark_text", 6),
    "olmo3": small("olmo3", 6),
    "qwen2_moe": small("qwen2_moe", 6, use_sliding_window=True, max_window_layers=4),
    "qwen3_moe": small("qwen3_moe", 3, use_sliding_window=True),
    "smollm3": small("smollm3", 5, use_sliding_window=True, no_rope_layers=[1, 0, 1, 1, 0]),
    "step3p5": recorded("step3p7")["text_config"],
    "vaultgemma": small("vaultgemma", 4),
}

CASES: Cases = {
    # built into the model type
    "beam": [
        ({**NO_KINDS, "num_hidden_layers": 8}, "0-4,6: kv 3x16 in 19; 5,7: kv 3x16"),
        ({**NO_KINDS, "num_hidden_layers": 6}, "0-4: kv 3x16 in 19; 5: kv 3x16"),
    ],
    "cohere_compass_text": [
        ({}, "0-2: kv 3x16"),
    ],
    "cwm": [
        ({}, "0,4: kv 3x16; 1-3,5: kv 3x16 in 19"),
    ],
    "flint": [
        ({}, "0-1,5,9-10: kv 3x16; 2-4,6-8: kv 3x16 in 19"),
        ({"num_hidden_layers": 12}, "0-1,5,9,11: kv 3x16; 2-4,6-8,10: kv 3x16 in 19"),
    ],
    "gemma2": [
        (NO_KINDS, "0,2: kv 3x16 in 19; 1,3: kv 3x16"),
    ],
    "gpt_oss": [
        (NO_KINDS, "0,2: kv 3x16 in 19; 1,3: kv 3x16"),
    ],
    "granite_swa": [
        ({}, "0,4: kv 3x16; 1-3,5: kv 3x16 in 19"),
    ],
    "granitemoe_swa": [
        ({}, "0,4: kv 3x16; 1-3,5: kv 3x16 in 19"),
    ],
    "kolibri1": [
        ({}, "0-3,5: kv 3x16 in 19; 4: kv 3x16"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
    ],
    "laguna": [
        ({}, "0-2: kv 3x16"),
    ],
    "mellum": [
        ({}, "0-2: kv 3x16"),
    ],
    "mimo_v2_flash": [
        ({}, "0,5,11: kv 3x16; 1-4,6-10,12: kv 6x16 in 19"),
        ({"v_head_dim": 8}, "not-expressible /v_head_dim"),
        ({"v_head_dim": 17}, "not-expressible /v_head_dim"),
        ({"v_head_dim": ...}, "missing-config-field /v_head_dim"),
        ({"head_dim": ...}, "missing-config-field /head_dim"),
        ({"sliding_window_size": ...}, "missing-config-field /sliding_window"),
        ({"sliding_window_size": ..., "sliding_window": 19}, "0,5,11: kv 3x16; 1-4,6-10,12: kv 6x16 in 19"),
        ({"sliding_window_size": None, "sliding_window": 20}, "0,5,11: kv 3x16; 1-4,6-10,12: kv 6x16 in 20"),
        ({"sliding_window_size": 0}, "invalid-config-value /sliding_window_size"),
        ({"sliding_window_size": 19}, "0,5,11: kv 3x16; 1-4,6-10,12: kv 6x16 in 20"),
        ({"sliding_window": 5}, "0,5,11: kv 3x16; 1-4,6-10,12: kv 6x16 in 19"),
        ({"layer_types": [FULL] * 13}, "0-12: kv 3x16"),
        ({"layer_types": ["chunked_attention"] * 13, "attention_chunk_size": 5}, "0-12: kv 3x16 in 5"),
        ({"num_key_value_heads": ...}, "missing-config-field /num_key_value_heads"),
    ],
    "muse_glimmer_text": [
        ({}, "0,2-4: kv 3x16 in 19; 1,5: kv 3x16"),
    ],
    "muse_spark_text": [
        ({}, "0,2-4: kv 3x16 in 19; 1,5: kv 3x16"),
    ],
    "olmo3": [
        ({}, "0-2,4-5: kv 3x16 in 19; 3: kv 3x16"),
    ],
    "vaultgemma": [
        ({}, "0,2: kv 3x16 in 19; 1,3: kv 3x16"),
    ],
    # in groups whose size a field says
    "afmoe": [
        ({**NO_KINDS}, "0-2,4: kv 3x16 in 19; 3: kv 3x16"),
        ({**NO_KINDS, "global_attn_every_n_layers": 2}, "0,2,4: kv 3x16 in 19; 1,3: kv 3x16"),
        ({**NO_KINDS, "global_attn_every_n_layers": 1}, "0-4: kv 3x16"),
        ({**NO_KINDS, "global_attn_every_n_layers": ...}, "missing-config-field /global_attn_every_n_layers"),
        ({**NO_KINDS, "global_attn_every_n_layers": 0}, "invalid-config-value /global_attn_every_n_layers"),
        ({**NO_KINDS, "global_attn_every_n_layers": None}, "missing-config-field /global_attn_every_n_layers"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
        ({"sliding_window": None}, "missing-config-field /sliding_window"),
        ({"head_dim": ...}, "missing-config-field /head_dim"),
        ({"num_key_value_heads": None}, "0-2,4: kv 6x16 in 19; 3: kv 6x16"),
    ],
    "cohere2": [
        ({**NO_KINDS, "sliding_window_pattern": 3}, "0-1,3: kv 3x12 in 19; 2: kv 3x12"),
        ({**NO_KINDS}, "missing-config-field /sliding_window_pattern"),
    ],
    "cohere2_moe": [
        ({**NO_KINDS}, "0-2,4: kv 3x16 in 19; 3: kv 3x16"),
        ({**NO_KINDS, "first_k_dense_replace": 1}, "0,4: kv 3x16; 1-3: kv 3x16 in 19"),
        (
            {**NO_KINDS, "first_k_dense_replace": 3, "prefix_dense_sliding_window_pattern": 2},
            "0,2-4: kv 3x16 in 19; 1: kv 3x16",
        ),
        (
            {**NO_KINDS, "first_k_dense_replace": 3, "prefix_dense_sliding_window_pattern": ...},
            "missing-config-field /prefix_dense_sliding_window_pattern",
        ),
        (
            {**NO_KINDS, "first_k_dense_replace": 0, "prefix_dense_sliding_window_pattern": ...},
            "0-2,4: kv 3x16 in 19; 3: kv 3x16",
        ),
        ({**NO_KINDS, "first_k_dense_replace": 5, "sliding_window_pattern": ...}, "0-4: kv 3x16"),
        (
            {**NO_KINDS, "first_k_dense_replace": 4, "sliding_window_pattern": ...},
            "missing-config-field /sliding_window_pattern",
        ),
        ({**NO_KINDS, "first_k_dense_replace": 6}, "invalid-config-value /first_k_dense_replace"),
        ({**NO_KINDS, "first_k_dense_replace": -1}, "invalid-config-value /first_k_dense_replace"),
        ({**NO_KINDS, "first_k_dense_replace": None}, "0-2,4: kv 3x16 in 19; 3: kv 3x16"),
        (
            {
                **NO_KINDS,
                "first_k_dense_replace": 2,
                "prefix_dense_sliding_window_pattern": 2,
                "sliding_window_pattern": 2,
            },
            "0,2,4: kv 3x16 in 19; 1,3: kv 3x16",
        ),
        ({**NO_KINDS, "sliding_window_pattern": 0}, "invalid-config-value /sliding_window_pattern"),
    ],
    "exaone4": [
        ({}, "0-2,4-6,8: kv 3x16 in 19; 3,7: kv 3x16"),
        ({"sliding_window": None}, "invalid-config-value /sliding_window"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
        ({"sliding_window_pattern": ...}, "missing-config-field /sliding_window_pattern"),
        ({"sliding_window_pattern": 1}, "0-8: kv 3x16"),
        ({"sliding_window": None, "layer_types": [FULL] * 9}, "0-8: kv 3x16"),
    ],
    "modernbert-decoder": [
        (NO_KINDS, "0,2: kv 6x12; 1,3: kv 6x12 in 12"),
        (
            {**NO_KINDS, "num_hidden_layers": 7, "global_attn_every_n_layers": 3},
            "0,3,6: kv 6x12; 1-2,4-5: kv 6x12 in 12",
        ),
        ({**NO_KINDS, "global_attn_every_n_layers": ...}, "missing-config-field /global_attn_every_n_layers"),
        ({"sliding_window": ...}, "0,2: kv 6x12; 1,3: kv 6x12 in 12"),
        ({"sliding_window": ..., "local_attention": 3}, "0,2: kv 6x12; 1,3: kv 6x12 in 1"),
        ({"sliding_window": ..., "local_attention": 2}, "0,2: kv 6x12; 1,3: kv 6x12 in 1"),
        ({"sliding_window": ..., "local_attention": 1}, "invalid-config-value /local_attention"),
        ({"sliding_window": None}, "missing-config-field /sliding_window"),
        ({"sliding_window": 5}, "0,2: kv 6x12; 1,3: kv 6x12 in 5"),
        ({"sliding_window": ..., "local_attention": ...}, "missing-config-field /local_attention"),
        ({"num_key_value_heads": 2, "head_dim": 99}, "0,2: kv 6x12; 1,3: kv 6x12 in 12"),
    ],
    # from a layer on, where positions rotate, or everywhere
    "dots1": [
        ({**NO_KINDS}, "0-1: kv 3x16; 2-3: kv 3x16 in 19"),
        ({**NO_KINDS, "max_window_layers": 0}, "0-3: kv 3x16 in 19"),
        ({**NO_KINDS, "max_window_layers": 4}, "0-3: kv 3x16"),
        ({**NO_KINDS, "max_window_layers": 4, "sliding_window": ...}, "0-3: kv 3x16"),
        ({**NO_KINDS, "max_window_layers": 3, "sliding_window": ...}, "missing-config-field /sliding_window"),
        ({**NO_KINDS, "max_window_layers": 5, "sliding_window": ...}, "0-3: kv 3x16"),
        ({**NO_KINDS, "sliding_window": None}, "0-3: kv 3x16"),
        ({**NO_KINDS, "max_window_layers": ...}, "missing-config-field /max_window_layers"),
        ({**NO_KINDS, "max_window_layers": -1}, "invalid-config-value /max_window_layers"),
    ],
    "qwen2/sliding_max_window_layers": [
        ({**NO_KINDS}, "0-1: kv 3x12; 2-3: kv 3x12 in 19"),
        ({**NO_KINDS, "max_window_layers": 0}, "0-3: kv 3x12 in 19"),
        ({**NO_KINDS, "max_window_layers": 4}, "0-3: kv 3x12"),
        ({**NO_KINDS, "max_window_layers": -1}, "invalid-config-value /max_window_layers"),
        ({**NO_KINDS, "max_window_layers": ...}, "missing-config-field /max_window_layers"),
        ({**NO_KINDS, "use_sliding_window": False}, "0-3: kv 3x12"),
        ({**NO_KINDS, "use_sliding_window": None}, "0-3: kv 3x12"),
        ({**NO_KINDS, "use_sliding_window": ...}, "0-3: kv 3x12"),
        ({**NO_KINDS, "use_sliding_window": "yes"}, "invalid-config-value /use_sliding_window"),
        ({**NO_KINDS, "sliding_window": None}, "0-3: kv 3x12"),
        ({**NO_KINDS, "sliding_window": ...}, "missing-config-field /sliding_window"),
        ({**NO_KINDS, "use_sliding_window": False, "sliding_window": ..., "max_window_layers": ...}, "0-3: kv 3x12"),
        ({"use_sliding_window": False}, "invalid-config-value /use_sliding_window"),
        ({"use_sliding_window": False, "layer_types": [FULL] * 4}, "0-3: kv 3x12"),
        ({"use_sliding_window": ...}, "invalid-config-value /use_sliding_window"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
        ({"sliding_window": None}, "missing-config-field /sliding_window"),
    ],
    "qwen2_moe": [
        ({}, "0,2: kv 3x16 in 19; 1,3-5: kv 3x16"),
        ({"max_window_layers": 0}, "0-5: kv 3x16"),
        ({"max_window_layers": ...}, "missing-config-field /max_window_layers"),
        ({"max_window_layers": -1}, "invalid-config-value /max_window_layers"),
        ({"max_window_layers": 9}, "0,2,4: kv 3x16 in 19; 1,3,5: kv 3x16"),
        ({"use_sliding_window": False}, "0-5: kv 3x16"),
        ({"use_sliding_window": False, "max_window_layers": ...}, "0-5: kv 3x16"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
        ({"sliding_window": ..., "max_window_layers": 0}, "0-5: kv 3x16"),
    ],
    "qwen3_moe": [
        ({}, "0-2: kv 3x16 in 19"),
        ({"use_sliding_window": False}, "0-2: kv 3x16"),
        ({"use_sliding_window": False, "attention_chunk_size": 5}, "0-2: kv 3x16 in 5"),
        ({"attention_chunk_size": 5}, "0-2: kv 3x16 in 19"),
        ({"sliding_window": None, "attention_chunk_size": 5}, "0-2: kv 3x16 in 5"),
        ({"sliding_window": None}, "0-2: kv 3x16"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
    ],
    "ministral": [
        (NO_KINDS, "0-3: kv 3x16 in 19"),
        ({**NO_KINDS, "sliding_window": None}, "0-3: kv 3x16"),
        ({**NO_KINDS, "sliding_window": ...}, "missing-config-field /sliding_window"),
    ],
    "smollm3": [
        ({}, "0,2-3: kv 3x16 in 19; 1,4: kv 3x16"),
        ({"use_sliding_window": False}, "0-4: kv 3x16"),
        ({"sliding_window": None}, "0-4: kv 3x16"),
        ({"sliding_window": ...}, "0-4: kv 3x16"),
        ({"no_rope_layers": ..., "no_rope_layer_interval": 4}, "0-2,4: kv 3x16 in 19; 3: kv 3x16"),
        ({"no_rope_layers": ...}, "missing-config-field /no_rope_layer_interval"),
        ({"no_rope_layers": [1] * 4}, "invalid-config-value /no_rope_layers"),
    ],
    "llama4_text": [
        ({**NO_KINDS, "no_rope_layers": [1, 0, 1, 0, 1]}, "0,2,4: kv 3x16 in 17; 1,3: kv 3x16"),
        ({**NO_KINDS, "no_rope_layers": [1, 0, 1, 0]}, "invalid-config-value /no_rope_layers"),
        ({**NO_KINDS, "no_rope_layers": [1, 0, -1, 0, 2]}, "0,2,4: kv 3x16 in 17; 1,3: kv 3x16"),
        ({**NO_KINDS, "no_rope_layers": [1, True, 1, 0, 1]}, "invalid-config-value /no_rope_layers"),
        ({**NO_KINDS, "no_rope_layers": "x"}, "invalid-config-value /no_rope_layers"),
        ({**NO_KINDS, "no_rope_layers": [], "no_rope_layer_interval": 2}, "0,2,4: kv 3x16 in 17; 1,3: kv 3x16"),
        ({**NO_KINDS, "no_rope_layers": None, "no_rope_layer_interval": 2}, "0,2,4: kv 3x16 in 17; 1,3: kv 3x16"),
        ({**NO_KINDS, "no_rope_layers": ...}, "0-2,4: kv 3x16 in 17; 3: kv 3x16"),
        (
            {**NO_KINDS, "no_rope_layer_interval": 0, "no_rope_layers": ...},
            "invalid-config-value /no_rope_layer_interval",
        ),
        ({**NO_KINDS, "attention_chunk_size": None}, "0-4: kv 3x16"),
        ({**NO_KINDS, "attention_chunk_size": ...}, "missing-config-field /attention_chunk_size"),
        ({"attention_chunk_size": ...}, "missing-config-field /attention_chunk_size"),
        ({"attention_chunk_size": 0}, "invalid-config-value /attention_chunk_size"),
    ],
    # prediction layers may be listed, and are no layers of the cache
    "step3p5": [
        ({"layer_types": [FULL, SLIDING, SLIDING, FULL, SLIDING, SLIDING]}, "invalid-config-value /layer_types"),
        (
            {"layer_types": [FULL, SLIDING, SLIDING, FULL, SLIDING, SLIDING], "num_nextn_predict_layers": 1},
            "0,3: kv 3x16; 1-2,4: kv 3x16 in 19",
        ),
        (
            {"layer_types": [FULL, SLIDING, SLIDING, FULL, SLIDING, SLIDING, SLIDING], "num_nextn_predict_layers": 1},
            "invalid-config-value /layer_types",
        ),
        ({"num_nextn_predict_layers": 1}, "0,3: kv 3x16; 1-2,4: kv 3x16 in 19"),
        ({"num_nextn_predict_layers": -1}, "invalid-config-value /num_nextn_predict_layers"),
        ({"layer_types": ...}, "0-4: kv 3x16"),
        ({"num_key_value_heads": ..., "num_attention_groups": 2}, "invalid-config-value /num_attention_groups"),
        ({"num_key_value_heads": ..., "num_attention_groups": 3}, "0,3: kv 3x16; 1-2,4: kv 3x16 in 19"),
        ({"num_attention_groups": 2}, "invalid-config-value /num_key_value_heads"),
        ({"per_layer_config": {"1": {"num_attention_heads": 4}}}, "invalid-config-value /num_key_value_heads"),
        (
            {"per_layer_config": {"1": {"num_key_value_heads": 4}}},
            "not-expressible /per_layer_config/1/num_key_value_heads",
        ),
    ],
}


@pytest.mark.parametrize(("config", "expected"), rows(CASES, CONFIGS))
def test_outcome(config: Config, expected: str) -> None:
    assert outcome(config) == expected
