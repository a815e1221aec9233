"""The types for TypeScript."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from generate.project import GENERATED, MADE_BY, ROOT
from generate.schemas import Schema

TYPESCRIPT = GENERATED / "typescript" / "cachespec.d.ts"
TYPESCRIPT_MAKER = ROOT / "scripts" / "typescript"


def typescript(bundle: Schema) -> dict[Path, str]:
    """The TypeScript file; where the tools are not installed (in CI they must be), the file as it is."""
    missing = [tool for tool in ("node", "npm") if shutil.which(tool) is None]
    if not missing:
        return {TYPESCRIPT: typescript_types(bundle)}
    reason = f"{TYPESCRIPT.as_posix()}: not installed: {', '.join(missing)}"
    if os.environ.get("CI"):
        sys.exit(f"cannot make {reason}")
    print(f"left alone: {reason}", file=sys.stderr)
    current = ROOT / TYPESCRIPT
    return {TYPESCRIPT: current.read_text(encoding="utf-8")} if current.is_file() else {}


def typescript_types(bundle: Schema) -> str:
    """The types that json-schema-to-typescript makes of the bundle."""
    install_typescript_maker()
    result = subprocess.run(
        [str(shutil.which("node")), "types.mjs", f"// {MADE_BY}"],
        check=True,
        cwd=TYPESCRIPT_MAKER,
        input=json.dumps(bundle).encode(),
        stdout=subprocess.PIPE,
    )
    return result.stdout.decode()


def install_typescript_maker() -> None:
    """Install what package-lock.json pins, unless that has been done: it takes seconds, a run without it one."""
    lock = TYPESCRIPT_MAKER / "package-lock.json"
    installed = TYPESCRIPT_MAKER / "node_modules" / "installed-lock.json"
    if installed.is_file() and installed.read_bytes() == lock.read_bytes():
        return
    command = [str(shutil.which("npm")), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, check=True, cwd=TYPESCRIPT_MAKER, stdout=subprocess.DEVNULL)
    shutil.copyfile(lock, installed)
