"""How fast cachespec is beside other tools, run alternately in one go: medians and ratios, as a table and as JSON.

Only ratios of one run mean anything; the machine is named with them. `--short` proves that everything works.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jsonschema
import yaml
from rich.console import Console
from rich.table import Table

import cachespec
from cachespec.published import schema_text

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "build" / "bench"
BUNDLE = ROOT / "generated" / "cachespec_types" / "cachespec.schema.json"

# Each in an environment of its own: the sourcemeta package overwrites the `jsonschema` command of the library.
PACKAGES = {"check-jsonschema": "check-jsonschema==0.39.0", "sourcemeta": "sourcemeta-jsonschema==17.3.0"}

LAYERS = 64
RUST = ROOT / "tests" / "consumers" / "rust"


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


# Inputs and tools.


def layout(layers: int, name: str = "bench") -> dict[str, Any]:
    """A gated-delta hybrid: three layers of convolution and recurrent state, then one of attention, and so on."""
    state = {"dtype": "floating", "residency": "always_device_mutable", "presence": "required"}
    linear = {
        "fixed_state": {
            "tensors": [
                {"role": {"convolution": {"slot": 0}}, "shape": ["batch", {"fixed": 3}, {"fixed": 8192}], **state},
                {
                    "role": "recurrent",
                    "shape": ["batch", {"fixed": 32}, {"fixed": 128}, {"fixed": 128}],
                    "dtype": "float32",
                    "residency": "layer_scoped_offloadable",
                    "presence": "required",
                },
            ]
        }
    }
    full = {"key_value": {"attention": "full", "num_key_value_heads": 2, "head_dim": 256}}
    return {"cachespec": 1, "name": name, "layers": [full if index % 4 == 3 else linear for index in range(layers)]}


class _WithoutAliases(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def as_yaml(document: dict[str, Any]) -> str:
    return yaml.dump(document, Dumper=_WithoutAliases, sort_keys=False)


def write_many(folder: Path, count: int, syntax: str, bad: int | None = None) -> None:
    """So many layouts, each with a name of its own; the one numbered `bad` has a misspelt variant."""
    folder.mkdir()
    text = as_yaml(layout(LAYERS, "NAME")) if syntax == "yaml" else json.dumps(layout(LAYERS, "NAME"), indent=1)
    for number in range(count):
        own = text.replace("NAME", f"layout {number}")
        own = own.replace("recurrent", "recurent", 1) if number == bad else own
        (folder / f"{number:04}.cachespec.{syntax}").write_text(own, encoding="utf-8")


def program(tool: str, name: str) -> str:
    """A program of another tool, installed once in an environment of its own below build/."""
    folder = TOOLS / tool
    if not (folder / "installed").exists():
        print(f"installing {PACKAGES[tool]} (once)", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", PACKAGES[tool]]
        subprocess.run(pip, check=True)
        (folder / "installed").touch()
    return str(folder / "bin" / name)


def commands(paths: list[str]) -> dict[str, list[str]]:
    """What is run on some files, by the name of the tool."""
    sourcemeta = [program("sourcemeta", "jsonschema"), "validate", str(BUNDLE)]
    checker = [program("check-jsonschema", "check-jsonschema"), "--schemafile", str(BUNDLE)]
    return {
        "cachespec": [str(Path(sys.executable).parent / "cachespec"), "check", *paths],
        "check-jsonschema": [*checker, *paths],
        "sourcemeta": [*sourcemeta, *paths],
        "sourcemeta --fast": [*sourcemeta, "--fast", *paths],
    }


# Timing.


def run(command: list[str], status: int = 0) -> float:
    """Seconds that a command takes; it must end with the status given."""
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if result.returncode != status:
        raise SystemExit(f"{' '.join(command[:3])} ... ended with {result.returncode}: {result.stderr[:500]}")
    return seconds


def alternately(works: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median time of each work, all of them run in turn in every round."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(work())
    return {name: statistics.median(measured) for name, measured in times.items()}


def of_commands(by_tool: dict[str, list[str]], rounds: int) -> dict[str, float]:
    def timed(command: list[str]) -> Callable[[], float]:
        return lambda: run(command)

    return alternately({tool: timed(command) for tool, command in by_tool.items()}, rounds)


def in_process(work: Callable[[], object], seconds: float) -> float:
    """The median time of a call in this process, measured for about so many seconds."""
    work()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def rust(folder: Path) -> tuple[float, float] | None:
    """Seconds that the reference takes to decode and validate the layers, and to expand them too."""
    if shutil.which("cargo") is None:
        return None
    path = folder / "layers.json"
    path.write_text(json.dumps(layout(LAYERS)["layers"]), encoding="utf-8")
    command = ["cargo", "run", "--quiet", "--release", "--locked", "--", "--bench", str(path), "2000"]
    result = subprocess.run(command, cwd=RUST, capture_output=True, text=True, check=True)
    nanoseconds = json.loads(result.stdout)
    return nanoseconds["decode_and_validate_ns"] / 1e9, nanoseconds["decode_validate_and_components_ns"] / 1e9


# Measurements, one function for each row of the goals.


def files(folder: Path, count: int, syntax: str, rounds: int, goals: dict[str, float]) -> list[Goal]:
    write_many(folder, count, syntax)
    paths = sorted(map(str, folder.iterdir()))
    times = of_commands(commands(paths), rounds)
    work = f"{count} {syntax.upper()} file{'s' if count > 1 else ''}, whole process"
    return [Goal(work, times["cachespec"], tool, times[tool], goal) for tool, goal in goals.items()]


def one_bad(folder: Path, count: int, rounds: int) -> Goal:
    write_many(folder / "good", count, "yaml")
    write_many(folder / "bad", count, "yaml", bad=count // 2)
    ours = str(Path(sys.executable).parent / "cachespec")
    works = {
        "good": lambda: run([ours, "check", str(folder / "good")]),
        "bad": lambda: run([ours, "check", str(folder / "bad")], status=1),
    }
    times = alternately(works, rounds)
    return Goal(f"one bad file among {count}", times["bad"], f"{count} good files", times["good"], 1.3)


def reading(folder: Path, seconds: float) -> list[Goal]:
    text = json.dumps(layout(LAYERS))

    def typed() -> object:
        return [cachespec.components(policy) for policy in cachespec.check(text).value.layers]

    verdict, models = in_process(lambda: cachespec.check(text), seconds), in_process(typed, seconds)
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    library = in_process(lambda: validator.is_valid(json.loads(text)), seconds)
    goals = [Goal("JSON text to verdict, in process", verdict, "jsonschema, structure only", library, 1.0)]
    if reference := rust(folder):
        goals.append(Goal("JSON text to verdict, in process", verdict, "Rust decode + validate", reference[0], 10))
        goals.append(Goal("JSON text to models and components", models, "Rust, expanded too", reference[1], 60))
    return goals


def scaling(seconds: float) -> list[Goal]:
    def per_layer(layers: int, syntax: str) -> float:
        text = json.dumps(layout(layers)) if syntax == "json" else as_yaml(layout(layers))
        return in_process(lambda: cachespec.check(text, syntax=syntax), seconds) / layers

    return [
        Goal(
            f"10,000 layers in {syntax.upper()}, time per layer",
            per_layer(10_000, syntax),
            "1,000 layers",
            per_layer(1_000, syntax),
            1.5,
        )
        for syntax in ("json", "yaml")
    ]


PEAK = """
import re, sys
{work}
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024)
"""


def peak(work: str, *arguments: str) -> int:
    """The peak memory of a fresh interpreter that does some work, in bytes."""
    command = [sys.executable, "-c", PEAK.format(work=work), *arguments]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def memory(folder: Path) -> list[Goal]:
    if not Path("/proc/self/status").exists():
        return []
    work = "import cachespec; cachespec.check(open(sys.argv[1], 'rb').read(), syntax=sys.argv[2])"
    goals = []
    bare = peak("pass")
    for syntax in ("json", "yaml"):
        path = folder / f"large.cachespec.{syntax}"
        path.write_text(json.dumps(layout(10_000)) if syntax == "json" else as_yaml(layout(10_000)), encoding="utf-8")
        above, size = peak(work, str(path), syntax) - bare, path.stat().st_size
        goals.append(
            Goal(f"10,000 layers in {syntax.upper()}, peak bytes above Python", above, "bytes of the file", size, 15)
        )
    path = folder / "large-and-bad.cachespec.yaml"
    path.write_text(as_yaml(layout(10_000)).replace("- fixed: 3\n", "- fixed: 0\n"), encoding="utf-8")
    goals.append(Goal("10,000 bad layers in YAML, peak bytes", peak(work, str(path), "yaml"), "300 MB", 300e6, 1.0))
    return goals


def imports(rounds: int) -> Goal:
    def timed(statement: str) -> Callable[[], float]:
        script = f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
        command = [sys.executable, "-c", script]
        return lambda: float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    times = alternately({"ours": timed("import cachespec"), "theirs": timed("import json, yaml")}, rounds)
    return Goal("import cachespec", times["ours"], "import json, yaml", times["theirs"], 1.0)


def measure(folder: Path, short: bool) -> list[Goal]:
    many, rounds, few, seconds = (20, 1, 1, 0.2) if short else (500, 15, 2, 2.0)
    return [
        *files(folder / "one", 1, "yaml", rounds, {"check-jsonschema": 0.25, "sourcemeta": 1.5}),
        *files(
            folder / "yaml", many, "yaml", few, {"check-jsonschema": 0.025, "sourcemeta": 0.5, "sourcemeta --fast": 8}
        ),
        *files(
            folder / "json", many, "json", few, {"check-jsonschema": 0.01, "sourcemeta": 0.15, "sourcemeta --fast": 8}
        ),
        *reading(folder, seconds),
        *scaling(seconds),
        *memory(folder),
        imports(rounds),
        one_bad(_made(folder / "bad"), many, few),
    ]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def profile() -> list[tuple[str, float]]:
    """Where the time of a check of one file goes before it starts: modules by their own import time, in ms."""
    with tempfile.TemporaryDirectory() as folder:
        write_many(Path(folder) / "one", 1, "yaml")
        command = [sys.executable, "-X", "importtime", "-m", "cachespec", "check", folder]
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


def as_json(goals: list[Goal]) -> str:
    rows = [{**asdict(goal), "ratio": goal.ratio, "met": goal.met} for goal in goals]
    return json.dumps({"machine": machine(), "rows": rows, "imports": profile()}, indent=1) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the speed of cachespec with that of other tools.")
    parser.add_argument("--short", action="store_true", help="few files and rounds: only that everything works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        goals = measure(Path(folder), options.short)
    print(machine())
    show(goals)
    if options.json:
        options.json.write_text(as_json(goals), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
