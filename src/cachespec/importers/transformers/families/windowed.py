"""Models that keep keys and values, some layers within a window only: which layers slide, and how far they see."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind, closes_a_group
from cachespec.importers.transformers.attention_layers import GROUPED_QUERY, attention_of, grouped_query
from cachespec.importers.transformers.layer_kinds import (
    Kinds,
    Pattern,
    all_full,
    built_in,
    counted_from_the_end,
    first_of_each,
    first_of_each_stated,
    full_if_last,
    last_of_each,
    last_of_each_and_the_last,
    last_of_each_stated,
)
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.layouts.wire import Policy, key_value


def mimo_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """mimo_v2_flash: sliding layers have twice the heads; values may be narrower than keys."""
    width, of_values = config.integer("head_dim"), config.integer("v_head_dim")
    if width != of_values:
        raise config.inexpressible(
            "v_head_dim",
            f"({of_values}) differs from head_dim ({width}): one width for keys and values is all there is",
        )
    heads = config.integer("num_key_value_heads") * (2 if kind == LayerKind.SLIDING else 1)
    if kind == LayerKind.SLIDING:
        config.record("num_key_value_heads", "2 * num_key_value_heads in sliding layers (built into the model type)")
    return key_value(attention_of(config, kind, rules), heads, width)


def window_of_modernbert(config: Configuration) -> int:
    """modernbert-decoder: half of `local_attention`; a re-serialised configuration states the half itself."""
    if not config.is_missing("sliding_window"):
        return config.integer("sliding_window")
    window = config.integer("local_attention", least=2) // 2
    config.record("sliding_window", "local_attention // 2")
    return window


def window_of_switch(config: Configuration) -> int:
    """qwen2 and its relatives: without the switch there is no window, whatever `layer_types` says."""
    if not config.switch("use_sliding_window"):
        raise config.invalid("use_sliding_window", "is not true, so a sliding layer has no window")
    return config.integer("sliding_window")


def window_of_mimo(config: Configuration) -> int:
    """mimo_v2_flash: `sliding_window_size`, which leaves out the token itself, comes first."""
    if not config.states("sliding_window_size"):
        return config.integer("sliding_window")
    config.record("sliding_window", "sliding_window_size + 1")
    return config.integer("sliding_window_size") + 1


def from_max_window_layers(config: Configuration, count: int) -> Kinds:
    """qwen2 and its relatives: with the switch on, layers from `max_window_layers` on slide."""
    if not _window_is_used(config):
        return _switched_off(config, count)
    return _from_max_window_layers(config, count)


def from_max_window_layers_without_switch(config: Configuration, count: int) -> Kinds:
    """dots1: layers from `max_window_layers` on slide; there is no switch."""
    first = config.integer("max_window_layers", least=0)
    if first < count and config.is_missing("sliding_window"):
        raise config.missing("sliding_window")  # null would mean that no layer slides
    return _from_max_window_layers(config, count) if config.states("sliding_window") else _switched_off(config, count)


def every_other_below_max_window_layers(config: Configuration, count: int) -> Kinds:
    """qwen2_moe: with the switch on, layers 0, 2, 4 ... below `max_window_layers` slide."""
    if not config.switch("use_sliding_window"):
        return _switched_off(config, count)
    end = config.integer("max_window_layers", least=0)
    config.record("layer_types", "even layers below max_window_layers slide")
    return [LayerKind.FULL if layer % 2 or layer >= end else LayerKind.SLIDING for layer in range(count)]


def everywhere_if_switched_on(config: Configuration, count: int) -> Kinds:
    """qwen3_moe: with the switch on, every layer slides; `max_window_layers` is not read."""
    if _window_is_used(config):
        config.record("layer_types", "every layer slides (use_sliding_window)")
        return [LayerKind.SLIDING] * count
    if config.states("attention_chunk_size"):
        return [LayerKind.CHUNKED] * count
    return _switched_off(config, count)


def everywhere_if_a_window_is_stated(config: Configuration, count: int) -> Kinds:
    """ministral: every layer slides unless the window is null."""
    if config.is_missing("sliding_window"):
        raise config.missing("sliding_window")
    if config.is_null("sliding_window"):
        return _switched_off(config, count)
    config.record("layer_types", "every layer slides (sliding_window)")
    return [LayerKind.SLIDING] * count


def last_of_each_if_a_window_is_stated(config: Configuration, count: int) -> Kinds:
    """exaone4: the last layer of each group is full; a null window leaves no group size."""
    if config.is_null("sliding_window"):
        raise config.invalid(
            "sliding_window", "is null, so layer_types must be stated", "list the kinds in layer_types"
        )
    return last_of_each_stated("sliding_window_pattern")(config, count)


def where_positions_rotate(config: Configuration, count: int) -> Kinds:
    """smollm3: with the switch on and a window, the layers with rotary positions slide."""
    if not config.switch("use_sliding_window") or not config.states("sliding_window"):
        return _switched_off(config, count)
    return [LayerKind.SLIDING if rotates else LayerKind.FULL for rotates in _rotary_layers(config, count)]


def chunked_where_positions_rotate(config: Configuration, count: int) -> Kinds:
    """llama4: with a chunk size, the layers with rotary positions are chunked."""
    if config.is_missing("attention_chunk_size"):
        raise config.missing("attention_chunk_size")
    if config.is_null("attention_chunk_size"):
        config.record("layer_types", "every layer is full (attention_chunk_size is null)")
        return [LayerKind.FULL] * count
    return [LayerKind.CHUNKED if rotates else LayerKind.FULL for rotates in _rotary_layers(config, count)]


def after_a_dense_prefix(config: Configuration, count: int) -> Kinds:
    """cohere2_moe: the pattern of the first `first_k_dense_replace` layers, then another that starts anew."""
    prefix = config.count_or_zero("first_k_dense_replace")
    if prefix > count:
        raise config.invalid("first_k_dense_replace", f"is {prefix}, but there are only {count} layers")
    kinds: Kinds = []
    for field, length in (
        ("prefix_dense_sliding_window_pattern", prefix),
        ("sliding_window_pattern", count - prefix),
    ):
        if length:
            size = config.integer(field)
            kinds += [full_if_last(layer, size) for layer in range(length)]
    config.record("layer_types", "the last of each group is full (first_k_dense_replace, sliding_window_pattern)")
    return kinds


def _rotary_layers(config: Configuration, count: int) -> list[bool]:
    """Which layers have rotary positions: `no_rope_layers`, despite its name, says 1 where they do."""
    if config.states("no_rope_layers") and config.integers("no_rope_layers"):
        listed = config.integers("no_rope_layers")
        config.require_length("no_rope_layers", len(listed), count, "the number of layers")
        config.record("layer_types", "no_rope_layers")
        return [entry != 0 for entry in listed]
    interval = config.integer("no_rope_layer_interval")
    config.record("layer_types", "no_rope_layer_interval")
    return [not closes_a_group(layer, interval) for layer in range(count)]


def _window_is_used(config: Configuration) -> bool:
    if not config.switch("use_sliding_window"):
        return False
    if config.is_missing("sliding_window"):
        raise config.missing("sliding_window")
    return config.states("sliding_window")


def _from_max_window_layers(config: Configuration, count: int) -> Kinds:
    first = config.integer("max_window_layers", least=0)
    config.record("layer_types", "layers from max_window_layers on slide")
    return [LayerKind.SLIDING if layer >= first else LayerKind.FULL for layer in range(count)]


def _switched_off(config: Configuration, count: int) -> Kinds:
    config.record("layer_types", "every layer is full (the sliding window is not used)")
    return [LayerKind.FULL] * count


flint = built_in(
    "layers 0 and 1, every 4th from 1 on and the last are full",
    lambda layer, count: LayerKind.FULL if layer < 2 or layer % 4 == 1 or layer == count - 1 else LayerKind.SLIDING,
)
mimo = built_in(
    "layer 0 and the last of every 6 layers are full",
    lambda layer, count: full_if_last(layer, 6) if layer else LayerKind.FULL,
)


def _switched(heads: Derived, width: Derived, pattern: Pattern) -> ModelType:
    """Grouped queries with a window that counts only where `use_sliding_window` is true."""
    return grouped_query(heads, width, pattern, window=window_of_switch)


MIMO = Family("keys and values, twice the heads where they slide", mimo_layer)

TYPES: dict[str, ModelType] = {
    # every layer slides unless the window is null
    "mistral": grouped_query(Derived.NEVER, Derived.IF_ABSENT, window_has_default=True),
    "moshi": grouped_query(Derived.IF_ABSENT, Derived.IF_ABSENT, window_has_default=True),
    # some layers slide
    "afmoe": grouped_query(Derived.IF_ABSENT, Derived.NEVER, last_of_each_stated("global_attn_every_n_layers")),
    "beam": grouped_query(Derived.NEVER, Derived.NEVER, last_of_each_and_the_last(6)),
    "cohere2": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING, last_of_each_stated("sliding_window_pattern")),
    "cohere2_moe": grouped_query(Derived.IF_ABSENT, Derived.NEVER, after_a_dense_prefix),
    "cohere_compass_text": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING, all_full),
    "cwm": grouped_query(Derived.NEVER, Derived.NEVER, first_of_each(4)),
    "dots1": grouped_query(Derived.IF_NULL, Derived.IF_MISSING, from_max_window_layers_without_switch),
    "exaone4": grouped_query(Derived.NEVER, Derived.IF_MISSING, last_of_each_if_a_window_is_stated),
    "exaone_moe": grouped_query(Derived.NEVER, Derived.IF_MISSING, last_of_each_if_a_window_is_stated),
    "flint": grouped_query(Derived.NEVER, Derived.NEVER, flint),
    "gemma2": grouped_query(Derived.NEVER, Derived.NEVER, last_of_each(2)),
    "gpt_oss": grouped_query(Derived.NEVER, Derived.NEVER, last_of_each(2)),
    "granite_swa": grouped_query(Derived.IF_NULL, Derived.IF_MISSING, first_of_each(4)),
    "granitemoe_swa": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING, first_of_each(4)),
    "kolibri1": grouped_query(Derived.NEVER, Derived.NEVER, last_of_each(5)),
    "laguna": grouped_query(Derived.NEVER, Derived.NEVER, all_full),
    "llama4_text": grouped_query(Derived.NEVER, Derived.NEVER, chunked_where_positions_rotate),
    "mellum": grouped_query(Derived.NEVER, Derived.NEVER, all_full),
    "mimo_v2_flash": ModelType(family=MIMO, pattern=mimo, window=window_of_mimo),
    "ministral": grouped_query(Derived.NEVER, Derived.NEVER, everywhere_if_a_window_is_stated),
    "modernbert-decoder": ModelType(
        family=GROUPED_QUERY,
        heads=Derived.ALWAYS,
        width=Derived.ALWAYS,
        pattern=first_of_each_stated("global_attn_every_n_layers"),
        window=window_of_modernbert,
    ),
    "muse_glimmer_text": grouped_query(Derived.NEVER, Derived.NEVER, counted_from_the_end(4)),
    "muse_spark_text": grouped_query(Derived.NEVER, Derived.NEVER, counted_from_the_end(4)),
    "olmo3": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING, last_of_each(4)),
    "qwen2": _switched(Derived.IF_NULL, Derived.IF_MISSING, from_max_window_layers),
    "qwen2_5_omni_text": _switched(Derived.IF_NULL, Derived.IF_MISSING, from_max_window_layers),
    "qwen2_5_vl_text": _switched(Derived.IF_NULL, Derived.ALWAYS, from_max_window_layers),
    "qwen2_moe": _switched(Derived.NEVER, Derived.IF_MISSING, every_other_below_max_window_layers),
    "qwen2_vl_text": _switched(Derived.IF_NULL, Derived.ALWAYS, from_max_window_layers),
    "qwen3": _switched(Derived.IF_NULL, Derived.NEVER, from_max_window_layers),
    "qwen3_moe": _switched(Derived.NEVER, Derived.IF_MISSING, everywhere_if_switched_on),
    "smollm3": grouped_query(Derived.IF_NULL, Derived.IF_MISSING, where_positions_rotate),
    "vaultgemma": grouped_query(Derived.NEVER, Derived.NEVER, last_of_each(2)),
}
