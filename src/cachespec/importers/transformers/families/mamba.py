"""State space models (Mamba 1 and 2), alone and in layers beside attention.

The library keeps the convolution as wide as the kernel and the state in float32.
"""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import KIND_OF_LETTER, LayerKind
from cachespec.importers.transformers.attention_layers import (
    attention_of,
    grouped_query_layer,
    head_width,
    key_value_heads,
)
from cachespec.importers.transformers.layer_kinds import LISTED_AS_BLOCKS, Kinds, all_hybrid, all_linear
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.importers.transformers.state_space import expanded_channels, mamba2_state
from cachespec.layouts.wire import NO_STATE, Policy, Tensor, convolution, fixed_state, key_value, recurrent


def mamba_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """mamba, falcon_mamba: a stated `intermediate_size` comes before expand * hidden_size."""
    if config.is_missing("intermediate_size"):
        channels = config.integer("expand") * config.integer("hidden_size")
        config.record("intermediate_size", "expand * hidden_size (intermediate_size is missing)")
    else:
        channels = config.integer("intermediate_size")
    kernel, states = config.integer("conv_kernel"), config.integer("state_size")
    return fixed_state([convolution(0, channels, kernel), recurrent(channels, states)])


def mamba2_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """mamba2: heads * width must be expand * hidden_size."""
    heads, width = config.integer("num_heads"), config.integer("head_dim")
    if config.integer("expand") * config.integer("hidden_size") != heads * width:
        raise config.invalid("num_heads", "* head_dim is not expand * hidden_size")
    groups, kernel = config.integer("n_groups"), config.integer("conv_kernel")
    return fixed_state(mamba2_state(heads, width, groups, config.integer("state_size"), kernel))


def jamba_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """jamba: Mamba 1 of mamba_expand * hidden_size channels, and keys and values."""
    if kind != LayerKind.LINEAR:
        return grouped_query_layer(config, kind, rules)
    channels = expanded_channels(config)
    kernel, states = config.integer("mamba_d_conv"), config.integer("mamba_d_state")
    return fixed_state([convolution(0, channels, kernel), recurrent(channels, states)])


def bamba_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """bamba, granitemoehybrid: Mamba 2 of mamba_expand * hidden_size channels, or keys and values."""
    if kind != LayerKind.LINEAR:
        return grouped_query_layer(config, kind, rules)
    return fixed_state(_bamba_state(config, expanded_channels(config)))


def falcon_h1_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """falcon_h1: every layer has both; `mamba_d_ssm` is the number of channels unless it is null."""
    if config.is_null("mamba_d_ssm"):
        channels = expanded_channels(config)
        config.record("mamba_d_ssm", "mamba_expand * hidden_size (mamba_d_ssm is null)")
    else:
        channels = config.integer("mamba_d_ssm")
    attention, heads = attention_of(config, LayerKind.FULL, rules), key_value_heads(config, rules)
    return key_value(attention, heads, head_width(config, rules), _bamba_state(config, channels))


def nemotron_h_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """nemotron_h: Mamba 2, keys and values, or nothing; `expand` is not read."""
    if kind in (LayerKind.EXPERTS, LayerKind.FEED_FORWARD):
        return NO_STATE
    if kind != LayerKind.LINEAR:
        return grouped_query_layer(config, kind, rules)
    heads, width = config.integer("mamba_num_heads"), config.integer("mamba_head_dim")
    groups, kernel = config.integer("n_groups"), config.integer("conv_kernel")
    return fixed_state(mamba2_state(heads, width, groups, config.integer("ssm_state_size"), kernel))


def attention_by_period(config: Configuration, count: int) -> Kinds:
    """jamba: one layer of each period has attention."""
    period, offset = config.integer("attn_layer_period"), config.integer("attn_layer_offset", least=0)
    if offset >= period:
        raise config.invalid("attn_layer_offset", f"({offset}) must be smaller than attn_layer_period ({period})")
    config.record("layer_types", "one layer of each attn_layer_period has attention")
    return [LayerKind.FULL if layer % period == offset else LayerKind.LINEAR for layer in range(count)]


def bamba_kinds(config: Configuration, count: int) -> Kinds:
    """bamba: `attn_layer_indices` names the layers with attention."""
    stated = config.states("attn_layer_indices")
    full = config.layer_numbers("attn_layer_indices", count) if stated else set()
    config.record("layer_types", "attn_layer_indices")
    return [LayerKind.FULL if layer in full else LayerKind.LINEAR for layer in range(count)]


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
        if letter not in KIND_OF_LETTER:
            raise config.invalid("hybrid_override_pattern", f"has an unknown letter for layer {layer}")
    config.record("layer_types", "hybrid_override_pattern")
    return [KIND_OF_LETTER[letter] for letter in pattern]


def _bamba_state(config: Configuration, channels: int) -> list[Tensor]:
    heads = config.integer("mamba_n_heads")
    if channels % heads:
        raise config.invalid("mamba_n_heads", f"({heads}) does not divide the {channels} channels")
    if config.stated_value("mamba_d_head") != "auto" and config.integer("mamba_d_head") != channels // heads:
        raise config.invalid("mamba_d_head", f"* mamba_n_heads is not the number of channels ({channels})")
    groups, states = config.integer("mamba_n_groups"), config.integer("mamba_d_state")
    return mamba2_state(heads, channels // heads, groups, states, config.integer("mamba_d_conv"))


MAMBA = Family("Mamba 1", mamba_layer)
MAMBA2 = Family("Mamba 2", mamba2_layer)
JAMBA = Family("Mamba 1 and keys and values", jamba_layer)
BAMBA = Family("Mamba 2 and keys and values", bamba_layer)
FALCON_H1 = Family("Mamba 2 and keys and values in every layer", falcon_h1_layer)
NEMOTRON_H = Family("Mamba 2, keys and values, or nothing", nemotron_h_layer)

TYPES: dict[str, ModelType] = {
    "bamba": ModelType(
        family=BAMBA,
        heads=Derived.IF_NULL,
        width=Derived.IF_MISSING,
        pattern=bamba_kinds,
        kinds_are_read=False,
        names=LISTED_AS_BLOCKS,
    ),
    "falcon_h1": ModelType(
        family=FALCON_H1,
        heads=Derived.IF_NULL,
        width=Derived.IF_MISSING,
        pattern=all_hybrid,
        kinds_are_read=False,
        names=LISTED_AS_BLOCKS,
    ),
    "falcon_mamba": ModelType(family=MAMBA, pattern=all_linear, kinds_are_read=False),
    "granitemoehybrid": ModelType(
        family=BAMBA,
        heads=Derived.IF_ABSENT,
        width=Derived.IF_MISSING,
        pattern=all_linear,
        names={"layer_types": ("layer_types", "layers_block_type")},
    ),
    "jamba": ModelType(
        family=JAMBA,
        width=Derived.IF_MISSING,
        pattern=attention_by_period,
        kinds_are_read=False,
        names=LISTED_AS_BLOCKS,
    ),
    "mamba": ModelType(family=MAMBA, pattern=all_linear, kinds_are_read=False),
    "mamba2": ModelType(family=MAMBA2, pattern=all_linear, kinds_are_read=False),
    "nemotron_h": ModelType(
        family=NEMOTRON_H,
        pattern=nemotron_h_kinds,
        layer_total=nemotron_h_total,
        names={
            **LISTED_AS_BLOCKS,
            "n_groups": ("n_groups", "mamba_n_groups"),
            "conv_kernel": ("conv_kernel", "mamba_d_conv"),
        },
    ),
}
