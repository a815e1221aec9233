"""What refusals and warnings of the importers say, where the words depend on the configuration."""

from __future__ import annotations

from typing import Any

import pytest

import cachespec
from cachespec.importers.runtimes import read_config
from tests.importers.cases import SMALL, Config, changed, imported, of_eredu, published, recorded

LLAMA: Config = {"model_type": "llama", **SMALL}
SLIDING, FULL = "sliding_attention", "full_attention"
INSTALL = "state it, or install cachespec[transformers], which fills in the defaults of the library"

# A configuration, fields in place of its own, the message, and the hint.
TRANSFORMERS: list[tuple[Config, Config, str, str | None]] = [
    (LLAMA, {"head_dim": 0}, "layer 0: head_dim is 0, but must be from 1 to 2147483647", None),
    (LLAMA, {"head_dim": 10**20 - 1}, f"layer 0: head_dim is {'9' * 20}, but must be from 1 to 2147483647", None),
    (
        LLAMA,
        {"head_dim": 10**20},
        "layer 0: head_dim is a number of more than 20 digits, but must be from 1 to 2147483647",
        None,
    ),
    (
        LLAMA,
        {"head_dim": -(10**20)},
        "layer 0: head_dim is a number of more than 20 digits, but must be from 1 to 2147483647",
        None,
    ),
    (LLAMA, {"num_hidden_layers": ...}, "num_hidden_layers is missing", INSTALL),
    (LLAMA, {"num_hidden_layers": None}, "num_hidden_layers is null, but a value is needed", INSTALL),
    (recorded("lfm2_moe"), {"layer_types": ...}, "layer_types is missing", INSTALL),
    (recorded("lfm2_moe"), {"layer_types": None}, "layer_types is null, but a value is needed", INSTALL),
    (
        LLAMA,
        {"hidden_size": 73, "head_dim": None},
        "layer 0: hidden_size (73) is not a multiple of num_attention_heads (6)",
        "state the size of a head itself",
    ),
    (LLAMA, {"layer_types": [FULL, "x", FULL]}, "layer_types entry 1 is an unknown kind of layer", None),
    (
        LLAMA,
        {"layer_types": [FULL, SLIDING, FULL], "sliding_window": 0},
        "layer 1: sliding_window is 0, but must be from 1 to 2147483647",
        None,
    ),
    (
        LLAMA,
        {"per_layer_config": {"2": {"sliding_window": 0}}},
        "layer 2: per_layer_config.2.sliding_window is 0, but must be from 1 to 2147483647",
        None,
    ),
    (
        LLAMA,
        {"per_layer_config": {"3": {}}},
        "per_layer_config.3 must name one layer, 0 to 2, once",
        None,
    ),
    (
        LLAMA,
        {"model_type": "lama"},
        "nothing is known about the cache of model type 'lama'",
        "did you mean llama? a type is never guessed from the look of its fields",
    ),
    (
        LLAMA,
        {"model_type": "x" * 101},
        f"nothing is known about the cache of model type '{'x' * 100}'",
        "a type is never guessed from the look of its fields",
    ),
    (recorded("gpt2"), {"hidden_size": 60}, "layer 0: n_embd and hidden_size name the same value, but differ", None),
    (
        recorded("lfm2"),
        {"layer_types": ..., "full_attn_idxs": [5]},
        "full_attn_idxs names a layer outside 0 to 4",
        None,
    ),
    (
        recorded("mamba"),
        {"intermediate_size": ..., "expand": 2147483647},
        "the configuration gives layer 0 an extent above 2147483647",
        None,
    ),
    (
        {"model_type": "qwen2_5_omni"},
        {"thinker_config": {"model_type": "qwen2_5_omni_thinker", "text_config": LLAMA}},
        "thinker_config.text_config.model_type must be qwen2_5_omni_text inside qwen2_5_omni_thinker",
        None,
    ),
    (
        {"model_type": "paligemma"},
        {"text_config": LLAMA},
        "text_config.model_type must be gemma or gemma2 inside paligemma",
        None,
    ),
    (
        recorded("gemma3n_text"),
        {"num_kv_shared_layers": 6},
        "num_kv_shared_layers leaves layer 4 (full_attention) without an earlier layer of its kind",
        None,
    ),
    (
        recorded("gemma3n_text"),
        {"num_kv_shared_layers": 10},
        "num_kv_shared_layers is 10, which leaves no layer of 10 with a cache",
        None,
    ),
    (
        recorded("nemotron_h"),
        {"layers_block_type": ..., "hybrid_override_pattern": "M*x"},
        "hybrid_override_pattern has an unknown letter for layer 2",
        None,
    ),
    (
        recorded("longcat_flash"),
        {"num_hidden_layers": 7},
        "num_hidden_layers is not 2 * num_layers (6)",
        "keep num_layers only",
    ),
    (
        recorded("dory"),
        {"n_recurrent_layers": 6},
        "n_recurrent_layers must be 2 beside the input and output layers",
        None,
    ),
]


@pytest.mark.parametrize(("config", "changes", "message", "hint"), TRANSFORMERS)
def test_refusals_of_transformers(config: Config, changes: Config, message: str, hint: str | None) -> None:
    with pytest.raises(cachespec.CachePolicyError) as caught:
        imported(changed(config, changes))
    (finding,) = caught.value.findings
    assert finding.message == message
    assert hint in (None, finding.hint)


EREDU: list[tuple[Config, Config, str]] = [
    (
        of_eredu("muse_glimmer"),
        {"text_config": {**of_eredu("muse_glimmer")["text_config"], "layer_rope_theta": [1, 1, 0, 0]}},
        "text_config.layer_rope_theta and layer_types disagree about layer 2",
    ),
    (
        of_eredu("muse_glimmer"),
        {"text_config": {**of_eredu("muse_glimmer")["text_config"], "layer_rope_theta": None}},
        "text_config.layer_rope_theta is null, but a value is needed",
    ),
    (
        of_eredu("gemma4"),
        {"text_config": {**of_eredu("gemma4")["text_config"], "per_layer_config": {"5": {}}}},
        "text_config.per_layer_config.5 must name a layer, 0 to 4",
    ),
    (LLAMA, {"model_type": "lama"}, "nothing is known about what eredu keeps for model type 'lama'"),
    (LLAMA, {"layer_types": [FULL, SLIDING, "x"]}, f"layer_types entry 2 must be {SLIDING} or {FULL}"),
]


@pytest.mark.parametrize(("config", "changes", "message"), EREDU)
def test_refusals_of_eredu(config: Config, changes: Config, message: str) -> None:
    with pytest.raises(cachespec.CachePolicyError) as caught:
        imported(changed(config, changes), runtime="eredu")
    assert [finding.message for finding in caught.value.findings] == [message]


def test_the_hint_of_eredu_names_no_other_library() -> None:
    with pytest.raises(cachespec.CachePolicyError) as caught:
        imported(changed(LLAMA, {"num_hidden_layers": ...}), runtime="eredu")
    assert caught.value.findings[0].hint == "state it: no default of another library is used for this runtime"


@pytest.mark.parametrize("config", [[], 5, None])
def test_a_configuration_is_an_object(config: Any) -> None:
    with pytest.raises(cachespec.CachePolicyError) as caught:
        imported(config)
    assert [(finding.code, finding.path) for finding in caught.value.findings] == [("invalid-config-value", "")]


# A configuration, fields in place of its own, and the warnings.
WARNINGS: list[tuple[Config, Config, list[tuple[str, str]]]] = [
    (LLAMA, {}, []),
    (LLAMA, {"sliding_window": 5}, []),
    (LLAMA, {"sliding_window": 5, "layer_types": [FULL, FULL, SLIDING]}, []),
    (LLAMA, {"sliding_window": 5, "layer_types": [FULL] * 3}, [("unused-window", "/sliding_window")]),
    (LLAMA, {"sliding_window": None, "layer_types": [FULL] * 3}, []),
    (LLAMA, {"sliding_window": 5, "layer_types": [FULL] * 3, "use_sliding_window": False}, []),
    (
        LLAMA,
        {"sliding_window": 5, "layer_types": [FULL] * 3, "use_sliding_window": True},
        [("unused-window", "/sliding_window")],
    ),
    (recorded("recurrent_gemma"), {"block_types": ["recurrent"]}, [("unused-window", "/attention_window_size")]),
    (
        recorded("nemotron_h"),
        {"layers_block_type": ["mlp"], "sliding_window": 5},
        [("unused-window", "/sliding_window")],
    ),
    (LLAMA, {"attention_chunk_size": 5}, [("chunked-attention", "/attention_chunk_size")]),
    (
        LLAMA,
        {"attention_chunk_size": 5, "layer_types": [FULL, FULL, "chunked_attention"]},
        [("chunked-attention", "/attention_chunk_size")],
    ),
    (published("llama4_text"), {}, [("chunked-attention", "/attention_chunk_size")]),
]


@pytest.mark.parametrize(("config", "changes", "expected"), WARNINGS)
def test_warnings(config: Config, changes: Config, expected: list[tuple[str, str]]) -> None:
    _, warnings = read_config(changed(config, changes))
    assert [(warning.code, warning.path) for warning in warnings] == expected
    assert {warning.level for warning in warnings} <= {"warning"}
