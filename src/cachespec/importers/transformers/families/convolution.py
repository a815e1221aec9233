"""inkling: keys and values, sliding ones of another size, and the histories of four convolutions."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.transformers.families.attention import attention_of, unexpected_kind
from cachespec.importers.transformers.layer_kinds import FULL, HYBRID, HYBRID_SLIDING, SLIDING
from cachespec.importers.transformers.model_type import Family, ModelType
from cachespec.importers.wire import FLOAT32, Policy, convolution, key_value


def inkling_layer(config: Configuration, kind: str, model: ModelType) -> Policy:
    """Convolutions over keys, values, attention output and feed-forward output, kept in float32."""
    if kind not in (HYBRID, HYBRID_SLIDING):
        raise unexpected_kind(config, kind)
    slides = kind == HYBRID_SLIDING
    heads = config.integer("swa_num_key_value_heads" if slides else "num_key_value_heads")
    width = config.integer("swa_head_dim" if slides else "head_dim")
    kernel = config.integer("conv_kernel_size")
    channels = (heads * width, heads * width, config.integer("hidden_size"), config.integer("hidden_size"))
    tensors = [convolution(slot, extent, kernel, dtype=FLOAT32) for slot, extent in enumerate(channels)]
    return key_value(attention_of(config, SLIDING if slides else FULL, model), heads, width, tensors)


INKLING = Family(
    "keys and values with four convolutions",
    inkling_layer,
    (
        *("num_key_value_heads", "head_dim", "swa_num_key_value_heads", "swa_head_dim", "hidden_size"),
        *("conv_kernel_size", "sliding_window_size", "layer_types", "local_layer_ids"),
    ),
)
