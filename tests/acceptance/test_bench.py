"""The benchmark works, and its page has every goal; how fast anything is, is no matter for a test."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installs import CONSUMERS, cargo

pytestmark = pytest.mark.consumers

ROOT = Path(__file__).resolve().parents[2]


def test_the_short_benchmark_runs_every_row(tmp_path: Path) -> None:
    if not os.environ.get("CI"):
        pytest.skip("the benchmark installs other tools and takes a minute: set CI to run it")
    figures = tmp_path / "figures.json"
    command = [sys.executable, str(ROOT / "scripts" / "bench.py"), "--short", "--json", str(figures)]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(cargo("rust", CONSUMERS / "rust"))}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    rows = json.loads(figures.read_text(encoding="utf-8"))["rows"]
    assert len(rows) == 18
    assert all(row["ours"] > 0 and row["theirs"] > 0 for row in rows)
    assert {row["beside"] for row in rows} >= {"check-jsonschema", "sourcemeta", "Rust decode + validate"}


def test_the_page_has_every_goal_and_says_which_are_not_met() -> None:
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+\|[^|]+\|[^|]+\|[^|]+\| ([0-9.e+-]+) \| ([0-9.]+) \| (\S+) \|$", page, re.MULTILINE)
    assert len(rows) == 18
    for ratio, goal, met in rows:
        assert met == ("yes" if float(ratio) <= float(goal) else "**no**")
