"""Models whose layers keep the histories of convolutions, beside keys and values or instead of them."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind, local_layers
from cachespec.importers.transformers.attention_layers import (
    attention_of,
    grouped_query_layer,
    key_value_heads,
    unexpected_kind,
)
from cachespec.importers.transformers.layer_kinds import Kinds, all_hybrid, built_in, must_be_stated, with_passes
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.layouts.wire import FLOAT32, FLOATING, Policy, convolution, fixed_state, key_value, recurrent

# layers with convolutions, and what their attention is
_ATTENTION_OF_HYBRID = {LayerKind.HYBRID: LayerKind.FULL, LayerKind.HYBRID_SLIDING: LayerKind.SLIDING}


def inkling_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """Convolutions over keys, values, attention output and feed-forward output, kept in float32."""
    if kind not in _ATTENTION_OF_HYBRID:
        raise unexpected_kind(config, kind)
    slides = kind == LayerKind.HYBRID_SLIDING
    heads = config.integer("swa_num_key_value_heads" if slides else "num_key_value_heads")
    width = config.integer("swa_head_dim" if slides else "head_dim")
    kernel = config.integer("conv_kernel_size")
    channels = (heads * width, heads * width, config.integer("hidden_size"), config.integer("hidden_size"))
    tensors = [convolution(slot, extent, kernel, dtype=FLOAT32) for slot, extent in enumerate(channels)]
    return key_value(attention_of(config, _ATTENTION_OF_HYBRID[kind], rules), heads, width, tensors)


def zaya_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """zaya: keys and values, the history of two convolutions in one, a state in the model's dtype."""
    if kind not in _ATTENTION_OF_HYBRID:
        raise unexpected_kind(config, kind)
    heads, width = key_value_heads(config, rules), config.integer("head_dim")
    history = config.integer("cca_time0") + config.integer("cca_time1") - 2
    if history == 0:
        raise config.inexpressible("cca_time0", "and cca_time1 are 1, which leaves a history without elements")
    if heads * width % 2:
        raise config.invalid("head_dim", "* num_key_value_heads must be even")
    channels = (config.integer("num_attention_heads") + heads) * width
    tensors = [convolution(0, channels, history), recurrent(heads * width // 2, dtype=FLOATING)]
    return key_value(attention_of(config, _ATTENTION_OF_HYBRID[kind], rules), heads, width, tensors)


def short_convolution_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """lfm: the other layers keep the history of one convolution over the hidden state."""
    if kind != LayerKind.CONVOLUTION:
        return grouped_query_layer(config, kind, rules)
    return fixed_state([convolution(0, config.integer("hidden_size"), config.integer("conv_L_cache"))])


def inkling_kinds(config: Configuration, count: int) -> Kinds:
    """inkling: `local_layer_ids` names the sliding layers; without it, all but every sixth slide."""
    if config.states("local_layer_ids"):
        named = set(config.integers("local_layer_ids"))
        config.record("layer_types", "local_layer_ids")
        return _sliding_where(local_layers(named, count))
    return inkling2_kinds(config, count)


def inkling2_kinds(config: Configuration, count: int) -> Kinds:
    """inkling2: all but every sixth layer slide."""
    config.record("layer_types", "all but every 6th layer slide (built into the model type)")
    return _sliding_where(local_layers(None, count))


def inkling_loop(config: Configuration, kinds: Kinds) -> Kinds:
    """inkling2_loop: some layers are passed several times; further passes follow the last layer."""
    part = "loop_config"
    start = config.integer_inside(part, "core_start", "loop_layer_index_start")
    end = config.integer_inside(part, "core_end", "loop_layer_index_end")
    if not start <= end <= len(kinds):
        raise config.invalid("loop_layer_index_end", f"must be from {start} to {len(kinds)}")
    passes = config.integer_inside(part, "num_passes", "loop_num_passes")
    return with_passes(config, "loop_num_passes", kinds, kinds[start:end], passes)


def lfm2_kinds(config: Configuration, count: int) -> Kinds:
    """lfm2: `full_attn_idxs` names the full layers; without it, all are full."""
    if not config.states("full_attn_idxs"):
        config.record("layer_types", "every layer is full (full_attn_idxs is not stated)")
        return [LayerKind.FULL] * count
    full = config.layer_numbers("full_attn_idxs", count)
    config.record("layer_types", "full_attn_idxs")
    return [LayerKind.FULL if layer in full else LayerKind.CONVOLUTION for layer in range(count)]


lfm3 = built_in(
    "of every 4 layers the third is full and the first slides (not layer 0), the others are convolutions",
    lambda layer, count: (
        (LayerKind.SLIDING, LayerKind.CONVOLUTION, LayerKind.FULL, LayerKind.CONVOLUTION)[layer % 4]
        if layer
        else LayerKind.CONVOLUTION
    ),
)


def _sliding_where(slides: list[bool]) -> Kinds:
    return [LayerKind.HYBRID_SLIDING if slide else LayerKind.HYBRID for slide in slides]


INKLING = Family("keys and values with four convolutions", inkling_layer)
ZAYA = Family("keys and values with convolution and state", zaya_layer)
SHORT_CONVOLUTION = Family("short convolution and keys and values", short_convolution_layer)

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
