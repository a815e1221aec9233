"""Which layers of a state space hybrid have attention, where the model type has its own way to say so."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.layer_kinds import FULL, HYBRID, LINEAR, NO_ATTENTION, SLIDING, Kinds

_LETTERS = {"M": LINEAR, "*": FULL, "E": NO_ATTENTION[0], "-": NO_ATTENTION[1]}


def attention_by_period(config: Configuration, count: int) -> Kinds:
    """jamba: one layer of each period has attention."""
    period, offset = config.integer("attn_layer_period"), config.integer("attn_layer_offset", least=0)
    if offset >= period:
        raise config.invalid("attn_layer_offset", f"({offset}) must be smaller than attn_layer_period ({period})")
    config.record("layer_types", "one layer of each attn_layer_period has attention")
    return [FULL if layer % period == offset else LINEAR for layer in range(count)]


def zamba_kinds(config: Configuration, count: int) -> Kinds:
    """zamba: the third layer is hybrid, then one of each period, counted from the fourth."""
    period, offset = config.integer("attn_layer_period"), config.integer("attn_layer_offset", least=0)
    if count < 3:
        raise config.invalid("num_hidden_layers", "must be at least 3 without layers_block_type")
    config.record("layer_types", "layer 2 and one layer of each attn_layer_period from layer 3 on are hybrid")
    rest = [HYBRID if layer % period == offset else LINEAR for layer in range(count - 3)]
    return [LINEAR, LINEAR, HYBRID, *rest]


def bamba_kinds(config: Configuration, count: int) -> Kinds:
    """bamba: `attn_layer_indices` names the layers with attention."""
    stated = config.states("attn_layer_indices")
    full = config.layer_numbers("attn_layer_indices", count) if stated else set()
    config.record("layer_types", "attn_layer_indices")
    return [FULL if layer in full else LINEAR for layer in range(count)]


def nemotron_h_total(config: Configuration) -> int:
    """nemotron_h: as many layers as the list or the pattern has; `num_hidden_layers` is not read."""
    if config.states("layer_types"):
        total = len(config.texts("layer_types"))
    elif config.states("hybrid_override_pattern"):
        total = len(config.text("hybrid_override_pattern"))
    else:
        raise config.missing("hybrid_override_pattern")
    if not total:
        raise config.invalid("layer_types", "names no layer")
    config.record("num_hidden_layers", "the length of the list of layers")
    return total


def nemotron_h_kinds(config: Configuration, count: int) -> Kinds:
    """nemotron_h: a letter for each layer, M for Mamba, * for attention, E and - for layers without state."""
    pattern = config.text("hybrid_override_pattern")
    for layer, letter in enumerate(pattern):
        if letter not in _LETTERS:
            raise config.invalid("hybrid_override_pattern", f"has an unknown letter for layer {layer}")
    config.record("layer_types", "hybrid_override_pattern")
    return [_LETTERS[letter] for letter in pattern]


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
