"""Where things are in the project, and what a made file says of itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "schema" / "v1"

# From the root: where made files go.
GENERATED = Path("generated")
TYPES = GENERATED / "cachespec_types"
DOCS = Path("docs")

MAKER = "scripts/generate"
MADE_BY = f"Made by {MAKER} from schema/. Do not edit."


def cache() -> Path:
    """The folder for what takes long to install; the environment variable CACHESPEC_CACHE names another."""
    return Path(os.environ.get("CACHESPEC_CACHE") or ROOT / ".cache").absolute()


def formatted(module: str) -> str:
    """A Python module in the form that the project's own formatter gives it."""
    command = [sys.executable, "-m", "ruff", "format", "--quiet", "-"]
    return subprocess.run(command, check=True, cwd=ROOT, input=module, text=True, stdout=subprocess.PIPE).stdout
