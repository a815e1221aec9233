"""How the size of a layout grows with its prefix: the numbers of a picture, without the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm

from cachespec.layouts.expansion import MAX_EXTENT, components, window
from cachespec.layouts.labels import LayerGroup, groups
from cachespec.layouts.sizing import Size, divisor, size
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
    slide = Counter(tokens for policy in layout.layers if (tokens := window(policy)) is not None)
    windows = {tokens: slide[tokens] for tokens in sorted(slide) if shortest <= tokens - 1 <= longest}
    points = _points(shortest, longest, _period(alike, longest)) | {tokens - 1 for tokens in windows}
    stack: dict[str, list[int]] = {}
    all_tokens = []
    for place, tokens in enumerate(sorted(points)):
        all_tokens.append(0)
        for group, of_one in _sizes(alike, batch_size, tokens, dtype):
            all_tokens[place] += of_one.total_bytes * len(group.layers)
            for name, part in of_one.by_component.items():
                heights = stack.setdefault(".".join(name.split(".")[:2]), [0] * len(points))
                heights[place] += part.resume_bytes * len(group.layers)
    shown = {name: tuple(heights) for name, heights in stack.items() if any(heights)}
    return Curves(tuple(sorted(points)), shown, tuple(all_tokens), windows)


def token_range(layouts: tuple[CacheLayout, ...]) -> tuple[int, int]:
    """A range of prefix lengths, in tokens, that is usual and shows where every window fills up."""
    windows = {window(policy) for layout in layouts for policy in layout.layers} - {None}
    filled = [tokens - 1 for tokens in windows if tokens is not None and tokens > 1]
    shortest = min([SHORTEST, *filled])
    longest = max([LONGEST, *(2 * tokens for tokens in filled)])
    return shortest, min(longest, MAX_EXTENT)


def _sizes(
    alike: tuple[LayerGroup, ...], batch_size: int, tokens: int, dtype: str
) -> Iterator[tuple[LayerGroup, Size]]:
    """Each kind of layer with the size of one of its layers: what is alike is sized once."""
    for group in alike:
        one = CacheLayout(cachespec=1, layers=(group.policy,), layer_prefix_offsets=(group.offset,))
        yield group, size(one, batch_size, tokens, dtype)


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
