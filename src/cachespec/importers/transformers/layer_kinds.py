"""How transformers 5.24 decides what a layer is.

`layer_types` wins when it is stated. Otherwise the pattern of the model type applies, if it has one;
otherwise any stated `sliding_window` makes a layer sliding, and any stated `attention_chunk_size` makes it
chunked, whether or not the model type declares the field (`get_layer_types_and_kwargs` in its
cache_utils.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cachespec.importers.configuration import MOST_LAYERS, Configuration
from cachespec.importers.layer_lists import LayerKind, closes_a_group, kind_called

# the name that the configuration classes of many hybrids have for the list of kinds
LISTED_AS_BLOCKS = {"layer_types": ("layers_block_type",)}

Kinds: TypeAlias = list[LayerKind]
Pattern: TypeAlias = Callable[[Configuration, int], Kinds]
Listed: TypeAlias = Callable[[Configuration, list[str]], list[str]]


def stated_kinds(config: Configuration, count: int, of_layers: Listed) -> Kinds:
    """The kinds that the configuration lists, one for each of `count` layers, under their present names.

    `of_layers` picks the entries that stand for layers, where a model type lists other things too.
    """
    name = "layer_types"
    listed = of_layers(config, config.texts(name))
    config.require_length(name, len(listed), count, "the number of layers")
    kinds: Kinds = []
    for layer, word in enumerate(listed):
        kind = kind_called(word)
        if kind is None:
            raise config.invalid(name, f"entry {layer} is an unknown kind of layer")
        kinds.append(kind)
    return kinds


def inferred_kind(layer: Configuration) -> LayerKind:
    """What a layer is when neither `layer_types` nor a pattern says so; `layer` is the view of that layer."""
    if layer.states("sliding_window"):
        return LayerKind.SLIDING
    if layer.states("attention_chunk_size"):
        return LayerKind.CHUNKED
    return LayerKind.FULL


# Patterns. Numbers that no field can change are part of the model type; all others are read. The text of a
# pattern is what the annotations and the documentation say of it.


def built_in(rule: str, kind_of: Callable[[int, int], LayerKind]) -> Pattern:
    """A pattern that no field changes; `kind_of` takes the layer and the number of layers."""

    def pattern(config: Configuration, count: int) -> Kinds:
        config.record("layer_types", f"{rule} (built into the model type)")
        return [kind_of(layer, count) for layer in range(count)]

    pattern.__doc__ = rule
    return pattern


def sized_by(field: str, rule: str, kind_of: Callable[[int, int], LayerKind]) -> Pattern:
    """A pattern in groups; `field` says how large a group is, and `kind_of` takes the layer and that size."""

    def pattern(config: Configuration, count: int) -> Kinds:
        size = config.integer(field)
        config.record("layer_types", rule)
        return [kind_of(layer, size) for layer in range(count)]

    pattern.__doc__ = rule
    return pattern


all_full = built_in("every layer is full", lambda layer, count: LayerKind.FULL)
all_linear = built_in("every layer is recurrent", lambda layer, count: LayerKind.LINEAR)
all_hybrid = built_in("every layer is hybrid", lambda layer, count: LayerKind.HYBRID)


def last_of_each(size: int) -> Pattern:
    """The last layer of each group of `size` is full."""
    return built_in(f"the last of every {size} layers is full", lambda layer, count: full_if_last(layer, size))


def first_of_each(size: int) -> Pattern:
    """The first layer of each group of `size` is full."""
    rule = f"the first of every {size} layers is full"
    return built_in(rule, lambda layer, count: LayerKind.SLIDING if layer % size else LayerKind.FULL)


def counted_from_the_end(size: int) -> Pattern:
    """The last layer is full, and every `size`-th before it."""
    rule = f"every {size}th layer, counted from the last, is full"
    return built_in(rule, lambda layer, count: LayerKind.SLIDING if (count - 1 - layer) % size else LayerKind.FULL)


def last_of_each_and_the_last(size: int) -> Pattern:
    """The last layer of each group of `size` is full, and so is the last layer of all."""
    rule = f"the last of every {size} layers and the last of all are full"
    return built_in(rule, lambda layer, count: LayerKind.FULL if layer == count - 1 else full_if_last(layer, size))


def repeated(*group: LayerKind) -> Pattern:
    """The same group of kinds over and over."""
    return built_in(f"{', '.join(group)}, repeated", lambda layer, count: group[layer % len(group)])


def last_of_each_stated(field: str, other: LayerKind = LayerKind.SLIDING) -> Pattern:
    """The last layer of each group is full; `field` says how large a group is."""
    rule = f"the last of every {field} layers is full"
    return sized_by(field, rule, lambda layer, size: full_if_last(layer, size, other))


def first_of_each_stated(field: str) -> Pattern:
    """The first layer of each group is full; `field` says how large a group is."""
    rule = f"the first of every {field} layers is full"
    return sized_by(field, rule, lambda layer, size: LayerKind.SLIDING if layer % size else LayerKind.FULL)


def with_passes(config: Configuration, name: str, kinds: Kinds, looped: Kinds, passes: int) -> Kinds:
    """The kinds with those of `looped` layers once more for each pass but the first; `name` says how many passes."""
    if len(kinds) + len(looped) * (passes - 1) > MOST_LAYERS:
        raise config.invalid(name, "makes more cache layers than any model has")
    if passes > 1:
        config.record("cache layers", f"{name}: layers of further passes follow the last layer")
    return kinds + looped * (passes - 1)


def must_be_stated(config: Configuration, count: int) -> Kinds:
    """the kinds must be stated"""
    raise config.missing("layer_types", null=config.is_null("layer_types"))


def full_if_last(layer: int, size: int, other: LayerKind = LayerKind.SLIDING) -> LayerKind:
    return LayerKind.FULL if closes_a_group(layer, size) else other
