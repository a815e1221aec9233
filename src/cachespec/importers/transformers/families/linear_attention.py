"""Hybrids whose other layers keep a matrix of linear attention or a linear recurrent unit, most with the history of a
convolution.

The library keeps convolution histories as wide as the kernel, but for recurrent_gemma. Recurrent states are float32
whatever the model's dtype, except where a family says otherwise.
"""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.attention_layers import grouped_query_layer, head_width, latent_layer
from cachespec.importers.transformers.layer_kinds import (
    FULL,
    LINEAR,
    LISTED_AS_BLOCKS,
    SLIDING,
    Kinds,
    built_in,
    full_if_last,
    last_of_each_stated,
    repeated,
)
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.layouts.wire import FLOATING, Policy, convolution, fixed_state, recurrent


def gated_delta_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """One convolution over queries, keys and values, and a key x value matrix for each value head."""
    if kind != LINEAR:
        return grouped_query_layer(config, kind, model)
    key_heads, value_heads = config.integer("linear_num_key_heads"), config.integer("linear_num_value_heads")
    key_width, value_width = config.integer("linear_key_head_dim"), config.integer("linear_value_head_dim")
    kernel = config.integer("linear_conv_kernel_dim")
    if value_heads % key_heads:
        raise config.invalid("linear_num_value_heads", f"is not a multiple of linear_num_key_heads ({key_heads})")
    channels = 2 * key_heads * key_width + value_heads * value_width
    return fixed_state([convolution(0, channels, kernel), recurrent(value_heads, key_width, value_width)])


def kimi_delta_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """kimi_linear: sizes may stand in `linear_attn_config`, which comes before the flat fields."""
    if kind != LINEAR:
        return latent_layer(config, kind, model)
    nested = config.child("linear_attn_config") if config.states("linear_attn_config") else None

    def size(inside: str, flat: str) -> int:
        if nested is not None and not nested.is_missing(inside):
            return nested.integer(inside)
        return config.integer(flat)

    heads, width = size("num_heads", "linear_num_heads"), size("head_dim", "linear_head_dim")
    return _delta_state(heads, width, size("short_conv_kernel_size", "linear_conv_kernel_dim"))


def bailing_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """bailing_hybrid: re-serialised, the sizes have other names and `head_dim` is the rotary width."""
    if kind != LINEAR:
        return latent_layer(config, kind, model)
    heads = config.integer("linear_num_heads" if config.states("linear_num_heads") else "num_attention_heads")
    width = config.integer("linear_head_dim" if config.states("linear_head_dim") else "head_dim")
    own_kernel = config.states("linear_conv_kernel_dim")
    kernel = config.integer("linear_conv_kernel_dim" if own_kernel else "short_conv_kernel_size")
    return _delta_state(heads, width, kernel)


def lightning_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """minimax: a square matrix for each query head, in the model's own dtype."""
    if kind != LINEAR:
        return grouped_query_layer(config, kind, model)
    width = head_width(config, model)
    return fixed_state([recurrent(config.integer("num_attention_heads"), width, width, dtype=FLOATING)])


def recurrent_gemma_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """recurrent_gemma: a linear recurrent unit; its convolution is one narrower than the kernel."""
    if kind != LINEAR:
        return grouped_query_layer(config, kind, model)
    width = config.integer("lru_width" if config.states("lru_width") else "hidden_size")
    kernel = config.integer("conv1d_width")
    if kernel == 1:
        raise config.inexpressible("conv1d_width", "is 1, which leaves a convolution history without elements")
    return fixed_state([convolution(0, width, kernel - 1), recurrent(width)])


def kimi_kinds(config: Configuration, count: int) -> Kinds:
    """kimi_linear: two lists of layers, counted from 1, that must name every layer once."""
    nested = config.child("linear_attn_config") if config.states("linear_attn_config") else None
    if nested is None or nested.is_missing("full_attn_layers") or nested.is_missing("kda_layers"):
        config.record("layer_types", "every 4th layer from 4 on is full (built into the model type)")
        return [FULL if layer and layer % 4 == 0 else LINEAR for layer in range(count)]
    full, linear = nested.integers("full_attn_layers"), nested.integers("kda_layers")
    if sorted(full + linear) != list(range(1, count + 1)):
        raise nested.invalid("full_attn_layers", f"and kda_layers must name every layer from 1 to {count} exactly once")
    config.record("layer_types", "linear_attn_config.full_attn_layers and kda_layers, counted from 1")
    return [FULL if layer + 1 in set(full) else LINEAR for layer in range(count)]


def recurrent_gemma_kinds(config: Configuration, count: int) -> Kinds:
    """recurrent_gemma: `block_types`, repeated at most a hundred times."""
    group = config.texts("block_types")
    for kind in group:
        if kind not in ("recurrent", "attention"):
            raise config.invalid("block_types", "may hold recurrent and attention only")
    if not count <= 100 * len(group):
        raise config.invalid("block_types", f"repeated a hundred times gives fewer than {count} layers")
    config.record("layer_types", "block_types, repeated")
    return [LINEAR if group[layer % len(group)] == "recurrent" else SLIDING for layer in range(count)]


olmo_hybrid = built_in(
    "the last of every 4 layers is full; of fewer than 4, the last",
    lambda layer, count: FULL if layer == count - 1 < 3 else full_if_last(layer, 4, LINEAR),
)


def _delta_state(heads: int, width: int, kernel: int) -> Policy:
    """One convolution over queries, keys and values, and a square matrix for each head."""
    return fixed_state([convolution(0, 3 * heads * width, kernel), recurrent(heads, width, width)])


_ATTENTION = (
    "num_key_value_heads",
    "num_attention_heads",
    "head_dim",
    "hidden_size",
    "layer_types",
    "sliding_window",
)
_LATENT = ("kv_lora_rank", "qk_rope_head_dim", "layer_types")

GATED_DELTA = Family(
    "gated delta rule and keys and values",
    gated_delta_layer,
    (
        *("linear_num_key_heads", "linear_key_head_dim", "linear_num_value_heads", "linear_value_head_dim"),
        *("linear_conv_kernel_dim", "full_attention_interval", *_ATTENTION),
    ),
)
KIMI_DELTA = Family(
    "Kimi delta attention and latent attention",
    kimi_delta_layer,
    ("linear_attn_config", "linear_num_heads", "linear_head_dim", "linear_conv_kernel_dim", *_LATENT),
)
BAILING = Family(
    "Kimi delta attention and latent attention",
    bailing_layer,
    ("num_attention_heads", "head_dim", "short_conv_kernel_size", "layer_group_size", *_LATENT),
)
LIGHTNING = Family("lightning attention and keys and values", lightning_layer, _ATTENTION)
RECURRENT_GEMMA = Family(
    "linear recurrent unit and keys and values",
    recurrent_gemma_layer,
    ("lru_width", "conv1d_width", "block_types", "attention_window_size", *_ATTENTION),
)


_DELTA = ModelType(family=GATED_DELTA, pattern=last_of_each_stated("full_attention_interval", LINEAR))

TYPES: dict[str, ModelType] = {
    "bailing_hybrid": ModelType(family=BAILING, pattern=last_of_each_stated("layer_group_size", LINEAR)),
    "kimi_linear": ModelType(family=KIMI_DELTA, pattern=kimi_kinds),
    "lara_mini": ModelType(family=GATED_DELTA, pattern=repeated(LINEAR, SLIDING, LINEAR, FULL, SLIDING)),
    "minimax": ModelType(family=LIGHTNING, width=Derived.IF_ABSENT, pattern=repeated(FULL, LINEAR)),
    "olmo_hybrid": ModelType(
        family=GATED_DELTA, heads=Derived.IF_ABSENT, width=Derived.IF_MISSING, pattern=olmo_hybrid
    ),
    "qwen3_5_moe_text": _DELTA,
    "qwen3_5_text": _DELTA,
    "qwen3_next": _DELTA,
    "recurrent_gemma": ModelType(
        family=RECURRENT_GEMMA,
        heads=Derived.IF_ABSENT,
        width=Derived.ALWAYS,
        pattern=recurrent_gemma_kinds,
        kinds_are_read=False,
        names={**LISTED_AS_BLOCKS, "sliding_window": ("attention_window_size",)},
    ),
}
