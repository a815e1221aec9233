"""The documentation page of what `cachespec import` knows, from the tables it reads by and from what it asks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from cachespec.findings import CachePolicyError
from cachespec.importers import catalogue
from cachespec.importers.catalogue import Row
from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind
from cachespec.importers.transformers.families import MODEL_TYPES
from cachespec.importers.transformers.importer import cache_layers, text_model
from cachespec.importers.transformers.model_type import ModelType
from generate.project import ROOT

TEMPLATE = ROOT / "scripts" / "importing.md"
TRUTH = ROOT / "tests" / "transformers-truth"

Config = Mapping[str, Any]
Asked = tuple[tuple[str | int, ...], str]

# Small configurations for types that no recorded configuration fits: together they have every kind of layer.
MADE_UP: dict[str, list[Config]] = {
    "bamba": [
        {
            "num_hidden_layers": 2,
            "attn_layer_indices": [1],
            "hidden_size": 8,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
            "mamba_expand": 2,
            "mamba_n_heads": 4,
            "mamba_d_head": "auto",
            "mamba_n_groups": 1,
            "mamba_d_state": 2,
            "mamba_d_conv": 4,
        }
    ],
    "falcon_h1": [
        {
            "num_hidden_layers": 1,
            "hidden_size": 8,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
            "mamba_d_ssm": channels,
            "mamba_expand": 2,
            "mamba_n_heads": 4,
            "mamba_d_head": 4,
            "mamba_n_groups": 1,
            "mamba_d_state": 2,
            "mamba_d_conv": 4,
        }
        for channels in (16, None)
    ],
    "mimo_v2_flash": [
        {
            "num_hidden_layers": 2,
            "num_key_value_heads": 1,
            "head_dim": 8,
            "v_head_dim": 8,
            **dict.fromkeys(windows, 4),
        }
        for windows in (("sliding_window",), ("sliding_window_size",))
    ],
}


def importing_page() -> str:
    """The page, made from scripts/importing.md."""
    fields = fields_by_type()
    common = frozenset.intersection(*fields.values())
    shared: dict[tuple[str, str, str], list[str]] = {}
    for row in catalogue.model_type_rows():
        words = (row.family, row.layers, _names(fields[row.model_type] - common))
        shared.setdefault(words, []).append(row.model_type)
    rows = [f"| {_names(types)} | {' | '.join(words)} |" for words, types in sorted(shared.items())]
    wrappers = [f"| `{name}` | `{field}` | {inner} |" for name, field, inner in catalogue.wrapper_rows()]
    refused = [f"| `{name}` | {reason} |" for name, reason in catalogue.inexpressible_rows()]
    return TEMPLATE.read_text(encoding="utf-8").format(
        common=_names(common),
        rows="\n".join(rows),
        made_up=_names(MADE_UP),
        wrappers="\n".join(wrappers),
        refused="\n".join(refused),
        eredu=_names(catalogue.eredu_model_types()),
    )


def fields_by_type() -> dict[str, frozenset[str]]:
    """What the importer looks up for each model type, whether the field is there or not."""
    recorded = recorded_configs()
    everything = [config for configs in recorded.values() for config in configs]
    fields: dict[str, frozenset[str]] = {}
    for types in types_with_the_same_rules():
        own = [config for name in types for config in recorded.get(name, MADE_UP.get(name, []))]
        found = fields_looked_up(types[0], own, changed=True) if own else fields_looked_up(types[0], everything)
        fields |= dict.fromkeys(types, found)
    return fields


def recorded_configs() -> dict[str, list[Config]]:
    """The text models of the recorded configurations, each once, by their type."""
    found: dict[str, dict[str, Config]] = {}
    for path in sorted(TRUTH.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for form in ("config", "config_minimal"):
                try:
                    text, name, _ = text_model(Configuration(record[form]))
                except CachePolicyError:
                    continue  # a wrapper whose text model does not say its type
                found.setdefault(name, {})[json.dumps(text.fields, sort_keys=True)] = text.fields
    return {name: list(configs.values()) for name, configs in found.items()}


def types_with_the_same_rules() -> list[list[str]]:
    """The model types, those together that are read in the same way; patterns are the same when their words are."""
    groups: list[tuple[Row, list[str]]] = []
    for row in catalogue.model_type_rows():
        for first, names in groups:
            if _rules_but_for_the_pattern(first) == _rules_but_for_the_pattern(row) and first.layers == row.layers:
                names.append(row.model_type)
                break
        else:
            groups.append((row, [row.model_type]))
    return [names for _, names in groups]


def fields_looked_up(model_type: str, configs: Iterable[Config], *, changed: bool = False) -> frozenset[str]:
    """The fields that reading the configurations as this type looks up, by the names that the library writes.

    With `changed` each is read changed in one field as well.
    """
    rules = MODEL_TYPES[model_type]
    asked: set[Asked] = set()
    read = False
    for config in configs:
        asked_of_this, was_read = _asked(config, rules)
        asked |= asked_of_this
        read |= was_read
        if changed:
            asked |= {field for other in _changed(config, asked_of_this, rules) for field in _asked(other, rules)[0]}
    if not read:
        raise SystemExit(f"{model_type}: no recorded configuration fits; add one to MADE_UP")
    names = {_shown(path, name, rules.names) for path, name in asked}
    # An object is not named beside the fields in it.
    return frozenset(name for name in names if not any(other.startswith(f"{name}.") for other in names))


def _changed(config: Config, asked: set[Asked], rules: ModelType) -> Iterator[Config]:
    """The configuration without each field that it is asked for, with that as null, and with layers of each kind."""
    for name in {name for path, name in asked if not path}:
        written = {name, *rules.names.get(name, ())}
        rest = {field: value for field, value in config.items() if field not in written}
        yield rest
        yield {**rest, name: None}
        if name == "layer_types":
            try:
                count = rules.layer_total(Configuration(config).renamed(rules.names))
            except CachePolicyError:
                continue  # it lacks the number of layers
            yield from ({**rest, name: [kind.value] * count} for kind in LayerKind)


def _asked(fields: Config, rules: ModelType) -> tuple[set[Asked], bool]:
    """What the configuration is asked for, up to a refusal if there is one, and whether it is read to the end."""
    config = Configuration(fields).renamed(rules.names)
    try:
        cache_layers(config, rules)
    except CachePolicyError:
        return config.asked, False
    return config.asked, True


def _shown(path: tuple[str | int, ...], name: str, names: Mapping[str, tuple[str, ...]]) -> str:
    if not path:
        return names.get(name, (name,))[0]
    # the keys in `per_layer_config` are numbers of layers
    return "per_layer_config" if path[0] == "per_layer_config" else ".".join(map(str, (*path, name)))


def _rules_but_for_the_pattern(row: Row) -> object:
    return replace(MODEL_TYPES[row.model_type], pattern=None)


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))
