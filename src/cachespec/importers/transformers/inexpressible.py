"""Model types whose cache version 1 of the format cannot say, each with what is missing."""

from __future__ import annotations

_INDEXER = "indexer keys beside latent attention"
_CROSS = "keys and values of another sequence, whose length is not the prefix"
_SEVERAL = "several recurrent states in one layer"

INEXPRESSIBLE: dict[str, str] = {
    "axk2": _INDEXER,
    "bart": _CROSS,
    "bigbird_pegasus": _CROSS,
    "blenderbot": _CROSS,
    "blenderbot-small": _CROSS,
    "deepseek_v32": _INDEXER,
    "dots3_note_text": _INDEXER,
    "glm5_next_text": f"{_INDEXER}, and latent attention without rotary keys",
    "glm_moe_dsa": _INDEXER,
    "hy_v4": _INDEXER,
    "hy_v4_vl_text": _INDEXER,
    "marian": _CROSS,
    "mbart": _CROSS,
    "minimax_m3_vl_text": "indexer keys beside keys and values",
    "mistral_large4_text": _INDEXER,
    "mllama_text_model": _CROSS,
    "mt5": _CROSS,
    "mvp": _CROSS,
    "openai-gpt": "a model without any cache",
    "pegasus": _CROSS,
    "plbart": _CROSS,
    "qwen4_exp_text": "indexer keys and positions beside keys and values",
    "rwkv": f"{_SEVERAL}, stacked over all layers",
    "t5": _CROSS,
    "umt5": _CROSS,
    "unlimited_ocr_text": "prefill tokens kept in full beside a window of generated ones",
    "whisper": _CROSS,
    "xlstm": _SEVERAL,
}
