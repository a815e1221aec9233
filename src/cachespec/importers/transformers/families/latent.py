"""Latent attention: the library keeps the compressed latent and the rotary keys, each with a head axis of
size 1.

Heads never matter. The layouts leave the axis out and say so in an annotation.
"""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.families.attention import attention_of
from cachespec.importers.transformers.layer_kinds import INDEXED
from cachespec.importers.transformers.model_type import Family, ModelType
from cachespec.importers.wire import Policy, compressed_latent_rotary


def latent_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """The latent of `kv_lora_rank` elements and the rotary keys of `qk_rope_head_dim`."""
    if kind == INDEXED:
        raise config.inexpressible("layer_types", "asks for indexer keys beside latent attention")
    attention = attention_of(config, kind, model)
    latent = config.integer("kv_lora_rank")
    rotary = config.integer("qk_rope_head_dim", least=0)
    if rotary == 0:
        raise config.inexpressible("qk_rope_head_dim", "is 0: latent attention without rotary keys")
    config.record("head axis", "left out: transformers keeps latent and rotary keys with a head axis of size 1")
    return compressed_latent_rotary(attention, latent, rotary)


def head_width_is_rotary(config: Configuration) -> None:
    """Refuse a `head_dim` other than the rotary width, with which the library's model cannot run."""
    if config.states("head_dim"):
        stated, rotary = config.integer("head_dim"), config.integer("qk_rope_head_dim", least=0)
        if stated != rotary:
            raise config.invalid(
                "head_dim",
                f"({stated}) differs from qk_rope_head_dim ({rotary})",
                "leave head_dim out: it is not needed",
            )


def two_per_block(config: Configuration) -> int:
    """longcat_flash: a block has two attentions, so twice `num_layers` cache layers."""
    if config.states("num_layers"):
        layers = 2 * config.layer_total("num_layers")
        if config.states("num_hidden_layers") and config.layer_total() != layers:
            raise config.invalid("num_hidden_layers", f"is not 2 * num_layers ({layers})", "keep num_layers only")
    elif config.states("num_hidden_layers"):
        layers = config.layer_total()
        if layers % 2:
            raise config.invalid("num_hidden_layers", "must be even: every block has two attentions")
    else:
        raise config.missing("num_layers")
    config.record("num_hidden_layers", "2 * num_layers (two attentions in each block)")
    return layers


_FIELDS = ("kv_lora_rank", "qk_rope_head_dim", "layer_types", "sliding_window", "attention_chunk_size")
LATENT = Family("latent attention", latent_layer, _FIELDS)
