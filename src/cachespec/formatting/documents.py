"""Models as text: canonical JSON, indented JSON, and YAML for people; in a string or in a file."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cachespec.files import replace_file
from cachespec.layouts.models import plain_value, refuse_bad
from cachespec.reading.document import is_syntax, syntax_of

if TYPE_CHECKING:
    from cachespec_types.base import Model
    from cachespec_types.models import CacheLayout

__all__ = ["dump", "dumps"]


def dumps(model: Model | str, syntax: str = "json", indent: int | None = None) -> str:
    """Canonical JSON: fields in the order of the schema, no spaces, nulls where the reference writes them.

    With `indent`, each entry has a line of its own, indented by so many spaces. With the syntax "yaml", a document
    for people: a layout writes layers that are equal once. Raises CachePolicyError for a model with errors, ValueError
    for a syntax that does not exist and for YAML with `indent`.
    """
    if not is_syntax(syntax):
        raise ValueError(f"no syntax {syntax!r}; write 'json' or 'yaml'")
    if indent is not None and syntax == "yaml":
        raise ValueError("`indent` is for JSON")
    value = _plain(model)
    if syntax == "yaml":
        # Canonical text needs no writer of YAML.
        from cachespec.formatting.new_document import yaml_text

        return yaml_text(value)
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(value, ensure_ascii=False, separators=separators, indent=indent)


def _plain(model: Any) -> Any:
    """The plain value of a model; some types are a number or a list, whose text is that of their parts."""
    if isinstance(model, (list, tuple)):
        return [_plain(part) for part in model]
    if isinstance(model, int):
        return model
    refuse_bad(model)
    return plain_value(model)


def dump(layout: CacheLayout, path: str | os.PathLike[str]) -> None:
    """Writes a layout to a file, whole or not at all: indented JSON when the name ends in `.json`, otherwise YAML.

    Raises CachePolicyError for a layout with errors, OSError for what is no regular file or cannot be written.
    """
    refuse_bad(layout, "CacheLayout")
    syntax = syntax_of(path)
    text = dumps(layout, syntax) if syntax == "yaml" else dumps(layout, indent=2) + "\n"
    target = Path(path)
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    replace_file(target, text.encode())
