"""The table of model types that keep keys and values only: a new type is a line here.

What a line says was compared with the caches that transformers 5.24.0 really fills.
"""

from __future__ import annotations

from cachespec.importers.transformers import layer_kinds as kinds
from cachespec.importers.transformers.families import looped as cached
from cachespec.importers.transformers.families import windowed
from cachespec.importers.transformers.families.attention import DBRX, FALCON, GPT_BIGCODE, GROUPED_QUERY, MIMO
from cachespec.importers.transformers.families.gemma import (
    GEMMA3N,
    GEMMA4,
    gemma4_kinds,
    one_direction_only,
    window_of_gemma3,
    window_of_gemma4,
)
from cachespec.importers.transformers.families.special_windows import (
    window_of_mimo,
    window_of_modernbert,
    window_of_switch,
)
from cachespec.importers.transformers.model_type import Derived, ModelType

_NEVER, _MISSING, _NULL, _ABSENT, _ALWAYS = Derived


def _gqa(
    heads: Derived, width: Derived, pattern: kinds.Pattern | None = None, *, window_has_default: bool = False
) -> ModelType:
    return ModelType(
        family=GROUPED_QUERY, heads=heads, width=width, pattern=pattern, window_has_default=window_has_default
    )


def _switched(heads: Derived, width: Derived, pattern: kinds.Pattern) -> ModelType:
    """Grouped queries with a window that counts only where `use_sliding_window` is true."""
    return ModelType(family=GROUPED_QUERY, heads=heads, width=width, pattern=pattern, window=window_of_switch)


def _mha(**names: tuple[str, ...]) -> ModelType:
    """As many key/value heads as query heads, and hidden_size / heads elements each."""
    return ModelType(family=GROUPED_QUERY, heads=_ALWAYS, width=_ALWAYS, names=names)


_GPT2_NAMES = {"hidden_size": ("n_embd",), "num_attention_heads": ("n_head",), "num_hidden_layers": ("n_layer",)}
_MPT_NAMES = {"hidden_size": ("d_model",), "num_attention_heads": ("n_heads",), "num_hidden_layers": ("n_layers",)}

_GEMMA4 = ModelType(
    family=GEMMA4,
    pattern=kinds.last_of_each(6),
    window=window_of_gemma4,
    cache_layers=gemma4_kinds,
    per_layer=frozenset({"head_dim", "num_key_value_heads"}),
)

ATTENTION_TYPES: dict[str, ModelType] = {
    # keys and values, every layer full unless the configuration says otherwise
    "apertus": _gqa(_ABSENT, _MISSING),
    "apertus1p5_text": _gqa(_ABSENT, _MISSING),
    "arcee": _gqa(_ABSENT, _ABSENT),
    "aria_text": _gqa(_ABSENT, _ABSENT),
    "bitnet": _gqa(_NULL, _MISSING),
    "cohere": _gqa(_ABSENT, _MISSING),
    "cosmos3_edge_text": _gqa(_NULL, _NEVER),
    "deepseek_ocr2_text": _gqa(_ABSENT, _ALWAYS),
    "diffllama": _gqa(_ABSENT, _ABSENT),
    "doge": _gqa(_ABSENT, _MISSING),
    "emu3_text_model": _gqa(_NEVER, _MISSING),
    "ernie4_5": _gqa(_NULL, _NULL),
    "ernie4_5_moe": _gqa(_NEVER, _MISSING),
    "ernie4_5_vl_moe_text": _gqa(_NEVER, _MISSING),
    "exaone": ModelType(
        family=GROUPED_QUERY,
        heads=_NULL,
        width=_ABSENT,
        names={"num_hidden_layers": ("num_hidden_layers", "num_layers")},
    ),
    "flex_olmo": _gqa(_ABSENT, _MISSING),
    "gemma": _gqa(_NEVER, _NEVER),
    "glm": _gqa(_NEVER, _NEVER),
    "glm4": _gqa(_NEVER, _NEVER),
    "glm4_moe": _gqa(_NEVER, _MISSING),
    "glm4v_moe_text": _gqa(_NEVER, _MISSING),
    "glm4v_text": _gqa(_NULL, _ALWAYS),
    "glm_ocr_text": _gqa(_NEVER, _MISSING),
    "granite": _gqa(_ABSENT, _MISSING),
    "granite_docling_text": _gqa(_NULL, _MISSING),
    "granitemoe": _gqa(_ABSENT, _MISSING),
    "granitemoeshared": _gqa(_ABSENT, _MISSING),
    "helium": _gqa(_NEVER, _NEVER),
    "hunyuan_v1_dense": _gqa(_ABSENT, _NEVER),
    "hunyuan_v1_moe": _gqa(_ABSENT, _NEVER),
    "hunyuan_vl_text": _gqa(_ABSENT, _NEVER),
    "hy_v3": _gqa(_NEVER, _NEVER),
    "hyperclovax": _gqa(_ABSENT, _ABSENT),
    "internlm3": _gqa(_NULL, _NULL),
    "iquestcoder": _gqa(_NULL, _NULL),
    "jais2": _gqa(_ABSENT, _ABSENT),
    "jetmoe": ModelType(family=GROUPED_QUERY, names={"head_dim": ("kv_channels",)}),
    "llama": _gqa(_ABSENT, _ABSENT),
    "minimax_m2": _gqa(_NEVER, _NEVER),
    "ministral3": _gqa(_NEVER, _NEVER),
    "mixtral": _gqa(_NEVER, _ABSENT),
    "molmo2_text": _gqa(_NEVER, _NEVER),
    "nanochat": _gqa(_ABSENT, _MISSING),
    "nemotron": _gqa(_NEVER, _ABSENT),
    "olmo": _gqa(_ABSENT, _MISSING),
    "olmo2": _gqa(_ABSENT, _MISSING),
    "olmoe": _gqa(_ABSENT, _MISSING),
    "paddleocr_vl_text": _gqa(_NULL, _NULL),
    "phi": _gqa(_ABSENT, _MISSING),
    "phi3": _gqa(_ABSENT, _MISSING),
    "phi4_multimodal": _gqa(_NULL, _MISSING),
    "phimoe": _gqa(_NEVER, _MISSING),
    "qwen3_omni_moe_text": _gqa(_NEVER, _MISSING),
    "qwen3_vl_moe_text": _gqa(_NEVER, _ABSENT),
    "qwen3_vl_text": _gqa(_NULL, _NEVER),
    "sarvam_moe": _gqa(_NEVER, _NEVER),
    "seed_oss": _gqa(_NULL, _NULL),
    "solar_open": _gqa(_NEVER, _NEVER),
    "stablelm": _gqa(_NEVER, _ALWAYS),
    "starcoder2": _gqa(_NEVER, _ABSENT),
    # keys and values, every layer sliding unless the window is null
    "mistral": _gqa(_NEVER, _ABSENT, window_has_default=True),
    "moshi": _gqa(_ABSENT, _ABSENT, window_has_default=True),
    # keys and values of all query heads
    "biogpt": _mha(),
    "bloom": _mha(**{**_GPT2_NAMES, "hidden_size": ("hidden_size", "n_embed")}),
    "codegen": _mha(**_GPT2_NAMES),
    "ctrl": _mha(**_GPT2_NAMES),
    "gpt2": _mha(**_GPT2_NAMES),
    "gpt_neo": _mha(num_attention_heads=("num_heads",), num_hidden_layers=("num_layers",)),
    "gpt_neox": _mha(),
    "gpt_neox_japanese": _mha(),
    "gptj": _mha(**_GPT2_NAMES),
    "mpt": _mha(**_MPT_NAMES),
    "opt": _mha(),
    "persimmon": _mha(),
    "xglm": _mha(hidden_size=("d_model",), num_attention_heads=("attention_heads",), num_hidden_layers=("num_layers",)),
    # keys and values whose heads a switch decides
    "dbrx": ModelType(family=DBRX, width=_ALWAYS, names=_MPT_NAMES),
    "falcon": ModelType(family=FALCON, width=_ALWAYS, names={"hidden_size": ("hidden_size", "n_embed")}),
    "gpt_bigcode": ModelType(family=GPT_BIGCODE, width=_ALWAYS, names=_GPT2_NAMES),
    # keys and values, some layers sliding
    "afmoe": _gqa(_ABSENT, _NEVER, kinds.last_of_each_stated("global_attn_every_n_layers")),
    "beam": _gqa(_NEVER, _NEVER, kinds.last_of_each_and_the_last(6)),
    "cohere2": _gqa(_ABSENT, _MISSING, kinds.last_of_each_stated("sliding_window_pattern")),
    "cohere2_moe": _gqa(_ABSENT, _NEVER, windowed.after_a_dense_prefix),
    "cohere_compass_text": _gqa(_ABSENT, _MISSING, kinds.all_full),
    "cwm": _gqa(_NEVER, _NEVER, kinds.first_of_each(4)),
    "dots1": _gqa(_NULL, _MISSING, windowed.from_max_window_layers_without_switch),
    "exaone4": _gqa(_NEVER, _MISSING, windowed.last_of_each_if_a_window_is_stated),
    "exaone_moe": _gqa(_NEVER, _MISSING, windowed.last_of_each_if_a_window_is_stated),
    "flint": _gqa(_NEVER, _NEVER, kinds.flint),
    "gemma2": _gqa(_NEVER, _NEVER, kinds.last_of_each(2)),
    "gemma3_text": ModelType(
        family=GROUPED_QUERY,
        pattern=kinds.last_of_each_stated("sliding_window_pattern"),
        window=window_of_gemma3,
    ),
    "gpt_oss": _gqa(_NEVER, _NEVER, kinds.last_of_each(2)),
    "granite_swa": _gqa(_NULL, _MISSING, kinds.first_of_each(4)),
    "granitemoe_swa": _gqa(_ABSENT, _MISSING, kinds.first_of_each(4)),
    "kolibri1": _gqa(_NEVER, _NEVER, kinds.last_of_each(5)),
    "laguna": _gqa(_NEVER, _NEVER, kinds.all_full),
    "llama4_text": _gqa(_NEVER, _NEVER, windowed.chunked_where_positions_rotate),
    "mellum": _gqa(_NEVER, _NEVER, kinds.all_full),
    "mimo_v2_flash": ModelType(family=MIMO, pattern=kinds.mimo, window=window_of_mimo),
    "ministral": _gqa(_NEVER, _NEVER, windowed.everywhere_if_a_window_is_stated),
    "modernbert-decoder": ModelType(
        family=GROUPED_QUERY,
        heads=_ALWAYS,
        width=_ALWAYS,
        pattern=kinds.first_of_each_stated("global_attn_every_n_layers"),
        window=window_of_modernbert,
    ),
    "muse_glimmer_text": _gqa(_NEVER, _NEVER, kinds.counted_from_the_end(4)),
    "muse_spark_text": _gqa(_NEVER, _NEVER, kinds.counted_from_the_end(4)),
    "olmo3": _gqa(_ABSENT, _MISSING, kinds.last_of_each(4)),
    "qwen2": _switched(_NULL, _MISSING, windowed.from_max_window_layers),
    "qwen2_5_omni_text": _switched(_NULL, _MISSING, windowed.from_max_window_layers),
    "qwen2_5_vl_text": _switched(_NULL, _ALWAYS, windowed.from_max_window_layers),
    "qwen2_moe": _switched(_NEVER, _MISSING, windowed.every_other_below_max_window_layers),
    "qwen2_vl_text": _switched(_NULL, _ALWAYS, windowed.from_max_window_layers),
    "qwen3": _switched(_NULL, _NEVER, windowed.from_max_window_layers),
    "qwen3_moe": _switched(_NEVER, _MISSING, windowed.everywhere_if_switched_on),
    "smollm3": _gqa(_NULL, _MISSING, windowed.where_positions_rotate),
    "step3p5": ModelType(
        family=GROUPED_QUERY,
        pattern=kinds.all_full,
        listed=cached.without_prediction_layers,
        per_layer=frozenset({"num_attention_heads"}),
        names={"num_key_value_heads": ("num_key_value_heads", "num_attention_groups")},
    ),
    "vaultgemma": _gqa(_NEVER, _NEVER, kinds.last_of_each(2)),
    # layers that read the cache of others, or are passed several times
    "dory": ModelType(
        family=GROUPED_QUERY,
        pattern=kinds.last_of_each(4),
        layer_total=cached.dory_total,
        listed=cached.without_feed_forward,
        cache_layers=cached.dory_passes,
    ),
    "gemma3n_text": ModelType(
        family=GEMMA3N,
        pattern=kinds.last_of_each(5),
        cache_layers=cached.last_layers_share_as_stated,
        check=one_direction_only,
    ),
    "gemma4_text": _GEMMA4,
    "gemma4_unified_text": _GEMMA4,
    "hrm_text": ModelType(family=GROUPED_QUERY, heads=_ALWAYS, layer_total=cached.passes_over_stacks),
}
