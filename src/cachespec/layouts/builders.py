"""Policies built in Python, refused at once when they break a range or a rule.

Every builder raises CachePolicyError with all findings; their paths lead into the wire form of what was being built.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from cachespec.findings import CachePolicyError, refusal
from cachespec.layouts import wire
from cachespec.layouts.models import mistakes, model_of, type_name
from cachespec_types.base import Model
from cachespec_types.models import (
    AttentionPolicy,
    AttentionPolicySliding,
    CacheLayout,
    CacheRankIdentity,
    LayerCachePolicy,
    LayerCachePolicyCompressedLatentRotary,
    LayerCachePolicyFixedState,
    LayerCachePolicyKeyOnly,
    LayerCachePolicyKeyOnlyWithFixedState,
    LayerCachePolicyKeyValue,
    LayerCachePolicyKeyValueWithFixedState,
    MutableStateResidency,
    StateResidencyClass,
    StateTensorDimension,
    StateTensorDimensionFixed,
    StateTensorDtype,
    StateTensorPolicy,
    StateTensorPresence,
    StateTensorPresencePrefixAtLeast,
    StateTensorPresencePrefixRemainderNonZero,
    StateTensorRole,
)

__all__ = [
    "compressed_latent_rotary",
    "fixed",
    "fixed_only",
    "full",
    "key_only",
    "key_only_with_fixed_state",
    "key_value",
    "key_value_with_fixed_state",
    "layout",
    "optional",
    "replace",
    "sliding",
    "state_tensor",
    "state_tensor_with_residency",
    "when_prefix_at_least",
    "when_prefix_remainder_nonzero",
]

Built = TypeVar("Built")
Changed = TypeVar("Changed", bound=Model)


def full() -> AttentionPolicy:
    """Attention to every token of the prefix."""
    return "full"


def sliding(window: int) -> AttentionPolicySliding:
    """Attention to the last `window` tokens, the current one included; 1 to 2147483647."""
    return _built(AttentionPolicySliding, "AttentionPolicy", wire.sliding(window))


def fixed(extent: int) -> StateTensorDimensionFixed:
    """A dimension of a size that the architecture sets; 1 to 2147483647 elements."""
    return _built(StateTensorDimensionFixed, "StateTensorDimension", {"fixed": extent})


def key_value(attention: AttentionPolicy, num_key_value_heads: int, head_dim: int) -> LayerCachePolicyKeyValue:
    """A layer that keeps keys and values, each [batch, num_key_value_heads, prefix_tokens, head_dim]."""
    policy = wire.key_value(_plain_argument(attention), num_key_value_heads, head_dim)
    return _layer(LayerCachePolicyKeyValue, policy)


def key_only(attention: AttentionPolicy, num_key_heads: int, head_dim: int) -> LayerCachePolicyKeyOnly:
    """A layer that keeps keys alone, [batch, num_key_heads, prefix_tokens, head_dim]."""
    return _layer(LayerCachePolicyKeyOnly, wire.key_only(_plain_argument(attention), num_key_heads, head_dim))


def compressed_latent_rotary(
    attention: AttentionPolicy, latent_dim: int, rotary_dim: int
) -> LayerCachePolicyCompressedLatentRotary:
    """A layer of multi-head latent attention: [batch, prefix_tokens, latent_dim] and [..., rotary_dim]."""
    policy = wire.compressed_latent_rotary(_plain_argument(attention), latent_dim, rotary_dim)
    return _layer(LayerCachePolicyCompressedLatentRotary, policy)


def fixed_only(tensors: Iterable[StateTensorPolicy]) -> LayerCachePolicyFixedState:
    """A layer without attention; at least one state tensor."""
    return _layer(LayerCachePolicyFixedState, wire.fixed_state(_plain_argument(tensors)))


def key_value_with_fixed_state(
    attention: AttentionPolicy, num_key_value_heads: int, head_dim: int, tensors: Iterable[StateTensorPolicy]
) -> LayerCachePolicyKeyValueWithFixedState:
    """A layer that keeps keys and values, and at least one state tensor beside them."""
    policy = wire.key_value_with_fixed_state(
        _plain_argument(attention), num_key_value_heads, head_dim, _plain_argument(tensors)
    )
    return _layer(LayerCachePolicyKeyValueWithFixedState, policy)


def key_only_with_fixed_state(
    attention: AttentionPolicy, num_key_heads: int, head_dim: int, tensors: Iterable[StateTensorPolicy]
) -> LayerCachePolicyKeyOnlyWithFixedState:
    """A layer that keeps keys alone, and at least one state tensor beside them."""
    policy = wire.key_only_with_fixed_state(
        _plain_argument(attention), num_key_heads, head_dim, _plain_argument(tensors)
    )
    return _layer(LayerCachePolicyKeyOnlyWithFixedState, policy)


def state_tensor(
    role: StateTensorRole,
    shape: Iterable[StateTensorDimension],
    dtype: StateTensorDtype,
    residency: MutableStateResidency,
) -> StateTensorPolicy:
    """A required state tensor that is rewritten in place. A pooled tensor is not: `state_tensor_with_residency`."""
    _built(str, "MutableStateResidency", residency)
    return state_tensor_with_residency(role, shape, dtype, residency)


def state_tensor_with_residency(
    role: StateTensorRole,
    shape: Iterable[StateTensorDimension],
    dtype: StateTensorDtype,
    residency: StateResidencyClass,
) -> StateTensorPolicy:
    """A required state tensor of any residency class; the role decides which one is right."""
    fields = {"role": role, "shape": shape, "dtype": dtype, "residency": residency, "presence": "required"}
    return _built(StateTensorPolicy, "StateTensorPolicy", fields)


def optional(tensor: StateTensorPolicy) -> StateTensorPolicy:
    """The tensor with the presence `optional`: never required."""
    return _present(tensor, "optional")


def when_prefix_remainder_nonzero(tensor: StateTensorPolicy, divisor: int) -> StateTensorPolicy:
    """The tensor required when the prefix, in tokens, does not divide by `divisor`; 1 to 2147483647."""
    presence = {"prefix_remainder_non_zero": divisor}
    return _present(tensor, _built(StateTensorPresencePrefixRemainderNonZero, "StateTensorPresence", presence))


def when_prefix_at_least(tensor: StateTensorPolicy, tokens: int) -> StateTensorPolicy:
    """The tensor required when the prefix has at least so many tokens; 1 to 2147483647."""
    presence = {"prefix_at_least": tokens}
    return _present(tensor, _built(StateTensorPresencePrefixAtLeast, "StateTensorPresence", presence))


def layout(
    layers: Iterable[LayerCachePolicy],
    *,
    name: str | None = None,
    model_type: str | None = None,
    runtime: str | None = None,
    schema_uri: str | None = None,
    layer_count: int | None = None,
    global_layer_start: int | None = None,
    rank: CacheRankIdentity | None = None,
    layer_prefix_offsets: Iterable[int] | None = None,
    annotations: Mapping[str, str] | None = None,
) -> CacheLayout:
    """A layout of layers in their order, at least one; the other arguments are fields of `CacheLayout`."""
    fields = {
        "cachespec": 1,
        "name": name,
        "model_type": model_type,
        "runtime": runtime,
        "$schema": schema_uri,
        "layer_count": layer_count,
        "global_layer_start": global_layer_start,
        "rank": rank,
        "layers": layers,
        "layer_prefix_offsets": layer_prefix_offsets,
        "annotations": annotations,
    }
    given = {field: value for field, value in fields.items() if value is not None or field == "layers"}
    return _built(CacheLayout, "CacheLayout", given)


def replace(model: Changed, /, **changes: object) -> Changed:
    """The model with other values in some fields. Raises CachePolicyError for what its type refuses."""
    if not isinstance(model, Model):
        raise refusal("wrong-type", f"a value of the Python type `{model.__class__.__name__}` has no fields")
    aliases = {name: field.alias or name for name, field in type(model).model_fields.items()}
    fields = {aliases[name]: value for name, value in model.__dict__.items() if name in aliases}
    changed = {**fields, **{aliases.get(name, name): value for name, value in changes.items()}}
    return _built(type(model), type_name(model) or "", changed)


def _present(tensor: StateTensorPolicy, presence: StateTensorPresence) -> StateTensorPolicy:
    _built(StateTensorPolicy, "StateTensorPolicy", tensor)
    return replace(tensor, presence=presence)


def _layer(expected: type[Built], policy: wire.Policy) -> Built:
    return _built(expected, "LayerCachePolicy", policy)


def _built(expected: type[Built], name: str, argument: object) -> Built:
    """The model of a value put together from arguments, which may be models themselves."""
    value = _plain_argument(argument)
    if found := [mistake for mistake in mistakes(name, value) if mistake.level == "error"]:
        raise CachePolicyError(mistake.finding() for mistake in found)
    built = model_of(name, value)
    assert isinstance(built, expected)
    return built


def _plain_argument(argument: Any) -> Any:
    if isinstance(argument, Model):
        # Models can be made without validation: what is wrong in one is found where it stands.
        return argument.model_dump(by_alias=True, warnings=False)
    if isinstance(argument, (str, bytes)):
        return argument
    if isinstance(argument, Mapping):
        return {name: _plain_argument(value) for name, value in argument.items()}
    return [_plain_argument(item) for item in argument] if isinstance(argument, Iterable) else argument
