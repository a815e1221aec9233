"""State space models (Mamba 1 and 2), alone and beside attention, and their relatives with a recurrent unit.

The library keeps the convolution as wide as the kernel and the state in float32.
"""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.families.attention import (
    attention_of,
    grouped_query_layer,
    key_value_heads,
    no_state_or,
    unexpected_kind,
)
from cachespec.importers.transformers.layer_kinds import FULL, HYBRID, HYBRID_SLIDING, LINEAR, SLIDING
from cachespec.importers.transformers.model_type import Family, ModelType
from cachespec.importers.wire import (
    FLOATING,
    NO_STATE,
    Policy,
    Tensor,
    convolution,
    fixed_state,
    key_value,
    recurrent,
)


def mamba_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """mamba, falcon_mamba: a stated `intermediate_size` comes before expand * hidden_size."""
    if config.is_missing("intermediate_size"):
        channels = config.integer("expand") * config.integer("hidden_size")
        config.record("intermediate_size", "expand * hidden_size (intermediate_size is missing)")
    else:
        channels = config.integer("intermediate_size")
    kernel, states = config.integer("conv_kernel"), config.integer("state_size")
    return fixed_state([convolution(0, channels, kernel), recurrent(channels, states)])


def jamba_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """jamba: Mamba 1 of mamba_expand * hidden_size channels, and keys and values."""
    if kind != LINEAR:
        return grouped_query_layer(config, kind, model)
    channels = config.integer("mamba_expand") * config.integer("hidden_size")
    kernel, states = config.integer("mamba_d_conv"), config.integer("mamba_d_state")
    return fixed_state([convolution(0, channels, kernel), recurrent(channels, states)])


def zamba_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """zamba: Mamba 1 with heads in every layer; hybrid layers have keys and values as well."""
    heads, width = _zamba_heads(config)
    kernel, states = config.integer("mamba_d_conv"), config.integer("mamba_d_state")
    tensors = [convolution(0, heads * width, kernel), recurrent(heads, width, states)]
    return _beside_attention(config, kind, model, tensors, _zamba_width(config, read=True))


def zamba2_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """zamba2: Mamba 2 in every layer; head widths follow from the hidden size and are not read."""
    heads, width = _zamba_heads(config)
    if config.states("mamba_headdim") and config.integer("mamba_headdim") != width:
        raise config.invalid("mamba_headdim", "is not mamba_expand * hidden_size / n_mamba_heads", "leave it out")
    groups, kernel = config.integer("mamba_ngroups"), config.integer("mamba_d_conv")
    tensors = mamba2_state(heads, width, groups, config.integer("mamba_d_state"), kernel)
    return _beside_attention(config, kind, model, tensors, _zamba_width(config, read=False))


def mamba2_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """mamba2: heads * width must be expand * hidden_size."""
    heads, width = config.integer("num_heads"), config.integer("head_dim")
    if config.integer("expand") * config.integer("hidden_size") != heads * width:
        raise config.invalid("num_heads", "* head_dim is not expand * hidden_size")
    groups, kernel = config.integer("n_groups"), config.integer("conv_kernel")
    return fixed_state(mamba2_state(heads, width, groups, config.integer("state_size"), kernel))


def bamba_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """bamba, granitemoehybrid: Mamba 2 of mamba_expand * hidden_size channels, or keys and values."""
    if kind != LINEAR:
        return grouped_query_layer(config, kind, model)
    return fixed_state(_bamba_state(config, config.integer("mamba_expand") * config.integer("hidden_size")))


def falcon_h1_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """falcon_h1: every layer has both; `mamba_d_ssm` is the number of channels unless it is null."""
    if config.is_null("mamba_d_ssm"):
        channels = config.integer("mamba_expand") * config.integer("hidden_size")
        config.record("mamba_d_ssm", "mamba_expand * hidden_size (mamba_d_ssm is null)")
    else:
        channels = config.integer("mamba_d_ssm")
    return _with_tensors(grouped_query_layer(config, FULL, model), _bamba_state(config, channels))


def nemotron_h_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """nemotron_h: Mamba 2, keys and values, or nothing; `expand` is not read."""
    if no_state_or(kind):
        return NO_STATE
    if kind != LINEAR:
        return grouped_query_layer(config, kind, model)
    heads, width = config.integer("mamba_num_heads"), config.integer("mamba_head_dim")
    groups, kernel = config.integer("n_groups"), config.integer("conv_kernel")
    return fixed_state(mamba2_state(heads, width, groups, config.integer("ssm_state_size"), kernel))


def recurrent_gemma_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """recurrent_gemma: a linear recurrent unit; its convolution is one narrower than the kernel."""
    if kind != LINEAR:
        return grouped_query_layer(config, kind, model)
    width = config.integer("lru_width" if config.states("lru_width") else "hidden_size")
    kernel = config.integer("conv1d_width")
    if kernel == 1:
        raise config.inexpressible("conv1d_width", "is 1, which leaves a convolution history without elements")
    return fixed_state([convolution(0, width, kernel - 1), recurrent(width)])


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


def mamba2_state(heads: int, width: int, groups: int, states: int, kernel: int) -> list[Tensor]:
    """The convolution over channels and both group projections, and the state of every head."""
    return [convolution(0, heads * width + 2 * groups * states, kernel), recurrent(heads, width, states)]


def _bamba_state(config: Configuration, channels: int) -> list[Tensor]:
    heads = config.integer("mamba_n_heads")
    if channels % heads:
        raise config.invalid("mamba_n_heads", f"({heads}) does not divide the {channels} channels")
    if config.fields.get("mamba_d_head") != "auto" and config.integer("mamba_d_head") != channels // heads:
        raise config.invalid("mamba_d_head", f"* mamba_n_heads is not the number of channels ({channels})")
    groups, states = config.integer("mamba_n_groups"), config.integer("mamba_d_state")
    return mamba2_state(heads, channels // heads, groups, states, config.integer("mamba_d_conv"))


def _zamba_heads(config: Configuration) -> tuple[int, int]:
    """Heads of Mamba and the width of each: together they are the channels."""
    channels = config.integer("mamba_expand") * config.integer("hidden_size")
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


def _beside_attention(config: Configuration, kind: str, model: ModelType, tensors: list[Tensor], width: int) -> Policy:
    if kind == LINEAR:
        return fixed_state(tensors)
    if kind == HYBRID:
        return key_value(attention_of(config, FULL, model), key_value_heads(config, model), width, tensors)
    raise unexpected_kind(config, kind)


def _with_tensors(policy: Policy, tensors: list[Tensor]) -> Policy:
    assert isinstance(policy, dict)
    fields = policy["key_value"]
    assert isinstance(fields, dict)
    return key_value(fields["attention"], fields["num_key_value_heads"], fields["head_dim"], tensors)


_ATTENTION = ("num_key_value_heads", "num_attention_heads", "head_dim", "hidden_size")
_MAMBA = ("mamba_expand", "hidden_size", "mamba_d_conv", "mamba_d_state")
_HEADS = ("mamba_n_heads", "mamba_d_head", "mamba_n_groups")

MAMBA = Family("Mamba 1", mamba_layer, ("intermediate_size", "expand", "hidden_size", "conv_kernel", "state_size"))
MAMBA2 = Family(
    "Mamba 2",
    mamba2_layer,
    ("num_heads", "head_dim", "expand", "hidden_size", "n_groups", "conv_kernel", "state_size"),
)
JAMBA = Family(
    "Mamba 1 and keys and values",
    jamba_layer,
    (*_MAMBA, "attn_layer_period", "attn_layer_offset", *_ATTENTION),
)
ZAMBA = Family(
    "Mamba 1 everywhere, keys and values in some layers",
    zamba_layer,
    (
        *_MAMBA,
        "n_mamba_heads",
        "layers_block_type",
        "attn_layer_period",
        "attention_head_dim",
        "num_key_value_heads",
    ),
)
ZAMBA2 = Family(
    "Mamba 2 everywhere, keys and values in some layers",
    zamba2_layer,
    (
        *_MAMBA,
        "n_mamba_heads",
        "mamba_ngroups",
        "layers_block_type",
        "num_attention_heads",
        "num_key_value_heads",
    ),
)
BAMBA = Family("Mamba 2 and keys and values", bamba_layer, (*_MAMBA, *_HEADS, "layer_types", *_ATTENTION))
FALCON_H1 = Family(
    "Mamba 2 and keys and values in every layer",
    falcon_h1_layer,
    (*_MAMBA, *_HEADS, "mamba_d_ssm", *_ATTENTION),
)
NEMOTRON_H = Family(
    "Mamba 2, keys and values, or nothing",
    nemotron_h_layer,
    (
        *("mamba_num_heads", "mamba_head_dim", "n_groups", "ssm_state_size", "conv_kernel"),
        *("hybrid_override_pattern", "layers_block_type", *_ATTENTION),
    ),
)
RECURRENT_GEMMA = Family(
    "linear recurrent unit and keys and values",
    recurrent_gemma_layer,
    ("lru_width", "conv1d_width", "block_types", "attention_window_size", *_ATTENTION),
)
ZAYA = Family(
    "keys and values with convolution and state",
    zaya_layer,
    ("cca_time0", "cca_time1", "head_dim", "num_key_value_heads", "num_attention_heads", "layer_types"),
)
