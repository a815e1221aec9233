"""Every model type that the transformers runtime is read for; a family of them is one file here, with its lines of
the table. What a line says was compared with the caches that transformers 5.24.0 really fills.

Types whose cache version 1 of the format cannot say are in `inexpressible.py`, objects that hold a text model
in `wrappers.py`. Any other type is unknown, and refused.
"""

from __future__ import annotations

from cachespec.importers.transformers.families import (
    attention,
    convolution,
    deepseek_v4,
    gemma,
    latent,
    linear_attention,
    looped,
    mamba,
    windowed,
    zamba,
)
from cachespec.importers.transformers.model_type import ModelType

MODEL_TYPES: dict[str, ModelType] = {
    **attention.TYPES,
    **windowed.TYPES,
    **looped.TYPES,
    **gemma.TYPES,
    **latent.TYPES,
    **deepseek_v4.TYPES,
    **linear_attention.TYPES,
    **convolution.TYPES,
    **mamba.TYPES,
    **zamba.TYPES,
}
