"""Every model type that the transformers runtime is read for.

Types whose cache version 1 of the format cannot say are in `inexpressible.py`, objects that hold a text model
in `wrappers.py`. Any other type is unknown, and refused.
"""

from __future__ import annotations

from cachespec.importers.transformers.families.attention_table import ATTENTION_TYPES
from cachespec.importers.transformers.families.state_table import STATE_TYPES
from cachespec.importers.transformers.model_type import ModelType

MODEL_TYPES: dict[str, ModelType] = {**ATTENTION_TYPES, **STATE_TYPES}
