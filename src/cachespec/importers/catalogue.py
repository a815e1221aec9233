"""What the importers know, as rows for the documentation."""

from __future__ import annotations

from dataclasses import dataclass

from cachespec.importers.eredu.importer import FAMILIES
from cachespec.importers.transformers.families import MODEL_TYPES
from cachespec.importers.transformers.inexpressible import INEXPRESSIBLE
from cachespec.importers.transformers.model_type import Derived, ModelType
from cachespec.importers.transformers.wrappers import ALL as WRAPPERS
from cachespec.importers.transformers.wrappers import part_of


@dataclass(frozen=True, slots=True)
class Row:
    """A model type of transformers: its family, the fields that decide its cache, and what decides its layers."""

    model_type: str
    family: str
    fields: tuple[str, ...]
    layers: str


def model_type_rows() -> tuple[Row, ...]:
    """Every model type that can be imported for transformers, by name."""
    return tuple(_row(name, model) for name, model in sorted(MODEL_TYPES.items()))


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


def _row(name: str, model: ModelType) -> Row:
    renamed = {field: others[0] for field, others in model.names.items()}
    unread = {"num_key_value_heads"} if model.heads is Derived.ALWAYS else set()
    unread |= {"head_dim"} if model.width is Derived.ALWAYS else set()
    fields = tuple(renamed.get(field, field) for field in model.family.fields if field not in unread)
    if model.pattern is None:
        kinds = "layer_types, else a stated window or chunk size"
    else:
        rule = (model.pattern.__doc__ or "").split("\n")[0].rstrip(".")
        kinds = f"layer_types, else: {rule}" if model.kinds_are_read else rule
    return Row(name, model.family.name, tuple(dict.fromkeys(fields)), kinds)
