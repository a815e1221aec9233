"""Models whose cache or whose list of layers has other entries than the model has layers."""

from __future__ import annotations

from cachespec.importers.configuration import MOST_LAYERS, Configuration
from cachespec.importers.transformers.attention_layers import GROUPED_QUERY
from cachespec.importers.transformers.layer_kinds import Kinds, all_full, last_of_each, with_passes
from cachespec.importers.transformers.model_type import Derived, ModelType


def passes_over_stacks(config: Configuration) -> int:
    """hrm_text: a stack is passed H_cycles * (L_cycles + 1) times, and each pass has cache layers of its own.

    A stated `num_layers_per_stack` tells that `num_hidden_layers` is already the product.
    """
    passes = config.integer("H_cycles") * (config.integer("L_cycles") + 1)
    own = "num_layers_per_stack"
    if config.states(own):
        total = config.layer_total()
        if config.integer(own) * passes != total:
            raise config.invalid(own, f"* H_cycles * (L_cycles + 1) is not num_hidden_layers ({total})")
        return total
    total = config.layer_total() * passes
    if total > MOST_LAYERS:
        raise config.invalid("H_cycles", "* (L_cycles + 1) * num_hidden_layers is too large")
    config.record("num_hidden_layers", "num_hidden_layers * H_cycles * (L_cycles + 1)")
    return total


def dory_total(config: Configuration) -> int:
    """dory: a re-serialised configuration counts feed-forward blocks as layers, and lists them too."""
    return config.layer_total() // (2 if _counts_feed_forward(config) else 1)


def dory_passes(config: Configuration, kinds: Kinds) -> Kinds:
    """dory: recurrent layers are passed `n_recurrent_loops` times; more passes follow the last layer."""
    if config.states("recurrent_kv_cache_mode") and config.text("recurrent_kv_cache_mode") != "per_loop":
        raise config.inexpressible("recurrent_kv_cache_mode", "asks for something else than a cache for each loop")
    half = 2 if _counts_feed_forward(config) else 1
    first, last = (
        config.integer("n_input_layers", least=0) // half,
        config.integer("n_output_layers", least=0) // half,
    )
    loops = config.integer("n_recurrent_loops")
    if first + last > len(kinds):
        raise config.invalid("n_input_layers", f"and n_output_layers are more than the {len(kinds)} layers")
    recurrent = kinds[first : len(kinds) - last]
    if config.states("n_recurrent_layers"):
        stated = config.integer("n_recurrent_layers", least=0) // half
        if stated != len(recurrent):
            raise config.invalid("n_recurrent_layers", f"must be {len(recurrent)} beside the input and output layers")
    return with_passes(config, "n_recurrent_loops", kinds, recurrent, loops)


def without_feed_forward(config: Configuration, listed: list[str]) -> list[str]:
    """dory: the stated kinds without the feed-forward blocks between them."""
    return listed[::2] if "mlp" in listed else listed


def without_prediction_layers(config: Configuration, listed: list[str]) -> list[str]:
    """step3p5: prediction layers may be listed after the others; they are not part of the cache."""
    predictions = config.count_or_zero("num_nextn_predict_layers")
    layers = config.layer_total()
    return listed[:layers] if len(listed) == layers + predictions else listed


def _counts_feed_forward(config: Configuration) -> bool:
    return config.states("layer_types") and "mlp" in config.texts("layer_types")


TYPES: dict[str, ModelType] = {
    "dory": ModelType(
        family=GROUPED_QUERY,
        pattern=last_of_each(4),
        layer_total=dory_total,
        listed=without_feed_forward,
        cache_layers=dory_passes,
    ),
    "hrm_text": ModelType(family=GROUPED_QUERY, heads=Derived.ALWAYS, layer_total=passes_over_stacks),
    "step3p5": ModelType(
        family=GROUPED_QUERY,
        pattern=all_full,
        listed=without_prediction_layers,
        per_layer=frozenset({"num_attention_heads"}),
        names={"num_key_value_heads": ("num_key_value_heads", "num_attention_groups")},
    ),
}
