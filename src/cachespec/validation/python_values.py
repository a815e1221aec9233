"""Values built in Python, models among them, as the plain values that a text would have said."""

import math
from collections.abc import Mapping
from typing import Any

from cachespec.findings import Mistake, Path
from cachespec.reading.document import MAX_DEPTH, MAX_NODES, Value


class NotPlain(Exception):
    """A value holds what no text says; `mistake` is what and where."""

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake
        super().__init__(mistake.code)


def plain(source: object) -> Value:
    """The plain value that a value of Python stands for: mappings are objects, tuples are lists, models their fields.

    Raises NotPlain for what no text could say, and for what is too deep or too large.
    """
    return _Walk().plain(source, ())


class _Walk:
    def __init__(self) -> None:
        self._nodes = 0

    def plain(self, value: Any, path: Path) -> Value:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise NotPlain(Mistake("too-large", f"the value has more than {MAX_NODES:,} nodes", ()))
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return _text(value, path)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            if not math.isfinite(value):
                raise NotPlain(Mistake("not-finite", f"`{value}` is not a finite number", path, "write an integer"))
            return float(value)
        if len(path) > MAX_DEPTH:
            raise NotPlain(Mistake("too-deep", f"more than {MAX_DEPTH} levels of nesting", ()))
        if isinstance(value, (list, tuple)):
            return [self.plain(item, (*path, index)) for index, item in enumerate(value)]
        if isinstance(value, Mapping):
            return {_key(key, path): self.plain(item, (*path, key)) for key, item in value.items()}
        if hasattr(type(value), "model_fields"):
            return self.plain(_fields(value), path)
        message = f"a value of the Python type `{type(value).__name__}` is not one of a document"
        raise NotPlain(Mistake("wrong-type", message, path, "write None, bool, int, str, a list or a dict"))


def _key(key: object, path: Path) -> str:
    if isinstance(key, str):
        return _text(key, path)
    hint = "write the keys of a dict as text"
    raise NotPlain(Mistake("wrong-type", f"a key of the Python type `{type(key).__name__}` is not text", path, hint))


def _text(text: str, path: Path) -> str:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise NotPlain(Mistake("encoding", "a lone surrogate is no character", path, "remove it"))
    return str.__str__(text)


def _fields(model: Any) -> dict[str, object]:
    """The fields that a model has: one built without validation may lack some."""
    fields = type(model).model_fields.items()
    return {field.alias or name: model.__dict__[name] for name, field in fields if name in model.__dict__}
