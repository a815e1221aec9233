"""Hybrids whose other layers keep a matrix of linear attention or a linear recurrent unit, most with the history of a
convolution.

The library keeps convolution histories as wide as the kernel, but for recurrent_gemma. Recurrent states are float32
whatever the model's dtype, except where a family says otherwise.
"""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind, full_by_number
from cachespec.importers.transformers.attention_layers import grouped_query_layer, head_width, latent_layer
from cachespec.importers.transformers.layer_kinds import (
    LISTED_AS_BLOCKS,
    Kinds,
    built_in,
    full_if_last,
    last_of_each_stated,
    repeated,
)
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.layouts.wire import FLOATING, Policy, convolution, fixed_state, recurrent


def gated_delta_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """One convolution over queries, keys and values, and a key x value matrix for each value head."""
    if kind != LayerKind.LINEAR:
        return grouped_query_layer(config, kind, rules)
    key_heads, value_heads = config.integer("linear_num_key_heads"), config.integer("linear_num_value_heads")
    key_width, value_width = config.integer("linear_key_head_dim"), config.integer("linear_value_head_dim")
    kernel = config.integer("linear_conv_kernel_dim")
    if value_heads % key_heads:
        raise config.invalid("linear_num_value_heads", f"is not a multiple of linear_num_key_heads ({key_heads})")
    channels = 2 * key_heads * key_width + value_heads * value_width
    return fixed_state([convolution(0, channels, kernel), recurrent(value_heads, key_width, value_width)])


def kimi_delta_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """kimi_linear: sizes may stand in `linear_attn_config`, which comes before the flat fields."""
    if kind != LayerKind.LINEAR:
        return latent_layer(config, kind, rules)
    part = "linear_attn_config"
    heads = config.integer_inside(part, "num_heads", "linear_num_heads")
    width = config.integer_inside(part, "head_dim", "linear_head_dim")
    kernel = config.integer_inside(part, "short_conv_kernel_size", "linear_conv_kernel_dim")
    return _delta_state(heads, width, kernel)


def bailing_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """bailing_hybrid: re-serialised, the sizes have other names and `head_dim` is the rotary width."""
    if kind != LayerKind.LINEAR:
        return latent_layer(config, kind, rules)
    heads = config.integer(config.either("linear_num_heads", "num_attention_heads"))
    width = config.integer(config.either("linear_head_dim", "head_dim"))
    kernel = config.integer(config.either("linear_conv_kernel_dim", "short_conv_kernel_size"))
    return _delta_state(heads, width, kernel)


def lightning_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """minimax: a square matrix for each query head, in the model's own dtype."""
    if kind != LayerKind.LINEAR:
        return grouped_query_layer(config, kind, rules)
    width = head_width(config, rules)
    return fixed_state([recurrent(config.integer("num_attention_heads"), width, width, dtype=FLOATING)])


def recurrent_gemma_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """recurrent_gemma: a linear recurrent unit; its convolution is one narrower than the kernel."""
    if kind != LayerKind.LINEAR:
        return grouped_query_layer(config, kind, rules)
    width = config.integer(config.either("lru_width", "hidden_size"))
    kernel = config.integer("conv1d_width")
    if kernel == 1:
        raise config.inexpressible("conv1d_width", "is 1, which leaves a convolution history without elements")
    return fixed_state([convolution(0, width, kernel - 1), recurrent(width)])


def kimi_kinds(config: Configuration, count: int) -> Kinds:
    """kimi_linear: two lists of layers, counted from 1, that must name every layer once."""
    lists = config.child_if_stated("linear_attn_config")
    if lists is None or lists.is_missing("full_attn_layers") or lists.is_missing("kda_layers"):
        config.record("layer_types", "every 4th layer from 4 on is full (built into the model type)")
        return [LayerKind.FULL if layer and layer % 4 == 0 else LayerKind.LINEAR for layer in range(count)]
    is_full = full_by_number(lists, count)
    if is_full is None:
        raise lists.invalid("full_attn_layers", f"and kda_layers must name every layer from 1 to {count} exactly once")
    config.record("layer_types", "linear_attn_config.full_attn_layers and kda_layers, counted from 1")
    return [LayerKind.FULL if full else LayerKind.LINEAR for full in is_full]


def recurrent_gemma_kinds(config: Configuration, count: int) -> Kinds:
    """recurrent_gemma: `block_types`, repeated at most a hundred times."""
    group = config.texts("block_types")
    for word in group:
        if word not in ("recurrent", "attention"):
            raise config.invalid("block_types", "may hold recurrent and attention only")
    if not count <= 100 * len(group):
        raise config.invalid("block_types", f"repeated a hundred times gives fewer than {count} layers")
    config.record("layer_types", "block_types, repeated")
    return [
        LayerKind.LINEAR if group[layer % len(group)] == "recurrent" else LayerKind.SLIDING for layer in range(count)
    ]


olmo_hybrid = built_in(
    "the last of every 4 layers is full; of fewer than 4, the last",
    lambda layer, count: LayerKind.FULL if layer == count - 1 < 3 else full_if_last(layer, 4, LayerKind.LINEAR),
)


def _delta_state(heads: int, width: int, kernel: int) -> Policy:
    """One convolution over queries, keys and values, and a square matrix for each head."""
    return fixed_state([convolution(0, 3 * heads * width, kernel), recurrent(heads, width, width)])


GATED_DELTA = Family("gated delta rule and keys and values", gated_delta_layer)
KIMI_DELTA = Family("Kimi delta attention and latent attention", kimi_delta_layer)
BAILING = Family("Kimi delta attention and latent attention", bailing_layer)
LIGHTNING = Family("lightning attention and keys and values", lightning_layer)
RECURRENT_GEMMA = Family("linear recurrent unit and keys and values", recurrent_gemma_layer)

_DELTA = ModelType(family=GATED_DELTA, pattern=last_of_each_stated("full_attention_interval", LayerKind.LINEAR))

TYPES: dict[str, ModelType] = {
    "bailing_hybrid": ModelType(family=BAILING, pattern=last_of_each_stated("layer_group_size", LayerKind.LINEAR)),
    "kimi_linear": ModelType(family=KIMI_DELTA, pattern=kimi_kinds),
    "lara_mini": ModelType(
        family=GATED_DELTA,
        pattern=repeated(LayerKind.LINEAR, LayerKind.SLIDING, LayerKind.LINEAR, LayerKind.FULL, LayerKind.SLIDING),
    ),
    "minimax": ModelType(family=LIGHTNING, width=Derived.IF_ABSENT, pattern=repeated(LayerKind.FULL, LayerKind.LINEAR)),
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
