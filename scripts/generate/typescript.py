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
from typing import Any

from generate.project import GENERATED, MADE_BY, ROOT, cache
from generate.schemas import Schema

TYPESCRIPT = GENERATED / "typescript" / "cachespec.d.ts"
TYPESCRIPT_MAKER = ROOT / "scripts" / "typescript"

# `any` is assignable to all but `never`, which is what `[]` is an array of. First in the intersection it does not
# disturb what TypeScript infers for `.map` from the array that is wanted.
HEAD = f"""// {MADE_BY}

/**
 * At least one: takes any array, such as one that map returns, but not the empty `[]`
 */
export type NonEmptyArray<T> = {{ indexOf: (item: any) => number }} & T[];"""


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
        [str(shutil.which("node")), str(TYPESCRIPT_MAKER / "types.mjs"), HEAD],
        check=True,
        cwd=installed_typescript_maker(),
        input=json.dumps(in_typescript(bundle)).encode(),
        stdout=subprocess.PIPE,
    )
    return result.stdout.decode()


def in_typescript(schema: Any) -> Any:
    """The schema with a `tsType` wherever the maker would say less than TypeScript can, or write a type out twice."""
    if isinstance(schema, list):
        return [in_typescript(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    said = {keyword: schema[keyword] for keyword in ("title", "description") if keyword in schema}
    if schema.keys() == {"$ref", "description"}:
        return {**said, "tsType": _name(schema["$ref"])}
    if schema.get("type") == "integer" and schema["minimum"] == schema["maximum"]:
        return {**said, "tsType": str(schema["minimum"])}
    if schema.get("type") == "array" and schema.get("minItems"):
        return {**said, "tsType": f"NonEmptyArray<{_name(schema['items']['$ref'])}>"}
    if "oneOf" in schema:
        return {**schema, "oneOf": in_typescript(_exclusive(schema["oneOf"]))}
    # What stands in an example is no schema.
    return {keyword: value if keyword == "examples" else in_typescript(value) for keyword, value in schema.items()}


def _exclusive(branches: list[Schema]) -> list[Schema]:
    """The branches of a union, each object without the tags of the others: TypeScript would take those beside it."""
    tags = {tag: {"tsType": "never"} for branch in branches for tag in branch.get("properties", ())}
    return [
        {
            **branch,
            "properties": {
                **branch["properties"],
                **{tag: no for tag, no in tags.items() if tag not in branch["properties"]},
            },
        }
        if "properties" in branch
        else branch
        for branch in branches
    ]


def _name(reference: str) -> str:
    return reference.removeprefix("#/$defs/")


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
