"""What other languages need is installed once for each lock file, in one folder outside version control."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.tools import needs

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("CACHESPEC_CACHE") or ROOT / ".cache").resolve()
CONSUMERS = ROOT / "tests" / "consumers"


def installed(kind: str, lock: Path, install: Callable[[Path], None]) -> Path:
    """The folder that `install` fills, made anew when the lock file has changed.

    It is made beside and renamed when it is whole, by one process at a time. What an older lock file left is removed.
    """
    folder = CACHE / f"{kind}-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f".{kind}.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(prefix=f".{kind}-", dir=CACHE) as beside:
                made = Path(beside) / "made"
                made.mkdir()
                install(made)
                made.rename(folder)
            for old in CACHE.iterdir():
                if old != folder and re.fullmatch(rf"{re.escape(kind)}-[0-9a-f]{{16}}", old.name):
                    shutil.rmtree(old)
    return folder


def npm(kind: str, source: Path) -> Path:
    """The folder `node_modules` with what a package-lock.json pins."""
    needs("node", "npm")

    def install(folder: Path) -> None:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(source / name, folder)
        run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder)

    return installed(f"npm-{kind}", source / "package-lock.json", install) / "node_modules"


@cache
def cargo(kind: str, source: Path, profile: str = "release") -> Path:
    """The target folder of a crate that is built there; what its Cargo.lock pins is compiled once."""
    needs("cargo")
    fetch = ["cargo", "fetch", "--locked", "--quiet"]
    fetched = subprocess.run(fetch, cwd=source, capture_output=True, text=True, check=False)
    if fetched.returncode and not os.environ.get("CI"):
        pytest.skip(f"the crates of {kind} cannot be had: {fetched.stderr.strip().splitlines()[0]}")

    def build(target: Path) -> None:
        options = ["--locked", "--quiet", "--profile", profile, "--target-dir", str(target)]
        run(["cargo", "build", *options], source)

    target = installed(f"cargo-{kind}", source / "Cargo.lock", build)
    # The crate itself may have changed since; cargo lets one process after the other into a folder.
    build(target)
    return target


def go_environment() -> dict[str, str]:
    """The environment for Go, whose own caches serve every checkout unless the folder is said to be elsewhere."""
    if not os.environ.get("CACHESPEC_CACHE"):
        return dict(os.environ)
    folder = installed("go", CONSUMERS / "go" / "go.sum", lambda _: None)
    caches = {"GOCACHE": str(folder / "build"), "GOMODCACHE": str(folder / "modules")}
    # Without the flag nobody can remove a folder of modules.
    return {**os.environ, **caches, "GOFLAGS": f"{os.environ.get('GOFLAGS', '')} -modcacherw".strip()}


def run(command: Sequence[str], folder: Path) -> None:
    """Runs a command that must succeed."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
