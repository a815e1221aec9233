"""How configurations list their layers: words for kinds of layers, letters, numbers, ratios, groups and overrides.

What both runtimes read stands here once. Which of it a runtime takes, and what it says when it refuses, is its own.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from cachespec.importers.configuration import Configuration


class LayerKind(StrEnum):
    """What a layer is, in the words that `layer_types` has for it."""

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
    EXPERTS = "moe"
    FEED_FORWARD = "mlp"
    WINDOW = "window_attention"
    MINIMAX_M3_SPARSE = "minimax_m3_sparse"
    REFERENCE_SLIDING = "reference_sliding_attention"


# the second part are words of earlier releases of transformers, which it renames when it reads one
_KINDS = {kind.value: kind for kind in LayerKind} | {
    "mamba": LayerKind.LINEAR,
    "attention": LayerKind.FULL,
    "deepseek_sparse_attention": LayerKind.INDEXED,
    "qwen_sparse_attention": LayerKind.INDEXED,
}


def kind_called(word: str) -> LayerKind | None:
    """The kind that an entry of a list of layers names; None when it names none."""
    return _KINDS.get(word)


# nemotron_h: the letters of `hybrid_override_pattern`, one for each layer
KIND_OF_LETTER = {
    "M": LayerKind.LINEAR,
    "*": LayerKind.FULL,
    "E": LayerKind.EXPERTS,
    "-": LayerKind.FEED_FORWARD,
}

# deepseek_v4: how many tokens `compress_ratios` makes one of, and with it what the layer is
KIND_OF_RATIO = {0: LayerKind.SLIDING, 4: LayerKind.SPARSE_COMPRESSED, 128: LayerKind.HEAVILY_COMPRESSED}
RATIO_OF_KIND = {kind: ratio for ratio, kind in KIND_OF_RATIO.items()}


def closes_a_group(layer: int, size: int) -> bool:
    """Whether a layer is the last of its group of `size` layers."""
    return (layer + 1) % size == 0


def full_by_number(lists: Configuration, count: int) -> list[bool] | None:
    """kimi_linear: which layers `full_attn_layers` names, counted from 1.

    None unless this list and `kda_layers` together name each of `count` layers exactly once.
    """
    full, linear = lists.integers("full_attn_layers"), lists.integers("kda_layers")
    if sorted(full + linear) != list(range(1, count + 1)):
        return None
    named = set(full)
    return [layer + 1 in named for layer in range(count)]


def local_layers(named: Collection[int] | None, count: int) -> list[bool]:
    """inkling: which layers slide: those that are named, or all but every sixth where none are (None)."""
    if named is None:
        return [not closes_a_group(layer, 6) for layer in range(count)]
    return [layer in named for layer in range(count)]


def layer_of_key(key: str, count: int) -> int | None:
    """The layer that a key of `per_layer_config` names, out of `count`; keys are numbers, some with leading zeros."""
    if not key.isdecimal() or not key.isascii() or len(key) > 10 or int(key) >= count:
        return None
    return int(key)
