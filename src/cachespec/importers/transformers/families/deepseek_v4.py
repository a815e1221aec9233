"""deepseek_v4: one tensor that serves as keys and values, and streams that pool older tokens."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import KIND_OF_RATIO, RATIO_OF_KIND, LayerKind
from cachespec.importers.transformers.attention_layers import unexpected_kind
from cachespec.importers.transformers.layer_kinds import Kinds
from cachespec.importers.transformers.model_type import Family, ModelType
from cachespec.layouts.wire import FLOAT32, Policy, key_only, key_value, pooling_stream, sliding

_OWN_RATE = {
    LayerKind.SPARSE_COMPRESSED: "compress_rate_csa",
    LayerKind.HEAVILY_COMPRESSED: "compress_rate_hca",
}


def deepseek_v4_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """Plain sliding layers keep keys and values apart; in compressed layers both are the same tensor.

    Stream 0 is the compressor; sparse layers add stream 1, the indexer, and both overlap.
    """
    if config.states("num_key_value_heads") and config.integer("num_key_value_heads") != 1:
        raise config.invalid("num_key_value_heads", "must be 1")
    attention, width = sliding(rules.window(config)), config.integer("head_dim")
    if kind == LayerKind.SLIDING:
        return key_value(attention, 1, width)
    if kind not in _OWN_RATE:
        raise unexpected_kind(config, kind)
    rate = _rate(config, kind)
    sparse = kind == LayerKind.SPARSE_COMPRESSED
    tensors = pooling_stream(0, rate, width, overlapping=sparse, overlap_gate_dtype=FLOAT32)
    if sparse:
        index_width = config.integer("index_head_dim")
        tensors += pooling_stream(1, rate, index_width, overlapping=True, overlap_gate_dtype=FLOAT32)
    return key_only(attention, 1, width, tensors)


def deepseek_v4_kinds(config: Configuration, count: int) -> Kinds:
    """The kinds follow from `compress_ratios`; without it, from where a layer stands."""
    if config.states("compress_ratios"):
        ratios = config.integers("compress_ratios")
        if len(ratios) < count:
            config.require_length("compress_ratios", len(ratios), count, "the number of layers")
        if any(ratio not in KIND_OF_RATIO for ratio in ratios):
            raise config.invalid("compress_ratios", "may hold 0, 4 and 128 only")
        config.record("layer_types", "compress_ratios")
        return [KIND_OF_RATIO[ratio] for ratio in ratios[:count]]
    config.record("layer_types", "heavily compressed; odd layers from 3 on sparse (built into the model type)")
    return [
        LayerKind.SPARSE_COMPRESSED if layer > 1 and layer % 2 else LayerKind.HEAVILY_COMPRESSED
        for layer in range(count)
    ]


def _rate(config: Configuration, kind: LayerKind) -> int:
    """How many tokens a compressed layer pools into one; its own rate comes before the table."""
    if config.states(_OWN_RATE[kind]):
        return config.integer(_OWN_RATE[kind])
    if config.states("compress_rates"):
        return config.child("compress_rates").integer(kind.value)
    if config.states("compress_ratios"):
        config.record("compress_rates", "compress_ratios")
        return RATIO_OF_KIND[kind]
    raise config.missing("compress_rates")


DEEPSEEK_V4 = Family("one key and value tensor with pooling streams", deepseek_v4_layer)

TYPES: dict[str, ModelType] = {
    "deepseek_v4": ModelType(family=DEEPSEEK_V4, pattern=deepseek_v4_kinds),
}
