"""Models whose layers keep the histories of convolutions, beside keys and values or instead of them."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.attention_layers import (
    attention_of,
    grouped_query_layer,
    key_value_heads,
    unexpected_kind,
)
from cachespec.importers.transformers.layer_kinds import (
    CONVOLUTION,
    FULL,
    HYBRID,
    HYBRID_SLIDING,
    SLIDING,
    Kinds,
    all_hybrid,
    built_in,
    must_be_stated,
    with_passes,
)
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.layouts.wire import FLOAT32, FLOATING, Policy, convolution, fixed_state, key_value, recurrent


def inkling_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """Convolutions over keys, values, attention output and feed-forward output, kept in float32."""
    if kind not in (HYBRID, HYBRID_SLIDING):
        raise unexpected_kind(config, kind)
    slides = kind == HYBRID_SLIDING
    heads = config.integer("swa_num_key_value_heads" if slides else "num_key_value_heads")
    width = config.integer("swa_head_dim" if slides else "head_dim")
    kernel = config.integer("conv_kernel_size")
    channels = (heads * width, heads * width, config.integer("hidden_size"), config.integer("hidden_size"))
    tensors = [convolution(slot, extent, kernel, dtype=FLOAT32) for slot, extent in enumerate(channels)]
    return key_value(attention_of(config, SLIDING if slides else FULL, model), heads, width, tensors)


def zaya_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """zaya: keys and values, the history of two convolutions in one, a state in the model's dtype."""
    if kind not in (HYBRID, HYBRID_SLIDING):
        raise unexpected_kind(config, kind)
    heads, width = key_value_heads(config, model), config.integer("head_dim")
    history = config.integer("cca_time0") + config.integer("cca_time1") - 2
    if history == 0:
        raise config.inexpressible("cca_time0", "and cca_time1 are 1, which leaves a history without elements")
    if heads * width % 2:
        raise config.invalid("head_dim", "* num_key_value_heads must be even")
    channels = (config.integer("num_attention_heads") + heads) * width
    tensors = [convolution(0, channels, history), recurrent(heads * width // 2, dtype=FLOATING)]
    attention = attention_of(config, SLIDING if kind == HYBRID_SLIDING else FULL, model)
    return key_value(attention, heads, width, tensors)


def short_convolution_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """lfm: the other layers keep the history of one convolution over the hidden state."""
    if kind != CONVOLUTION:
        return grouped_query_layer(config, kind, model)
    return fixed_state([convolution(0, config.integer("hidden_size"), config.integer("conv_L_cache"))])


def inkling_kinds(config: Configuration, count: int) -> Kinds:
    """inkling: `local_layer_ids` names the sliding layers; without it, all but every sixth slide."""
    if config.states("local_layer_ids"):
        local = set(config.integers("local_layer_ids"))
        config.record("layer_types", "local_layer_ids")
        return [HYBRID_SLIDING if layer in local else HYBRID for layer in range(count)]
    return inkling2_kinds(config, count)


def inkling2_kinds(config: Configuration, count: int) -> Kinds:
    """inkling2: all but every sixth layer slide."""
    config.record("layer_types", "all but every 6th layer slide (built into the model type)")
    return [HYBRID_SLIDING if (layer + 1) % 6 else HYBRID for layer in range(count)]


def inkling_loop(config: Configuration, kinds: Kinds) -> Kinds:
    """inkling2_loop: some layers are passed several times; further passes follow the last layer."""
    nested = config.child("loop_config") if config.states("loop_config") else None

    def size(inside: str, flat: str, least: int) -> int:
        if nested is not None and not nested.is_missing(inside):
            return nested.integer(inside, least=least)
        return config.integer(flat, least=least)

    start, end = size("core_start", "loop_layer_index_start", 1), size("core_end", "loop_layer_index_end", 1)
    if not start <= end <= len(kinds):
        raise config.invalid("loop_layer_index_end", f"must be from {start} to {len(kinds)}")
    passes = size("num_passes", "loop_num_passes", 1)
    return with_passes(config, "loop_num_passes", kinds, kinds[start:end], passes)


def lfm2_kinds(config: Configuration, count: int) -> Kinds:
    """lfm2: `full_attn_idxs` names the full layers; without it, all are full."""
    if not config.states("full_attn_idxs"):
        config.record("layer_types", "every layer is full (full_attn_idxs is not stated)")
        return [FULL] * count
    full = config.layer_numbers("full_attn_idxs", count)
    config.record("layer_types", "full_attn_idxs")
    return [FULL if layer in full else CONVOLUTION for layer in range(count)]


lfm3 = built_in(
    "of every 4 layers the third is full and the first slides (not layer 0), the others are convolutions",
    lambda layer, count: (SLIDING, CONVOLUTION, FULL, CONVOLUTION)[layer % 4] if layer else CONVOLUTION,
)


_ATTENTION = (
    "num_key_value_heads",
    "num_attention_heads",
    "head_dim",
    "hidden_size",
    "layer_types",
    "sliding_window",
)

INKLING = Family(
    "keys and values with four convolutions",
    inkling_layer,
    (
        *("num_key_value_heads", "head_dim", "swa_num_key_value_heads", "swa_head_dim", "hidden_size"),
        *("conv_kernel_size", "sliding_window_size", "layer_types", "local_layer_ids"),
    ),
)
ZAYA = Family(
    "keys and values with convolution and state",
    zaya_layer,
    ("cca_time0", "cca_time1", "head_dim", "num_key_value_heads", "num_attention_heads", "layer_types"),
)
SHORT_CONVOLUTION = Family(
    "short convolution and keys and values",
    short_convolution_layer,
    ("conv_L_cache", "full_attn_idxs", *_ATTENTION),
)


_INKLING_NAMES = {
    "sliding_window": ("sliding_window_size",),
    "conv_kernel_size": ("conv_kernel_size", "sconv_kernel_size"),
}

TYPES: dict[str, ModelType] = {
    "inkling2_loop_text": ModelType(
        family=INKLING, pattern=inkling2_kinds, cache_layers=inkling_loop, names=_INKLING_NAMES
    ),
    "inkling2_text": ModelType(family=INKLING, pattern=inkling2_kinds, names=_INKLING_NAMES),
    "inkling_text": ModelType(family=INKLING, pattern=inkling_kinds, names=_INKLING_NAMES),
    "lfm2": ModelType(family=SHORT_CONVOLUTION, width=Derived.IF_MISSING, pattern=lfm2_kinds),
    "lfm2_moe": ModelType(family=SHORT_CONVOLUTION, width=Derived.IF_MISSING, pattern=must_be_stated),
    "lfm3": ModelType(family=SHORT_CONVOLUTION, pattern=lfm3),
    "zaya": ModelType(family=ZAYA, pattern=all_hybrid),
}
