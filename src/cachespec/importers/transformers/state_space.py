"""What state space models of several families have in common."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.layouts.wire import Tensor, convolution, recurrent


def expanded_channels(config: Configuration) -> int:
    """mamba_expand * hidden_size, the channels that the state space works on."""
    return config.integer("mamba_expand") * config.integer("hidden_size")


def mamba2_state(heads: int, width: int, groups: int, states: int, kernel: int) -> list[Tensor]:
    """The convolution over channels and both group projections, and the state of every head."""
    return [convolution(0, heads * width + 2 * groups * states, kernel), recurrent(heads, width, states)]
