"""zamba, zamba2: a state space in every layer, and attention over twice the hidden size in some."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind
from cachespec.importers.transformers.attention_layers import attention_of, key_value_heads, unexpected_kind
from cachespec.importers.transformers.layer_kinds import LISTED_AS_BLOCKS, Kinds, must_be_stated
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.importers.transformers.state_space import expanded_channels, mamba2_state
from cachespec.layouts.wire import Policy, Tensor, convolution, fixed_state, key_value, recurrent


def zamba_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """zamba: Mamba 1 with heads in every layer; hybrid layers have keys and values as well."""
    heads, width = _zamba_heads(config)
    kernel, states = config.integer("mamba_d_conv"), config.integer("mamba_d_state")
    tensors = [convolution(0, heads * width, kernel), recurrent(heads, width, states)]
    return _beside_attention(config, kind, rules, tensors, _zamba_width(config, read=True))


def zamba2_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """zamba2: Mamba 2 in every layer; head widths follow from the hidden size and are not read."""
    heads, width = _zamba_heads(config)
    if config.states("mamba_headdim") and config.integer("mamba_headdim") != width:
        raise config.invalid("mamba_headdim", "is not mamba_expand * hidden_size / n_mamba_heads", "leave it out")
    groups, kernel = config.integer("mamba_ngroups"), config.integer("mamba_d_conv")
    tensors = mamba2_state(heads, width, groups, config.integer("mamba_d_state"), kernel)
    return _beside_attention(config, kind, rules, tensors, _zamba_width(config, read=False))


def zamba_kinds(config: Configuration, count: int) -> Kinds:
    """zamba: the third layer is hybrid, then one of each period, counted from the fourth."""
    period, offset = config.integer("attn_layer_period"), config.integer("attn_layer_offset", least=0)
    if count < 3:
        raise config.invalid("num_hidden_layers", "must be at least 3 without layers_block_type")
    config.record("layer_types", "layer 2 and one layer of each attn_layer_period from layer 3 on are hybrid")
    rest = [LayerKind.HYBRID if layer % period == offset else LayerKind.LINEAR for layer in range(count - 3)]
    return [LayerKind.LINEAR, LayerKind.LINEAR, LayerKind.HYBRID, *rest]


def _zamba_heads(config: Configuration) -> tuple[int, int]:
    """Heads of Mamba and the width of each: together they are the channels."""
    channels = expanded_channels(config)
    heads = config.integer("n_mamba_heads")
    if channels % heads:
        raise config.invalid("n_mamba_heads", f"({heads}) does not divide mamba_expand * hidden_size ({channels})")
    return heads, channels // heads


def _zamba_width(config: Configuration, *, read: bool) -> int:
    """The width of an attention head: attention works on twice the hidden size."""
    doubled, heads = 2 * config.integer("hidden_size"), config.integer("num_attention_heads")
    if config.states("attention_head_dim"):
        width = config.integer("attention_head_dim")
        if read or width * heads == doubled:
            return width
        raise config.invalid("attention_head_dim", "is not 2 * hidden_size / num_attention_heads", "leave it out")
    if doubled % heads:
        raise config.invalid("num_attention_heads", f"({heads}) does not divide 2 * hidden_size ({doubled})")
    config.record("head_dim", "2 * hidden_size / num_attention_heads (attention_head_dim is not stated)")
    return doubled // heads


def _beside_attention(
    config: Configuration, kind: LayerKind, rules: ModelType, tensors: list[Tensor], width: int
) -> Policy:
    if kind == LayerKind.LINEAR:
        return fixed_state(tensors)
    if kind == LayerKind.HYBRID:
        return key_value(attention_of(config, LayerKind.FULL, rules), key_value_heads(config, rules), width, tensors)
    raise unexpected_kind(config, kind)


ZAMBA = Family("Mamba 1 everywhere, keys and values in some layers", zamba_layer)
ZAMBA2 = Family("Mamba 2 everywhere, keys and values in some layers", zamba2_layer)

_NAMES = {**LISTED_AS_BLOCKS, "attention_head_dim": ("attention_head_dim", "head_dim")}

TYPES: dict[str, ModelType] = {
    "zamba": ModelType(family=ZAMBA, pattern=zamba_kinds, names=_NAMES),
    "zamba2": ModelType(family=ZAMBA2, heads=Derived.IF_ABSENT, pattern=must_be_stated, names=_NAMES),
}
