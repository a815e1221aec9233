"""How fast cachespec is beside other tools, run alternately in one go: medians and ratios, as a table and as JSON.

Only ratios of one run mean anything; the machine is named with them. `--short` proves that everything works.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import jsonschema
from rich.console import Console
from rich.table import Table

import cachespec
from bench_layouts import LAYERS, as_text, layout, write_many
from bench_tools import (
    alternately,
    commands,
    in_process,
    in_rust,
    install,
    of_fresh_python,
    peak,
    program,
    whole_process,
)
from cachespec.files import replace_file
from cachespec.schema import schema_text


@dataclass(frozen=True)
class Goal:
    """One line of the table: our time, another's, and the ratio that is the goal."""

    work: str
    ours: float
    beside: str
    theirs: float
    goal: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    @property
    def met(self) -> bool:
        return self.ratio <= self.goal


@dataclass(frozen=True)
class Effort:
    """How long to measure: files of the rows with many, rounds of those rows and of the others, seconds of one call."""

    many: int
    few: int
    rounds: int
    seconds: float


SHORT = Effort(many=20, few=1, rounds=1, seconds=0.05)
WHOLE = Effort(many=500, few=3, rounds=25, seconds=0.4)


# Measurements, one function for each row of the goals.


def files(folder: Path, count: int, syntax: str, rounds: int, goals: dict[str, float]) -> list[Goal]:
    write_many(folder, count, syntax)
    by_tool = commands(sorted(map(str, folder.iterdir())))
    times = alternately({tool: partial(whole_process, command) for tool, command in by_tool.items()}, rounds)
    work = f"{count} {syntax.upper()} file{'s' if count > 1 else ''}, whole process"
    return [Goal(work, times["cachespec"], tool, times[tool], goal) for tool, goal in goals.items()]


def one_bad(folder: Path, count: int, rounds: int) -> Goal:
    write_many(folder / "good", count, "yaml")
    write_many(folder / "bad", count, "yaml", bad=count // 2)
    ours = [program("cachespec", "cachespec"), "check"]
    works = {
        "good": partial(whole_process, [*ours, str(folder / "good")]),
        "bad": partial(whole_process, [*ours, str(folder / "bad")], status=1),
    }
    times = alternately(works, rounds)
    return Goal(f"one bad file among {count}", times["bad"], f"{count} good files", times["good"], 1.3)


def reading(folder: Path, rounds: int, seconds: float) -> list[Goal]:
    text = as_text(layout(LAYERS), "json")
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    layers = folder / "layers.json"
    layers.write_text(json.dumps(layout(LAYERS)["layers"]), encoding="utf-8")

    def typed() -> object:
        return [cachespec.components(policy) for policy in cachespec.loads(text).layers]

    works: dict[str, Callable[[], float]] = {
        "verdict": partial(in_process, lambda: cachespec.check(text), seconds),
        "models": partial(in_process, typed, seconds),
        "library": partial(in_process, lambda: validator.is_valid(json.loads(text)), seconds),
    }
    if shutil.which("cargo") is not None:
        works["rust"] = partial(in_rust, "decode_and_validate", layers)
        works["rust, expanded"] = partial(in_rust, "decode_validate_and_components", layers)
    times = alternately(works, rounds)
    verdict, models = "JSON text to verdict, in process", "JSON text to models and components"
    goals = [Goal(verdict, times["verdict"], "jsonschema, structure only", times["library"], 1.0)]
    if "rust" in times:
        goals.append(Goal(verdict, times["verdict"], "Rust decode + validate", times["rust"], 10))
        goals.append(Goal(models, times["models"], "Rust, expanded too", times["rust, expanded"], 60))
    return goals


FIRST = """
import sys, time, cachespec
path, syntax = sys.argv[1:]
cachespec.check('{"cachespec": 1, "layers": ["no_state"]}', syntax=syntax)
text = open(path, encoding="utf-8").read()
start = time.perf_counter()
report = cachespec.check(text, syntax=syntax)
print(time.perf_counter() - start)
"""


def scaling(folder: Path, syntax: str, rounds: int) -> Goal:
    """Both in fresh processes, as an engine reads its layout: a loop would give the short one memory that is warm."""

    def of(layers: int) -> Callable[[], float]:
        path = folder / f"{layers}.cachespec.{syntax}"
        path.write_text(as_text(layout(layers), syntax), encoding="utf-8")
        return lambda: of_fresh_python(FIRST, str(path), syntax) / layers

    times = alternately({"long": of(10_000), "short": of(1_000)}, rounds)
    work = f"10,000 layers in {syntax.upper()}, time per layer"
    return Goal(work, times["long"], "1,000 layers", times["short"], 1.5)


def memory(folder: Path) -> list[Goal]:
    if not Path("/proc/self/status").exists():
        return []
    work = "import cachespec; cachespec.check(open(sys.argv[1], 'rb').read(), syntax=sys.argv[2])"
    goals = []
    bare = peak("pass")
    for syntax in ("json", "yaml"):
        path = folder / f"large.cachespec.{syntax}"
        path.write_text(as_text(layout(10_000), syntax), encoding="utf-8")
        above, size = peak(work, str(path), syntax) - bare, path.stat().st_size
        title = f"10,000 layers in {syntax.upper()}, peak bytes above Python"
        goals.append(Goal(title, above, "bytes of the file", size, 15))
    path = folder / "large-and-bad.cachespec.yaml"
    path.write_text(as_text(layout(10_000), "yaml").replace("- fixed: 3\n", "- fixed: 0\n"), encoding="utf-8")
    goals.append(Goal("10,000 bad layers in YAML, peak bytes", peak(work, str(path), "yaml"), "300 MB", 300e6, 1.0))
    return goals


def imports(rounds: int) -> Goal:
    def timed(statement: str) -> Callable[[], float]:
        script = f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
        return partial(of_fresh_python, script)

    times = alternately({"ours": timed("import cachespec"), "theirs": timed("import json, yaml")}, rounds)
    return Goal("import cachespec", times["ours"], "import json, yaml", times["theirs"], 1.0)


def measure(folder: Path, effort: Effort) -> list[Goal]:
    many, few, rounds, seconds = effort.many, effort.few, effort.rounds, effort.seconds
    one = {"check-jsonschema": 0.25, "sourcemeta": 1.5}
    return [
        *files(folder / "one", 1, "yaml", rounds, one),
        *files(
            folder / "yaml", many, "yaml", few, {"check-jsonschema": 0.025, "sourcemeta": 0.5, "sourcemeta --fast": 8}
        ),
        *files(
            folder / "json", many, "json", few, {"check-jsonschema": 0.01, "sourcemeta": 0.15, "sourcemeta --fast": 8}
        ),
        *reading(folder, rounds, seconds),
        *(scaling(folder, syntax, rounds) for syntax in ("json", "yaml")),
        *memory(folder),
        imports(rounds),
        one_bad(folder, many, rounds),
    ]


def profile(folder: Path) -> list[tuple[str, float]]:
    """Where the time of a check of one file goes before it starts: modules by their own import time, in ms."""
    write_many(folder / "profiled", 1, "yaml")
    command = [program("cachespec", "python"), "-X", "importtime", "-m", "cachespec", "check", str(folder / "profiled")]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    own: dict[str, float] = {}
    for line in lines:
        fields = line.removeprefix("import time:").split("|")
        if len(fields) == 3 and fields[0].strip().isdigit():
            module = fields[2].strip().partition(".")[0]
            own[module] = own.get(module, 0) + int(fields[0]) / 1000
    return sorted(own.items(), key=lambda entry: -entry[1])[:12]


# Output.


def machine() -> str:
    cores = os.cpu_count()
    return f"{platform.system()} {platform.machine()}, {cores} cores, Python {platform.python_version()}"


def as_amount(goal: Goal, amount: float) -> str:
    if "bytes" in goal.work:
        return f"{amount / 1e6:,.1f} MB"
    return f"{amount * 1e3:,.3g} ms" if amount < 1 else f"{amount:.3g} s"


def show(goals: list[Goal]) -> None:
    table = Table("work", "cachespec", "beside", "", "ratio", "goal", "met")
    for goal in goals:
        amounts = as_amount(goal, goal.ours), goal.beside, as_amount(goal, goal.theirs)
        table.add_row(goal.work, *amounts, f"{goal.ratio:.3g}", f"{goal.goal:g}", "yes" if goal.met else "no")
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the speed of cachespec with that of other tools.")
    parser.add_argument("--short", action="store_true", help="few files and rounds: only that everything works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file too")
    options = parser.parse_args()
    install()
    with tempfile.TemporaryDirectory() as folder:
        goals = measure(Path(folder), SHORT if options.short else WHOLE)
        imported = profile(Path(folder))
    print(machine())
    show(goals)
    if options.json:
        rows = [{**asdict(goal), "ratio": goal.ratio, "met": goal.met} for goal in goals]
        figures = {"machine": machine(), "rows": rows, "imports": imported}
        replace_file(options.json, (json.dumps(figures, indent=1) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
