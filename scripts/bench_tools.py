"""What the benchmark runs: every tool in an environment of its own, and how its time and memory are measured."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUNDLE = ROOT / "generated" / "cachespec_types" / "cachespec.schema.json"
RUST = ROOT / "tests" / "consumers" / "rust"
ENVIRONMENTS = ROOT / "build" / "bench"

# The sourcemeta package overwrites the `jsonschema` command of the library, so no two tools share an environment.
OTHERS = {"check-jsonschema": "check-jsonschema==0.39.0", "sourcemeta": "sourcemeta-jsonschema==17.3.0"}


def install() -> None:
    """Every tool as users install it; cachespec anew each time, as its sources may have changed."""
    _install("cachespec", str(ROOT))
    for tool, package in OTHERS.items():
        if not (ENVIRONMENTS / tool / "installed").exists():
            _install(tool, package)


def _install(tool: str, package: str) -> None:
    print(f"installing {tool}", file=sys.stderr)
    folder = ENVIRONMENTS / tool
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    pip = [program(tool, "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # What is installed is compiled, whatever the environment says of running from sources.
    subprocess.run([*pip, "--compile", package], check=True)
    (folder / "installed").touch()


def program(tool: str, name: str) -> str:
    return str(ENVIRONMENTS / tool / "bin" / name)


def commands(paths: Sequence[str]) -> dict[str, list[str]]:
    """What is run on some files, by the name of the tool."""
    sourcemeta = [program("sourcemeta", "jsonschema"), "validate", str(BUNDLE)]
    checker = [program("check-jsonschema", "check-jsonschema"), "--schemafile", str(BUNDLE)]
    return {
        "cachespec": [program("cachespec", "cachespec"), "check", *paths],
        "check-jsonschema": [*checker, *paths],
        "sourcemeta": [*sourcemeta, *paths],
        "sourcemeta --fast": [*sourcemeta, "--fast", *paths],
    }


def whole_process(command: Sequence[str], status: int = 0) -> float:
    """Seconds that a command takes; it must end with the status given."""
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if result.returncode != status:
        raise SystemExit(f"{' '.join(command[:3])} ... ended with {result.returncode}: {result.stderr[:500]}")
    return seconds


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


def in_rust(work: str, path: Path) -> float:
    """Seconds that the reference takes for the layers in a file; `work` is a field of its answer without the unit."""
    command = ["cargo", "run", "--quiet", "--release", "--locked", "--", "--bench", str(path), "2000"]
    result = subprocess.run(command, cwd=RUST, capture_output=True, text=True, check=True)
    nanoseconds: float = json.loads(result.stdout)[f"{work}_ns"]
    return nanoseconds / 1e9


def of_fresh_python(script: str, *arguments: str) -> float:
    """The number that a script prints in a fresh interpreter in which cachespec is installed."""
    command = [program("cachespec", "python"), "-c", script, *arguments]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


PEAK = """
import re, sys
{work}
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024)
"""


def peak(work: str, *arguments: str) -> float:
    """The peak memory of a fresh interpreter that does some work, in bytes."""
    return of_fresh_python(PEAK.format(work=work), *arguments)


def alternately(works: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median time of each work, all of them run in turn in every round: a clock that changes changes for all."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(work())
    return {name: statistics.median(measured) for name, measured in times.items()}
