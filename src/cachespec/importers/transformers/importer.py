"""The layout of what transformers 5.24 caches for a model, from the model's configuration."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TypeAlias

from cachespec.findings import CachePolicyError, Finding, pointer
from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind, layer_of_key
from cachespec.importers.transformers import defaults
from cachespec.importers.transformers.families import MODEL_TYPES
from cachespec.importers.transformers.inexpressible import INEXPRESSIBLE
from cachespec.importers.transformers.layer_kinds import Kinds, inferred_kind, stated_kinds
from cachespec.importers.transformers.model_type import CachedKinds, ModelType, stated_window
from cachespec.importers.transformers.wrappers import ALL as WRAPPERS
from cachespec.importers.transformers.wrappers import INNER_NAMES, SUPPLIED_FIELDS, part_of
from cachespec.layouts.wire import NO_STATE, Policy
from cachespec_types import MAX_EXTENT

SOURCE = "configuration, read as transformers 5.24 caches"

# fields that change no cache, whatever layer they are set for
_HARMLESS_PER_LAYER = {"intermediate_size", "moe_intermediate_size"}
_WINDOWS = {"sliding_window", "attention_chunk_size"}

# `per_layer_config` by layer: the key that names the layer, and the fields that it overrides
Overrides: TypeAlias = dict[int, tuple[str, Mapping[str, object]]]


def read(config: Mapping[str, object]) -> tuple[dict[str, object], list[Finding]]:
    """The layout and its warnings; refuses with `CachePolicyError`.

    A missing field is filled in by the library where it is installed, and only then is the library imported.
    """
    try:
        return layout_of(Configuration(config))
    except CachePolicyError as refused:
        if any(finding.code != "missing-config-field" for finding in refused.findings):
            raise
        reason = defaults.why_unavailable()
    if reason is not None or not isinstance(config.get("model_type"), str):
        hint = reason or "name the model type"
        return layout_of(Configuration(config, missing_hint=hint))
    return layout_of(Configuration(defaults.filled(config), stated=config, missing_hint="state it"))


def layout_of(root: Configuration) -> tuple[dict[str, object], list[Finding]]:
    """The layout and its warnings, from what the configuration states and nothing else."""
    config, model_type, wrappers = text_model(root)
    if model_type in INEXPRESSIBLE:
        raise config.inexpressible("model_type", f"({model_type}) keeps {INEXPRESSIBLE[model_type]}")
    rules = MODEL_TYPES[model_type]
    config = config.renamed(rules.names)
    kinds, layers = cache_layers(config, rules)
    config.record("source", f"{SOURCE}; {rules.family.name}")
    if wrappers:
        config.record("wrapper_model_type", " > ".join(wrappers))
    if LayerKind.CHUNKED in kinds:
        config.record("chunked attention", "sliding layers are chunks of attention_chunk_size tokens, held as a window")
    document: dict[str, object] = {
        "cachespec": 1,
        "model_type": model_type,
        "runtime": "transformers",
        "layer_count": len(layers),
        "layers": layers,
        "annotations": dict(sorted(config.sources.items())),
    }
    return document, _warnings(config, kinds, layers)


def cache_layers(config: Configuration, rules: ModelType) -> tuple[CachedKinds, list[Policy]]:
    """The kind of each layer of the cache and what it keeps; `config` goes by the names of the model type."""
    _refuse_what_no_family_reads(config)
    rules.check(config)
    count = rules.layer_total(config)
    kinds = _listed_kinds(config, rules, count)
    if kinds is not None:
        cached = rules.cache_layers(config, kinds)
        overrides = _overrides(config, rules, len(cached))
    else:
        overrides = _overrides(config, rules, count)
        cached = rules.cache_layers(config, _inferred_kinds(config, overrides, count))
    return cached, _policies(config, rules, cached, overrides)


def text_model(root: Configuration) -> tuple[Configuration, str, list[str]]:
    """The configuration of the text model, its type, and the types of what it stands in, outermost first."""
    config, wrappers = root, []
    model_type = _model_type(config, {})
    while (part := part_of(model_type)) is not None:
        name, expected = part
        config = config.child(name)
        for supplied in SUPPLIED_FIELDS.get(model_type, ()):
            if config.is_missing(supplied):
                raise config.missing(supplied)
        wrappers.append(model_type)
        model_type = _model_type(config, INNER_NAMES.get(model_type, {}))
        if expected is not None and model_type not in expected:
            choice = " or ".join(sorted(expected))
            raise config.invalid("model_type", f"must be {choice} inside {wrappers[-1]}")
    return config, model_type, wrappers


def _model_type(config: Configuration, names: Mapping[str, str]) -> str:
    model_type = config.text("model_type")
    model_type = names.get(model_type, model_type)
    known = {*MODEL_TYPES, *INEXPRESSIBLE, *WRAPPERS}
    if model_type not in known:
        raise config.unknown_type(model_type, known, "the cache of model type")
    return model_type


def _refuse_what_no_family_reads(config: Configuration) -> None:
    """Fields that change the cache of any model, in ways no family here reads."""
    for name in ("add_cross_attention", "is_encoder_decoder"):
        if config.switch(name):
            raise config.inexpressible(name, "is true: the keys and values of another sequence have no length here")
    for name in ("cross_attention_layers", "kv_sharing_modes"):
        if config.stated_value(name) not in (None, []):
            raise config.inexpressible(name, "changes the cache in a way that is not known for this model type")
    for name in ("text_config", "decoder", "generator"):
        if config.states(name):
            raise config.invalid(name, "stands in the configuration of a text model", "remove one of the two")


def _listed_kinds(config: Configuration, rules: ModelType, count: int) -> Kinds | None:
    """The kinds by `layer_types` or by the pattern of the model type; None where there is neither."""
    if config.states("layer_types"):
        if rules.kinds_are_read:
            return stated_kinds(config, count, rules.listed)
        raise config.invalid("layer_types", "cannot be set for this model type", "leave it out")
    if rules.pattern is not None:
        return rules.pattern(config, count)
    if rules.window_has_default and config.is_missing("sliding_window"):
        raise config.missing("sliding_window")
    return None


def _inferred_kinds(config: Configuration, overrides: Overrides, count: int) -> Kinds:
    kinds = [inferred_kind(_view(config, overrides, layer)) for layer in range(count)]
    rule = {
        LayerKind.SLIDING: "sliding_window is stated",
        LayerKind.CHUNKED: "attention_chunk_size is stated",
    }
    for kind in dict.fromkeys(kinds):
        config.record("layer_types", rule.get(kind, "full: no window and no chunk size is stated"))
    return kinds


def _policies(config: Configuration, rules: ModelType, kinds: CachedKinds, overrides: Overrides) -> list[Policy]:
    known: dict[LayerKind, Policy] = {}
    layers: list[Policy] = []
    for layer, kind in enumerate(kinds):
        if kind is None:
            layers.append(NO_STATE)
        elif layer in overrides or kind not in known:
            policy = rules.family.layer(_view(config, overrides, layer), kind, rules)
            layers.append(_checked(config, layer, policy))
            if layer not in overrides:
                known[kind] = policy
        else:
            layers.append(copy.deepcopy(known[kind]))  # layers share no objects
    return layers


def _overrides(config: Configuration, rules: ModelType, count: int) -> Overrides:
    """`per_layer_config` for a cache of `count` layers."""
    per_layer = config.child_if_stated("per_layer_config")
    if per_layer is None:
        return {}
    reads_stated_windows = rules.pattern is None and rules.window is stated_window
    known = _HARMLESS_PER_LAYER | rules.per_layer | (_WINDOWS if reads_stated_windows else set())
    found: Overrides = {}
    for key in per_layer.fields:
        layer = layer_of_key(key, count)
        if layer is None or layer in found:
            raise per_layer.invalid(key, f"must name one layer, 0 to {count - 1}, once")
        own = per_layer.child(key)
        for name in own.fields:
            if name not in known:
                raise own.inexpressible(name, "is not known to work for a single layer of this type")
        found[layer] = (key, own.fields)
    return found


def _view(config: Configuration, overrides: Overrides, layer: int) -> Configuration:
    key, fields = overrides.get(layer, (str(layer), {}))
    return config.for_layer(layer, fields, key)


def _checked(config: Configuration, layer: int, policy: Policy) -> Policy:
    """Products of fields may leave the range that the format has for an extent."""
    pending: list[object] = [policy]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, int) and value > MAX_EXTENT:
            raise config.invalid("", f"gives layer {layer} an extent above {MAX_EXTENT}")
    return policy


def _warnings(config: Configuration, kinds: CachedKinds, layers: list[Policy]) -> list[Finding]:
    found: list[Finding] = []
    if LayerKind.CHUNKED in kinds:
        found.append(
            Finding(
                "chunked-attention",
                "warning",
                "chunked attention is written as sliding, with the chunk as window",
                pointer(config.place("attention_chunk_size")),
            )
        )
    slides = any(_slides(layer) for layer in layers)
    if config.states("sliding_window") and not slides and config.stated_value("use_sliding_window") is not False:
        found.append(
            Finding(
                "unused-window",
                "warning",
                "sliding_window is stated, but no layer slides",
                pointer(config.place("sliding_window")),
            )
        )
    return found


def _slides(policy: Policy) -> bool:
    return isinstance(policy, dict) and any(
        isinstance(fields, dict) and isinstance(fields.get("attention"), dict) for fields in policy.values()
    )
