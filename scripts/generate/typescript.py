"""The types for TypeScript."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from generate.project import GENERATED, MADE_BY, ROOT, cache
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
    result = subprocess.run(
        [str(shutil.which("node")), str(TYPESCRIPT_MAKER / "types.mjs"), f"// {MADE_BY}"],
        check=True,
        cwd=installed_typescript_maker(),
        input=json.dumps(bundle).encode(),
        stdout=subprocess.PIPE,
    )
    return result.stdout.decode()


def installed_typescript_maker() -> Path:
    """The folder in which all is installed that package-lock.json pins: it takes seconds, and is done once."""
    lock = TYPESCRIPT_MAKER / "package-lock.json"
    folder = cache() / f"typescript-maker-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}"
    if not folder.is_dir():
        cache().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache(), prefix="typescript-maker-") as beside:
            workplace = Path(beside, "complete")
            workplace.mkdir()
            for file in (lock, TYPESCRIPT_MAKER / "package.json"):
                shutil.copy(file, workplace)
            command = [str(shutil.which("npm")), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            subprocess.run(command, check=True, cwd=workplace, stdout=subprocess.DEVNULL)
            try:
                workplace.rename(folder)
            except OSError:
                # Another process may have been faster; what it has installed is the same.
                if not folder.is_dir():
                    raise
    return folder
