"""The words that tables and pictures share: what a layout and its layers are called, and bytes for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cachespec.layouts.expansion import Layer, Shape, components, fixed_state, layers, stable_name, window
from cachespec.layouts.sizing import Rate
from cachespec_types.models import (
    CacheLayout,
    LayerCachePolicy,
    LayerCachePolicyCompressedLatentRotary,
    LayerCachePolicyFixedState,
    LayerCachePolicyKeyOnly,
    LayerCachePolicyKeyOnlyWithFixedState,
    LayerCachePolicyKeyValue,
    LayerCachePolicyKeyValueWithFixedState,
    StateTensorDimensionPrefixTokensDiv,
)

_LONGEST_NAME = 60
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
# More runs of layers than this are shortened: evenly spaced ones, and any.
_MOST_EVEN_RUNS, _MOST_RUNS = 4, 16


@dataclass(frozen=True, slots=True)
class LayerGroup:
    """The layers of a layout that are alike: their policy, their prefix offset (tokens), their global indices."""

    policy: LayerCachePolicy
    offset: int
    layers: tuple[int, ...]

    @property
    def first(self) -> Layer:
        """The first of the layers, which stands for all of them."""
        return Layer(self.layers[0], self.policy, self.offset)


def title(layout: CacheLayout) -> str:
    """The model, and in brackets the runtime and the rank that the layout is for; one line without controls."""
    rank = layout.rank
    axes = {} if rank is None else {"stage": rank.stage_rank, "shard": rank.shard_rank, "rank": rank.addressable_rank}
    notes = [layout.runtime] if layout.runtime else []
    notes += [f"{axis} {number}" for axis, number in axes.items() if number is not None]
    name = _in_one_line(layout.name or layout.model_type or "unnamed layout")
    return f"{name} ({_in_one_line(', '.join(notes))})" if notes else name


def _in_one_line(text: str) -> str:
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return words if len(words) <= _LONGEST_NAME else words[: _LONGEST_NAME - 3] + "..."


def groups(layout: CacheLayout) -> tuple[LayerGroup, ...]:
    """The layers with one policy and one prefix offset, wherever they stand; in the order of their first layers."""
    alike: dict[tuple[LayerCachePolicy, int], list[int]] = {}
    for layer in layers(layout):
        alike.setdefault((layer.policy, layer.offset), []).append(layer.index)
    return tuple(LayerGroup(policy, offset, tuple(indices)) for (policy, offset), indices in alike.items())


def kept(policy: LayerCachePolicy, offset: int = 0) -> str:
    """What a layer keeps, in a few words, such as `key/value 8 x 64, sliding 128`."""
    state = ", ".join(_state(policy))
    behind = f", {-offset} behind" if offset else ""
    if policy == "no_state":
        return "no state"
    if isinstance(policy, LayerCachePolicyFixedState):
        return f"state: {state}{behind}"
    reach = window(policy)
    seen = "full" if reach is None else f"sliding {reach}"
    return f"{_attended(policy)}, {seen}{' + ' if state else ''}{state}{behind}"


def _attended(policy: LayerCachePolicy) -> str:
    match policy:
        case LayerCachePolicyKeyValue(key_value=both):
            return f"key/value {both.num_key_value_heads} x {both.head_dim}"
        case LayerCachePolicyKeyValueWithFixedState(key_value_with_fixed_state=both):
            return f"key/value {both.num_key_value_heads} x {both.head_dim}"
        case LayerCachePolicyKeyOnly(key_only=keys):
            return f"key only {keys.num_key_heads} x {keys.head_dim}"
        case LayerCachePolicyKeyOnlyWithFixedState(key_only_with_fixed_state=keys):
            return f"key only {keys.num_key_heads} x {keys.head_dim}"
        case LayerCachePolicyCompressedLatentRotary(compressed_latent_rotary=latent):
            return f"latent {latent.latent_dim} + rotary {latent.rotary_dim}"
        case _:
            return ""


def _state(policy: LayerCachePolicy) -> Iterator[str]:
    """The kinds of state tensors of a layer; pooling with the numbers of tokens that it pools."""
    divisors = sorted({divisor for tensor in fixed_state(policy) for divisor in _divisors(tensor.shape)})
    names = [stable_name(component.role) for component in components(policy)]
    for part in dict.fromkeys(name.split(".")[1] for name in names if name.startswith("state.")):
        numbers = f" by {' and '.join(map(str, divisors))}" if part == "pooling" and divisors else ""
        yield part.replace("_", " ") + numbers


def _divisors(shape: Shape) -> Iterator[int]:
    for dimension in shape:
        if isinstance(dimension, StateTensorDimensionPrefixTokensDiv):
            yield dimension.prefix_tokens_div


def layer_numbers(layers: Sequence[int]) -> str:
    """Layer indices for people: runs as `0-2`, and many of them shortened, as `0, 2, ..., 34`."""
    known = set(layers)
    starts = [layer for layer in layers if layer - 1 not in known]
    ends = [layer for layer in layers if layer + 1 not in known]
    runs = [str(first) if first == last else f"{first}-{last}" for first, last in zip(starts, ends, strict=True)]
    steps = {(b - a, d - c) for (a, b), (c, d) in zip(pairwise(starts), pairwise(ends), strict=True)}
    if len(runs) > (_MOST_EVEN_RUNS if len(steps) == 1 else _MOST_RUNS):
        return f"{runs[0]}, {runs[1]}, ..., {runs[-1]}"
    return ", ".join(runs)


def in_units(number: int) -> str:
    """Bytes for people, in powers of 1024, such as `1.50 GiB`."""
    sign, rest = ("-", -number) if number < 0 else ("", number)
    power = min(max(rest.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    return f"{sign}{rest:,} B" if power == 0 else f"{sign}{rest / 1024**power:,.2f} {_UNITS[power]}"


def per_token(rate: Rate) -> str:
    """Bytes per token for people: every byte, and two decimals when it is not whole."""
    return f"{rate:,} B" if isinstance(rate, int) else f"{float(rate):,.2f} B"
