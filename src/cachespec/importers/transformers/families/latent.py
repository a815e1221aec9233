"""Latent attention: the library keeps the compressed latent and the rotary keys, each with a head axis of size 1.

Heads never matter. The layouts leave the axis out and say so in an annotation.
"""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.attention_layers import latent_layer
from cachespec.importers.transformers.model_type import Family, ModelType


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


LATENT = Family("latent attention", latent_layer)

_LATENT = ModelType(family=LATENT)
_LATENT_CHECKED = ModelType(family=LATENT, check=head_width_is_rotary)

TYPES: dict[str, ModelType] = {
    "axk1": _LATENT_CHECKED,
    "deepseek_v2": _LATENT,
    "deepseek_v3": _LATENT_CHECKED,
    "glm4_moe_lite": ModelType(family=LATENT, names={"qk_rope_head_dim": ("qk_rope_head_dim", "head_dim")}),
    "longcat_flash": ModelType(family=LATENT, layer_total=two_per_block),
    "minicpm3": _LATENT,
    "mistral4": _LATENT,
    "sarvam_mla": _LATENT,
    "youtu": _LATENT_CHECKED,
}
