"""What the importers know, as rows for the documentation."""

from __future__ import annotations

from dataclasses import dataclass

from cachespec.importers.eredu.importer import FAMILIES
from cachespec.importers.transformers.families import MODEL_TYPES
from cachespec.importers.transformers.inexpressible import INEXPRESSIBLE
from cachespec.importers.transformers.model_type import ModelType
from cachespec.importers.transformers.wrappers import ALL as WRAPPERS
from cachespec.importers.transformers.wrappers import part_of


@dataclass(frozen=True, slots=True)
class Row:
    """A model type of transformers: what its layers keep, and what decides the kind of each."""

    model_type: str
    family: str
    layers: str


def model_type_rows() -> tuple[Row, ...]:
    """Every model type that can be imported for transformers, by name."""
    return tuple(_row(name, rules) for name, rules in sorted(MODEL_TYPES.items()))


def inexpressible_rows() -> tuple[tuple[str, str], ...]:
    """Every model type that is known and refused, with what version 1 of the format cannot say."""
    return tuple(sorted(INEXPRESSIBLE.items()))


def wrapper_rows() -> tuple[tuple[str, str, str], ...]:
    """Every type that holds a text model: its name, the field that holds it, and its type."""
    rows = []
    for name in WRAPPERS:
        part = part_of(name)
        assert part is not None
        field, inner = part
        rows.append((name, field, "any" if inner is None else " or ".join(sorted(inner))))
    return tuple(sorted(rows))


def eredu_model_types() -> tuple[str, ...]:
    """Every model type that can be imported for eredu, by name."""
    return tuple(sorted(FAMILIES))


def _row(name: str, rules: ModelType) -> Row:
    if rules.pattern is None:
        layers = "layer_types, else a stated window or chunk size"
    else:
        pattern = (rules.pattern.__doc__ or "").split("\n")[0].rstrip(".")
        layers = f"layer_types, else: {pattern}" if rules.kinds_are_read else pattern
    return Row(name, rules.family.name, layers)
