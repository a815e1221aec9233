"""Layers that read the cache of earlier ones, and layers that are passed several times."""

from __future__ import annotations

import pytest

from tests.importers.cases import Cases, Config, outcome, rows

FULL, SLIDING, MLP = "full_attention", "sliding_attention", "mlp"
HYBRID, HYBRID_SLIDING = "hybrid", "hybrid_sliding"
NO_KINDS: Config = {"layer_types": ...}
GLOBAL: Config = {"per_layer_config": ..., "global_head_dim": 20}
UNLISTED: Config = {"layer_types": ..., "num_hidden_layers": 4, "n_input_layers": 1, "n_output_layers": 1}
THREE: Config = {
    "num_hidden_layers": 3,
    "layer_types": [HYBRID_SLIDING, HYBRID, HYBRID_SLIDING],
    "loop_layer_index_start": 1,
    "loop_layer_index_end": 2,
}
LOCAL = "kv 2x20 in 19 + conv.0 40x4 float32 + conv.1 40x4 float32 + conv.2 72x4 float32 + conv.3 72x4 float32"
WIDE = "kv 3x16 + conv.0 48x4 float32 + conv.1 48x4 float32 + conv.2 72x4 float32 + conv.3 72x4 float32"
CONFIGS: dict[str, Config] = {}

CASES: Cases = {
    "gemma3_text/bidirectional": [
        ({"sliding_window": 19}, "0-4: kv 3x16 in 10; 5: kv 3x16"),
        ({"sliding_window": 17}, "0-4: kv 3x16 in 9; 5: kv 3x16"),
        ({"sliding_window": 1}, "0-4: kv 3x16 in 1; 5: kv 3x16"),
        ({"use_bidirectional_attention": None}, "0-4: kv 3x16 in 18; 5: kv 3x16"),
        ({"use_bidirectional_attention": "all"}, "invalid-config-value /use_bidirectional_attention"),
        ({"sliding_window": ...}, "missing-config-field /sliding_window"),
        (
            {**NO_KINDS, "sliding_window_pattern": 3, "_sliding_window_pattern": ...},
            "0-1,3-4: kv 3x16 in 10; 2,5: kv 3x16",
        ),
        (NO_KINDS, "missing-config-field /sliding_window_pattern"),
        ({"per_layer_config": {"1": {"sliding_window": 4}}}, "not-expressible /per_layer_config/1/sliding_window"),
    ],
    "gemma3n_text": [
        (NO_KINDS, "0-3,5: kv 3x16 in 19; 4: kv 3x16; 6-9: none"),
        ({"num_kv_shared_layers": 0}, "0-3,5-8: kv 3x16 in 19; 4,9: kv 3x16"),
        ({"num_kv_shared_layers": ...}, "missing-config-field /num_kv_shared_layers"),
        ({"num_kv_shared_layers": None}, "0-3,5-8: kv 3x16 in 19; 4,9: kv 3x16"),
        ({"num_kv_shared_layers": 5}, "0-3: kv 3x16 in 19; 4: kv 3x16; 5-9: none"),
        ({"num_kv_shared_layers": 6}, "invalid-config-value /num_kv_shared_layers"),
        ({"num_kv_shared_layers": 9}, "invalid-config-value /num_kv_shared_layers"),
        ({"num_kv_shared_layers": 10}, "invalid-config-value /num_kv_shared_layers"),
        ({"num_kv_shared_layers": 11}, "invalid-config-value /num_kv_shared_layers"),
        ({"num_kv_shared_layers": -1}, "invalid-config-value /num_kv_shared_layers"),
        ({"num_hidden_layers": 3, "layer_types": [FULL] * 3, "num_kv_shared_layers": 2}, "0: kv 3x16; 1-2: none"),
        (
            {"num_hidden_layers": 3, "layer_types": [FULL] * 3, "num_kv_shared_layers": 3},
            "invalid-config-value /num_kv_shared_layers",
        ),
        ({"use_bidirectional_attention": False}, "0-3,5: kv 3x16 in 19; 4: kv 3x16; 6-9: none"),
        ({"use_bidirectional_attention": True}, "invalid-config-value /use_bidirectional_attention"),
        ({"use_bidirectional_attention": "all"}, "invalid-config-value /use_bidirectional_attention"),
        ({"use_bidirectional_attention": None}, "0-3,5: kv 3x16 in 19; 4: kv 3x16; 6-9: none"),
    ],
    "gemma4_text": [
        (GLOBAL, "0-1,3: kv 3x16 in 19; 2,4: kv 3x20; 5-7: none"),
        ({**GLOBAL, **NO_KINDS, "num_kv_shared_layers": ...}, "0-4,6: kv 3x16 in 19; 5,7: kv 3x20"),
        ({**GLOBAL, **NO_KINDS}, "invalid-config-value /num_kv_shared_layers"),
        ({**GLOBAL, "global_head_dim": ...}, "missing-config-field /global_head_dim"),
        ({**GLOBAL, "global_head_dim": None}, "missing-config-field /global_head_dim"),
        ({**GLOBAL, "num_global_key_value_heads": 2}, "0-1,3: kv 3x16 in 19; 2,4: kv 3x20; 5-7: none"),
        (
            {**GLOBAL, "num_global_key_value_heads": 2, "attention_k_eq_v": True},
            "0-1,3: kv 3x16 in 19; 2,4: kv 2x20; 5-7: none",
        ),
        (
            {**GLOBAL, "num_global_key_value_heads": None, "attention_k_eq_v": True},
            "0-1,3: kv 3x16 in 19; 2,4: kv 3x20; 5-7: none",
        ),
        ({**GLOBAL, "attention_k_eq_v": 1, "num_global_key_value_heads": 2}, "invalid-config-value /attention_k_eq_v"),
        ({**GLOBAL, "num_kv_shared_layers": 0, "layer_types": [SLIDING] * 8}, "0-6: kv 3x16 in 19; 7: kv 3x20"),
        ({"use_bidirectional_attention": "all"}, "0-1,3: kv 3x16 in 10; 2,4: kv 3x20; 5-7: none"),
        ({"use_bidirectional_attention": "all", "sliding_window": 17}, "0-1,3: kv 3x16 in 9; 2,4: kv 3x20; 5-7: none"),
        ({"use_bidirectional_attention": "vision"}, "0-1,3: kv 3x16 in 19; 2,4: kv 3x20; 5-7: none"),
        ({"use_bidirectional_attention": "some"}, "invalid-config-value /use_bidirectional_attention"),
        ({"use_bidirectional_attention": True}, "invalid-config-value /use_bidirectional_attention"),
        ({"num_kv_shared_layers": 5}, "0-1: kv 3x16 in 19; 2: kv 3x20; 3-7: none"),
        ({"num_kv_shared_layers": 6}, "invalid-config-value /num_kv_shared_layers"),
        ({"num_kv_shared_layers": 8}, "invalid-config-value /num_kv_shared_layers"),
        ({"per_layer_config": {"2": {"head_dim": 0}}}, "invalid-config-value /per_layer_config/2/head_dim"),
        ({"per_layer_config": {"2": {"sliding_window": 5}}}, "not-expressible /per_layer_config/2/sliding_window"),
        ({"per_layer_config": {}, "global_head_dim": 99}, "0-1,3: kv 3x16 in 19; 2,4: kv 3x16; 5-7: none"),
        ({"per_layer_config": None, "global_head_dim": 99}, "0-1,3: kv 3x16 in 19; 2,4: kv 3x16; 5-7: none"),
    ],
    "hrm_text": [
        ({}, "0-11: kv 6x16"),
        ({"num_layers_per_stack": ...}, "0-71: kv 6x16"),
        ({"num_layers_per_stack": ..., "num_hidden_layers": 2}, "0-11: kv 6x16"),
        ({"num_layers_per_stack": 3}, "invalid-config-value /num_layers_per_stack"),
        ({"num_layers_per_stack": 1}, "invalid-config-value /num_layers_per_stack"),
        ({"num_layers_per_stack": 0}, "invalid-config-value /num_layers_per_stack"),
        ({"H_cycles": 3}, "invalid-config-value /num_layers_per_stack"),
        ({"L_cycles": 3}, "invalid-config-value /num_layers_per_stack"),
        ({"H_cycles": 4, "num_layers_per_stack": 1}, "0-11: kv 6x16"),
        ({"L_cycles": 1, "num_layers_per_stack": 3}, "0-11: kv 6x16"),
        ({"H_cycles": ...}, "missing-config-field /H_cycles"),
        ({"L_cycles": ...}, "missing-config-field /L_cycles"),
        ({"L_cycles": 0}, "invalid-config-value /L_cycles"),
        ({"H_cycles": 0}, "invalid-config-value /H_cycles"),
        ({"num_layers_per_stack": ..., "H_cycles": 1250, "L_cycles": 3, "num_hidden_layers": 2}, "0-9999: kv 6x16"),
        (
            {"num_layers_per_stack": ..., "H_cycles": 1, "L_cycles": 72, "num_hidden_layers": 137},
            "invalid-config-value /H_cycles",
        ),
        ({"num_key_value_heads": 1}, "0-11: kv 6x16"),
    ],
    "dory": [
        ({"layer_types": [SLIDING, MLP, FULL, MLP, SLIDING, MLP, FULL, MLP]}, "0,2,5: kv 3x16 in 19; 1,3-4: kv 3x16"),
        ({"recurrent_kv_cache_mode": "shared"}, "not-expressible /recurrent_kv_cache_mode"),
        ({"recurrent_kv_cache_mode": ...}, "0-2,4-5: kv 3x16 in 19; 3: kv 3x16"),
        ({"recurrent_kv_cache_mode": 5}, "invalid-config-value /recurrent_kv_cache_mode"),
        ({"n_input_layers": ...}, "missing-config-field /n_input_layers"),
        ({"n_output_layers": ...}, "missing-config-field /n_output_layers"),
        ({"n_input_layers": 0}, "invalid-config-value /n_recurrent_layers"),
        ({"n_input_layers": 6}, "invalid-config-value /n_recurrent_layers"),
        ({"n_input_layers": 6, "n_recurrent_layers": 0}, "0-2: kv 3x16 in 19; 3: kv 3x16"),
        ({"n_input_layers": 8}, "invalid-config-value /n_input_layers"),
        (
            {"n_input_layers": 0, "n_output_layers": 0, "n_recurrent_layers": ...},
            "0-2,4-6: kv 3x16 in 19; 3,7: kv 3x16",
        ),
        ({"n_input_layers": -1}, "invalid-config-value /n_input_layers"),
        ({"n_output_layers": -1}, "invalid-config-value /n_output_layers"),
        ({"n_recurrent_layers": 6}, "invalid-config-value /n_recurrent_layers"),
        ({"n_recurrent_layers": 2}, "invalid-config-value /n_recurrent_layers"),
        ({"n_recurrent_layers": None}, "0-2,4-5: kv 3x16 in 19; 3: kv 3x16"),
        ({"n_recurrent_layers": -1}, "invalid-config-value /n_recurrent_layers"),
        ({"n_recurrent_loops": 1}, "0-2: kv 3x16 in 19; 3: kv 3x16"),
        ({"n_recurrent_loops": 3}, "0-2,4-7: kv 3x16 in 19; 3: kv 3x16"),
        ({"n_recurrent_loops": 0}, "invalid-config-value /n_recurrent_loops"),
        ({"n_recurrent_loops": ...}, "missing-config-field /n_recurrent_loops"),
        ({"n_recurrent_loops": 4999}, "0-2,4-9999: kv 3x16 in 19; 3: kv 3x16"),
        ({"n_recurrent_loops": 5000}, "invalid-config-value /n_recurrent_loops"),
        ({**UNLISTED, "n_recurrent_layers": 2}, "0-2,4-5: kv 3x16 in 19; 3: kv 3x16"),
        ({**UNLISTED, "n_recurrent_layers": 3}, "invalid-config-value /n_recurrent_layers"),
        ({**UNLISTED, "n_recurrent_layers": 1}, "invalid-config-value /n_recurrent_layers"),
        (
            {**UNLISTED, "n_recurrent_layers": 2, "layer_types": [SLIDING, SLIDING, FULL, FULL]},
            "0-1,4: kv 3x16 in 19; 2-3,5: kv 3x16",
        ),
    ],
    "inkling2_loop_text": [
        (THREE, f"0,2: {LOCAL}; 1,3-4: {WIDE}"),
        ({**THREE, "loop_num_passes": 1}, f"0,2: {LOCAL}; 1: {WIDE}"),
        ({**THREE, "loop_layer_index_end": 3}, f"0,2,4,6: {LOCAL}; 1,3,5: {WIDE}"),
        ({**THREE, "loop_layer_index_end": 4}, "invalid-config-value /loop_layer_index_end"),
        ({**THREE, "loop_layer_index_start": 2}, f"0,2: {LOCAL}; 1: {WIDE}"),
        ({**THREE, "loop_layer_index_start": 3}, "invalid-config-value /loop_layer_index_end"),
        ({**THREE, "loop_layer_index_start": 0}, "invalid-config-value /loop_layer_index_start"),
        ({**THREE, "loop_num_passes": 0}, "invalid-config-value /loop_num_passes"),
        ({**THREE, "loop_num_passes": ...}, "missing-config-field /loop_num_passes"),
        ({**THREE, "loop_layer_index_start": ...}, "missing-config-field /loop_layer_index_start"),
        ({**THREE, "loop_layer_index_end": ...}, "missing-config-field /loop_layer_index_end"),
        ({**THREE, "loop_num_passes": 9998}, f"0,2: {LOCAL}; 1,3-9999: {WIDE}"),
        ({**THREE, "loop_num_passes": 9999}, "invalid-config-value /loop_num_passes"),
        ({**THREE, "loop_config": {"core_start": 2, "core_end": 3, "num_passes": 2}}, f"0,2-3: {LOCAL}; 1: {WIDE}"),
        ({**THREE, "loop_config": {"core_start": 0}}, "invalid-config-value /loop_config/core_start"),
        ({**THREE, "loop_config": {"core_end": 0}}, "invalid-config-value /loop_config/core_end"),
        ({**THREE, "loop_config": {"num_passes": 2}}, f"0,2: {LOCAL}; 1,3: {WIDE}"),
        ({**THREE, "loop_config": {}}, f"0,2: {LOCAL}; 1,3-4: {WIDE}"),
        ({**THREE, "loop_config": []}, "invalid-config-value /loop_config"),
        ({**THREE, "loop_config": {"num_passes": None}}, "missing-config-field /loop_config/num_passes"),
    ],
}


@pytest.mark.parametrize(("config", "expected"), rows(CASES, CONFIGS))
def test_outcome(config: Config, expected: str) -> None:
    assert outcome(config) == expected
