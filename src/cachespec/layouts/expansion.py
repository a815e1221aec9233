"""What a policy expands to: named components, their resolved shapes, and when they must be there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import NamedTuple, Never, TypeAlias

from cachespec.findings import CachePolicyError, refusal
from cachespec.layouts.models import has_structure, mistakes, refuse_bad, type_name
from cachespec_types import MAX_EXTENT
from cachespec_types.models import (
    AttentionPolicy,
    AttentionPolicySliding,
    CacheLayout,
    LayerCachePolicy,
    LayerCachePolicyCompressedLatentRotary,
    LayerCachePolicyFixedState,
    LayerCachePolicyKeyOnly,
    LayerCachePolicyKeyOnlyWithFixedState,
    LayerCachePolicyKeyValue,
    LayerCachePolicyKeyValueWithFixedState,
    StateComponentPolicy,
    StateComponentRole,
    StateComponentRoleFixed,
    StateResidencyClass,
    StateTensorDimension,
    StateTensorDimensionFixed,
    StateTensorDimensionPrefixTokensDiv,
    StateTensorDimensionPrefixTokensRem,
    StateTensorDtype,
    StateTensorPolicy,
    StateTensorPresence,
    StateTensorPresencePrefixAtLeast,
    StateTensorPresencePrefixRemainderNonZero,
    StateTensorRoleConvolution,
    StateTensorRolePooling,
)

__all__ = [
    "Layer",
    "NamedComponent",
    "accepts_dtype_name",
    "attention",
    "attention_residency_class",
    "components",
    "expand",
    "fixed_state",
    "is_required_for",
    "layers",
    "resolved_shape",
    "stable_name",
    "window",
]

_MAX_COUNT = 2**64 - 1

Shape: TypeAlias = Sequence[StateTensorDimension]

_ATTENTION_NAMES = {
    "attention_keys": "attention.keys",
    "attention_values": "attention.values",
    "compressed_latent": "attention.compressed_latent",
    "rotary_keys": "attention.rotary_keys",
}
# Bytes of one element of the `floating` family, by the dtype that is chosen for it. Those of one byte are how a runtime
# stores quantised values, without the scales that it keeps beside them.
FLOATING = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
FLOATING |= {"float8_e4m3fn": 1, "float8_e5m2": 1, "int8": 1, "uint8": 1}
_DTYPE_NAMES = {
    "floating": frozenset({"Float16", "Bfloat16", "Float32", "Float64"}),
    "float32": frozenset({"Float32"}),
    "int32": frozenset({"Int32"}),
    "uint32": frozenset({"Uint32"}),
}


class Layer(NamedTuple):
    """One layer of a layout: its global index, what it keeps, and its prefix offset (in tokens, 0 or less)."""

    index: int  # type: ignore[assignment]
    policy: LayerCachePolicy
    offset: int

    def tokens(self, prefix_tokens: int) -> int:
        """How many tokens the layer holds for a prefix: none when the prefix is shorter than it lags behind."""
        return max(prefix_tokens + self.offset, 0)

    def component_name(self, role: StateComponentRole) -> str:
        """The full name of one of its components, such as `layers.3.attention.keys`."""
        return f"layers.{self.index}.{_stable_name(role)}"


@dataclass(frozen=True, slots=True)
class NamedComponent:
    """One component of a layout at one batch size and prefix length.

    `name` is `layers.{layer}.{component}` with the global layer index; `shape` holds resolved extents; `required`
    says whether the component must be there for this prefix.
    """

    name: str
    layer: int
    policy: StateComponentPolicy
    shape: tuple[int, ...]
    required: bool


def layers(layout: CacheLayout) -> Iterator[Layer]:
    """The layers of a layout, in order. Raises CachePolicyError (`offset-count`) without one offset for each layer."""
    offsets = layout.layer_prefix_offsets
    if offsets is not None and len(offsets) != len(layout.layers):
        raise refusal("offset-count", "the layout needs one prefix offset for each layer", "/layer_prefix_offsets")
    return map(Layer, count(layout.global_layer_start or 0), layout.layers, offsets or (0,) * len(layout.layers))


def attention(policy: LayerCachePolicy) -> AttentionPolicy | None:
    """The range of a layer's attention, or None for a layer without attention."""
    match policy:
        case "no_state" | LayerCachePolicyFixedState():
            return None
        case LayerCachePolicyKeyValue():
            return policy.key_value.attention
        case LayerCachePolicyKeyOnly():
            return policy.key_only.attention
        case LayerCachePolicyCompressedLatentRotary():
            return policy.compressed_latent_rotary.attention
        case LayerCachePolicyKeyValueWithFixedState():
            return policy.key_value_with_fixed_state.attention
        case LayerCachePolicyKeyOnlyWithFixedState():
            return policy.key_only_with_fixed_state.attention
        case _:
            raise _refusal("LayerCachePolicy", policy)


def window(policy: LayerCachePolicy) -> int | None:
    """The sliding window of a layer in tokens, the current one included; None where nothing slides."""
    reach = attention(policy)
    return reach.sliding.window if isinstance(reach, AttentionPolicySliding) else None


def fixed_state(policy: LayerCachePolicy) -> tuple[StateTensorPolicy, ...]:
    """The state tensors of a layer beside its attention, in order."""
    match policy:
        case LayerCachePolicyFixedState():
            return tuple(policy.fixed_state.tensors)
        case LayerCachePolicyKeyValueWithFixedState():
            return tuple(policy.key_value_with_fixed_state.tensors)
        case LayerCachePolicyKeyOnlyWithFixedState():
            return tuple(policy.key_only_with_fixed_state.tensors)
        case (
            "no_state"
            | LayerCachePolicyKeyValue()
            | LayerCachePolicyKeyOnly()
            | LayerCachePolicyCompressedLatentRotary()
        ):
            return ()
        case _:
            raise _refusal("LayerCachePolicy", policy)


def attention_residency_class(policy: LayerCachePolicy) -> StateResidencyClass | None:
    """`sealable_paged` for a layer with attention, otherwise None."""
    return None if attention(policy) is None else "sealable_paged"


def components(policy: LayerCachePolicy) -> tuple[StateComponentPolicy, ...]:
    """The components of one layer: those of attention first, then its state tensors in order.

    Shapes of attention are the upper bound without a window: keys and values
    [batch, heads, prefix_tokens, head_dim], latent and rotary keys [batch, prefix_tokens, width].
    """
    if type_name(policy) != "LayerCachePolicy":
        require("LayerCachePolicy", policy)
        raise refusal(
            "wrong-type", f"expected a LayerCachePolicy, not a value of the Python type `{type(policy).__name__}`"
        )
    return _components(policy)


# Models repeat a few policies over many layers, and components are frozen: equal policies share theirs.
@lru_cache(maxsize=256)
def _components(policy: LayerCachePolicy) -> tuple[StateComponentPolicy, ...]:
    # Rules are the judgement of a whole layer; what a policy expands to, its structure says.
    if not has_structure("LayerCachePolicy", policy):
        require("LayerCachePolicy", policy)
    state = tuple(
        StateComponentPolicy(
            role=StateComponentRoleFixed(fixed=tensor.role),
            shape=tensor.shape,
            dtype=tensor.dtype,
            residency=tensor.residency,
            presence=tensor.presence,
        )
        for tensor in fixed_state(policy)
    )
    return (*_attention_components(policy), *state)


def _attention_components(policy: LayerCachePolicy) -> tuple[StateComponentPolicy, ...]:
    match policy:
        case "no_state" | LayerCachePolicyFixedState():
            return ()
        case LayerCachePolicyKeyValue():
            return _keys_and_values(policy.key_value.num_key_value_heads, policy.key_value.head_dim)
        case LayerCachePolicyKeyValueWithFixedState():
            both = policy.key_value_with_fixed_state
            return _keys_and_values(both.num_key_value_heads, both.head_dim)
        case LayerCachePolicyKeyOnly():
            return (_paged("attention_keys", _heads(policy.key_only.num_key_heads, policy.key_only.head_dim)),)
        case LayerCachePolicyKeyOnlyWithFixedState():
            keys = policy.key_only_with_fixed_state
            return (_paged("attention_keys", _heads(keys.num_key_heads, keys.head_dim)),)
        case LayerCachePolicyCompressedLatentRotary():
            latent = policy.compressed_latent_rotary
            return (
                _paged("compressed_latent", ("batch", "prefix_tokens", _fixed(latent.latent_dim))),
                _paged("rotary_keys", ("batch", "prefix_tokens", _fixed(latent.rotary_dim))),
            )
        case _:
            raise _refusal("LayerCachePolicy", policy)


def _keys_and_values(heads: int, head_dim: int) -> tuple[StateComponentPolicy, ...]:
    shape = _heads(heads, head_dim)
    return _paged("attention_keys", shape), _paged("attention_values", shape)


def _heads(heads: int, head_dim: int) -> tuple[StateTensorDimension, ...]:
    return ("batch", _fixed(heads), "prefix_tokens", _fixed(head_dim))


def _fixed(extent: int) -> StateTensorDimensionFixed:
    return StateTensorDimensionFixed(fixed=extent)


def _paged(role: StateComponentRole, shape: tuple[StateTensorDimension, ...]) -> StateComponentPolicy:
    return StateComponentPolicy(
        role=role, shape=shape, dtype="floating", residency="sealable_paged", presence="required"
    )


def stable_name(role: StateComponentRole) -> str:
    """The name of a component within its layer, which no version changes. Raises CachePolicyError for no role."""
    require("StateComponentRole", role)
    return _stable_name(role)


def _stable_name(role: StateComponentRole) -> str:
    if isinstance(role, str):
        return _ATTENTION_NAMES[role]
    if not isinstance(role, StateComponentRoleFixed):
        raise _refusal("StateComponentRole", role)
    match role.fixed:
        case StateTensorRoleConvolution(convolution=convolution):
            return f"state.convolution.{convolution.slot}"
        case StateTensorRolePooling(pooling=pooling):
            return f"state.pooling.{pooling.stream}.{pooling.component}"
        case "recurrent" | "prefix_embedding" | "position_delta":
            return f"state.{role.fixed}"
        case _:
            raise _refusal("StateTensorRole", role.fixed)


def resolved_shape(shape: Shape, batch_size: int, prefix_tokens: int) -> tuple[int, ...]:
    """The extents of a symbolic shape; `scalar` is one element, [1].

    Raises CachePolicyError (`out-of-range`) for an extent above 2147483647, or for a batch or a prefix below 0.
    """
    check_count("batch_size", batch_size)
    check_count("prefix_tokens", prefix_tokens)
    extents = tuple(_extent(dimension, batch_size, prefix_tokens) for dimension in shape)
    for index, extent in enumerate(extents):
        if extent > MAX_EXTENT:
            message = f"the extent of dimension {index} is {extent}, above {MAX_EXTENT}"
            raise refusal("out-of-range", message, f"/{index}", "use a smaller batch or prefix")
    return extents


def check_count(name: str, number: int) -> None:
    """Refuses a batch size or a number of tokens that is none: CachePolicyError, `wrong-type` or `out-of-range`."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise refusal("wrong-type", f"{name} is an integer")
    if not 0 <= number <= _MAX_COUNT:
        raise refusal("out-of-range", f"{name} is {number}", hint=f"{name} is from 0 to {_MAX_COUNT}")


def require(name: str, value: object) -> None:
    """Raises CachePolicyError for what is no value of the type named."""
    if found := [mistake for mistake in mistakes(name, value) if mistake.level == "error"]:
        raise CachePolicyError(mistake.finding() for mistake in found)


def _refusal(name: str, value: Never) -> CachePolicyError:
    """The error for what type checkers know to be impossible, for those who use none."""
    require(name, value)
    return refusal("wrong-type", f"expected a {name}, not a value of the Python type `{type(value).__name__}`")


def _extent(dimension: StateTensorDimension, batch_size: int, prefix_tokens: int) -> int:
    match dimension:
        case "batch":
            return batch_size
        case "prefix_tokens":
            return prefix_tokens
        case "scalar":
            return 1
        case StateTensorDimensionFixed(fixed=extent):
            return extent
        case StateTensorDimensionPrefixTokensDiv(prefix_tokens_div=divisor):
            return prefix_tokens // divisor
        case StateTensorDimensionPrefixTokensRem(prefix_tokens_rem=divisor):
            return prefix_tokens % divisor
        case _:
            raise _refusal("StateTensorDimension", dimension)


def is_required_for(presence: StateTensorPresence, prefix_tokens: int) -> bool:
    """Whether a tensor must be there for a prefix of so many tokens.

    Raises CachePolicyError for a presence or a number of tokens that is none.
    """
    check_count("prefix_tokens", prefix_tokens)
    require("StateTensorPresence", presence)
    return _is_required(presence, prefix_tokens)


def _is_required(presence: StateTensorPresence, prefix_tokens: int) -> bool:
    match presence:
        case "required":
            return True
        case "optional":
            return False
        case StateTensorPresencePrefixRemainderNonZero(prefix_remainder_non_zero=divisor):
            return prefix_tokens % divisor != 0
        case StateTensorPresencePrefixAtLeast(prefix_at_least=tokens):
            return prefix_tokens >= tokens
        case _:
            raise _refusal("StateTensorPresence", presence)


def accepts_dtype_name(dtype: StateTensorDtype, name: str) -> bool:
    """Whether a dtype family takes a dtype by its serialised name, such as `Bfloat16`; the case counts.

    Raises CachePolicyError for a dtype family that does not exist, and for a name that is no text.
    """
    require("StateTensorDtype", dtype)
    if not isinstance(name, str):
        raise refusal("wrong-type", "the name of a dtype is text")
    return name in _DTYPE_NAMES[dtype]


def expand(layout: CacheLayout, batch_size: int, prefix_tokens: int) -> tuple[NamedComponent, ...]:
    """Every component of a layout, layer by layer, with resolved shapes.

    A layer with a prefix offset holds so many tokens fewer, and none when the prefix is shorter than that.
    Raises CachePolicyError: `out-of-range` as `resolved_shape` does, and the errors of `validate`.
    """
    check_count("batch_size", batch_size)
    check_count("prefix_tokens", prefix_tokens)
    refuse_bad(layout, "CacheLayout")
    return tuple(
        NamedComponent(
            name=layer.component_name(component.role),
            layer=layer.index,
            policy=component,
            shape=resolved_shape(component.shape, batch_size, tokens),
            required=_is_required(component.presence, tokens),
        )
        for layer in layers(layout)
        for tokens in (layer.tokens(prefix_tokens),)
        for component in components(layer.policy)
    )
