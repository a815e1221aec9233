"""Typed access to the fields of one configuration object: every value read is checked, and remembered with
its source.

A missing field and a null field are different things, so no method here supplies a default. What cannot be
read is refused with one of the four codes of the import contract.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from cachespec.findings import CachePolicyError, pointer, refusal
from cachespec_types import MAX_EXTENT

MOST_LAYERS = 10_000  # no model comes near it; a typing error must not exhaust the memory

_INSTALL = "state it, or install cachespec[transformers], which fills in the defaults of the library"


class Configuration:
    """One object of a config.json.

    `names` gives the names under which the model type accepts a field, the one the library writes first.
    `stated` is the object before missing fields were filled in (None: nothing was). `layer` is set on the
    view of a single layer, whose overrides come from `per_layer_config`. Views and nested objects share
    `sources`, which says where each value came from, and `asked`, which holds the path and the name of every
    field that was looked for, there or not.
    """

    def __init__(
        self,
        fields: Mapping[str, object],
        path: tuple[str | int, ...] = (),
        *,
        names: Mapping[str, tuple[str, ...]] | None = None,
        stated: Mapping[str, object] | None = None,
        missing_hint: str = _INSTALL,
    ) -> None:
        self.fields = fields
        self.path = path
        self.names = names or {}
        self.stated = stated
        self.sources: dict[str, str] = {}
        self.asked: set[tuple[tuple[str | int, ...], str]] = set()
        self.missing_hint = missing_hint
        self.layer: int | None = None
        self._overrides: dict[str, str] = {}

    # Views

    def child(self, name: str) -> Configuration:
        """The nested object `name`, which must be there."""
        found = self._required(name)
        value = self.fields[found]
        if not isinstance(value, Mapping):
            raise self.invalid(name, "must be an object")
        stated: Mapping[str, object] | None = None
        if self.stated is not None:
            inside = self.stated.get(found)
            stated = inside if isinstance(inside, Mapping) else {}
        return self._view(value, (*self.path, found), None, stated)

    def child_if_stated(self, name: str) -> Configuration | None:
        return self.child(name) if self.states(name) else None

    def renamed(self, names: Mapping[str, tuple[str, ...]]) -> Configuration:
        """The same object read with the other field names of a model type."""
        return self._view(self.fields, self.path, names, self.stated)

    def for_layer(self, layer: int, overrides: Mapping[str, object], key: str) -> Configuration:
        """The view of one layer: `overrides`, found in `per_layer_config` under `key`, come first."""
        view = self._view({**self.fields, **overrides}, self.path, self.names, self.stated)
        view.layer = layer
        view._overrides = dict.fromkeys(overrides, key)
        return view

    def _view(
        self,
        fields: Mapping[str, object],
        path: tuple[str | int, ...],
        names: Mapping[str, tuple[str, ...]] | None,
        stated: Mapping[str, object] | None,
    ) -> Configuration:
        view = Configuration(fields, path, names=names, stated=stated, missing_hint=self.missing_hint)
        view.sources, view.asked = self.sources, self.asked
        return view

    # Presence

    def is_missing(self, name: str) -> bool:
        return self._find(name) is None

    def is_null(self, name: str) -> bool:
        found = self._find(name)
        return found is not None and self.fields[found] is None

    def states(self, name: str) -> bool:
        """Whether the field is there with a value other than null."""
        found = self._find(name)
        return found is not None and self.fields[found] is not None

    def either(self, name: str, other: str) -> str:
        """The name of the field to read: `name` where that is stated, else `other`."""
        return name if self.states(name) else other

    # Values

    def stated_value(self, name: str) -> object:
        """The value as it stands, of whatever type; None when it is missing or null."""
        found = self._find(name)
        return None if found is None else self.fields[found]

    def integer(self, name: str, *, least: int = 1, most: int = MAX_EXTENT) -> int:
        """The integer `name`, from `least` to `most`; it must be stated."""
        found = self._required(name)
        value = self.fields[found]
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.invalid(name, "must be an integer")
        if not least <= value <= most:
            raise self.invalid(name, f"is {_short(value)}, but must be from {least} to {most}")
        self._record_as(name, found)
        return value

    def integer_if_stated(self, name: str, *, least: int = 1) -> int | None:
        return self.integer(name, least=least) if self.states(name) else None

    def count_or_zero(self, name: str) -> int:
        """An optional number of things: 0 when the field is missing or null."""
        return self.integer_if_stated(name, least=0) or 0

    def integer_inside(self, part: str, inside: str, flat: str) -> int:
        """The integer `inside` of the object `part` if it has one, else the integer `flat` beside that object."""
        nested = self.child_if_stated(part)
        if nested is not None and not nested.is_missing(inside):
            return nested.integer(inside)
        return self.integer(flat)

    def layer_total(self, name: str = "num_hidden_layers") -> int:
        return self.integer(name, most=MOST_LAYERS)

    def switch(self, name: str) -> bool:
        """An optional feature: off when the field is missing or null."""
        return self.decision(name) if self.states(name) else False

    def decision(self, name: str) -> bool:
        """A boolean whose absence would not mean "off": it must be stated."""
        found = self._required(name)
        value = self.fields[found]
        if not isinstance(value, bool):
            raise self.invalid(name, "must be true or false")
        self._record_as(name, found)
        return value

    def text(self, name: str) -> str:
        found = self._required(name)
        value = self.fields[found]
        if not isinstance(value, str):
            raise self.invalid(name, "must be a string")
        return value

    def texts(self, name: str) -> list[str]:
        found = self._required(name)
        value = self.fields[found]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.invalid(name, "must be a list of strings")
        self._record_as(name, found)
        return list(value)

    def integers(self, name: str) -> list[int]:
        found = self._required(name)
        value = self.fields[found]
        if not isinstance(value, list) or not all(type(item) is int for item in value):
            raise self.invalid(name, "must be a list of integers")
        self._record_as(name, found)
        return list(value)

    def layer_numbers(self, name: str, count: int) -> set[int]:
        """The layers that `name` lists, out of `count`."""
        listed = self.integers(name)
        if any(not 0 <= layer < count for layer in listed):
            raise self.invalid(name, f"names a layer outside 0 to {count - 1}")
        return set(listed)

    def quotient(self, dividend: str, divisor: str) -> int:
        """`dividend` / `divisor`, which must come out even."""
        above, below = self.integer(dividend), self.integer(divisor)
        if above % below:
            raise self.invalid(
                dividend,
                f"({above}) is not a multiple of {divisor} ({below})",
                "state the size of a head itself",
            )
        return above // below

    def require_length(self, name: str, length: int, expected: int, of: str) -> None:
        """Refuse a list of the wrong length: it is never cut and never repeated to fit."""
        if length != expected:
            raise self.invalid(
                name, f"has {length} entries, but {of} is {expected}", f"give exactly {expected} entries"
            )

    # Sources

    def record(self, value: str, source: str) -> None:
        """Remember where a value of the layout came from; layers that differ are told one after the other."""
        known = self.sources.get(value)
        if known is None:
            self.sources[value] = source
        elif source not in known.split("; "):
            self.sources[value] = f"{known}; {source}"

    # Refusals

    def missing(self, name: str, *, null: bool = False) -> CachePolicyError:
        state = "is null, but a value is needed" if null else "is missing"
        return self._refusal("missing-config-field", name, state, self.missing_hint)

    def invalid(self, name: str, message: str, hint: str | None = None) -> CachePolicyError:
        return self._refusal("invalid-config-value", name, message, hint)

    def inexpressible(self, name: str, message: str, hint: str | None = None) -> CachePolicyError:
        return self._refusal("not-expressible", name, message, hint)

    def place(self, name: str) -> tuple[str | int, ...]:
        """The path of a field, whichever of its names is used."""
        found = self._find(name, check=False) or (self.names.get(name) or (name,))[0]
        if found in self._overrides:
            return (*self.path, "per_layer_config", self._overrides[found], found)
        return (*self.path, found)

    def unknown_type(self, model_type: str, known: Iterable[str], whose: str) -> CachePolicyError:
        """The refusal of a model type that is none of those known; `whose` cache it is about."""
        close = difflib.get_close_matches(model_type[:100], known, n=1, cutoff=0.8)
        hint = f"did you mean {close[0]}? " if close else ""
        return refusal(
            "unknown-model-type",
            f"nothing is known about {whose} {model_type[:100]!r}",
            pointer(self.place("model_type")),
            f"{hint}a type is never guessed from the look of its fields",
        )

    def _refusal(self, code: str, name: str, message: str, hint: str | None) -> CachePolicyError:
        place = self.place(name) if name else self.path
        field = ".".join(map(str, place)) or "the configuration"
        layer = f"layer {self.layer}: " if self.layer is not None else ""
        return refusal(code, f"{layer}{field} {message}", pointer(place), hint)

    def _required(self, name: str) -> str:
        found = self._find(name)
        if found is None:
            raise self.missing(name)
        if self.fields[found] is None:
            raise self.missing(name, null=True)
        return found

    def _find(self, name: str, *, check: bool = True) -> str | None:
        if check:
            self.asked.add((self.path, name))
        present = [other for other in dict.fromkeys((*self.names.get(name, ()), name)) if other in self.fields]
        if not present:
            return None
        if check and any(self.fields[other] != self.fields[present[0]] for other in present[1:]):
            raise self.invalid(present[0], f"and {present[-1]} name the same value, but differ", "keep one of them")
        return present[0]

    def _record_as(self, name: str, found: str) -> None:
        source = ".".join(map(str, self.place(name)))
        if self.stated is not None and found not in self.stated and found not in self._overrides:
            source += " (filled in by transformers)"
        self.record(name, source)


def _short(value: int) -> str:
    """A number for a message: nobody wants to read a thousand digits."""
    return str(value) if abs(value) < 10**20 else "a number of more than 20 digits"
