"""How many bytes a layout takes: for all tokens of a prefix, to resume it, and for each token more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial, reduce
from math import lcm
from typing import TypeAlias, TypeVar

from cachespec.findings import refusal
from cachespec.layouts.expansion import (
    FLOATING,
    Shape,
    check_count,
    components,
    is_required_for,
    layers,
    resolved_shape,
    stable_name,
    window,
)
from cachespec.layouts.models import refuse_bad
from cachespec.layouts.ordering import sort_key
from cachespec.wording import listed, shown
from cachespec_types.models import (
    CacheLayout,
    LayerCachePolicy,
    StateComponentPolicy,
    StateComponentRole,
    StateComponentRoleFixed,
    StateResidencyClass,
    StateTensorDimension,
    StateTensorDimensionPrefixTokensDiv,
    StateTensorDimensionPrefixTokensRem,
)

__all__ = ["Amounts", "LayerSize", "Size", "size"]

Rate: TypeAlias = int | Fraction
_Summed = TypeVar("_Summed", bound="Amounts")

_OTHERS = 4  # bytes of one element of `float32`, `int32` and `uint32`

# No machine addresses more; without a bound, a shape of a million dimensions would keep us multiplying.
_MOST_ELEMENTS = 2**63 - 1

_RESIDENCIES: tuple[StateResidencyClass, ...] = (
    "sealable_paged",
    "layer_scoped_offloadable",
    "always_device_mutable",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """Bytes of some components, at one batch size and prefix length.

    Everything is in bytes for the whole batch. Only components that must be there at this prefix count.

    - `total_bytes`: with all tokens of the prefix, as the components expand; no window bounds it.
    - `resume_bytes`: what is needed to go on from the prefix; of its attention, a sliding layer keeps the last
      `window - 1` tokens, or fewer when the prefix is shorter.
    - `fixed_bytes`: the part of both that has no prefix dimension and therefore never grows.
    - `bytes_per_token`: how much `resume_bytes` grows with one token more, in bytes per token of the prefix; a full
      window adds 0. It is the mean over the divisors of the shape: a pooled row of `width` bytes for every `d` tokens
      adds `width / d`; pending rows, which come and go, add 0. An int where it is whole, else an exact Fraction.
    - `optional_bytes`: tensors that may be missing (`optional`), all tokens; never part of the other numbers.
    """

    total_bytes: int = 0
    resume_bytes: int = 0
    fixed_bytes: int = 0
    bytes_per_token: Rate = 0
    optional_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSize(Amounts):
    """The bytes of one layer; `layer` is its global index."""

    layer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Size(Amounts):
    """The bytes of a layout, as `size` gives them: the sums of `Amounts`, and how they are made up.

    `batch_size` is in sequences and `prefix_tokens` in tokens of each; `dtype` is the one of `floating` tensors.
    Every layer has an entry in `by_layer`, in order. `by_component` has the names of components without their layer,
    such as `attention.keys`, over all layers; `by_residency` the residency classes that occur.
    """

    batch_size: int
    prefix_tokens: int
    dtype: str
    by_layer: tuple[LayerSize, ...]
    by_component: Mapping[str, Amounts] = field(hash=False)
    by_residency: Mapping[str, Amounts] = field(hash=False)


def size(layout: CacheLayout, batch_size: int, prefix_tokens: int, dtype: str = "bfloat16") -> Size:
    """The bytes that a layout takes for `batch_size` sequences with a prefix of `prefix_tokens` tokens each.

    `dtype` (float16, bfloat16, float32, float64, or of one byte float8_e4m3fn, float8_e5m2, int8, uint8) is the dtype
    of the `floating` tensors; all others have 4 bytes an element. A layer with a prefix offset holds so many tokens
    fewer, and `no_state` layers take nothing, so that layers which share another's cache count once. The layout is the
    state of one rank: so are the bytes.

    Raises CachePolicyError: `unknown-variant` for another dtype, `out-of-range` for a tensor of more than 2**63 - 1
    elements, and what `expand` raises.
    """
    check_count("batch_size", batch_size)
    check_count("prefix_tokens", prefix_tokens)
    _floating_bytes(dtype)
    refuse_bad(layout, "CacheLayout")
    by_layer: dict[int, list[Amounts]] = {}
    by_role: dict[StateComponentRole, list[Amounts]] = {}
    by_residency: dict[StateResidencyClass, list[Amounts]] = {}
    for layer in layers(layout):
        parts = by_layer.setdefault(layer.index, [])
        tokens = layer.tokens(prefix_tokens)
        for component, amounts in layer_amounts(layer.policy, batch_size, tokens, dtype):
            parts.append(amounts)
            by_role.setdefault(component.role, []).append(amounts)
            by_residency.setdefault(component.residency, []).append(amounts)
    roles = sorted(by_role, key=sort_key)
    residencies = [name for name in _RESIDENCIES if name in by_residency]
    return _sum(
        partial(
            Size,
            batch_size=batch_size,
            prefix_tokens=prefix_tokens,
            dtype=dtype,
            by_layer=tuple(_sum(partial(LayerSize, layer=layer), parts) for layer, parts in by_layer.items()),
            by_component={stable_name(role): _sum(Amounts, by_role[role]) for role in roles},
            by_residency={name: _sum(Amounts, by_residency[name]) for name in residencies},
        ),
        [amounts for parts in by_layer.values() for amounts in parts],
    )


def layer_amounts(
    policy: LayerCachePolicy, batch_size: int, tokens: int, dtype: str
) -> Iterator[tuple[StateComponentPolicy, Amounts]]:
    """The components of one layer that holds so many tokens, each with its bytes; raises as `size` does."""
    floating = _floating_bytes(dtype)
    for component in components(policy):
        yield component, _amounts(component, batch_size, tokens, _held(policy, component.role), floating)


def _floating_bytes(dtype: str) -> int:
    if not isinstance(dtype, str) or dtype not in FLOATING:
        raise refusal("unknown-variant", f"unknown dtype {shown(str(dtype))}, expected one of {listed(FLOATING)}")
    return FLOATING[dtype]


def _held(policy: LayerCachePolicy, role: StateComponentRole) -> int | None:
    """How many past tokens the window leaves of a component; None for one that no window bounds."""
    reach = window(policy)
    # The window is the attention's: state tensors beside it keep what their shape says.
    return None if reach is None or isinstance(role, StateComponentRoleFixed) else reach - 1


def _amounts(component: StateComponentPolicy, batch_size: int, tokens: int, held: int | None, floating: int) -> Amounts:
    width = floating if component.dtype == "floating" else _OTHERS
    extents = resolved_shape(component.shape, batch_size, tokens)
    total = _elements(extents) * width
    if component.presence == "optional":
        return Amounts(optional_bytes=total)
    if not is_required_for(component.presence, tokens):
        return Amounts()
    if not any(_depends_on_prefix(dimension) for dimension in component.shape):
        return Amounts(total_bytes=total, resume_bytes=total, fixed_bytes=total)
    if held is not None and tokens >= held:
        kept = _elements(resolved_shape(component.shape, batch_size, held)) * width
        return Amounts(total_bytes=total, resume_bytes=kept)
    rate = _whole(_growth(component.shape, extents) * width)
    return Amounts(total_bytes=total, resume_bytes=total, bytes_per_token=rate)


def _elements(extents: Sequence[int]) -> int:
    if 0 in extents:
        return 0
    return reduce(_times, extents, 1)


def _times(product: int, factor: int) -> int:
    return _bounded(product * factor)


def _bounded(number: int) -> int:
    if number > _MOST_ELEMENTS:
        raise refusal("out-of-range", f"a tensor has or gains more than {_MOST_ELEMENTS} elements")
    return number


def _growth(shape: Shape, extents: Sequence[int]) -> Fraction:
    """Elements more for one token more: the mean over the number of tokens after which the shape repeats itself."""
    period = 1
    for dimension in shape:
        period = _bounded(lcm(period, divisor(dimension)))
    later = [extent + _gain(dimension, period) for dimension, extent in zip(shape, extents, strict=True)]
    return Fraction(_elements(later) - _elements(extents), period)


def _gain(dimension: StateTensorDimension, period: int) -> int:
    """How much an extent gains within so many tokens, a multiple of its divisor."""
    if isinstance(dimension, StateTensorDimensionPrefixTokensRem) or not _depends_on_prefix(dimension):
        return 0
    return period // divisor(dimension)


def _depends_on_prefix(dimension: StateTensorDimension) -> bool:
    return dimension == "prefix_tokens" or isinstance(
        dimension, (StateTensorDimensionPrefixTokensDiv, StateTensorDimensionPrefixTokensRem)
    )


def divisor(dimension: StateTensorDimension) -> int:
    """How many tokens a dimension counts at once: 1 unless it groups them."""
    match dimension:
        case StateTensorDimensionPrefixTokensDiv(prefix_tokens_div=tokens):
            return tokens
        case StateTensorDimensionPrefixTokensRem(prefix_tokens_rem=tokens):
            return tokens
        case _:
            return 1


def _whole(number: Rate) -> Rate:
    return number.numerator if number.denominator == 1 else number


def _sum(make: Callable[..., _Summed], parts: Sequence[Amounts]) -> _Summed:
    return make(
        total_bytes=sum(part.total_bytes for part in parts),
        resume_bytes=sum(part.resume_bytes for part in parts),
        fixed_bytes=sum(part.fixed_bytes for part in parts),
        bytes_per_token=_whole(sum(part.bytes_per_token for part in parts)),
        optional_bytes=sum(part.optional_bytes for part in parts),
    )
