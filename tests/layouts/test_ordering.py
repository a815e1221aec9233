"""The order of the types that have one."""

from __future__ import annotations

import random
from typing import Any

import pytest

import cachespec


def test_sort_key_orders_as_declared() -> None:
    def convolution(slot: int) -> cachespec.StateTensorRoleConvolution:
        return cachespec.StateTensorRoleConvolution(convolution=cachespec.Convolution(slot=slot))

    def pooling(stream: int, component: Any) -> cachespec.StateTensorRolePooling:
        return cachespec.StateTensorRolePooling(pooling=cachespec.Pooling(stream=stream, component=component))

    roles: list[cachespec.StateTensorRole] = [
        *(convolution(0), convolution(10), "recurrent", "prefix_embedding", "position_delta"),
        *(
            pooling(0, "pending_values"),
            pooling(0, "pooled"),
            pooling(0, "overlap_values"),
            pooling(1, "pending_gates"),
        ),
    ]
    ranks = [None, cachespec.CacheRankIdentity(), cachespec.CacheRankIdentity(stage_rank=0)]
    for ordered in (roles, ranks):
        shuffled = ordered[:]
        random.Random(0).shuffle(shuffled)
        assert sorted(shuffled, key=cachespec.sort_key) == ordered
    tensor = cachespec.state_tensor("recurrent", ["batch"], "float32", "layer_scoped_offloadable")
    with pytest.raises(TypeError, match="no order"):
        cachespec.sort_key(tensor)
    with pytest.raises(TypeError, match="no order"):
        cachespec.sort_key("device")
