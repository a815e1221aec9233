"""Configurations that hold the one of a text model: where it stands, and of which type it may be."""

from __future__ import annotations

# types whose library class takes a text model of any type
ANY_TEXT_MODEL: frozenset[str] = frozenset(
    {
        *("audioflamingo3", "aya_vision", "blip-2", "cohere2_vision", "deepseek_vl", "deepseek_vl_hybrid"),
        *("exaone4_5", "fast_vlm", "fun_asr_nano", "glm46v", "glmasr", "got_ocr2", "granite_speech"),
        *(
            "granite_speech_plus",
            "hyperclovax_vision_v2",
            "idefics2",
            "idefics3",
            "internvl",
            "janus",
            "kimi_k25",
        ),
        *("lfm2_vl", "lfm3_vl", "lighton_ocr", "llava", "llava_next", "llava_next_video", "llava_onevision"),
        *(
            "minicpmv4_6",
            "mistral3",
            "musicflamingo",
            "nemotron_h_omni",
            "ovis2",
            "perception_lm",
        ),
        *(
            "qianfan_ocr",
            "qwen2_audio",
            "qwen3_asr",
            "shieldgemma2",
            "smolvlm",
            "vibevoice_asr",
            "video_llama_3",
        ),
        *("video_llava", "vipllava", "voxtral"),
    }
)

# types whose library class reads its text model as this one type
ONE_TEXT_MODEL: dict[str, str] = {
    "apertus1p5": "apertus1p5_text",
    "aria": "aria_text",
    "cohere_compass": "cohere_compass_text",
    "cosmos3_edge": "cosmos3_edge_text",
    "deepseek_ocr2": "deepseek_ocr2_text",
    "dots3_note": "dots3_note_text",
    "emu3": "emu3_text_model",
    "ernie4_5_vl_moe": "ernie4_5_vl_moe_text",
    "gemma3": "gemma3_text",
    "gemma3n": "gemma3n_text",
    "gemma4": "gemma4_text",
    "gemma4_unified": "gemma4_unified_text",
    "glm4v": "glm4v_text",
    "glm4v_moe": "glm4v_moe_text",
    "glm5_next": "glm5_next_text",
    "glm_ocr": "glm_ocr_text",
    "granite_docling": "granite_docling_text",
    "hunyuan_vl": "hunyuan_vl_text",
    "hy_v4_vl": "hy_v4_vl_text",
    "inkling2": "inkling2_text",
    "inkling2_loop": "inkling2_loop_text",
    "inkling_mm_model": "inkling_text",
    "llama4": "llama4_text",
    "minimax_m3_vl": "minimax_m3_vl_text",
    "mistral_large4": "mistral_large4_text",
    "mllama": "mllama_text_model",
    "molmo2": "molmo2_text",
    "muse_glimmer": "muse_glimmer_text",
    "muse_spark": "muse_spark_text",
    "paddleocr_vl": "paddleocr_vl_text",
    "qwen2_5_omni_thinker": "qwen2_5_omni_text",
    "qwen2_5_vl": "qwen2_5_vl_text",
    "qwen2_vl": "qwen2_vl_text",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "qwen3_omni_moe_thinker": "qwen3_omni_moe_text",
    "qwen3_vl": "qwen3_vl_text",
    "qwen3_vl_moe": "qwen3_vl_moe_text",
    "qwen4_exp": "qwen4_exp_text",
    "step3p7": "step3p5",
    "unlimited_ocr": "unlimited_ocr_text",
}

# types whose text model stands in a part of another name, which is a wrapper itself
ONE_PART: dict[str, tuple[str, str]] = {
    "qwen2_5_omni": ("thinker_config", "qwen2_5_omni_thinker"),
    "qwen3_omni_moe": ("thinker_config", "qwen3_omni_moe_thinker"),
}


# types with text models of their own making only
SOME_TEXT_MODELS: dict[str, frozenset[str]] = {"paligemma": frozenset({"gemma", "gemma2"})}

# names that published configurations give to an inner type that the library calls otherwise
INNER_NAMES: dict[str, dict[str, str]] = {
    "exaone4_5": {"exaone4_5_text": "exaone4"},
    "kimi_k25": {"kimi_k2": "deepseek_v3"},
}

# fields that a wrapper supplies to a text model that lacks them: nothing may be derived in their place
SUPPLIED_FIELDS: dict[str, tuple[str, ...]] = {
    "glmasr": ("num_key_value_heads", "intermediate_size"),
    "voxtral": ("num_key_value_heads", "head_dim", "intermediate_size"),
}

ALL: frozenset[str] = ANY_TEXT_MODEL | ONE_TEXT_MODEL.keys() | ONE_PART.keys() | SOME_TEXT_MODELS.keys()


def part_of(model_type: str) -> tuple[str, frozenset[str] | None] | None:
    """The field with the inner configuration and the types it may have (None: any); None for text models."""
    if model_type in ONE_PART:
        name, inner = ONE_PART[model_type]
        return name, frozenset({inner})
    if model_type in ONE_TEXT_MODEL:
        return "text_config", frozenset({ONE_TEXT_MODEL[model_type]})
    if model_type in SOME_TEXT_MODELS:
        return "text_config", SOME_TEXT_MODELS[model_type]
    return ("text_config", None) if model_type in ANY_TEXT_MODEL else None
