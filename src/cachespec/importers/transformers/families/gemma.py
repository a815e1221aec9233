"""gemma3, gemma3n, gemma4: halved windows, full layers of another size, layers that read earlier ones."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind
from cachespec.importers.transformers.attention_layers import (
    GROUPED_QUERY,
    attention_of,
    grouped_query_layer,
    head_width,
    key_value_heads,
)
from cachespec.importers.transformers.layer_kinds import Kinds, last_of_each, last_of_each_stated
from cachespec.importers.transformers.model_type import CachedKinds, Family, ModelType
from cachespec.layouts.wire import Policy, key_value


def gemma4_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """Full layers have their own width, and their own heads where keys serve as values.

    A re-serialised configuration says so in `per_layer_config`, and then the global fields are not read.
    """
    attention = attention_of(config, kind, rules)
    if kind != LayerKind.FULL or not config.is_missing("per_layer_config"):
        return key_value(attention, key_value_heads(config, rules), head_width(config, rules))
    heads = None
    if config.states("num_global_key_value_heads") and config.switch("attention_k_eq_v"):
        heads = config.integer("num_global_key_value_heads")
        config.record("num_key_value_heads", "num_global_key_value_heads in full layers (attention_k_eq_v)")
    width = config.integer("global_head_dim")
    config.record("head_dim", "global_head_dim in full layers")
    return key_value(attention, heads or key_value_heads(config, rules), width)


def window_of_gemma3(config: Configuration) -> int:
    """With bidirectional attention a layer looks back half a window, plus the token itself."""
    return _halved(config) if config.switch("use_bidirectional_attention") else config.integer("sliding_window")


def window_of_gemma4(config: Configuration) -> int:
    """gemma4: as gemma3, where `use_bidirectional_attention` is "all"."""
    scope = config.text("use_bidirectional_attention") if config.states("use_bidirectional_attention") else None
    if scope not in (None, "all", "vision"):
        raise config.invalid("use_bidirectional_attention", "must be all, vision or null")
    return _halved(config) if scope == "all" else config.integer("sliding_window")


def one_direction_only(config: Configuration) -> None:
    """gemma3n: the library writes another window than it reads when attention is bidirectional."""
    stated = config.stated_value("use_bidirectional_attention")
    if stated is not None and stated is not False:
        raise config.invalid("use_bidirectional_attention", "leaves open which window is meant", "leave it out")


def gemma4_kinds(config: Configuration, kinds: Kinds) -> CachedKinds:
    """The last layer is always full, whatever the list says; then the last layers may share."""
    if kinds[-1] != LayerKind.FULL:
        config.record("layer_types", "the last layer is full (built into the model type)")
    return last_layers_share(config, [*kinds[:-1], LayerKind.FULL])


def last_layers_share(config: Configuration, kinds: Kinds) -> CachedKinds:
    """gemma3n, gemma4: the last `num_kv_shared_layers` layers read the last earlier one of their kind."""
    shared = config.count_or_zero("num_kv_shared_layers")
    if not shared:
        return kinds
    if shared >= len(kinds):
        raise config.invalid("num_kv_shared_layers", f"is {shared}, which leaves no layer of {len(kinds)} with a cache")
    owners = kinds[:-shared]
    for layer in range(len(owners), len(kinds)):
        if kinds[layer] not in owners:
            raise config.invalid(
                "num_kv_shared_layers",
                f"leaves layer {layer} ({kinds[layer]}) without an earlier layer of its kind",
            )
    return [*owners, *[None] * shared]


def last_layers_share_as_stated(config: Configuration, kinds: Kinds) -> CachedKinds:
    """gemma3n: as above, but a missing count would not mean zero."""
    if config.is_missing("num_kv_shared_layers"):
        raise config.missing("num_kv_shared_layers")
    return last_layers_share(config, kinds)


def _halved(config: Configuration) -> int:
    window = config.integer("sliding_window") // 2 + 1
    config.record("sliding_window", "sliding_window // 2 + 1 (use_bidirectional_attention)")
    return window


GEMMA3N = Family("keys and values, the last layers read earlier ones", grouped_query_layer)
GEMMA4 = Family("keys and values, full layers of another size, the last layers read earlier ones", gemma4_layer)

_GEMMA4 = ModelType(
    family=GEMMA4,
    pattern=last_of_each(6),
    window=window_of_gemma4,
    cache_layers=gemma4_kinds,
    per_layer=frozenset({"head_dim", "num_key_value_heads"}),
)

TYPES: dict[str, ModelType] = {
    "gemma3_text": ModelType(
        family=GROUPED_QUERY,
        pattern=last_of_each_stated("sliding_window_pattern"),
        window=window_of_gemma3,
    ),
    "gemma3n_text": ModelType(
        family=GEMMA3N,
        pattern=last_of_each(5),
        cache_layers=last_layers_share_as_stated,
        check=one_direction_only,
    ),
    "gemma4_text": _GEMMA4,
    "gemma4_unified_text": _GEMMA4,
}
