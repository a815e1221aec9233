"""How the size of a layout grows with its prefix: the numbers of a picture, without the picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import lcm

from cachespec.layouts.expansion import components, stable_name, window
from cachespec.layouts.labels import LayerGroup, groups
from cachespec.layouts.sizing import divisor, layer_amounts
from cachespec_types import MAX_EXTENT
from cachespec_types.models import CacheLayout

SHORTEST, LONGEST = 16, 131_072
_STEPS = 12  # points for each doubling of the prefix


@dataclass(frozen=True, slots=True)
class Curves:
    """Bytes against tokens of the prefix.

    `tokens` are the prefix lengths, ascending. `stack` has for each kind of component its bytes needed to resume at
    each of them, the names without slots and streams (`state.pooling`); `all_tokens` is the sum without windows.
    `windows` are the windows that fill up within the range, each with the number of its layers; the first prefix that
    fills a window is `window - 1` tokens long.
    """

    tokens: tuple[int, ...]
    stack: dict[str, tuple[int, ...]]
    all_tokens: tuple[int, ...]
    windows: dict[int, int]

    @property
    def to_resume(self) -> tuple[int, ...]:
        """The sum of the stack at each prefix length, in bytes."""
        return tuple(map(sum, zip(*self.stack.values(), strict=True))) if self.stack else (0,) * len(self.tokens)


def curves(layout: CacheLayout, batch_size: int, dtype: str, shortest: int, longest: int) -> Curves:
    """The curves of a layout from a prefix of `shortest` to one of `longest` tokens.

    Pending rows of pooling come and go with every token. Where the prefix is longer than their period, the curves show
    each period at its fullest, one token before the rows are pooled, so that nothing depends on the chosen points.
    """
    alike = groups(layout)
    slide = Counter(reach for policy in layout.layers if (reach := window(policy)) is not None)
    windows = {reach: slide[reach] for reach in sorted(slide) if shortest <= reach - 1 <= longest}
    points = sorted(_points(shortest, longest, _period(alike, longest)) | {reach - 1 for reach in windows})
    stack: dict[str, list[int]] = {}
    all_tokens = [0] * len(points)
    for place, tokens in enumerate(points):
        for group in alike:
            # What is alike is sized once.
            for component, of_one in layer_amounts(group.policy, batch_size, group.first.tokens(tokens), dtype):
                kind = ".".join(stable_name(component.role).split(".")[:2])
                heights = stack.setdefault(kind, [0] * len(points))
                heights[place] += of_one.resume_bytes * len(group.layers)
                all_tokens[place] += of_one.total_bytes * len(group.layers)
    shown = {kind: tuple(heights) for kind, heights in stack.items() if any(heights)}
    return Curves(tuple(points), shown, tuple(all_tokens), windows)


def token_range(layouts: tuple[CacheLayout, ...]) -> tuple[int, int]:
    """A range of prefix lengths, in tokens, that is usual and shows where every window fills up."""
    windows = {window(policy) for layout in layouts for policy in layout.layers} - {None}
    filled = [reach - 1 for reach in windows if reach is not None and reach > 1]
    shortest = min([SHORTEST, *filled])
    longest = max([LONGEST, *(2 * tokens for tokens in filled)])
    return shortest, min(longest, MAX_EXTENT)


def _points(shortest: int, longest: int, period: int) -> set[int]:
    points, exponent = {shortest, longest}, 0
    while (tokens := round(shortest * 2 ** (exponent / _STEPS))) < longest:
        points.add(tokens)
        exponent += 1
    if period == 1:
        return points
    ends = {tokens if tokens < period else (tokens + 1) // period * period - 1 for tokens in points}
    return {tokens for tokens in ends if tokens >= shortest} | {shortest}


def _period(alike: tuple[LayerGroup, ...], longest: int) -> int:
    """The number of tokens after which pending rows repeat themselves; above `longest` none matters."""
    period = 1
    for dimension in (dimension for group in alike for part in components(group.policy) for dimension in part.shape):
        period = lcm(period, divisor(dimension))
        if period > longest:
            break
    return period
