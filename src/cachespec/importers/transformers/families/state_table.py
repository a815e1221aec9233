"""The table of model types that keep something else than keys and values: a new type is a line here.

What a line says was compared with the caches that transformers 5.24.0 really fills.
"""

from __future__ import annotations

from cachespec.importers.transformers import layer_kinds as kinds
from cachespec.importers.transformers.families import looped as cached
from cachespec.importers.transformers.families import mamba as ssm
from cachespec.importers.transformers.families import zamba as ssm_kinds
from cachespec.importers.transformers.families.convolution import INKLING
from cachespec.importers.transformers.families.deepseek_v4 import DEEPSEEK_V4, deepseek_v4_kinds
from cachespec.importers.transformers.families.latent import LATENT, head_width_is_rotary, two_per_block
from cachespec.importers.transformers.families.linear_attention import (
    BAILING,
    GATED_DELTA,
    KIMI_DELTA,
    LIGHTNING,
    SHORT_CONVOLUTION,
    kimi_kinds,
    lfm2_kinds,
)
from cachespec.importers.transformers.layer_kinds import FULL, LINEAR, SLIDING
from cachespec.importers.transformers.model_type import Derived, ModelType

_NEVER, _MISSING, _NULL, _ABSENT, _ALWAYS = Derived

_LATENT = ModelType(family=LATENT)
_LATENT_CHECKED = ModelType(family=LATENT, check=head_width_is_rotary)
_DELTA = ModelType(family=GATED_DELTA, pattern=kinds.last_of_each_stated("full_attention_interval", LINEAR))
_LISTED = {"layer_types": ("layers_block_type",)}
_INKLING_NAMES = {
    "sliding_window": ("sliding_window_size",),
    "conv_kernel_size": ("conv_kernel_size", "sconv_kernel_size"),
}

STATE_TYPES: dict[str, ModelType] = {
    # latent attention
    "axk1": _LATENT_CHECKED,
    "deepseek_v2": _LATENT,
    "deepseek_v3": _LATENT_CHECKED,
    "glm4_moe_lite": ModelType(family=LATENT, names={"qk_rope_head_dim": ("qk_rope_head_dim", "head_dim")}),
    "longcat_flash": ModelType(family=LATENT, layer_total=two_per_block),
    "minicpm3": _LATENT,
    "mistral4": _LATENT,
    "sarvam_mla": _LATENT,
    "youtu": _LATENT_CHECKED,
    # one tensor for keys and values, and pooling streams
    "deepseek_v4": ModelType(family=DEEPSEEK_V4, pattern=deepseek_v4_kinds),
    # linear attention and convolutions beside attention
    "bailing_hybrid": ModelType(family=BAILING, pattern=kinds.last_of_each_stated("layer_group_size", LINEAR)),
    "inkling2_loop_text": ModelType(
        family=INKLING, pattern=cached.inkling2_kinds, cache_layers=cached.inkling_loop, names=_INKLING_NAMES
    ),
    "inkling2_text": ModelType(family=INKLING, pattern=cached.inkling2_kinds, names=_INKLING_NAMES),
    "inkling_text": ModelType(family=INKLING, pattern=cached.inkling_kinds, names=_INKLING_NAMES),
    "kimi_linear": ModelType(family=KIMI_DELTA, pattern=kimi_kinds),
    "lara_mini": ModelType(family=GATED_DELTA, pattern=kinds.repeated(LINEAR, SLIDING, LINEAR, FULL, SLIDING)),
    "lfm2": ModelType(family=SHORT_CONVOLUTION, width=_MISSING, pattern=lfm2_kinds),
    "lfm2_moe": ModelType(family=SHORT_CONVOLUTION, width=_MISSING, pattern=kinds.must_be_stated),
    "lfm3": ModelType(family=SHORT_CONVOLUTION, pattern=kinds.lfm3),
    "minimax": ModelType(family=LIGHTNING, width=_ABSENT, pattern=kinds.repeated(FULL, LINEAR)),
    "olmo_hybrid": ModelType(family=GATED_DELTA, heads=_ABSENT, width=_MISSING, pattern=kinds.olmo_hybrid),
    "qwen3_5_moe_text": _DELTA,
    "qwen3_5_text": _DELTA,
    "qwen3_next": _DELTA,
    # state space models, alone and beside attention
    "bamba": ModelType(
        family=ssm.BAMBA,
        heads=_NULL,
        width=_MISSING,
        pattern=ssm_kinds.bamba_kinds,
        kinds_are_read=False,
        names=_LISTED,
    ),
    "falcon_h1": ModelType(
        family=ssm.FALCON_H1,
        heads=_NULL,
        width=_MISSING,
        pattern=kinds.all_hybrid,
        kinds_are_read=False,
        names=_LISTED,
    ),
    "falcon_mamba": ModelType(family=ssm.MAMBA, pattern=kinds.all_linear, kinds_are_read=False),
    "granitemoehybrid": ModelType(
        family=ssm.BAMBA,
        heads=_ABSENT,
        width=_MISSING,
        pattern=kinds.all_linear,
        names={"layer_types": ("layer_types", "layers_block_type")},
    ),
    "jamba": ModelType(
        family=ssm.JAMBA,
        width=_MISSING,
        pattern=ssm_kinds.attention_by_period,
        kinds_are_read=False,
        names=_LISTED,
    ),
    "mamba": ModelType(family=ssm.MAMBA, pattern=kinds.all_linear, kinds_are_read=False),
    "mamba2": ModelType(family=ssm.MAMBA2, pattern=kinds.all_linear, kinds_are_read=False),
    "nemotron_h": ModelType(
        family=ssm.NEMOTRON_H,
        pattern=ssm_kinds.nemotron_h_kinds,
        layer_total=ssm_kinds.nemotron_h_total,
        names={
            **_LISTED,
            "n_groups": ("n_groups", "mamba_n_groups"),
            "conv_kernel": ("conv_kernel", "mamba_d_conv"),
        },
    ),
    "recurrent_gemma": ModelType(
        family=ssm.RECURRENT_GEMMA,
        heads=_ABSENT,
        width=_ALWAYS,
        pattern=ssm_kinds.recurrent_gemma_kinds,
        kinds_are_read=False,
        names={**_LISTED, "sliding_window": ("attention_window_size",)},
    ),
    "zamba": ModelType(
        family=ssm.ZAMBA,
        pattern=ssm_kinds.zamba_kinds,
        names={**_LISTED, "attention_head_dim": ("attention_head_dim", "head_dim")},
    ),
    "zamba2": ModelType(
        family=ssm.ZAMBA2,
        heads=_ABSENT,
        pattern=kinds.must_be_stated,
        names={**_LISTED, "attention_head_dim": ("attention_head_dim", "head_dim")},
    ),
    "zaya": ModelType(family=ssm.ZAYA, pattern=kinds.all_hybrid),
}
