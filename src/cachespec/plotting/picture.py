"""Pictures of layouts: memory against prefix length, and a map of the layers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from cachespec.files import replace_file
from cachespec.layouts.labels import title
from cachespec_types.models import CacheLayout

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot"]

SUFFIXES = (".svg", ".png")
MOST_LAYERS = 2048

_STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "hatch.linewidth": 0.6,
    "axes.formatter.use_mathtext": False,
    # Text stays text: it can be searched, read aloud and copied. The salt gives the same names in every run.
    "svg.fonttype": "none",
    "svg.hashsalt": "cachespec",
}
# What would differ between two runs, or two versions of matplotlib, says nothing about the layout.
_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
}


def plot(
    layouts: CacheLayout | Sequence[CacheLayout],
    path: str | os.PathLike[str],
    batch_size: int = 1,
    dtype: str = "bfloat16",
    prefix_tokens: tuple[int, int] | None = None,
) -> None:
    """Draws one layout, or two side by side, into `path`, an .svg or .png file that is replaced as a whole.

    Above, the bytes needed to resume `batch_size` sequences (GiB, or MiB where that is small) against the tokens of
    their prefix, stacked by component, and dashed the bytes of all tokens; the prefix lengths at which windows fill up
    are marked. Below, one cell for each layer, by kind. `floating` tensors are of `dtype`, as in `size`;
    `prefix_tokens` are the shortest and the longest prefix, in tokens, by default a range that shows all windows.

    Raises ImportError without matplotlib (the extra `plot`), ValueError for another suffix, for a number of layouts
    or layers that no picture can show, or an empty range, and what `size` raises; OSError when the file cannot be
    written.
    """
    drawn = (layouts,) if isinstance(layouts, CacheLayout) else tuple(layouts)
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{target}: a picture is an .svg or a .png file")
    if not 1 <= len(drawn) <= 2:
        raise ValueError(f"a picture shows one layout or two, not {len(drawn)}")
    if any(len(layout.layers) > MOST_LAYERS for layout in drawn):
        raise ValueError(f"a picture shows at most {MOST_LAYERS:,} layers")
    if prefix_tokens is not None and not 1 <= prefix_tokens[0] < prefix_tokens[1]:
        raise ValueError("the shortest prefix of a picture has at least 1 token, and the longest has more")
    try:
        from matplotlib.style import context
    except ImportError as error:
        message = "a picture needs matplotlib, which is not installed: pip install 'cachespec[plot]'"
        raise ImportError(message) from error
    from cachespec.plotting.figure import figure

    # Whatever style the process has chosen, the picture is the same, and the choice stands afterwards.
    with context(["default", _STYLE]), catch_warnings():
        # A name in a script that the font lacks is still text in an .svg, and boxes in a .png.
        filterwarnings("ignore", message="Glyph .* missing from")
        data = _encoded(figure(drawn, batch_size, dtype, prefix_tokens), suffix, ", ".join(map(title, drawn)))
    replace_file(target, data)


def _encoded(figure: Figure, suffix: str, name: str) -> bytes:
    buffer = BytesIO()
    # A figure outside pyplot picks the canvas by the format, and leaves the backend of the process alone.
    figure.savefig(buffer, format=suffix[1:], dpi=144, metadata={**_METADATA[suffix], "Title": name})
    return buffer.getvalue()
