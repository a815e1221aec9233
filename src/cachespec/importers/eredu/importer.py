"""The layout of what the eredu engine keeps for a model: one tensor-parallel rank, one pipeline stage, or
all of it.

The families follow the engine's conventions: convolution histories one narrower than the kernel with
channels last, recurrent state in float32, and its own defaults for missing fields, which are not those of
transformers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cachespec.findings import Finding
from cachespec.importers.configuration import Configuration
from cachespec.importers.eredu import attention, hybrids
from cachespec.importers.eredu.tensor_parallel import Split
from cachespec.layouts.wire import Policy


@dataclass(frozen=True, slots=True)
class Family:
    """A model family of the engine: its layers, how many prediction layers close the list, and where it is
    nested.

    `nested` is "always" or "never" where only one form exists; None reads `text_config` where there is one.
    """

    layers: Callable[[Configuration, Split], list[Policy]]
    nested: str | None = "never"
    predictions: Callable[[Configuration], int] = lambda config: 0
    # whether prediction layers are one token behind the others
    predictions_lag: Callable[[Configuration], bool] = lambda config: True


_LLAMA = Family(attention.llama)
_QWEN_HYBRID = Family(hybrids.qwen_hybrid, nested=None, predictions=hybrids.qwen_predictions)
_QWEN_VL = Family(attention.qwen_vl, nested="always")
_GEMMA4 = Family(attention.gemma4, nested=None)
_INKLING = Family(hybrids.inkling, nested=None)
_LFM2 = Family(hybrids.lfm2)

FAMILIES: dict[str, Family] = {
    "deepseek_v3": Family(attention.deepseek_v3),
    "deepseek_v4": Family(
        attention.deepseek_v4,
        predictions=attention.deepseek_v4_predictions,
        predictions_lag=attention.deepseek_v4_predictions_lag,
    ),
    "gemma4": _GEMMA4,
    "gemma4_text": _GEMMA4,
    "gpt_oss": Family(attention.gpt_oss),
    "inkling_mm_model": _INKLING,
    "inkling_text": _INKLING,
    "kimi_linear": Family(hybrids.kimi_linear),
    "lfm2": _LFM2,
    "lfm2_moe": _LFM2,
    "llama": _LLAMA,
    "mistral": _LLAMA,
    "muse_glimmer": Family(attention.muse_glimmer, nested="always"),
    "nemotron_h": Family(hybrids.nemotron_h),
    "qwen2": Family(attention.qwen2),
    "qwen3": Family(attention.qwen3),
    "qwen3_5": _QWEN_HYBRID,
    "qwen3_5_moe": _QWEN_HYBRID,
    "qwen3_5_moe_text": _QWEN_HYBRID,
    "qwen3_5_text": _QWEN_HYBRID,
    "qwen3_moe": Family(attention.qwen3),
    "qwen3_next": _QWEN_HYBRID,
    "qwen3_vl": _QWEN_VL,
    "qwen3_vl_moe": _QWEN_VL,
}


def read(
    config: Mapping[str, object], *, tensor_parallel: int, rank: int, layers: tuple[int, int] | None
) -> tuple[dict[str, object], list[Finding]]:
    """The layout and its warnings; `ValueError` is for options, `CachePolicyError` for the rest."""
    if tensor_parallel < 1 or not 0 <= rank < tensor_parallel:
        raise ValueError(f"rank {rank} is not one of {tensor_parallel} tensor parallel ranks")
    root = Configuration(config, missing_hint="state it: no default of another library is used for this runtime")
    model_type = _known_type(root)
    family = FAMILIES[model_type]
    text = root.child("text_config") if _is_nested(root, family) else root
    policies = family.layers(text, Split(tensor_parallel, rank))
    predictions = family.predictions(text)
    lag = -1 if family.predictions_lag(text) else 0
    offsets = [0] * (len(policies) - predictions) + [lag] * predictions
    start, end = layers if layers is not None else (0, len(policies))
    if not 0 <= start < end <= len(policies):
        raise ValueError(f"layers {start}:{end} are not a stage of a model with {len(policies)} layers")
    text.record("source", "configuration, read as eredu keeps its cache")
    if tensor_parallel > 1:
        text.record("tensor parallel", f"rank {rank} of {tensor_parallel}, dense weights")
    if layers is not None:
        text.record("pipeline stage", f"layers {start} to {end - 1} of {len(policies)}")
    if predictions:
        text.record("prediction layers", f"the last {predictions}, {'one token behind' if lag else 'not behind'}")
    inner = text.fields.get("model_type")
    if text is not root:
        text.record("wrapper_model_type", model_type)
    document: dict[str, object] = {
        "cachespec": 1,
        "model_type": inner if isinstance(inner, str) else model_type,
        "runtime": "eredu",
        "layer_count": len(policies),
    }
    if layers is not None:
        document["global_layer_start"] = start
    if tensor_parallel > 1:
        document["rank"] = {"stage_rank": None, "shard_rank": rank, "addressable_rank": None}
    document["layers"] = policies[start:end]
    if any(offsets[start:end]):
        document["layer_prefix_offsets"] = offsets[start:end]
    document["annotations"] = dict(sorted(text.sources.items()))
    return document, []


def _known_type(root: Configuration) -> str:
    model_type = root.text("model_type")
    if model_type not in FAMILIES:
        raise root.unknown_type(model_type, FAMILIES, "what eredu keeps for model type")
    return model_type


def _is_nested(root: Configuration, family: Family) -> bool:
    if family.nested == "always" or (family.nested is None and root.states("text_config")):
        return True
    if root.states("text_config"):
        raise root.invalid("text_config", "stands in the configuration of a text model", "remove one of the two")
    return False
