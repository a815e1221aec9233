"""The lower panel of a figure: one cell for each layer, coloured and hatched by what the layer keeps."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from cachespec.layouts.expansion import attention, fixed_state, window
from cachespec.layouts.labels import LayerGroup, groups, kept
from cachespec_types.models import (
    CacheLayout,
    LayerCachePolicy,
    LayerCachePolicyCompressedLatentRotary,
    LayerCachePolicyKeyOnly,
    LayerCachePolicyKeyOnlyWithFixedState,
)

INK = "#222222"
_PER_ROW = 24
_MOST_KINDS = 10

# Inches.
_HEAD, _CELL, _LINE, _GAP = 0.25, 0.3, 0.21, 0.12

# A full range is dark and a window is light, so that the difference survives without colour.
_COLOURS = {
    "key_value": ("#2F6F9F", "#BFDDF0"),
    "key_only": ("#2E8B6F", "#C4E8DB"),
    "latent": ("#8E5C8A", "#E3C4DE"),
    "state": ("#E8A33D", "#E8A33D"),
}
_RANGES = ("///", "xxxx", "\\\\\\", "|||||", "-----", "//////")
_STATE = "++"

Look = tuple[str, str]


def map_height(layout: CacheLayout) -> float:
    """The height of the map of a layout, in inches."""
    rows = -(-len(layout.layers) // _PER_ROW)
    return _HEAD + rows * _CELL + _GAP + len(_legend(groups(layout))) * _LINE


def draw_layer_map(axes: Axes, layout: CacheLayout, height: float) -> None:
    """Draws into axes that are `height` inches high."""
    axes.set_axis_off()
    axes.set_xlim(0, _PER_ROW)
    axes.set_ylim(height, 0)
    alike = groups(layout)
    looks = _looks(alike)
    start = alike[0].layers[0]
    for group, look in zip(alike, looks, strict=True):
        for layer in group.layers:
            row, column = divmod(layer - start, _PER_ROW)
            axes.add_patch(_box(column, _HEAD + row * _CELL, 0.94, _CELL * 0.9, look))
    for first in range(0, len(layout.layers), _PER_ROW):
        below = _HEAD + (first // _PER_ROW + 0.5) * _CELL
        axes.text(-0.15, below, f"{start + first:,}", ha="right", va="center", fontsize=8)
    total = f" of {layout.layer_count:,}" if (layout.layer_count or 0) > len(layout.layers) else ""
    noun = "layer" if len(layout.layers) == 1 and not total else "layers"
    axes.text(0, _HEAD - 0.08, f"{len(layout.layers):,}{total} {noun}", va="bottom")
    _draw_legend(axes, alike, looks, -(-len(layout.layers) // _PER_ROW))


def _box(left: float, top: float, width: float, height: float, look: Look) -> Rectangle:
    colour, hatch = look
    return Rectangle((left, top), width, height, facecolor=colour, hatch=hatch, edgecolor=INK, linewidth=0.7)


def _legend(alike: Sequence[LayerGroup]) -> list[str]:
    """A line for each kind of layer; the last says how many more there are than anyone reads."""
    lines = [f"{len(group.layers)} x {kept(group.policy, group.offset)}" for group in alike]
    return (
        lines
        if len(lines) <= _MOST_KINDS
        else [*lines[: _MOST_KINDS - 1], f"{len(lines) - _MOST_KINDS + 1} more kinds"]
    )


def _draw_legend(axes: Axes, alike: Sequence[LayerGroup], looks: Sequence[Look], rows: int) -> None:
    lines = _legend(alike)
    for place, line in enumerate(lines):
        top = _HEAD + rows * _CELL + _GAP + place * _LINE
        if place < _MOST_KINDS - 1 or len(alike) <= _MOST_KINDS:
            axes.add_patch(_box(0, top, 1.4, _LINE * 0.78, looks[place]))
        axes.text(1.7, top + _LINE * 0.39, line, va="center")


def _looks(alike: Sequence[LayerGroup]) -> list[Look]:
    """A colour and a hatch for each kind of layer; what looks like an earlier kind gets the next hatch."""
    looks: list[Look] = []
    for group in alike:
        candidates = _candidates(group.policy)
        looks.append(next((look for look in candidates if look not in looks), candidates[0]))
    return looks


def _candidates(policy: LayerCachePolicy) -> list[Look]:
    if policy == "no_state":
        return [("#FFFFFF", "")]
    state = _STATE if fixed_state(policy) else ""
    if attention(policy) is None:
        dark, _ = _COLOURS["state"]
        return [(dark, state), *((dark, state + more) for more in _RANGES)]
    dark, light = _COLOURS[_representation(policy)]
    if window(policy) is None:
        return [(dark, state), *((dark, state + more) for more in _RANGES)]
    return [(light, state + more) for more in _RANGES]


def _representation(policy: LayerCachePolicy) -> str:
    if isinstance(policy, (LayerCachePolicyKeyOnly, LayerCachePolicyKeyOnlyWithFixedState)):
        return "key_only"
    return "latent" if isinstance(policy, LayerCachePolicyCompressedLatentRotary) else "key_value"
