"""Make generated/ and the made pages of docs/; with --check, list what is stale and write nothing."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from pprint import pformat

from cachespec.files import replace_file
from cachespec.importers import catalogue
from cachespec.validation.codes import codes
from drafts import DOCUMENT_TYPE, Schema, draft_07, draft_4, flat

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "schema" / "v1"
GENERATED = Path("generated")
TYPES = GENERATED / "cachespec_types"
TYPESCRIPT = GENERATED / "typescript" / "cachespec.d.ts"
TYPESCRIPT_MAKER = ROOT / "scripts" / "typescript"
IMPORTING = ROOT / "scripts" / "importing.md"

MADE_BY = "Made by scripts/generate.py from schema/. Do not edit."

VERSION = (SOURCE / "VERSION").read_text(encoding="utf-8").strip()
INIT = f'''# {MADE_BY}
"""The generated models and the published schema files; users import them from `cachespec`."""

SCHEMA_VERSION = "{VERSION}"
'''

DRAFT_4 = f'''# {MADE_BY}
"""Every type in the words of draft 4, the last draft to which 8.0 is no integer; a module loads faster than JSON."""

from typing import Any

TYPES: dict[str, dict[str, Any]] = {{types}}
'''

BASE = f'''# {MADE_BY}
from pydantic import BaseModel


class Model(BaseModel):
    """The base of every generated model."""

    def __hash__(self) -> int:
        """Hash the field values, maps left out: a map cannot be hashed, and equality still compares it."""
        values = tuple(self.__dict__.values())
        try:
            return hash((self.__class__, values))
        except TypeError:
            return hash((self.__class__, tuple(value for value in values if not isinstance(value, dict))))
'''


def tuple_fields(bundle: Schema) -> dict[str, str]:
    """Which generated fields are arrays, and the tuple each becomes: a frozen model must not hold a list."""
    fields = {}
    for name, schema in {**bundle["$defs"], DOCUMENT_TYPE: bundle}.items():
        for field, subschema in schema.get("properties", {}).items():
            if "array" in subschema.get("type", ()):
                item = subschema["items"]["$ref"].removeprefix("#/$defs/")
                optional = " | None" if "null" in subschema["type"] else ""
                fields[f"{name}.{field}"] = f"tuple[{item}, ...]{optional}"
    return fields


def models(bundle: Schema, workplace: Path) -> str:
    """The pydantic models that datamodel-code-generator makes of the bundle."""
    source, target = workplace / "bundle.json", workplace / "models.py"
    source.write_text(json.dumps(bundle), encoding="utf-8")
    options = [
        *("--input", str(source)),
        *("--output", str(target)),
        *("--aliases", json.dumps({"$schema": "schema_uri"})),
        *("--type-overrides", json.dumps(tuple_fields(bundle))),
        *("--custom-file-header", f"# {MADE_BY}"),
    ]
    # The generator formats with the ruff that is pinned beside it, not with one that happens to be on PATH.
    scripts = str(Path(sys.executable).parent)
    subprocess.run(
        [sys.executable, "-m", "datamodel_code_generator", *options],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PATH": os.pathsep.join([scripts, os.environ.get("PATH", "")])},
    )
    return target.read_text(encoding="utf-8")


def quick_types(bundle: Schema) -> str:
    """The module that the quick verdict compiles."""
    text = DRAFT_4.format(types=pformat(draft_4(bundle), sort_dicts=False))
    command = [sys.executable, "-m", "ruff", "format", "--quiet", "-"]
    return subprocess.run(command, check=True, cwd=ROOT, input=text, text=True, stdout=subprocess.PIPE).stdout


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


def codes_page() -> str:
    """The documentation page of the codes, from the same source as `cachespec explain`."""
    parts = [
        "<!-- Made by scripts/generate.py from src/cachespec/codes.yaml and rules.py. Do not edit. -->",
        "# Codes",
        "Every finding has a code, and a code never changes its meaning. `cachespec explain CODE` prints these pages.",
    ]
    for code in codes().values():
        example = f"(`{code.type}`)" if code.type != DOCUMENT_TYPE else ""
        parts += [f"## {code.name}", f"*{code.level}*", code.meaning]
        parts += [f"Fails {example}".strip() + ":", f"```{code.syntax}\n{code.failing_shown}\n```"]
        parts += ["Passes:", f"```{code.syntax}\n{code.corrected.rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"


def importing_page() -> str:
    """The documentation page of what `cachespec import` knows, from the tables it reads by."""
    families: dict[tuple[str, ...], list[str]] = {}
    for row in catalogue.model_type_rows():
        words = (row.family, row.layers, ", ".join(f"`{field}`" for field in row.fields))
        families.setdefault(words, []).append(f"`{row.model_type}`")
    rows = [f"| {', '.join(names)} | {' | '.join(words)} |" for words, names in sorted(families.items())]
    wrappers = [f"| `{name}` | `{field}` | {inner} |" for name, field, inner in catalogue.wrapper_rows()]
    refused = [f"| `{name}` | {reason} |" for name, reason in catalogue.inexpressible_rows()]
    eredu = ", ".join(f"`{name}`" for name in catalogue.eredu_model_types())
    text = IMPORTING.read_text(encoding="utf-8")
    return text.format(rows="\n".join(rows), wrappers="\n".join(wrappers), refused="\n".join(refused), eredu=eredu)


def as_text(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def made() -> dict[Path, str]:
    """Every made file: its path from the root, and its text."""
    schemas = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in SOURCE.glob("*.json")}
    bundle = flat(schemas)
    # Inside the tree, so that the formatter finds the settings in pyproject.toml.
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".generate-") as workplace:
        model_text = models(bundle, Path(workplace))
    return {
        TYPES / "__init__.py": INIT,
        TYPES / "base.py": BASE,
        TYPES / "draft_4.py": quick_types(bundle),
        TYPES / "models.py": model_text,
        TYPES / "cachespec.schema.json": as_text(bundle),
        TYPES / "cachespec.draft-07.schema.json": as_text(draft_07(bundle)),
        TYPES / "py.typed": "",
        **typescript(bundle),
        Path("docs/codes.md"): codes_page(),
        Path("docs/importing.md"): importing_page(),
    }


def present() -> set[Path]:
    """The files in the folder that holds made files alone."""
    return {
        path.relative_to(ROOT)
        for path in (ROOT / GENERATED).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def stale(files: dict[Path, str]) -> list[Path]:
    """The files that differ from what would be made, are missing, or are not made at all."""

    def current(path: Path) -> bytes | None:
        target = ROOT / path
        return target.read_bytes() if target.is_file() else None

    changed = {path for path, text in files.items() if current(path) != text.encode()}
    return sorted(changed | (present() - files.keys()))


def main() -> int:
    parser = argparse.ArgumentParser(description="Make generated/ and the made pages of docs/.")
    parser.add_argument("--check", action="store_true", help="list what is stale and write nothing")
    only_check = parser.parse_args().check
    files = made()
    outdated = stale(files)
    for path in outdated:
        what = "stale" if only_check else "written" if path in files else "removed"
        print(f"{what}: {path.as_posix()}")
    if only_check:
        if outdated:
            print("run: python scripts/generate.py")
        return 1 if outdated else 0
    for path in outdated:
        target = ROOT / path
        if path in files:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_file(target, files[path].encode())
        else:
            target.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
