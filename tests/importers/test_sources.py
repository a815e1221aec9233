"""The annotations of a layout say which field or rule each of its values came from."""

from __future__ import annotations

import pytest

from tests.importers import test_eredu_attention, test_eredu_hybrids, test_state_space, test_windows
from tests.importers.cases import Config, changed, imported, recorded

NO_KINDS: Config = {"layer_types": ...}
CONFIGS = {**test_windows.CONFIGS, **test_state_space.CONFIGS}
OF_EREDU = {**test_eredu_attention.CONFIGS, **test_eredu_hybrids.CONFIGS}

# A configuration, fields in place of its own, and what is said of some values (None: nothing).
TRANSFORMERS: list[tuple[str, Config, dict[str, str | None]]] = [
    (
        "llama/gqa_headdim",
        {},
        {
            "head_dim": "head_dim",
            "layer_types": "full: no window and no chunk size is stated",
            "num_hidden_layers": "num_hidden_layers",
            "num_key_value_heads": "num_key_value_heads",
            "source": "configuration, read as transformers 5.24 caches; keys and values",
        },
    ),
    (
        "llama/gqa_headdim",
        {"sliding_window": 9},
        {"layer_types": "sliding_window is stated", "sliding_window": "sliding_window"},
    ),
    (
        "llama/gqa_headdim",
        {"attention_chunk_size": 9},
        {
            "layer_types": "attention_chunk_size is stated",
            "attention_chunk_size": "attention_chunk_size",
            "chunked attention": "sliding layers are chunks of attention_chunk_size tokens, held as a window",
        },
    ),
    (
        "llama/gqa_headdim",
        {"per_layer_config": {"1": {"sliding_window": 9}}},
        {
            "layer_types": "full: no window and no chunk size is stated; sliding_window is stated",
            "sliding_window": "per_layer_config.1.sliding_window",
        },
    ),
    (
        "llama/gqa_headdim",
        {"head_dim": None, "num_key_value_heads": ...},
        {
            "head_dim": "hidden_size / num_attention_heads (head_dim is null)",
            "num_key_value_heads": "num_attention_heads (num_key_value_heads is missing)",
        },
    ),
    (
        "gpt2",
        {},
        {
            "head_dim": "hidden_size / num_attention_heads (head_dim is not read)",
            "num_attention_heads": "n_head",
            "num_key_value_heads": "num_attention_heads (num_key_value_heads is not read)",
            "hidden_size": "n_embd",
        },
    ),
    (
        "falcon/rw_mha",
        {},
        {"num_key_value_heads": "num_attention_heads (neither multi_query nor the new architecture)"},
    ),
    ("falcon/rw_mha", {"multi_query": True}, {"num_key_value_heads": "one head (multi_query)"}),
    (
        "falcon/rw_mha",
        {"new_decoder_architecture": True},
        {
            "num_key_value_heads": "num_attention_heads (new_decoder_architecture)",
            "new_decoder_architecture": "new_decoder_architecture",
        },
    ),
    ("gpt_bigcode/mha", {}, {"num_key_value_heads": "num_attention_heads", "multi_query": "multi_query"}),
    ("gpt_bigcode/mha", {"multi_query": True}, {"num_key_value_heads": "one head (multi_query)"}),
    ("dbrx", {}, {"num_key_value_heads": "attn_config.kv_n_heads", "kv_n_heads": "attn_config.kv_n_heads"}),
    ("gemma2", NO_KINDS, {"layer_types": "the last of every 2 layers is full (built into the model type)"}),
    ("gemma2", {}, {"layer_types": "layer_types"}),
    ("afmoe", NO_KINDS, {"layer_types": "the last of every global_attn_every_n_layers layers is full"}),
    (
        "beam",
        NO_KINDS,
        {"layer_types": "the last of every 6 layers and the last of all are full (built into the model type)"},
    ),
    (
        "granite_swa",
        NO_KINDS,
        {"layer_types": "the first of every 4 layers is full (built into the model type)"},
    ),
    (
        "muse_spark_text",
        {},
        {"layer_types": "every 4th layer, counted from the last, is full (built into the model type)"},
    ),
    ("laguna", {}, {"layer_types": "every layer is full (built into the model type)"}),
    (
        "mimo_v2_flash",
        {},
        {
            "layer_types": "layer 0 and the last of every 6 layers are full (built into the model type)",
            "num_key_value_heads": "num_key_value_heads; "
            "2 * num_key_value_heads in sliding layers (built into the model type)",
            "sliding_window": "sliding_window_size + 1",
            "sliding_window_size": "sliding_window_size",
        },
    ),
    (
        "modernbert-decoder",
        {**NO_KINDS, "sliding_window": ...},
        {
            "layer_types": "the first of every global_attn_every_n_layers layers is full",
            "sliding_window": "local_attention // 2",
            "local_attention": "local_attention",
        },
    ),
    (
        "qwen2/sliding_max_window_layers",
        NO_KINDS,
        {"layer_types": "layers from max_window_layers on slide"},
    ),
    (
        "qwen2/sliding_max_window_layers",
        {**NO_KINDS, "use_sliding_window": False},
        {
            "layer_types": "every layer is full (the sliding window is not used)",
            "use_sliding_window": "use_sliding_window",
        },
    ),
    ("qwen2_moe", {}, {"layer_types": "even layers below max_window_layers slide"}),
    ("qwen3_moe", {}, {"layer_types": "every layer slides (use_sliding_window)"}),
    ("ministral", NO_KINDS, {"layer_types": "every layer slides (sliding_window)"}),
    (
        "ministral",
        {**NO_KINDS, "sliding_window": None},
        {"layer_types": "every layer is full (the sliding window is not used)"},
    ),
    ("exaone4", {}, {"layer_types": "the last of every sliding_window_pattern layers is full"}),
    ("llama4_text", {**NO_KINDS, "no_rope_layers": ...}, {"layer_types": "no_rope_layer_interval"}),
    ("llama4_text", {**NO_KINDS, "no_rope_layers": [1, 1, 1, 1, 0]}, {"layer_types": "no_rope_layers"}),
    (
        "llama4_text",
        {**NO_KINDS, "attention_chunk_size": None},
        {"layer_types": "every layer is full (attention_chunk_size is null)"},
    ),
    (
        "cohere2_moe",
        NO_KINDS,
        {"layer_types": "the last of each group is full (first_k_dense_replace, sliding_window_pattern)"},
    ),
    (
        "gemma3_text/bidirectional",
        {},
        {"sliding_window": "sliding_window; sliding_window // 2 + 1 (use_bidirectional_attention)"},
    ),
    (
        "gemma4_text",
        {"per_layer_config": ..., "global_head_dim": 20, "num_global_key_value_heads": 1, "attention_k_eq_v": True},
        {
            "head_dim": "head_dim; global_head_dim in full layers",
            "num_key_value_heads": "num_key_value_heads; num_global_key_value_heads in full layers (attention_k_eq_v)",
        },
    ),
    (
        "gemma4_text",
        {
            "num_kv_shared_layers": 0,
            "layer_types": ["sliding_attention"] * 8,
        },
        {"layer_types": "layer_types; the last layer is full (built into the model type)"},
    ),
    (
        "gemma4_text",
        {"num_kv_shared_layers": 0, "layer_types": ["sliding_attention"] * 7 + ["chunked_attention"]},
        {"layer_types": "layer_types; the last layer is full (built into the model type)"},
    ),
    (
        "gemma4_text",
        {},
        {
            "layer_types": "layer_types",
            "head_dim": "head_dim; per_layer_config.2.head_dim; per_layer_config.4.head_dim",
        },
    ),
    (
        "hrm_text",
        {"num_layers_per_stack": ...},
        {"num_hidden_layers": "num_hidden_layers; num_hidden_layers * H_cycles * (L_cycles + 1)"},
    ),
    ("hrm_text", {}, {"num_hidden_layers": "num_hidden_layers"}),
    ("dory", {}, {"cache layers": "n_recurrent_loops: layers of further passes follow the last layer"}),
    ("dory", {"n_recurrent_loops": 1}, {"cache layers": None}),
    (
        "deepseek_v3",
        {},
        {"head axis": "left out: transformers keeps latent and rotary keys with a head axis of size 1"},
    ),
    ("longcat_flash", {}, {"num_hidden_layers": "2 * num_layers (two attentions in each block)"}),
    (
        "deepseek_v4",
        NO_KINDS,
        {"layer_types": "heavily compressed; odd layers from 3 on sparse (built into the model type)"},
    ),
    (
        "deepseek_v4",
        {**NO_KINDS, "compress_rates": ..., "compress_ratios": [0, 4, 128, 4, 0]},
        {"layer_types": "compress_ratios", "compress_rates": "compress_ratios"},
    ),
    (
        "kimi_linear",
        NO_KINDS,
        {
            "layer_types": "linear_attn_config.full_attn_layers and kda_layers, counted from 1",
            "num_heads": "linear_attn_config.num_heads",
        },
    ),
    (
        "kimi_linear",
        {**NO_KINDS, "linear_attn_config": ...},
        {"layer_types": "every 4th layer from 4 on is full (built into the model type)"},
    ),
    ("lfm2", {**NO_KINDS, "full_attn_idxs": [0]}, {"layer_types": "full_attn_idxs"}),
    ("lfm2", NO_KINDS, {"layer_types": "full_attn_idxs"}),
    (
        "lfm2",
        {**NO_KINDS, "full_attn_idxs": None},
        {"layer_types": "every layer is full (full_attn_idxs is not stated)"},
    ),
    (
        "lfm3",
        NO_KINDS,
        {
            "layer_types": "of every 4 layers the third is full and the first slides (not layer 0), the others are"
            " convolutions (built into the model type)"
        },
    ),
    (
        "minimax",
        NO_KINDS,
        {"layer_types": "full_attention, linear_attention, repeated (built into the model type)"},
    ),
    (
        "inkling_text",
        NO_KINDS,
        {"layer_types": "all but every 6th layer slide (built into the model type)"},
    ),
    ("inkling_text", {**NO_KINDS, "local_layer_ids": [0]}, {"layer_types": "local_layer_ids"}),
    (
        "inkling2_loop_text",
        NO_KINDS,
        {
            "layer_types": "all but every 6th layer slide (built into the model type)",
            "cache layers": "loop_num_passes: layers of further passes follow the last layer",
        },
    ),
    (
        "mamba",
        {"intermediate_size": ...},
        {
            "intermediate_size": "expand * hidden_size (intermediate_size is missing)",
            "layer_types": "every layer is recurrent (built into the model type)",
        },
    ),
    ("mamba", {}, {"intermediate_size": "intermediate_size"}),
    ("jamba", {}, {"layer_types": "one layer of each attn_layer_period has attention"}),
    ("bamba", {"attn_layer_indices": [0]}, {"layer_types": "attn_layer_indices"}),
    ("falcon_h1", {"mamba_d_ssm": None}, {"mamba_d_ssm": "mamba_expand * hidden_size (mamba_d_ssm is null)"}),
    ("nemotron_h", {}, {"num_hidden_layers": "the length of the list of layers", "layer_types": "layers_block_type"}),
    (
        "nemotron_h",
        {"layers_block_type": ..., "hybrid_override_pattern": "M*"},
        {"num_hidden_layers": "the length of the list of layers", "layer_types": "hybrid_override_pattern"},
    ),
    ("recurrent_gemma", {}, {"layer_types": "block_types, repeated", "sliding_window": "attention_window_size"}),
    (
        "zamba",
        {"layers_block_type": ...},
        {"layer_types": "layer 2 and one layer of each attn_layer_period from layer 3 on are hybrid"},
    ),
    (
        "zamba",
        {"attention_head_dim": ...},
        {"head_dim": "2 * hidden_size / num_attention_heads (attention_head_dim is not stated)"},
    ),
]
# The same with the options of the import.
EREDU: list[tuple[str, Config, Config, dict[str, str | None]]] = [
    (
        "llama",
        {"num_key_value_heads": 0},
        {},
        {
            "num_key_value_heads": "num_key_value_heads; num_attention_heads (num_key_value_heads is not stated)",
            "head_dim": "hidden_size / num_attention_heads (head_dim is not stated)",
            "source": "configuration, read as eredu keeps its cache",
        },
    ),
    (
        "llama",
        {},
        {},
        {
            "num_key_value_heads": "num_key_value_heads",
            "head_dim": "hidden_size / num_attention_heads (head_dim is not stated)",
            "pipeline stage": None,
            "prediction layers": None,
            "tensor parallel": None,
        },
    ),
    (
        "llama",
        {},
        {"layers": (0, 1), "tensor_parallel": 2, "rank": 1},
        {"pipeline stage": "layers 0 to 0 of 2", "tensor parallel": "rank 1 of 2, dense weights"},
    ),
    ("llama", {"num_hidden_layers": 5}, {"layers": (1, 4)}, {"pipeline stage": "layers 1 to 3 of 5"}),
    (
        "qwen3_vl",
        {},
        {},
        {
            "position_delta": "layer 0 (built into the family)",
            "wrapper_model_type": "qwen3_vl",
            "head_dim": "text_config.head_dim",
        },
    ),
    ("gpt_oss", {"sliding_window": ...}, {}, {"sliding_window": "128 (default of eredu)", "head_dim": "head_dim"}),
    ("gemma4_text", {}, {}, {"prefix_embedding": "layer 0, hidden_size wide (built into the family)"}),
    (
        "deepseek_v4",
        {},
        {},
        {
            "compress_ratios": "0 for the first and last layer, else 4 if odd and 128 if even (built in)",
            "prediction layers": "the last 1, one token behind",
        },
    ),
    (
        "deepseek_v4",
        {"dspark_a": 1, "dspark_b": 1, "dspark_c": 1},
        {},
        {"prediction layers": "the last 1, one token behind"},
    ),
    (
        "deepseek_v4",
        {"dspark_a": 1, "dspark_b": 1, "dspark_c": 1, "dspark_d": 1},
        {},
        {"prediction layers": "the last 1, not behind"},
    ),
    ("deepseek_v4", {"num_nextn_predict_layers": 0}, {}, {"prediction layers": None}),
    (
        "deepseek_v4",
        {
            "layer_types": ["sliding_attention"] * 4,
            "compress_rates": {},
        },
        {},
        {"compress_ratios": "layer_types and compress_rates (compress_ratios is not stated)"},
    ),
    ("deepseek_v4", {"compress_ratios": [0] * 5}, {}, {"compress_ratios": "compress_ratios"}),
    (
        "qwen3_next",
        {},
        {},
        {"prediction layers": "the last 1, one token behind", "full_attention_interval": "4 (default of eredu)"},
    ),
    ("nemotron_h", {}, {}, {"layers": "hybrid_override_pattern"}),
    ("kimi_linear", {}, {}, {"num_heads": "linear_attn_config.num_heads", "kv_lora_rank": "kv_lora_rank"}),
]


@pytest.mark.parametrize(("name", "changes", "expected"), TRANSFORMERS)
def test_sources_of_transformers(name: str, changes: Config, expected: dict[str, str | None]) -> None:
    config = changed(CONFIGS[name] if name in CONFIGS else recorded(name), changes)
    annotations = imported(config).annotations or {}
    assert {value: annotations.get(value) for value in expected} == expected


@pytest.mark.parametrize(("name", "changes", "options", "expected"), EREDU)
def test_sources_of_eredu(name: str, changes: Config, options: Config, expected: dict[str, str | None]) -> None:
    config = changed(OF_EREDU[name], changes)
    if name in test_eredu_attention.NESTED:
        config = {"model_type": name, "text_config": config}
    annotations = imported(config, runtime="eredu", **options).annotations or {}
    assert {value: annotations.get(value) for value in expected} == expected
