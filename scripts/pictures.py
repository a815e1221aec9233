"""Write docs/sizes.md and the pictures on it; every number of the page is computed from the example layouts."""

from __future__ import annotations

from pathlib import Path

from cachespec.checking import load
from cachespec.files import replace_file
from cachespec.layouts.labels import in_units, per_token, title
from cachespec.layouts.sizing import Amounts, Size, size
from cachespec.plotting.picture import plot
from cachespec_types.models import CacheLayout

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "schema" / "v1" / "examples"
PAGE = ROOT / "docs" / "sizes.md"
FOLDER = ROOT / "docs" / "pictures"

TOKENS = 131_072

# The pictures of the page: the examples on each.
PICTURES = {
    "gpt-oss": ("gpt-oss",),
    "qwen3-next": ("qwen3-next",),
    "gemma3n": ("gemma3n",),
    "deepseek-v3-and-v4": ("deepseek-v3", "deepseek-v4"),
}

PAGE_TEXT = """\
<!-- Made by scripts/pictures.py. Do not edit. -->

# Sizes and pictures

`cachespec size` says how many bytes a layout takes, and draws it with the extra `plot`. In a clone, after
`scripts/demo` and `. .venv/bin/activate`:

```console
$ pip install -e '.[plot]'
$ cachespec size schema/v1/examples/gpt-oss.cachespec.yaml --prefix-tokens {tokens_plain} --plot gpt-oss.svg
$ cachespec size schema/v1/examples/deepseek-v3.cachespec.yaml schema/v1/examples/deepseek-v4.cachespec.yaml
```

The same in Python:

```python
import cachespec

layout = cachespec.load("schema/v1/examples/gpt-oss.cachespec.yaml")
print(cachespec.size(layout, batch_size=1, prefix_tokens={tokens_plain}).resume_bytes)
cachespec.plot(layout, "gpt-oss.svg")
```

## What the numbers mean

- **All tokens**: every tensor that the layout demands at this prefix, attention without its window. That is what the
  components expand to, and what a cache takes that never lets go of a token.
- **Needed to resume**: what must be there for the next token. Of its keys and values a sliding layer needs the last
  `window - 1` tokens only, since the next token is itself in its window. Pooled rows and states stay whole.
- **Fixed**: the part that has no prefix dimension. It is there from the first token, or from the first full group.
- **Per further token**: what one token more adds to what is needed to resume. A full window adds nothing. A stream
  that pools `d` tokens into a row adds a row in `d` tokens, and the number is its mean; pending rows come and go.

`floating` tensors count with the dtype that you name, all others with 4 bytes an element. An `optional` tensor is in
none of these numbers and stands apart. Layers that read another layer's cache are `no_state` and take nothing. A layout
is the state of one rank, so the bytes are those of one rank. Weights, and the room that an allocator loses at the
ends of its blocks, are no part of a layout.

The example layouts, for one sequence of {tokens} tokens and bfloat16:

{table}

In a picture the prefix grows to the right, twice as long at each step of the scale, and what is needed to resume is
stacked by component. The dashed line is all tokens. A dotted line and a point mark where a window is full. Below is
one cell for each layer, dark for full attention, light and hatched for a window. Two pictures side by side have the
same scales.

## Sliding and full layers in turn: gpt-oss

![gpt-oss](pictures/gpt-oss.svg)

Half of the layers see 128 tokens. Once these windows are full, at 127 tokens, the other half alone makes the cache
grow: {gpt_oss_before} per token before, {gpt_oss.bytes_per_token:,} bytes after. At {tokens} tokens
{gpt_oss_resume} are needed, where all tokens would take {gpt_oss_total}.

## A hybrid: Qwen3-Next

![Qwen3-Next](pictures/qwen3-next.svg)

Three layers of four keep a recurrent state and the last rows of a convolution, {qwen_fixed} together, however long
the prefix is. The other layers add {qwen.bytes_per_token:,} bytes per token, so that they outweigh the states from
{qwen_even:,} tokens on.

## Layers that share: Gemma 3n

![Gemma 3n](pictures/gemma3n.svg)

The last 15 of 35 layers own no cache and count nothing: they read what layers 18 and 19 keep. Of the first 20, the 4
full ones alone make the cache grow once the windows of 512 are full, by {gemma.bytes_per_token:,} bytes per token. At
{tokens} tokens {gemma_resume} are needed. Who counts all 35 layers as full owners arrives at {gemma_naive}.

## Two layouts compared: DeepSeek V3 and V4

![DeepSeek V3 and DeepSeek V4](pictures/deepseek-v3-and-v4.svg)

V3 keeps a latent of 512 and a rotary key of 64 elements for each token and layer, {v3.bytes_per_token:,} bytes per
token. V4 keeps keys in a window of 128, and of everything older a pooled row for every 4 or 128 tokens, on average
{v4.bytes_per_token:,} bytes per token. At {tokens} tokens that is {v3_resume} against {v4_resume}.
"""


def example(name: str) -> CacheLayout:
    (path,) = EXAMPLES.glob(f"{name}.cachespec.*")
    return load(path)


def page() -> str:
    """The text of docs/sizes.md."""
    gpt_oss, qwen, gemma, v3, v4 = (
        _size(name) for name in ("gpt-oss", "qwen3-next", "gemma3n", "deepseek-v3", "deepseek-v4")
    )
    return PAGE_TEXT.format(
        tokens=f"{TOKENS:,}",
        tokens_plain=TOKENS,
        table=_table(),
        gpt_oss=gpt_oss,
        gpt_oss_before=f"{_size('gpt-oss', 126).bytes_per_token:,} bytes",
        gpt_oss_resume=in_units(gpt_oss.resume_bytes),
        gpt_oss_total=in_units(gpt_oss.total_bytes),
        qwen=qwen,
        qwen_fixed=in_units(qwen.fixed_bytes),
        qwen_even=-(-qwen.fixed_bytes // qwen.bytes_per_token),
        gemma=gemma,
        gemma_resume=in_units(gemma.resume_bytes),
        gemma_naive=in_units(_naive("gemma3n")),
        v3=v3,
        v4=v4,
        v3_resume=in_units(v3.resume_bytes),
        v4_resume=in_units(v4.resume_bytes),
    )


def _size(name: str, tokens: int = TOKENS) -> Size:
    return size(example(name), 1, tokens)


def _naive(name: str) -> int:
    """The bytes when every layer of an example is taken for an owner of all tokens, as the largest one is."""
    sized = _size(name)
    return max(layer.total_bytes for layer in sized.by_layer) * len(sized.by_layer)


def _table() -> str:
    rows = [
        "| layout | all tokens | needed to resume | of it fixed | per further token |",
        "|---|--:|--:|--:|--:|",
    ]
    for path in sorted(EXAMPLES.glob("*.cachespec.*")):
        layout = load(path)
        link = f"[{title(layout)}](../{path.relative_to(ROOT).as_posix()})"
        rows.append(f"| {link} | {' | '.join(_cells(size(layout, 1, TOKENS)))} |")
    return "\n".join(rows)


def _cells(amounts: Amounts) -> list[str]:
    counted = (amounts.total_bytes, amounts.resume_bytes, amounts.fixed_bytes)
    return [*map(in_units, counted), per_token(amounts.bytes_per_token)]


def draw(name: str, path: Path) -> None:
    """Draws one of the pictures of the page."""
    plot([example(part) for part in PICTURES[name]], path)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        draw(name, FOLDER / f"{name}.svg")
    replace_file(PAGE, page().encode())


if __name__ == "__main__":
    main()
