"""The figures of `plotting`, drawn with matplotlib: only this module and `layer_map` import it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from cachespec.layouts.labels import in_units, title
from cachespec.plotting.curves import Curves, curves, token_range
from cachespec.plotting.layer_panel import INK, draw_layer_map, map_height
from cachespec.wording import counted
from cachespec_types.models import CacheLayout

# Bottom of the stack first: what never grows carries what does. Each has a hatch, since colours may be lost in print.
_LOOKS = {
    "state.recurrent": ("#D55E00", "xxx"),
    "state.convolution": ("#F0C36D", "|||"),
    "state.position_delta": ("#DDDDDD", "xxxxx"),
    "state.prefix_embedding": ("#EEEEEE", "---"),
    "state.pooling": ("#9BD4BE", "+++"),
    "attention.compressed_latent": ("#8E5C8A", ""),
    "attention.rotary_keys": ("#E3C4DE", "\\\\\\"),
    "attention.keys": ("#2F6F9F", ""),
    "attention.values": ("#BFDDF0", "///"),
}
_UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "bytes"))

# Inches.
_COLUMN, _LEFT, _RIGHT = 8.4, 0.85, 0.4
_TOP, _MEMORY, _BETWEEN, _BOTTOM = 1.1, 3.8, 0.7, 0.1

# Where the memory axes show the start again, as parts of them: left, below, width, height. What is lower is flat.
_SHEET = (0.015, 0.09, 0.54, 0.55)
# The name of a window needs this part of the width, and there is room for so many lines of names.
_NAME, _NAME_LINES = 0.23, 3
_MOST_TICKS = 9


@dataclass(frozen=True)
class _Column:
    layout: CacheLayout
    curves: Curves
    left: float


def figure(
    layouts: Sequence[CacheLayout], batch_size: int, dtype: str, prefix_tokens: tuple[int, int] | None
) -> Figure:
    """The picture of one layout, or of two in columns with the same scales."""
    shortest, longest = prefix_tokens or token_range(tuple(layouts))
    columns = [
        _Column(layout, curves(layout, batch_size, dtype, shortest, longest), _COLUMN * place)
        for place, layout in enumerate(layouts)
    ]
    map_ = max(map_height(layout) for layout in layouts)
    width, height = _COLUMN * len(columns), _TOP + _MEMORY + _BETWEEN + map_ + _BOTTOM
    drawn = Figure(figsize=(width, height))

    def axes(column: _Column, below: float, tall: float) -> Axes:
        """Axes so many inches below the top."""
        wide = _COLUMN - _LEFT - _RIGHT
        return drawn.add_axes(((column.left + _LEFT) / width, 1 - (below + tall) / height, wide / width, tall / height))

    highest = _highest([column.curves for column in columns])
    for column in columns:
        middle = (column.left + _LEFT + (_COLUMN - _LEFT - _RIGHT) / 2) / width
        drawn.text(middle, 1 - 0.3 / height, title(column.layout), ha="center", fontsize=13, parse_math=False)
        conditions = f"batch size {batch_size:,}, floating tensors as {dtype}"
        drawn.text(middle, 1 - 0.52 / height, conditions, ha="center", color=INK)
        _draw_memory(axes(column, _TOP, _MEMORY), column.curves, shortest, longest, highest)
        draw_layer_map(axes(column, _TOP + _MEMORY + _BETWEEN, map_), column.layout, map_)
    return drawn


def _highest(drawn: Sequence[Curves]) -> int:
    """The top of the memory axis, in bytes: all tokens may leave the picture where windows save very much."""
    to_resume = max(max(one.to_resume) for one in drawn)
    all_tokens = max(max(one.all_tokens) for one in drawn)
    # The legend stands above the short prefixes, which may be as large as the long ones.
    first = max(one.to_resume[0] for one in drawn)
    return max(round(min(all_tokens, 2.2 * to_resume) * 1.06), round(1.5 * first), 1)


def _draw_memory(axes: Axes, drawn: Curves, shortest: int, longest: int, highest: int) -> None:
    _draw_curves(axes, drawn, highest)
    _set_tokens(axes, shortest, longest)
    axes.set_xlabel("tokens in the prefix")
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        # Top of the stack first, as the eye meets it.
        axes.legend(
            handles[::-1],
            labels[::-1],
            loc="upper left",
            title=f"bytes at {drawn.tokens[-1]:,} tokens",
            alignment="left",
            framealpha=1,
            handlelength=3,
            handleheight=1.4,
        )
    _name_windows(axes, drawn, shortest, longest)
    if _room_for_start(drawn, shortest, longest, highest):
        _draw_start(axes, drawn, shortest, min(8 * max(drawn.windows), longest))


def _room_for_start(drawn: Curves, shortest: int, longest: int, highest: int) -> bool:
    """Whether windows fill up where nobody sees it, and the curves leave the corner above free."""
    left, below, wide, _ = _SHEET
    flat = below * highest
    filled = [drawn.to_resume[drawn.tokens.index(tokens - 1)] for tokens in drawn.windows]
    right = shortest * (longest / shortest) ** (left + wide)
    beneath = [height for tokens, height in zip(drawn.tokens, drawn.all_tokens, strict=True) if tokens <= right]
    return bool(filled) and max(filled) < flat and max(beneath) < flat


def _draw_start(axes: Axes, drawn: Curves, shortest: int, longest: int) -> None:
    """The windows again in a corner that is free, on a scale that shows what happens when they fill up."""
    left, below, wide, tall = _SHEET
    # White below its labels, since lines of the large picture pass there.
    sheet = Rectangle(
        (left, below), wide, tall, transform=axes.transAxes, facecolor="white", edgecolor="none", zorder=4
    )
    axes.add_patch(sheet)
    inset = axes.inset_axes((left + 0.06, below + 0.08, wide - 0.08, tall - 0.15))
    highest = max(height for tokens, height in zip(drawn.tokens, drawn.to_resume, strict=True) if tokens <= longest)
    _draw_curves(inset, drawn, max(round(1.4 * highest), 1))
    _set_tokens(inset, shortest, longest)
    inset.set_title(f"the first {longest:,} tokens", fontsize=8)
    inset.tick_params(labelsize=8)
    inset.set_ylabel(inset.get_ylabel().rpartition(" ")[2], fontsize=8)


def _draw_curves(axes: Axes, drawn: Curves, highest: int) -> None:
    """The stack, the curve of all tokens and the windows, on a memory axis up to so many bytes."""
    unit, name = next((unit, name) for unit, name in _UNITS if highest >= unit)
    base = [0.0] * len(drawn.tokens)
    for part in _ordered(drawn):
        top = [low + height / unit for low, height in zip(base, drawn.stack[part], strict=True)]
        colour, hatch = _LOOKS.get(part, ("#FFFFFF", "/////"))
        label = f"{part}: {in_units(drawn.stack[part][-1])}"
        axes.fill_between(
            drawn.tokens, base, top, facecolor=colour, hatch=hatch, edgecolor=INK, linewidth=0.6, label=label
        )
        base = top
    if drawn.all_tokens != drawn.to_resume:
        heights = [height / unit for height in drawn.all_tokens]
        label = f"all tokens, no window: {in_units(drawn.all_tokens[-1])}"
        axes.plot(drawn.tokens, heights, color=INK, linestyle=(0, (6, 3)), linewidth=1.4, label=label)
    for tokens in drawn.windows:
        filled = tokens - 1
        height = drawn.to_resume[drawn.tokens.index(filled)] / unit
        axes.axvline(filled, color=INK, linestyle=":", linewidth=1.2)
        axes.plot([filled], [height], marker="o", markersize=6, color="white", markeredgecolor=INK, clip_on=False)
    axes.set_ylim(0, highest / unit)
    axes.set_ylabel(f"needed to resume, {name}")
    axes.set_axisbelow(True)
    axes.grid(True, color="#BBBBBB", linewidth=0.5)


def _ordered(drawn: Curves) -> list[str]:
    places = list(_LOOKS)
    return sorted(drawn.stack, key=lambda part: places.index(part) if part in places else len(places))


def _set_tokens(axes: Axes, shortest: int, longest: int) -> None:
    """A logarithmic axis of tokens, with ticks at powers of 2: every second one, or fewer, when there are many."""
    axes.set_xscale("log", base=2)
    axes.set_xlim(shortest, longest)
    powers = [2**power for power in range(longest.bit_length()) if shortest <= 2**power]
    # Counted from the end, since the longest prefix is what people look for.
    ticks = powers[:: -max(1, -(-len(powers) // _MOST_TICKS))] or [shortest, longest]
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda tokens, _: f"{round(tokens):,}"))


def _name_windows(axes: Axes, drawn: Curves, shortest: int, longest: int) -> None:
    """The names of the windows above the axes, each on the first line that is free there; a few at most."""
    ends: list[float] = []
    for tokens, layers in drawn.windows.items():
        place = log2((tokens - 1) / shortest) / log2(longest / shortest)
        side = "left" if place < _NAME / 2 else "right" if place > 1 - _NAME / 2 else "center"
        start = place - _NAME * {"left": 0, "center": 0.5, "right": 1}[side]
        line = next((line for line, end in enumerate(ends) if start >= end), len(ends))
        if line == _NAME_LINES:
            continue
        ends[line : line + 1] = [start + _NAME]
        axes.annotate(
            f"window {tokens:,} full ({counted(layers, 'layer')})",
            (tokens - 1, 1),
            (0, 4 + 12 * line),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha=side,
            fontsize=8,
        )
