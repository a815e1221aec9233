"""Make generated/ and the made pages of docs/; with --check, list what is stale and write nothing."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from cachespec.codes import codes
from cachespec.importers import catalogue

Schema: TypeAlias = dict[str, Any]

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "schema" / "v1"
GENERATED = Path("generated")
TYPES = GENERATED / "cachespec_types"
TYPESCRIPT = GENERATED / "typescript" / "cachespec.d.ts"
TYPESCRIPT_MAKER = ROOT / "scripts" / "typescript"

DOCUMENT_TYPE = "CacheLayout"
BUNDLE_ID = "urn:cachespec:schema:v1"
DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"

IMPORTING = """<!-- Made by scripts/generate.py from src/cachespec/importers/. Do not edit. -->

# Importing configurations

`cachespec import config.json` writes the layout of what a runtime keeps for the model of a `config.json`. It never
guesses: a model type that is not below is refused, and so is a field that is missing and needed. With
`cachespec[transformers]` the configuration classes of transformers 5.24 fill in what is missing; without it, the name
of the field is the answer. The annotations of a layout say where each value came from.

## Model types of the runtime transformers

Model types with the same rules share a row. "Layers" says what decides the kind of each layer.

| model types | family | layers | fields |
|---|---|---|---|
{rows}

## Wrappers

A configuration for several modalities holds the text model in a field of its own.

| model type | field | text model |
|---|---|---|
{wrappers}

## What version 1 cannot say

These model types are known and refused as `not-expressible`; the list is the agenda of version 2. Other types are
refused so where a field asks for it: keys and values of different widths, a second recurrent state, the keys of
another sequence.

| model type | what it keeps |
|---|---|
{refused}

## Model types of the runtime eredu

{eredu}

With `--tensor-parallel SIZE --rank R` the layout is that of one rank, with `--layers A:B` that of one pipeline stage.
"""

MADE_BY = "Made by scripts/generate.py from schema/. Do not edit."

VERSION = (SOURCE / "VERSION").read_text(encoding="utf-8").strip()
INIT = f'''# {MADE_BY}
"""The generated models and the published schema files; users import them from `cachespec`."""

SCHEMA_VERSION = "{VERSION}"
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


def flat(schemas: dict[str, Schema]) -> Schema:
    """The schema files as one self-contained schema with CacheLayout at its root."""
    definitions = {name: rewritten(schema, _to_definition) for name, schema in sorted(schemas.items())}
    root = definitions[DOCUMENT_TYPE]
    # The root stays reachable by its name, without a copy that generators would turn into a second type.
    definitions[DOCUMENT_TYPE] = {"$ref": "#"}
    return {"$schema": DRAFT_2020_12, "$id": BUNDLE_ID, **root, "$defs": definitions}


def draft_07(bundle: Schema) -> Schema:
    """The bundle in the words of draft-07: same verdicts, for editors that know nothing newer."""
    copy = rewritten(bundle, _to_draft_07)
    return {**copy, "$schema": DRAFT_07}


def rewritten(schema: Schema, change: Callable[[str, Any], tuple[str, Any] | None]) -> Schema:
    """A copy of a schema in which `change` has renamed, replaced or dropped keywords, at every depth."""

    def walk(node: Any) -> Any:
        if isinstance(node, list):
            return [walk(item) for item in node]
        if not isinstance(node, dict):
            return node
        changed = {}
        for keyword, value in node.items():
            if keyword == "properties":
                changed[keyword] = {name: walk(subschema) for name, subschema in value.items()}
            elif pair := change(keyword, value):
                changed[pair[0]] = walk(pair[1])
        return changed

    result: Schema = walk(schema)
    return result


def _to_definition(keyword: str, value: Any) -> tuple[str, Any] | None:
    if keyword == "$schema":
        return None
    if keyword == "$ref":
        return keyword, "#/$defs/" + value.removesuffix(".json")
    return keyword, value


def _to_draft_07(keyword: str, value: Any) -> tuple[str, Any] | None:
    if keyword == "$defs":
        return "definitions", value
    if keyword == "$ref":
        return keyword, value.replace("#/$defs/", "#/definitions/")
    return keyword, value


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
    return IMPORTING.format(rows="\n".join(rows), wrappers="\n".join(wrappers), refused="\n".join(refused), eredu=eredu)


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
            target.write_text(files[path], encoding="utf-8", newline="\n")
        else:
            target.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
