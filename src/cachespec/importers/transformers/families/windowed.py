"""Model types with their own rule for which layers slide when `layer_types` does not say so."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.layer_kinds import CHUNKED, FULL, SLIDING, Kinds


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
    return [FULL if layer % 2 or layer >= end else SLIDING for layer in range(count)]


def everywhere_if_switched_on(config: Configuration, count: int) -> Kinds:
    """qwen3_moe: with the switch on, every layer slides; `max_window_layers` is not read."""
    if _window_is_used(config):
        config.record("layer_types", "every layer slides (use_sliding_window)")
        return [SLIDING] * count
    if config.states("attention_chunk_size"):
        return [CHUNKED] * count
    return _switched_off(config, count)


def everywhere_if_a_window_is_stated(config: Configuration, count: int) -> Kinds:
    """ministral: every layer slides unless the window is null."""
    if config.is_missing("sliding_window"):
        raise config.missing("sliding_window")
    if config.is_null("sliding_window"):
        return _switched_off(config, count)
    config.record("layer_types", "every layer slides (sliding_window)")
    return [SLIDING] * count


def last_of_each_if_a_window_is_stated(config: Configuration, count: int) -> Kinds:
    """exaone4: the last layer of each group is full; a null window leaves no group size."""
    if config.is_null("sliding_window"):
        raise config.invalid(
            "sliding_window", "is null, so layer_types must be stated", "list the kinds in layer_types"
        )
    size = config.integer("sliding_window_pattern")
    config.record("layer_types", "the last of every sliding_window_pattern layers is full")
    return [SLIDING if (layer + 1) % size else FULL for layer in range(count)]


def where_positions_rotate(config: Configuration, count: int) -> Kinds:
    """smollm3: with the switch on and a window, the layers with rotary positions slide."""
    if not config.switch("use_sliding_window") or not config.states("sliding_window"):
        return _switched_off(config, count)
    return [SLIDING if rotates else FULL for rotates in _rotary_layers(config, count)]


def chunked_where_positions_rotate(config: Configuration, count: int) -> Kinds:
    """llama4: with a chunk size, the layers with rotary positions are chunked."""
    if config.is_missing("attention_chunk_size"):
        raise config.missing("attention_chunk_size")
    if config.is_null("attention_chunk_size"):
        config.record("layer_types", "every layer is full (attention_chunk_size is null)")
        return [FULL] * count
    return [CHUNKED if rotates else FULL for rotates in _rotary_layers(config, count)]


def after_a_dense_prefix(config: Configuration, count: int) -> Kinds:
    """cohere2_moe: the pattern of the first `first_k_dense_replace` layers, then another that starts anew."""
    prefix = config.integer_if_stated("first_k_dense_replace", least=0) or 0
    if prefix > count:
        raise config.invalid("first_k_dense_replace", f"is {prefix}, but there are only {count} layers")
    kinds: Kinds = []
    for field, length in (
        ("prefix_dense_sliding_window_pattern", prefix),
        ("sliding_window_pattern", count - prefix),
    ):
        if length:
            size = config.integer(field)
            kinds += [SLIDING if (layer + 1) % size else FULL for layer in range(length)]
    config.record("layer_types", "the last of each group is full (first_k_dense_replace, sliding_window_pattern)")
    return kinds


def _rotary_layers(config: Configuration, count: int) -> list[bool]:
    """Which layers have rotary positions: `no_rope_layers`, despite its name, says 1 where they do."""
    if config.states("no_rope_layers") and config.integers("no_rope_layers"):
        listed = config.integers("no_rope_layers")
        config.has_length("no_rope_layers", len(listed), count, "the number of layers")
        config.record("layer_types", "no_rope_layers")
        return [entry != 0 for entry in listed]
    interval = config.integer("no_rope_layer_interval")
    config.record("layer_types", "no_rope_layer_interval")
    return [(layer + 1) % interval != 0 for layer in range(count)]


def _window_is_used(config: Configuration) -> bool:
    if not config.switch("use_sliding_window"):
        return False
    if config.is_missing("sliding_window"):
        raise config.missing("sliding_window")
    return config.states("sliding_window")


def _from_max_window_layers(config: Configuration, count: int) -> Kinds:
    first = config.integer("max_window_layers", least=0)
    config.record("layer_types", "layers from max_window_layers on slide")
    return [SLIDING if layer >= first else FULL for layer in range(count)]


def _switched_off(config: Configuration, count: int) -> Kinds:
    config.record("layer_types", "every layer is full (the sliding window is not used)")
    return [FULL] * count
