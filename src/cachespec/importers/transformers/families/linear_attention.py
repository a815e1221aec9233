"""Hybrids whose other layers keep a convolution history, a matrix of linear attention, or both.

The library keeps convolution histories as wide as the kernel. Recurrent states are float32 whatever the
model's dtype, except where a family says otherwise.
"""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.families.attention import grouped_query_layer, head_width
from cachespec.importers.transformers.families.latent import latent_layer
from cachespec.importers.transformers.layer_kinds import CONVOLUTION, FULL, LINEAR, Kinds
from cachespec.importers.transformers.model_type import Family, ModelType
from cachespec.importers.wire import FLOATING, Policy, convolution, fixed_state, recurrent


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


def short_convolution_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """lfm: the other layers keep the history of one convolution over the hidden state."""
    if kind != CONVOLUTION:
        return grouped_query_layer(config, kind, model)
    return fixed_state([convolution(0, config.integer("hidden_size"), config.integer("conv_L_cache"))])


def lightning_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """minimax: a square matrix for each query head, in the model's own dtype."""
    if kind != LINEAR:
        return grouped_query_layer(config, kind, model)
    width = head_width(config, model)
    return fixed_state([recurrent(config.integer("num_attention_heads"), width, width, dtype=FLOATING)])


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


def lfm2_kinds(config: Configuration, count: int) -> Kinds:
    """lfm2: `full_attn_idxs` names the full layers; without it, all are full."""
    if not config.states("full_attn_idxs"):
        config.record("layer_types", "every layer is full (full_attn_idxs is not stated)")
        return [FULL] * count
    full = config.layer_numbers("full_attn_idxs", count)
    config.record("layer_types", "full_attn_idxs")
    return [FULL if layer in full else CONVOLUTION for layer in range(count)]


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
SHORT_CONVOLUTION = Family(
    "short convolution and keys and values",
    short_convolution_layer,
    ("conv_L_cache", "full_attn_idxs", *_ATTENTION),
)
LIGHTNING = Family("lightning attention and keys and values", lightning_layer, _ATTENTION)
