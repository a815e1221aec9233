"""The Python package of the types: the pydantic models, and the modules around them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from generate.project import MADE_BY, ROOT, SOURCE, TYPES, formatted
from generate.schemas import DOCUMENT_TYPE, Schema, rewritten

VERSION = (SOURCE / "VERSION").read_text(encoding="utf-8").strip()
INIT = f'''# {MADE_BY}
"""The generated models and the published schema files; users import them from `cachespec`."""

SCHEMA_VERSION = "{VERSION}"

# The largest number of heads, width of a head or window, and the largest size of a dimension.
MAX_EXTENT = {{max_extent}}

# What `models` defines, for those who must not wait for pydantic.
MODEL_NAMES = {{names}}
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


def python_package(bundle: Schema) -> dict[Path, str]:
    """The modules of the package, but for the one that the quick verdict compiles."""
    text = models(bundle)
    names = type_names(text)
    branches = bundle["$defs"]["StateTensorDimension"]["oneOf"]
    (fixed,) = (branch["properties"]["fixed"] for branch in branches if "fixed" in branch.get("properties", {}))
    return {
        TYPES / "__init__.py": formatted(INIT.format(max_extent=fixed["maximum"], names=names)),
        TYPES / "base.py": BASE,
        TYPES / "models.py": f"{text}\n\n{dunder_all(names)}",
        TYPES / "py.typed": "",
    }


def models(bundle: Schema) -> str:
    """The pydantic models that datamodel-code-generator makes of the bundle."""
    # Inside the tree, so that the formatter finds the settings in pyproject.toml.
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".generate-") as workplace:
        source, target = Path(workplace, "bundle.json"), Path(workplace, "models.py")
        source.write_text(json.dumps(rewritten(bundle, _without_examples)), encoding="utf-8")
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


def _without_examples(keyword: str, value: Any) -> tuple[str, Any] | None:
    """A union with examples would become a type that wears them, and no longer be the plain union of its variants."""
    return None if keyword == "examples" else (keyword, value)


def type_names(text: str) -> tuple[str, ...]:
    """The models and type aliases of a module: its imports are no types, and stay out of `import *`."""
    names = []
    for statement in ast.parse(text).body:
        match statement:
            case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                names.append(name)
    return tuple(sorted(names))


def dunder_all(names: tuple[str, ...]) -> str:
    lines = "".join(f'    "{name}",\n' for name in names)
    return f"__all__ = [\n{lines}]\n"


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
