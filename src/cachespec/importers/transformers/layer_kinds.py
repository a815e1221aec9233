"""How transformers 5.24 decides what a layer is, in its own words for the kinds of layers.

`layer_types` wins when it is stated. Otherwise the pattern of the model type applies, if it has one;
otherwise any stated `sliding_window` makes a layer sliding, and any stated `attention_chunk_size` makes it
chunked, whether or not the model type declares the field (`get_layer_types_and_kwargs` in its
cache_utils.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cachespec.importers.configuration import MOST_LAYERS, Configuration

FULL = "full_attention"
SLIDING = "sliding_attention"
CHUNKED = "chunked_attention"
LINEAR = "linear_attention"
CONVOLUTION = "conv"
HYBRID = "hybrid"
HYBRID_SLIDING = "hybrid_sliding"
INDEXED = "indexed_attention"
SPARSE_COMPRESSED = "compressed_sparse_attention"
HEAVILY_COMPRESSED = "heavily_compressed_attention"
NO_ATTENTION = ("moe", "mlp")
CONSUMER = "consumer of another layer's cache"  # ours: transformers says so elsewhere than in layer_types

OTHERS = ("window_attention", "minimax_m3_sparse", "reference_sliding_attention")
KNOWN = {FULL, SLIDING, CHUNKED, LINEAR, CONVOLUTION, HYBRID, HYBRID_SLIDING, INDEXED, SPARSE_COMPRESSED}
KNOWN |= {HEAVILY_COMPRESSED, *NO_ATTENTION, *OTHERS}

# names that configurations of earlier releases use; the library renames them when it reads one
EARLIER_NAMES = {
    "mamba": LINEAR,
    "attention": FULL,
    "deepseek_sparse_attention": INDEXED,
    "qwen_sparse_attention": INDEXED,
}

# the name that the configuration classes of many hybrids have for the list of kinds
LISTED_AS_BLOCKS = {"layer_types": ("layers_block_type",)}

Kinds: TypeAlias = list[str]
Pattern: TypeAlias = Callable[[Configuration, int], Kinds]


def stated_kinds(config: Configuration, count: int, of_layers: Callable[[Configuration, Kinds], Kinds]) -> Kinds:
    """The kinds that the configuration lists, one for each of `count` layers, under their present names.

    `of_layers` picks the entries that stand for layers, where a model type lists other things too.
    """
    name = "layer_types"
    listed = of_layers(config, config.texts(name))
    config.has_length(name, len(listed), count, "the number of layers")
    kinds = [EARLIER_NAMES.get(kind, kind) for kind in listed]
    for layer, kind in enumerate(kinds):
        if kind not in KNOWN:
            raise config.invalid(name, f"entry {layer} is an unknown kind of layer")
    return kinds


def inferred_kind(layer: Configuration) -> str:
    """What a layer is when neither `layer_types` nor a pattern says so; `layer` is the view of that layer."""
    if layer.states("sliding_window"):
        return SLIDING
    if layer.states("attention_chunk_size"):
        return CHUNKED
    return FULL


# Patterns. Numbers that no field can change are part of the model type; all others are read. The text of a
# pattern is what the annotations and the documentation say of it.


def built_in(rule: str, kind_of: Callable[[int, int], str]) -> Pattern:
    """A pattern that no field changes; `kind_of` takes the layer and the number of layers."""

    def pattern(config: Configuration, count: int) -> Kinds:
        config.record("layer_types", f"{rule} (built into the model type)")
        return [kind_of(layer, count) for layer in range(count)]

    pattern.__doc__ = rule
    return pattern


def sized_by(field: str, rule: str, kind_of: Callable[[int, int], str]) -> Pattern:
    """A pattern in groups; `field` says how large a group is, and `kind_of` takes the layer and that size."""

    def pattern(config: Configuration, count: int) -> Kinds:
        size = config.integer(field)
        config.record("layer_types", rule)
        return [kind_of(layer, size) for layer in range(count)]

    pattern.__doc__ = rule
    return pattern


all_full = built_in("every layer is full", lambda layer, count: FULL)
all_linear = built_in("every layer is recurrent", lambda layer, count: LINEAR)
all_hybrid = built_in("every layer is hybrid", lambda layer, count: HYBRID)


def last_of_each(size: int) -> Pattern:
    """The last layer of each group of `size` is full."""
    return built_in(f"the last of every {size} layers is full", lambda layer, count: full_if_last(layer, size))


def first_of_each(size: int) -> Pattern:
    """The first layer of each group of `size` is full."""
    return built_in(f"the first of every {size} layers is full", lambda layer, count: SLIDING if layer % size else FULL)


def counted_from_the_end(size: int) -> Pattern:
    """The last layer is full, and every `size`-th before it."""
    rule = f"every {size}th layer, counted from the last, is full"
    return built_in(rule, lambda layer, count: SLIDING if (count - 1 - layer) % size else FULL)


def last_of_each_and_the_last(size: int) -> Pattern:
    """The last layer of each group of `size` is full, and so is the last layer of all."""
    rule = f"the last of every {size} layers and the last of all are full"
    return built_in(rule, lambda layer, count: FULL if layer == count - 1 else full_if_last(layer, size))


def repeated(*group: str) -> Pattern:
    """The same group of kinds over and over."""
    return built_in(f"{', '.join(group)}, repeated", lambda layer, count: group[layer % len(group)])


def last_of_each_stated(field: str, other: str = SLIDING) -> Pattern:
    """The last layer of each group is full; `field` says how large a group is."""
    return sized_by(
        field, f"the last of every {field} layers is full", lambda layer, size: full_if_last(layer, size, other)
    )


def first_of_each_stated(field: str) -> Pattern:
    """The first layer of each group is full; `field` says how large a group is."""
    rule = f"the first of every {field} layers is full"
    return sized_by(field, rule, lambda layer, size: SLIDING if layer % size else FULL)


def with_passes(config: Configuration, name: str, kinds: Kinds, looped: Kinds, passes: int) -> Kinds:
    if len(kinds) + len(looped) * (passes - 1) > MOST_LAYERS:
        raise config.invalid(name, "makes more cache layers than any model has")
    if passes > 1:
        config.record("cache layers", f"{name}: layers of further passes follow the last layer")
    return kinds + looped * (passes - 1)


def must_be_stated(config: Configuration, count: int) -> Kinds:
    """the kinds must be stated"""
    raise config.missing("layer_types", null=config.is_null("layer_types"))


def full_if_last(layer: int, size: int, other: str = SLIDING) -> str:
    return other if (layer + 1) % size else FULL
