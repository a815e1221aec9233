"""eredu's families that keep convolution histories or recurrent state beside attention.

A history has one row fewer than the kernel and its channels last.
"""

from __future__ import annotations

from collections.abc import Sequence

from cachespec.importers.configuration import Configuration
from cachespec.importers.eredu.attention import head_quotient, integer_or, kept_heads, layers_of_kind
from cachespec.importers.eredu.tensor_parallel import Split
from cachespec.importers.layer_lists import (
    KIND_OF_LETTER,
    LayerKind,
    closes_a_group,
    full_by_number,
    kind_called,
    local_layers,
)
from cachespec.layouts import wire
from cachespec.layouts.wire import (
    NO_STATE,
    Policy,
    Tensor,
    compressed_latent_rotary,
    convolution,
    fixed_state,
    key_value,
    recurrent,
    sliding,
)

_QWEN_DEFAULTS = {
    "full_attention_interval": 4,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4,
    "head_dim": 256,
}


def qwen_hybrid(config: Configuration, split: Split) -> list[Policy]:
    """qwen3_next, qwen3_5: the gated delta rule, some layers full; prediction layers are full too."""
    count = config.layer_total()
    if config.states("layer_types") and config.texts("layer_types"):
        linear = layers_of_kind(config, count, LayerKind.LINEAR)
    else:
        interval = _qwen_value(config, "full_attention_interval")
        linear = [not closes_a_group(layer, interval) for layer in range(count)]
    heads = kept_heads(config, split)
    width = _qwen_value(config, "head_dim")
    layers = [
        fixed_state(_gated_delta(config, split)) if is_linear else key_value(wire.FULL, heads, width)
        for is_linear in linear
    ]
    return layers + [key_value(wire.FULL, heads, width) for _ in range(qwen_predictions(config))]


def qwen_predictions(config: Configuration) -> int:
    """Prediction layers close the list."""
    return config.count_or_zero("mtp_num_hidden_layers")


def lfm2(config: Configuration, split: Split) -> list[Policy]:
    """lfm2: one convolution over the hidden state, or full attention; a kernel of 1 leaves nothing."""
    count = config.layer_total()
    kernel = integer_or(config, "conv_L_cache", 3)
    layers: list[Policy] = []
    for is_convolution in layers_of_kind(config, count, LayerKind.CONVOLUTION):
        if is_convolution:
            channels = split.even(config, "hidden_size", config.integer("hidden_size"))
            layers.append(fixed_state([convolution(0, kernel - 1, channels)]) if kernel > 1 else NO_STATE)
        else:
            layers.append(key_value(wire.FULL, kept_heads(config, split), head_quotient(config)))
    return layers


def nemotron_h(config: Configuration, split: Split) -> list[Policy]:
    """nemotron_h: Mamba 2, attention, or nothing; a kernel of 1 leaves no convolution."""
    return [_nemotron_layer(config, split, kind) for kind in _nemotron_kinds(config)]


def kimi_linear(config: Configuration, split: Split) -> list[Policy]:
    """kimi_linear: delta attention with a convolution for queries, keys and values each, or latent."""
    count = config.layer_total()
    nested = config.child_if_stated("linear_attn_config")
    if nested is not None:
        is_full = full_by_number(nested, count)
        if is_full is None:
            raise nested.invalid("full_attn_layers", f"and kda_layers must name every layer from 1 to {count} once")
        is_linear = [not full for full in is_full]
        names = ("num_heads", "head_dim", "short_conv_kernel_size")
    else:
        # as transformers re-serialises it
        is_linear = layers_of_kind(config, count, LayerKind.LINEAR)
        names = ("linear_num_heads", "linear_head_dim", "linear_conv_kernel_dim")
    sizes = nested or config
    layers: list[Policy] = []
    for linear_layer in is_linear:
        if linear_layer:
            heads = split.heads(config, "linear_attn_config", sizes.integer(names[0]))
            width = sizes.integer(names[1])
            kernel = 4 if nested is not None and nested.is_missing(names[2]) else sizes.integer(names[2])
            history = _history(sizes, names[2], kernel)
            slots = [convolution(slot, history, heads * width) for slot in range(3)]
            layers.append(fixed_state([*slots, recurrent(heads, width, width)]))
        else:
            latent, rotary = config.integer("kv_lora_rank"), config.integer("qk_rope_head_dim")
            layers.append(compressed_latent_rotary(wire.FULL, latent, rotary))
    return layers


def inkling(config: Configuration, split: Split) -> list[Policy]:
    """inkling: four convolutions beside attention; ranks split only those over keys and values."""
    config = config.renamed(
        {
            "sliding_window": ("sliding_window_size",),
            "sconv_kernel_size": ("sconv_kernel_size", "conv_kernel_size"),
        }
    )
    count = config.layer_total()
    window, kernel = integer_or(config, "sliding_window", 512), integer_or(config, "sconv_kernel_size", 4)
    history, hidden = _history(config, "sconv_kernel_size", kernel), config.integer("hidden_size")
    layers: list[Policy] = []
    for local in _inkling_local(config, count):
        name = "num_key_value_heads"
        if local:
            name = config.either("swa_num_key_value_heads", name)
        heads = kept_heads(config, split, name)
        width = _inkling_width(config, local)
        channels = (heads * width, heads * width, hidden, hidden)
        tensors = [convolution(slot, history, extent) for slot, extent in enumerate(channels)]
        layers.append(key_value(sliding(window) if local else wire.FULL, heads, width, tensors))
    return layers


def _gated_delta(config: Configuration, split: Split) -> list[Tensor]:
    keys, values = _qwen_value(config, "linear_num_key_heads"), _qwen_value(config, "linear_num_value_heads")
    if values % keys:
        raise config.invalid("linear_num_value_heads", f"({values}) must be a multiple of the {keys} key heads")
    local_keys = split.heads(config, "linear_num_key_heads", keys)
    local_values = local_keys * values // keys
    key_width, value_width = (
        _qwen_value(config, "linear_key_head_dim"),
        _qwen_value(config, "linear_value_head_dim"),
    )
    history = _history(config, "linear_conv_kernel_dim", _qwen_value(config, "linear_conv_kernel_dim"))
    channels = 2 * local_keys * key_width + local_values * value_width
    return [convolution(0, history, channels), recurrent(local_values, key_width, value_width)]


def _qwen_value(config: Configuration, name: str) -> int:
    return integer_or(config, name, _QWEN_DEFAULTS[name])


def _nemotron_kinds(config: Configuration) -> list[LayerKind]:
    """The kinds by the letters of the pattern, else by the list of blocks."""
    by_letter = config.states("hybrid_override_pattern")
    name = "hybrid_override_pattern" if by_letter else "layers_block_type"
    if not config.states(name):
        raise config.missing("hybrid_override_pattern")
    listed: Sequence[str] = config.text(name) if by_letter else config.texts(name)
    kinds = []
    for layer, word in enumerate(listed):
        kind = KIND_OF_LETTER.get(word) if by_letter else kind_called(word)
        if kind is None or kind not in KIND_OF_LETTER.values():
            raise config.invalid(name, f"has an unknown kind for layer {layer}")
        kinds.append(kind)
    if not kinds:
        raise config.invalid(name, "names no layer")
    if config.states("num_hidden_layers"):
        config.require_length(name, len(kinds), config.layer_total(), "num_hidden_layers")
    config.record("layers", name)
    return kinds


def _nemotron_layer(config: Configuration, split: Split, kind: LayerKind) -> Policy:
    if kind == LayerKind.FULL:
        attention = sliding(config.integer("sliding_window")) if config.states("sliding_window") else wire.FULL
        return key_value(attention, kept_heads(config, split), config.integer("head_dim"))
    if kind != LayerKind.LINEAR:
        return NO_STATE
    heads = split.even(config, "mamba_num_heads", config.integer("mamba_num_heads"))
    groups = split.even(config, "n_groups", config.integer("n_groups"))
    width, states = config.integer("mamba_head_dim"), config.integer("ssm_state_size")
    history = config.integer("conv_kernel") - 1
    state = recurrent(heads, width, states)
    return fixed_state([convolution(0, history, heads * width + 2 * groups * states), state] if history else [state])


def _inkling_local(config: Configuration, count: int) -> list[bool]:
    """Which layers slide: `local_layer_ids`, `layer_types` or all but every sixth; two answers must agree."""
    by_kind = None
    if config.states("layer_types"):
        listed = config.texts("layer_types")
        config.require_length("layer_types", len(listed), count, "num_hidden_layers")
        local, full = (LayerKind.SLIDING, LayerKind.HYBRID_SLIDING), (LayerKind.FULL, LayerKind.HYBRID)
        for layer, word in enumerate(listed):
            if word not in local + full:
                raise config.invalid("layer_types", f"entry {layer} must be one of {', '.join(local + full)}")
        by_kind = [word in local for word in listed]
    if not config.states("local_layer_ids"):
        return by_kind if by_kind is not None else local_layers(None, count)
    by_number = local_layers(config.layer_numbers("local_layer_ids", count), count)
    if by_kind is not None and by_kind != by_number:
        raise config.invalid("local_layer_ids", "and layer_types disagree", "keep one of them")
    return by_number


def _inkling_width(config: Configuration, local: bool) -> int:
    if local and config.states("swa_head_dim"):
        return config.integer("swa_head_dim")
    return integer_or(config, "head_dim", 128)


def _history(config: Configuration, name: str, kernel: int) -> int:
    if kernel == 1:
        raise config.invalid(name, "is 1, which leaves a convolution history without rows")
    return kernel - 1
