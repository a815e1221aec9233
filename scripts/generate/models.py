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
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    # A list may be given where a tuple is kept.
    Items = Sequence
else:

    class Items:
        def __class_getitem__(cls, item: Any) -> Any:
            return tuple[item, ...]


class Model(BaseModel):
    """The base of every generated model."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_alias=True, validate_by_name=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        # `help` shows what a class says of itself, and nothing of its fields.
        fields = [f"{{name}}: {{field.description or field.annotation}}" for name, field in cls.model_fields.items()]
        cls.__doc__ = "\\n".join([(cls.__doc__ or "").strip(), "", *fields])

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """The model with other values in some fields. Raises pydantic's ValidationError for what a field refuses."""
        copy = super().model_copy(deep=deep)
        if not update:
            return copy
        names = {{field.alias: name for name, field in type(self).model_fields.items() if field.alias}}
        kept = {{name: value for name, value in copy.__dict__.items() if name in self.model_fields_set}}
        return type(self).model_validate(kept | {{names.get(name, name): value for name, value in update.items()}})

    def __hash__(self) -> int:
        """Hash the field values, maps left out: a map cannot be hashed, and equality still compares it."""
        values = tuple(self.__dict__.values())
        try:
            return hash((self.__class__, values))
        except TypeError:
            return hash((self.__class__, tuple(value for value in values if not isinstance(value, dict))))
'''

OVERLOADS = f'''# {MADE_BY}
"""`check` as type checkers see it: the name of a type decides the type of the value. Nothing imports it at run time."""

from typing import Any, Literal, Protocol, overload

from cachespec.checking import CheckReport
from cachespec_types import models


class Check(Protocol):
{{overloads}}
'''
OVERLOAD = """    @overload
    def __call__(
        self, source: object, type: Literal["{name}"]{default}, syntax: str | None = None, major: int | None = None
    ) -> CheckReport[models.{name}]: ...
"""
ANY_TYPE = """    @overload
    def __call__(
        self, source: object, type: str, syntax: str | None = None, major: int | None = None
    ) -> CheckReport[Any]: ...
"""


def python_package(bundle: Schema) -> dict[Path, str]:
    """The modules of the package, but for the one that the quick verdict compiles."""
    text = models(bundle)
    names = type_names(text)
    branches = bundle["$defs"]["StateTensorDimension"]["oneOf"]
    (fixed,) = (branch["properties"]["fixed"] for branch in branches if "fixed" in branch.get("properties", {}))
    return {
        TYPES / "__init__.py": formatted(INIT.format(max_extent=fixed["maximum"], names=names)),
        TYPES / "base.py": BASE,
        TYPES / "overloads.py": formatted(OVERLOADS.format(overloads=overloads(bundle))),
        TYPES / "models.py": f"{text}\n\n{dunder_all(names)}",
        TYPES / "py.typed": "",
    }


def overloads(bundle: Schema) -> str:
    """What `check` returns for the name of each type; the layout is the type when none is named."""
    names = [DOCUMENT_TYPE, *sorted(bundle["$defs"].keys() - {DOCUMENT_TYPE})]
    typed = [OVERLOAD.format(name=name, default=' = "CacheLayout"' * (name == DOCUMENT_TYPE)) for name in names]
    return "\n".join([*typed, ANY_TYPE])


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
        text = target.read_text(encoding="utf-8")
    return text.replace("from cachespec_types.base import Model", "from cachespec_types.base import Items, Model")


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
                fields[f"{name}.{field}"] = f"Items[{item}]{optional}"
    return fields
