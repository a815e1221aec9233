"""The order of the types that the reference orders: by variant as declared, then field by field."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from cachespec.schema import definitions
from cachespec_types.base import Model
from cachespec_types.models import CacheBlockId, CacheRankIdentity, Convolution, Pooling, Sliding

__all__ = ["sort_key"]

Key: TypeAlias = tuple[Any, ...]

_ORDERED_UNIONS = (
    "AttentionPolicy",
    "CacheRepresentation",
    "PoolingStateComponent",
    "StateTensorRole",
    "StateTensorOwner",
    "StateComponentRole",
)
_ORDERED_STRUCTS = (CacheBlockId, CacheRankIdentity, Convolution, Pooling, Sliding)


def sort_key(value: object) -> Key:
    """A key that sorts values of one type as the reference does; an absent value comes first.

    For AttentionPolicy, CacheRankIdentity, CacheBlockId, CacheRepresentation, PoolingStateComponent, StateTensorRole,
    StateTensorOwner and StateComponentRole; raises TypeError for a type without an order.
    """
    if value is None:
        return (0,)
    if isinstance(value, int) and not isinstance(value, bool):
        return (1, value)
    if isinstance(value, str) and value in _ranks():
        return (1, _ranks()[value])
    if isinstance(value, _ORDERED_STRUCTS):
        return (1, *(sort_key(field) for _, field in value))
    if isinstance(value, Model) and type(value).__name__ in _ranks():
        ((_, payload),) = value
        return (1, _ranks()[type(value).__name__], sort_key(payload))
    raise TypeError(f"values of {type(value).__name__} have no order")


@cache
def _ranks() -> dict[str, int]:
    """The place of every variant in its union, by unit string or by class name; no two unions share a name."""
    return {
        branch.get("const") or branch["title"]: rank
        for union in _ORDERED_UNIONS
        for rank, branch in enumerate(definitions()[union]["oneOf"])
    }
