"""Layers with attention as models of several families have them: keys and values of grouped queries, or the latent
and rotary keys of latent attention."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind
from cachespec.importers.transformers.layer_kinds import Pattern
from cachespec.importers.transformers.model_type import Derived, Family, ModelType, WindowRule, stated_window
from cachespec.layouts.wire import FULL, Attention, Policy, compressed_latent_rotary, key_value, sliding


def attention_of(config: Configuration, kind: LayerKind, rules: ModelType) -> Attention:
    """Full, or sliding with its window; a chunk is written as a window, as the library's cache treats it."""
    match kind:
        case LayerKind.FULL:
            return FULL
        case LayerKind.SLIDING:
            return sliding(rules.window(config))
        case LayerKind.CHUNKED:
            return sliding(config.integer("attention_chunk_size"))
        case _:
            raise unexpected_kind(config, kind)


def unexpected_kind(config: Configuration, kind: LayerKind) -> Exception:
    """The refusal of a kind of layer that models of this type do not have."""
    return config.inexpressible(
        "layer_types",
        f"says {kind}, of which nothing is known for this model type",
        "use a kind the model type has",
    )


def key_value_heads(config: Configuration, rules: ModelType) -> int:
    """Heads whose keys and values are kept."""
    name = "num_key_value_heads"
    reason = _derivation(config, name, rules.heads)
    if reason is not None:
        heads = config.integer("num_attention_heads")
        config.record(name, f"num_attention_heads ({reason})")
        return heads
    heads = config.integer(name)
    if config.states("num_attention_heads"):
        queries = config.integer("num_attention_heads")
        if queries % heads:
            raise config.invalid(name, f"({heads}) does not divide num_attention_heads ({queries})")
    return heads


def head_width(config: Configuration, rules: ModelType) -> int:
    """Elements of one head; keys and values have the same number."""
    name = "head_dim"
    reason = _derivation(config, name, rules.width)
    if reason is None:
        return config.integer(name)
    width = config.quotient("hidden_size", "num_attention_heads")
    config.record(name, f"hidden_size / num_attention_heads ({reason})")
    return width


def grouped_query_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """Keys and values of the key/value heads."""
    return key_value(attention_of(config, kind, rules), key_value_heads(config, rules), head_width(config, rules))


def latent_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """The latent of `kv_lora_rank` elements and the rotary keys of `qk_rope_head_dim`."""
    if kind == LayerKind.INDEXED:
        raise config.inexpressible("layer_types", "asks for indexer keys beside latent attention")
    attention = attention_of(config, kind, rules)
    latent = config.integer("kv_lora_rank")
    rotary = config.integer("qk_rope_head_dim", least=0)
    if rotary == 0:
        raise config.inexpressible("qk_rope_head_dim", "is 0: latent attention without rotary keys")
    config.record("head axis", "left out: transformers keeps latent and rotary keys with a head axis of size 1")
    return compressed_latent_rotary(attention, latent, rotary)


def _derivation(config: Configuration, name: str, derived: Derived) -> str | None:
    """Why a value is derived, or None when its field is to be read."""
    if derived is Derived.ALWAYS:
        return f"{name} is not read"
    if config.is_missing(name) and derived in (Derived.IF_MISSING, Derived.IF_ABSENT):
        return f"{name} is missing"
    if config.is_null(name) and derived in (Derived.IF_NULL, Derived.IF_ABSENT):
        return f"{name} is null"
    return None


GROUPED_QUERY = Family("keys and values", grouped_query_layer)


def grouped_query(
    heads: Derived,
    width: Derived,
    pattern: Pattern | None = None,
    *,
    window: WindowRule = stated_window,
    window_has_default: bool = False,
) -> ModelType:
    """A model type of keys and values, as most are; the arguments are those of `ModelType`."""
    return ModelType(
        family=GROUPED_QUERY,
        heads=heads,
        width=width,
        pattern=pattern,
        window=window,
        window_has_default=window_has_default,
    )
