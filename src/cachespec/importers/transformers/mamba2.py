"""The state of Mamba 2, which models of several families keep."""

from __future__ import annotations

from cachespec.layouts.wire import Tensor, convolution, recurrent


def mamba2_state(heads: int, width: int, groups: int, states: int, kernel: int) -> list[Tensor]:
    """The convolution over channels and both group projections, and the state of every head."""
    return [convolution(0, heads * width + 2 * groups * states, kernel), recurrent(heads, width, states)]
