"""Write docs/speed.md and its picture from the figures of scripts/bench.py --json."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.style import context

from cachespec.writing import replace_file

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "speed.md"
PICTURE = ROOT / "docs" / "pictures" / "speed.svg"

TEXT = """<!-- Made by scripts/bench_page.py from one run of scripts/bench.py. Do not edit. -->

# Speed

Times are medians, and only the ratios of one run mean anything: all tools ran in turn on one machine
({machine}). cachespec reads, validates against the schema and applies the rules, with places for
every finding; the other tools validate against the schema. Layouts have 64 layers, unless a row says otherwise.

```console
$ python scripts/bench.py --json figures.json
$ python scripts/bench_page.py figures.json
```

The first command takes about ten minutes, installs the other tools below `build/`, and needs Rust for two of its
rows.
`--short` only shows that everything works.

![Ratios as parts of their goals](pictures/speed.svg)

| work | cachespec | beside | | ratio | goal | met |
|---|---|---|---|---|---|---|
{rows}

## Where the time of one file goes

Half of it is spent before the file is opened. These modules take longest to import (milliseconds of their own, under a
profiler, which makes all of them slower):

| package | ms |
|---|---|
{imports}

A check imports PyYAML's C parser, the compiled validator and what the standard library needs for a command line;
importing the compiled validator brings in `email`, `socket` and `urllib` with it. jsonschema, pydantic and rich are
left for findings, models and tables. A native program has none of this to load, and it is the whole of the difference
on one file; on many files it no longer counts.

## Goals that are not met

One file beside sourcemeta: the interpreter, two compiled libraries and the command line alone take longer than the goal
leaves, as the table above shows. JSON to a verdict beside Rust stands at its goal, above or below it from run to run:
reading the text is half of it, the compiled validator a quarter.
"""


def amount(row: dict[str, Any], value: float) -> str:
    if "bytes" in row["work"]:
        return f"{value / 1e6:,.1f} MB"
    return f"{value * 1e3:,.3g} ms" if value < 1 else f"{value:.3g} s"


def table(rows: list[dict[str, Any]]) -> str:
    return "\n".join(
        f"| {row['work']} | {amount(row, row['ours'])} | {row['beside']} | {amount(row, row['theirs'])} "
        f"| {row['ratio']:.3g} | {row['goal']:g} | {'yes' if row['met'] else '**no**'} |"
        for row in rows
    )


def picture(rows: list[dict[str, Any]]) -> bytes:
    """One bar for each goal: the ratio as a part of the goal, on a log axis; what reaches beyond 1 is not met."""
    from io import BytesIO

    names = [f"{row['work']}\nbeside {row['beside']}" for row in rows][::-1]
    parts = [row["ratio"] / row["goal"] for row in rows][::-1]
    with context(["default", {"svg.fonttype": "none", "svg.hashsalt": "cachespec", "font.size": 8}]):
        figure = Figure(figsize=(8.5, 0.42 * len(rows) + 0.8), layout="constrained")
        axes = figure.add_subplot()
        bars = axes.barh(
            names, parts, color=["#2d6a9f" if part <= 1 else "#d9822b" for part in parts], edgecolor="black"
        )
        for bar, part in zip(bars, parts, strict=True):
            bar.set_hatch("" if part <= 1 else "///")
        axes.axvline(1, color="black", linestyle="--")
        axes.set_xscale("log")
        axes.set_xlabel("ratio, as a part of its goal (log scale): left of the line is within the goal")
        buffer = BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def main() -> int:
    figures = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    imports = "\n".join(f"| `{module}` | {milliseconds:.1f} |" for module, milliseconds in figures["imports"])
    text = TEXT.format(machine=figures["machine"], rows=table(figures["rows"]), imports=imports)
    replace_file(PICTURE, picture(figures["rows"]))
    replace_file(PAGE, text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
