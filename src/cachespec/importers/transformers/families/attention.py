"""Layers that keep keys and values, and the two numbers that give their size: heads and width."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.layer_kinds import CHUNKED, CONSUMER, FULL, NO_ATTENTION, SLIDING
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.importers.wire import FULL as FULL_ATTENTION
from cachespec.importers.wire import NO_STATE, Attention, Policy, key_value, sliding

_ABSENT = {Derived.IF_MISSING: "missing", Derived.IF_NULL: "null"}


def attention_of(config: Configuration, kind: str, model: ModelType) -> Attention:
    """Full, or sliding with its window; a chunk is written as a window, as the library's cache treats it."""
    if kind == FULL:
        return FULL_ATTENTION
    if kind == SLIDING:
        return sliding(model.window(config))
    if kind == CHUNKED:
        return sliding(config.integer("attention_chunk_size"))
    raise unexpected_kind(config, kind)


def unexpected_kind(config: Configuration, kind: str) -> Exception:
    """The refusal of a kind of layer that models of this type do not have."""
    return config.inexpressible(
        "layer_types",
        f"says {kind}, of which nothing is known for this model type",
        "use a kind the model type has",
    )


def key_value_heads(config: Configuration, model: ModelType) -> int:
    """Heads whose keys and values are kept."""
    name = "num_key_value_heads"
    reason = _derivation(config, name, model.heads)
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


def head_width(config: Configuration, model: ModelType) -> int:
    """Elements of one head; keys and values have the same number."""
    name = "head_dim"
    reason = _derivation(config, name, model.width)
    if reason is None:
        return config.integer(name)
    width = config.quotient("hidden_size", "num_attention_heads")
    config.record(name, f"hidden_size / num_attention_heads ({reason})")
    return width


def grouped_query_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """Keys and values of the key/value heads."""
    if kind == CONSUMER:
        return NO_STATE
    return key_value(attention_of(config, kind, model), key_value_heads(config, model), head_width(config, model))


def falcon_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """falcon: the new architecture repeats keys and values to all query heads before it keeps them."""
    if config.switch("new_decoder_architecture"):
        heads = config.integer("num_attention_heads")
        config.record("num_key_value_heads", "num_attention_heads (new_decoder_architecture)")
    elif config.decision("multi_query"):
        heads = 1
        config.record("num_key_value_heads", "one head (multi_query)")
    else:
        heads = config.integer("num_attention_heads")
        grouped = config.integer_if_stated("num_kv_heads")
        if grouped not in (None, heads):
            raise config.inexpressible("num_kv_heads", "differs from num_attention_heads without multi_query")
        config.record("num_key_value_heads", "num_attention_heads (neither multi_query nor the new architecture)")
    return key_value(attention_of(config, kind, model), heads, head_width(config, model))


def gpt_bigcode_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """gpt_bigcode: one head with `multi_query`, else as many as query heads."""
    single = config.decision("multi_query")
    heads = 1 if single else config.integer("num_attention_heads")
    config.record("num_key_value_heads", "one head (multi_query)" if single else "num_attention_heads")
    return key_value(attention_of(config, kind, model), heads, head_width(config, model))


def dbrx_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """dbrx: the number of key/value heads stands in `attn_config`."""
    heads = config.child("attn_config").integer("kv_n_heads")
    config.record("num_key_value_heads", "attn_config.kv_n_heads")
    return key_value(attention_of(config, kind, model), heads, head_width(config, model))


def mimo_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """mimo_v2_flash: sliding layers have twice the heads; values may be narrower than keys."""
    width, of_values = config.integer("head_dim"), config.integer("v_head_dim")
    if width != of_values:
        raise config.inexpressible(
            "v_head_dim",
            f"({of_values}) differs from head_dim ({width}): one width for keys and values is all there is",
        )
    heads = config.integer("num_key_value_heads") * (2 if kind == SLIDING else 1)
    if kind == SLIDING:
        config.record("num_key_value_heads", "2 * num_key_value_heads in sliding layers (built into the model type)")
    return key_value(attention_of(config, kind, model), heads, width)


def no_state_or(kind: str) -> bool:
    """Whether a layer of this kind keeps nothing: it has no attention, or reads another layer's cache."""
    return kind == CONSUMER or kind in NO_ATTENTION


def _derivation(config: Configuration, name: str, derived: Derived) -> str | None:
    """Why a value is derived, or None when its field is to be read."""
    if derived is Derived.ALWAYS:
        return f"{name} is not read"
    if config.is_missing(name) and derived in (Derived.IF_MISSING, Derived.IF_ABSENT):
        return f"{name} is missing"
    if config.is_null(name) and derived in (Derived.IF_NULL, Derived.IF_ABSENT):
        return f"{name} is null"
    return None


_ATTENTION = ("layer_types", "sliding_window", "attention_chunk_size")
_HEADS = ("num_key_value_heads", "num_attention_heads", "head_dim", "hidden_size")

GROUPED_QUERY = Family("keys and values", grouped_query_layer, (*_HEADS, *_ATTENTION))
FALCON = Family(
    "keys and values, switched to one head",
    falcon_layer,
    (
        "multi_query",
        "new_decoder_architecture",
        "num_kv_heads",
        "num_attention_heads",
        "hidden_size",
        *_ATTENTION,
    ),
)
GPT_BIGCODE = Family(
    "keys and values, switched to one head",
    gpt_bigcode_layer,
    ("multi_query", "num_attention_heads", "hidden_size", *_ATTENTION),
)
DBRX = Family(
    "keys and values",
    dbrx_layer,
    ("attn_config.kv_n_heads", "num_attention_heads", "hidden_size", *_ATTENTION),
)
MIMO = Family(
    "keys and values, twice the heads where they slide",
    mimo_layer,
    ("num_key_value_heads", "head_dim", "v_head_dim", "sliding_window_size", *_ATTENTION),
)
