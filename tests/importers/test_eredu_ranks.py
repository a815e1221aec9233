"""What one tensor-parallel rank and one pipeline stage keep under eredu, and which splits there are not."""

from __future__ import annotations

from typing import Any

import pytest

import cachespec
from tests.importers.cases import SMALL, Config, changed, imported, of_eredu, outcome

LLAMA: Config = {"model_type": "llama", **SMALL}
QWEN = of_eredu("qwen hybrid (published")
THREE_KEY_HEADS: Config = {"linear_num_key_heads": 3, "linear_num_value_heads": 6}
SIX_HEADS: Config = {"num_attention_heads": 6, "num_key_value_heads": 3}
KIMI = of_eredu("kimi_linear")
LATENT = "3: latent 16+8"
INKLING = {**of_eredu("inkling")["text_config"], "model_type": "inkling_text"}
GEMMA4 = {**of_eredu("gemma4")["text_config"], "model_type": "gemma4_text"}

# A configuration, fields in place of its own, the number of ranks and the one of them, and what it keeps.
RANKS: list[tuple[Config, Config, int, int, str]] = [
    (LLAMA, {}, 2, 0, "0-2: kv 2x16"),
    (LLAMA, {}, 2, 1, "0-2: kv 1x16"),
    (LLAMA, {}, 3, 2, "0-2: kv 1x16"),
    (LLAMA, {}, 4, 0, "invalid-config-value /num_key_value_heads"),
    (LLAMA, {"num_attention_heads": 10, "num_key_value_heads": 5}, 3, 0, "0-2: kv 2x16"),
    (LLAMA, {"num_attention_heads": 10, "num_key_value_heads": 5}, 3, 1, "0-2: kv 2x16"),
    (LLAMA, {"num_attention_heads": 10, "num_key_value_heads": 5}, 3, 2, "0-2: kv 1x16"),
    (LLAMA, {"num_attention_heads": 7}, 1, 0, "0-2: kv 3x16"),
    (LLAMA, {"num_attention_heads": 7}, 2, 0, "invalid-config-value /num_key_value_heads"),
    (LLAMA, {"num_attention_heads": ...}, 1, 0, "0-2: kv 3x16"),
    (LLAMA, {"num_attention_heads": ...}, 2, 0, "missing-config-field /num_attention_heads"),
    (LLAMA, {"quantization_config": {"bits": 4}}, 1, 0, "0-2: kv 3x16"),
    (LLAMA, {"quantization_config": {"bits": 4}}, 2, 0, "not-expressible /quantization_config"),
    (LLAMA, {"quantization_config": None}, 2, 0, "0-2: kv 2x16"),
    (QWEN, {}, 2, 1, "0-2: conv.0 3x32 + recurrent 2x8x8; 3-4: kv 1x8"),
    (QWEN, {}, 3, 0, "invalid-config-value /num_key_value_heads"),
    (QWEN, SIX_HEADS, 3, 0, "invalid-config-value /linear_num_key_heads"),
    (QWEN, THREE_KEY_HEADS, 2, 0, "0-2: conv.0 3x64 + recurrent 4x8x8; 3-4: kv 1x8"),
    (QWEN, THREE_KEY_HEADS, 2, 1, "0-2: conv.0 3x32 + recurrent 2x8x8; 3-4: kv 1x8"),
    (KIMI, {}, 3, 0, f"0-2: conv.0 3x16 + conv.1 3x16 + conv.2 3x16 + recurrent 2x8x8; {LATENT}"),
    (KIMI, {}, 3, 2, f"0-2: conv.0 3x8 + conv.1 3x8 + conv.2 3x8 + recurrent 1x8x8; {LATENT}"),
    (KIMI, {}, 5, 0, "invalid-config-value /linear_attn_config"),
    (KIMI, {"quantization_config": {}}, 2, 0, "not-expressible /quantization_config"),
    (of_eredu("lfm2"), {}, 2, 1, "0,2: conv.0 2x16; 1: kv 1x8"),
    (of_eredu("lfm2"), {}, 3, 0, "not-expressible /hidden_size"),
    (of_eredu("lfm2"), {"quantization_config": {}}, 2, 0, "not-expressible /quantization_config"),
    (of_eredu("nemotron_h"), {}, 2, 1, "0,2: conv.0 3x48 + recurrent 2x8x16; 1,4: none; 3: kv 1x8"),
    (of_eredu("nemotron_h"), {"mamba_num_heads": 3}, 2, 0, "not-expressible /mamba_num_heads"),
    (of_eredu("nemotron_h"), {"n_groups": 3}, 2, 0, "not-expressible /n_groups"),
    (INKLING, {}, 2, 0, "invalid-config-value /num_key_value_heads"),
    (
        INKLING,
        {"num_key_value_heads": 2, "swa_num_key_value_heads": 1},
        2,
        0,
        "invalid-config-value /swa_num_key_value_heads",
    ),
    (
        INKLING,
        {"num_key_value_heads": 2, "local_layer_ids": []},
        2,
        1,
        "0-1: kv 1x8 + conv.0 3x8 + conv.1 3x8 + conv.2 3x16 + conv.3 3x16",
    ),
    (
        GEMMA4,
        {"num_global_key_value_heads": ...},
        2,
        1,
        "0: kv 1x8 in 4 + prefix_embedding prefix_tokensx32 if optional; 1: kv 1x8 in 4; 2: kv 1x16; 3-4: none",
    ),
    (GEMMA4, {}, 2, 0, "invalid-config-value /num_key_value_heads"),
    (of_eredu("qwen3_vl"), {}, 2, 0, "0: kv 1x16 + position_delta scalar; 1: kv 1x16"),
    (of_eredu("deepseek_v3"), {"quantization_config": {}}, 8, 7, "0-1: latent 512+64"),
]


@pytest.mark.parametrize(("config", "changes", "ranks", "rank", "expected"), RANKS)
def test_outcome_of_a_rank(config: Config, changes: Config, ranks: int, rank: int, expected: str) -> None:
    assert outcome(changed(config, changes), runtime="eredu", tensor_parallel=ranks, rank=rank) == expected


OUT_OF_RANGE: list[tuple[Config, bool]] = [
    ({"tensor_parallel": 0}, False),
    ({"tensor_parallel": 1, "rank": 0}, True),
    ({"tensor_parallel": 1, "rank": 1}, False),
    ({"tensor_parallel": 2, "rank": 1}, True),
    ({"tensor_parallel": 2, "rank": 2}, False),
    ({"tensor_parallel": 2, "rank": -1}, False),
    ({"layers": (0, 3)}, True),
    ({"layers": (0, 4)}, False),
    ({"layers": (-1, 3)}, False),
    ({"layers": (2, 3)}, True),
    ({"layers": (2, 2)}, False),
    ({"layers": (3, 3)}, False),
    ({"layers": (2, 1)}, False),
]


@pytest.mark.parametrize(("options", "exists"), OUT_OF_RANGE)
def test_ranks_and_stages_that_there_are(options: Any, exists: bool) -> None:
    if exists:
        assert imported(LLAMA, runtime="eredu", **options).layer_count == 3
        return
    with pytest.raises(ValueError, match=r"rank|stage") as caught:
        imported(LLAMA, runtime="eredu", **options)
    assert not isinstance(caught.value, cachespec.CachePolicyError)


@pytest.mark.parametrize("options", [{"tensor_parallel": 2}, {"rank": 1}, {"layers": (0, 1)}])
def test_transformers_has_no_ranks_and_no_stages(options: Any) -> None:
    with pytest.raises(ValueError, match="for the runtime eredu only"):
        imported(LLAMA, **options)


def test_other_runtimes_are_not_known() -> None:
    with pytest.raises(ValueError, match="unknown runtime 'vllm'"):
        imported(LLAMA, runtime="vllm")


def test_a_layout_says_which_rank_and_which_stage_it_is() -> None:
    whole = imported(LLAMA, runtime="eredu")
    assert (whole.rank, whole.global_layer_start, whole.layer_count) == (None, None, 3)
    part = imported(LLAMA, runtime="eredu", tensor_parallel=2, rank=1, layers=(1, 3))
    assert part.rank is not None
    assert (part.rank.stage_rank, part.rank.shard_rank, part.rank.addressable_rank) == (None, 1, None)
    assert (part.global_layer_start, part.layer_count, len(part.layers)) == (1, 3, 2)


# Offsets of the whole model or of a stage; prediction layers are one token behind.
OFFSETS: list[tuple[str, Config, tuple[int, int] | None, tuple[int, ...] | None]] = [
    ("qwen hybrid (published", {}, None, (0, 0, 0, 0, -1)),
    ("qwen hybrid (published", {"mtp_num_hidden_layers": 2}, None, (0, 0, 0, 0, -1, -1)),
    ("qwen hybrid (published", {"mtp_num_hidden_layers": 0}, None, None),
    ("qwen hybrid (published", {}, (0, 4), None),
    ("qwen hybrid (published", {}, (3, 5), (0, -1)),
    ("deepseek_v4", {}, None, (0, 0, 0, 0, -1)),
    ("deepseek_v4", {"dspark_a": 1, "dspark_b": 1, "dspark_c": 1}, None, (0, 0, 0, 0, -1)),
    ("deepseek_v4", {"dspark_a": 1, "dspark_b": 1, "dspark_c": 1, "dspark_d": 1}, None, None),
    ("llama", {}, None, None),
]


@pytest.mark.parametrize(("name", "changes", "stage", "expected"), OFFSETS)
def test_offsets(name: str, changes: Config, stage: Any, expected: Any) -> None:
    layout = imported(changed(of_eredu(name), changes), runtime="eredu", layers=stage)
    assert layout.layer_prefix_offsets == expected


@pytest.mark.parametrize(
    ("name", "changes", "model_type"),
    [
        ("gemma4", {}, "gemma4"),
        ("qwen3_vl", {"text_config": {**of_eredu("qwen3_vl")["text_config"], "model_type": "text"}}, "text"),
        ("qwen3_vl", {"text_config": {**of_eredu("qwen3_vl")["text_config"], "model_type": 7}}, "qwen3_vl"),
        ("llama", {}, "llama"),
    ],
)
def test_a_layout_names_the_model_inside(name: str, changes: Config, model_type: str) -> None:
    layout = imported(changed(of_eredu(name), changes), runtime="eredu")
    assert (layout.model_type, layout.runtime) == (model_type, "eredu")


def test_what_the_format_has_no_room_for_is_refused() -> None:
    large = {"linear_attn_config": {**KIMI["linear_attn_config"], "head_dim": 2147483647}}
    with pytest.raises(cachespec.CachePolicyError):
        imported(changed(KIMI, large), runtime="eredu")
