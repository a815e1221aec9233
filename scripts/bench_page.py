"""Write docs/speed.md and its picture from the figures of scripts/bench.py --json."""

from __future__ import annotations

import json
import sys
from dataclasses import fields
from io import BytesIO
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.style import context

from bench import Goal, as_amount
from cachespec.files import replace_file

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "speed.md"
PICTURE = ROOT / "docs" / "pictures" / "speed.svg"

TEXT = """<!-- Made by scripts/bench_page.py from one run of scripts/bench.py. Do not edit. -->

# Speed

Times are medians, and only the ratios of one run mean anything: all tools ran in turn on one machine
({machine}). cachespec reads, validates against the schema and applies the rules, with places for
every finding; the other tools validate against the schema. Layouts have 64 layers, unless a row says otherwise.

In the environment that `scripts/test` makes in `.venv`:

```console
$ python scripts/bench.py --json figures.json
$ python scripts/bench_page.py figures.json
```

The first command takes about twelve minutes, installs every tool in an environment of its own below `build/`, and
needs Rust for two of its rows. `--short` only shows that everything works.

![Ratios as parts of their goals](pictures/speed.svg)

| work | cachespec | beside | | ratio | goal | met |
|---|---|---|---|---|---|---|
{rows}

## Where the time of one file goes

Most of it is spent before the file is opened. These packages take longest to import (milliseconds of their own, under
a profiler, which makes all of them slower):

| package | ms |
|---|---|
{imports}

A check imports PyYAML's C parser, the compiled validator and what the standard library needs for a command line;
`email`, `socket` and `urllib` come with the compiled validator, which reads the date of its own build with them.
jsonschema, pydantic and rich are left for findings, models and tables. A native program has none of this to load, and
it is the whole of the difference on one file; on many files it no longer counts.

## What moves from run to run

- The time per layer is that of the first layout that a process reads, as an engine does at its start. In a loop that
  reads and drops one layout, 1,000 layers stay in memory that is warm, and 10,000 take 1.1 to 1.6 times as long per
  layer in JSON, by the clock and the caches of the processor (the parser alone 1.4); in YAML no longer.
- Rows with processes move by a tenth, with whatever else the machine does.

{unmet}
"""


def table(goals: list[Goal]) -> str:
    return "\n".join(
        f"| {goal.work} | {as_amount(goal, goal.ours)} | {goal.beside} | {as_amount(goal, goal.theirs)} "
        f"| {goal.ratio:.3g} | {goal.goal:g} | {'yes' if goal.met else '**no**'} |"
        for goal in goals
    )


def unmet(goals: list[Goal]) -> str:
    """Which goals the run has not met, in a sentence."""
    missed = [f"{goal.work} beside {goal.beside}" for goal in goals if not goal.met]
    return f"Not met in this run: {'; '.join(missed)}." if missed else "This run met every goal."


def picture(goals: list[Goal]) -> bytes:
    """One bar for each goal: the ratio as a part of the goal, on a log axis; what reaches beyond 1 is not met."""
    names = [f"{goal.work}\nbeside {goal.beside}" for goal in goals][::-1]
    parts = [goal.ratio / goal.goal for goal in goals][::-1]
    with context(["default", {"svg.fonttype": "none", "svg.hashsalt": "cachespec", "font.size": 8}]):
        figure = Figure(figsize=(8.5, 0.42 * len(goals) + 0.8), layout="constrained")
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
    goals = [Goal(**{field.name: row[field.name] for field in fields(Goal)}) for row in figures["rows"]]
    text = TEXT.format(machine=figures["machine"], rows=table(goals), imports=imports, unmet=unmet(goals))
    replace_file(PICTURE, picture(goals))
    replace_file(PAGE, text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
