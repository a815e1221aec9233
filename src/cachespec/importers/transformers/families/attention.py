"""Models that keep keys and values in every layer, all full unless the configuration says otherwise."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.layer_lists import LayerKind
from cachespec.importers.transformers.attention_layers import GROUPED_QUERY, attention_of, grouped_query, head_width
from cachespec.importers.transformers.model_type import Derived, Family, ModelType
from cachespec.layouts.wire import Policy, key_value


def falcon_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
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
    return key_value(attention_of(config, kind, rules), heads, head_width(config, rules))


def gpt_bigcode_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """gpt_bigcode: one head with `multi_query`, else as many as query heads."""
    single = config.decision("multi_query")
    heads = 1 if single else config.integer("num_attention_heads")
    config.record("num_key_value_heads", "one head (multi_query)" if single else "num_attention_heads")
    return key_value(attention_of(config, kind, rules), heads, head_width(config, rules))


def dbrx_layer(config: Configuration, kind: LayerKind, rules: ModelType) -> Policy:
    """dbrx: the number of key/value heads stands in `attn_config`."""
    heads = config.child("attn_config").integer("kv_n_heads")
    config.record("num_key_value_heads", "attn_config.kv_n_heads")
    return key_value(attention_of(config, kind, rules), heads, head_width(config, rules))


def _mha(**names: tuple[str, ...]) -> ModelType:
    """As many key/value heads as query heads, and hidden_size / heads elements each."""
    return ModelType(family=GROUPED_QUERY, heads=Derived.ALWAYS, width=Derived.ALWAYS, names=names)


FALCON = Family("keys and values, switched to one head", falcon_layer)
GPT_BIGCODE = Family("keys and values, switched to one head", gpt_bigcode_layer)
DBRX = Family("keys and values", dbrx_layer)

_GPT2_NAMES = {"hidden_size": ("n_embd",), "num_attention_heads": ("n_head",), "num_hidden_layers": ("n_layer",)}
_MPT_NAMES = {"hidden_size": ("d_model",), "num_attention_heads": ("n_heads",), "num_hidden_layers": ("n_layers",)}

TYPES: dict[str, ModelType] = {
    # fewer key/value heads than query heads, or as many
    "apertus": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "apertus1p5_text": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "arcee": grouped_query(Derived.IF_ABSENT, Derived.IF_ABSENT),
    "aria_text": grouped_query(Derived.IF_ABSENT, Derived.IF_ABSENT),
    "bitnet": grouped_query(Derived.IF_NULL, Derived.IF_MISSING),
    "cohere": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "cosmos3_edge_text": grouped_query(Derived.IF_NULL, Derived.NEVER),
    "deepseek_ocr2_text": grouped_query(Derived.IF_ABSENT, Derived.ALWAYS),
    "diffllama": grouped_query(Derived.IF_ABSENT, Derived.IF_ABSENT),
    "doge": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "emu3_text_model": grouped_query(Derived.NEVER, Derived.IF_MISSING),
    "ernie4_5": grouped_query(Derived.IF_NULL, Derived.IF_NULL),
    "ernie4_5_moe": grouped_query(Derived.NEVER, Derived.IF_MISSING),
    "ernie4_5_vl_moe_text": grouped_query(Derived.NEVER, Derived.IF_MISSING),
    "exaone": ModelType(
        family=GROUPED_QUERY,
        heads=Derived.IF_NULL,
        width=Derived.IF_ABSENT,
        names={"num_hidden_layers": ("num_hidden_layers", "num_layers")},
    ),
    "flex_olmo": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "gemma": grouped_query(Derived.NEVER, Derived.NEVER),
    "glm": grouped_query(Derived.NEVER, Derived.NEVER),
    "glm4": grouped_query(Derived.NEVER, Derived.NEVER),
    "glm4_moe": grouped_query(Derived.NEVER, Derived.IF_MISSING),
    "glm4v_moe_text": grouped_query(Derived.NEVER, Derived.IF_MISSING),
    "glm4v_text": grouped_query(Derived.IF_NULL, Derived.ALWAYS),
    "glm_ocr_text": grouped_query(Derived.NEVER, Derived.IF_MISSING),
    "granite": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "granite_docling_text": grouped_query(Derived.IF_NULL, Derived.IF_MISSING),
    "granitemoe": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "granitemoeshared": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "helium": grouped_query(Derived.NEVER, Derived.NEVER),
    "hunyuan_v1_dense": grouped_query(Derived.IF_ABSENT, Derived.NEVER),
    "hunyuan_v1_moe": grouped_query(Derived.IF_ABSENT, Derived.NEVER),
    "hunyuan_vl_text": grouped_query(Derived.IF_ABSENT, Derived.NEVER),
    "hy_v3": grouped_query(Derived.NEVER, Derived.NEVER),
    "hyperclovax": grouped_query(Derived.IF_ABSENT, Derived.IF_ABSENT),
    "internlm3": grouped_query(Derived.IF_NULL, Derived.IF_NULL),
    "iquestcoder": grouped_query(Derived.IF_NULL, Derived.IF_NULL),
    "jais2": grouped_query(Derived.IF_ABSENT, Derived.IF_ABSENT),
    "jetmoe": ModelType(family=GROUPED_QUERY, names={"head_dim": ("kv_channels",)}),
    "llama": grouped_query(Derived.IF_ABSENT, Derived.IF_ABSENT),
    "minimax_m2": grouped_query(Derived.NEVER, Derived.NEVER),
    "ministral3": grouped_query(Derived.NEVER, Derived.NEVER),
    "mixtral": grouped_query(Derived.NEVER, Derived.IF_ABSENT),
    "molmo2_text": grouped_query(Derived.NEVER, Derived.NEVER),
    "nanochat": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "nemotron": grouped_query(Derived.NEVER, Derived.IF_ABSENT),
    "olmo": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "olmo2": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "olmoe": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "paddleocr_vl_text": grouped_query(Derived.IF_NULL, Derived.IF_NULL),
    "phi": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "phi3": grouped_query(Derived.IF_ABSENT, Derived.IF_MISSING),
    "phi4_multimodal": grouped_query(Derived.IF_NULL, Derived.IF_MISSING),
    "phimoe": grouped_query(Derived.NEVER, Derived.IF_MISSING),
    "qwen3_omni_moe_text": grouped_query(Derived.NEVER, Derived.IF_MISSING),
    "qwen3_vl_moe_text": grouped_query(Derived.NEVER, Derived.IF_ABSENT),
    "qwen3_vl_text": grouped_query(Derived.IF_NULL, Derived.NEVER),
    "sarvam_moe": grouped_query(Derived.NEVER, Derived.NEVER),
    "seed_oss": grouped_query(Derived.IF_NULL, Derived.IF_NULL),
    "solar_open": grouped_query(Derived.NEVER, Derived.NEVER),
    "stablelm": grouped_query(Derived.NEVER, Derived.ALWAYS),
    "starcoder2": grouped_query(Derived.NEVER, Derived.IF_ABSENT),
    # as many key/value heads as query heads
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
    # heads that a switch decides, or that stand in an object of their own
    "dbrx": ModelType(family=DBRX, width=Derived.ALWAYS, names=_MPT_NAMES),
    "falcon": ModelType(family=FALCON, width=Derived.ALWAYS, names={"hidden_size": ("hidden_size", "n_embed")}),
    "gpt_bigcode": ModelType(family=GPT_BIGCODE, width=Derived.ALWAYS, names=_GPT2_NAMES),
}
