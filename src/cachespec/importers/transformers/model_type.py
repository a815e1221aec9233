"""What a line of the table of model types says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind
from cachespec.importers.transformers.layer_kinds import Kinds, Listed, Pattern
from cachespec.layouts.wire import Policy


class Derived(Enum):
    """When the library derives a value from others instead of reading its own field."""

    NEVER = "the field must be stated"
    IF_MISSING = "derived if the field is missing"
    IF_NULL = "derived if the field is null"
    IF_ABSENT = "derived if the field is missing or null"
    ALWAYS = "always derived, the field is not read"


LayerRule: TypeAlias = "Callable[[Configuration, LayerKind, ModelType], Policy]"
WindowRule: TypeAlias = Callable[[Configuration], int]
# the kind of each layer of the cache; None for one that reads the cache of an earlier layer
CachedKinds: TypeAlias = Sequence[LayerKind | None]
CacheLayers: TypeAlias = Callable[[Configuration, Kinds], CachedKinds]
Count: TypeAlias = Callable[[Configuration], int]
Check: TypeAlias = Callable[[Configuration], None]


@dataclass(frozen=True, slots=True)
class Family:
    """Model types whose layers keep the same things: what these are, and the function that says so of one layer."""

    name: str
    layer: LayerRule


def stated_window(config: Configuration) -> int:
    """The window of a sliding layer: the field `sliding_window` as it stands."""
    return config.integer("sliding_window")


def stated_layer_total(config: Configuration) -> int:
    """The number of layers: the field `num_hidden_layers` as it stands."""
    return config.layer_total()


def _as_they_are(config: Configuration, kinds: Kinds) -> Kinds:
    return kinds


def _all_of_them(config: Configuration, listed: list[str]) -> list[str]:
    return listed


def _nothing_to_check(config: Configuration) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelType:
    """How one model type of transformers is read.

    `heads` and `width` say when the number of key/value heads and the width of a head are derived.
    `pattern` gives the kinds of the layers where `layer_types` does not, and `kinds_are_read` is False
    where that field cannot be set. `window_has_default` marks types that slide when the window is missing.
    `layer_total` counts the layers the configuration describes; `listed` picks their entries of a stated
    `layer_types`; `cache_layers` turns their kinds into those of the cache's layers, which differ where
    layers read each other's cache or are passed several times. `check` refuses what the other rules do not
    read. `per_layer` names the fields that `per_layer_config` may override.
    """

    family: Family
    heads: Derived = Derived.NEVER
    width: Derived = Derived.NEVER
    pattern: Pattern | None = None
    kinds_are_read: bool = True
    window: WindowRule = stated_window
    window_has_default: bool = False
    layer_total: Count = stated_layer_total
    listed: Listed = _all_of_them
    cache_layers: CacheLayers = _as_they_are
    check: Check = _nothing_to_check
    per_layer: frozenset[str] = frozenset()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
