"""Where the cache has other layers than the model: shared caches, and layers passed several times."""

from __future__ import annotations

from cachespec.importers.configuration import MOST_LAYERS, Configuration
from cachespec.importers.transformers.layer_kinds import CONSUMER, HYBRID, HYBRID_SLIDING, Kinds


def last_layers_share(config: Configuration, kinds: Kinds) -> Kinds:
    """gemma3n, gemma4: the last `num_kv_shared_layers` layers read the last earlier one of their kind."""
    shared = config.integer_if_stated("num_kv_shared_layers", least=0) or 0
    if not shared:
        return kinds
    if shared >= len(kinds):
        raise config.invalid("num_kv_shared_layers", f"is {shared}, which leaves no layer of {len(kinds)} with a cache")
    owners = kinds[:-shared]
    for layer in range(len(owners), len(kinds)):
        if kinds[layer] not in owners:
            raise config.invalid(
                "num_kv_shared_layers",
                f"leaves layer {layer} ({kinds[layer]}) without an earlier layer of its kind",
            )
    return owners + [CONSUMER] * shared


def last_layers_share_as_stated(config: Configuration, kinds: Kinds) -> Kinds:
    """gemma3n: as above, but a missing count would not mean zero."""
    if config.is_missing("num_kv_shared_layers"):
        raise config.missing("num_kv_shared_layers")
    return last_layers_share(config, kinds)


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
    return _with_passes(config, "n_recurrent_loops", kinds, recurrent, loops)


def inkling_loop(config: Configuration, kinds: Kinds) -> Kinds:
    """inkling2_loop: some layers are passed several times; further passes follow the last layer."""
    nested = config.child("loop_config") if config.states("loop_config") else None

    def size(inside: str, flat: str, least: int) -> int:
        if nested is not None and not nested.is_missing(inside):
            return nested.integer(inside, least=least)
        return config.integer(flat, least=least)

    start, end = size("core_start", "loop_layer_index_start", 1), size("core_end", "loop_layer_index_end", 1)
    if not start <= end <= len(kinds):
        raise config.invalid("loop_layer_index_end", f"must be from {start} to {len(kinds)}")
    passes = size("num_passes", "loop_num_passes", 1)
    return _with_passes(config, "loop_num_passes", kinds, kinds[start:end], passes)


def without_feed_forward(config: Configuration, listed: list[str]) -> list[str]:
    """dory: the stated kinds without the feed-forward blocks between them."""
    return listed[::2] if "mlp" in listed else listed


def without_prediction_layers(config: Configuration, listed: list[str]) -> list[str]:
    """step3p5: prediction layers may be listed after the others; they are not part of the cache."""
    predictions = config.integer_if_stated("num_nextn_predict_layers", least=0) or 0
    layers = config.layer_total()
    return listed[:layers] if len(listed) == layers + predictions else listed


def inkling_kinds(config: Configuration, count: int) -> Kinds:
    """inkling: `local_layer_ids` names the sliding layers; without it, all but every sixth slide."""
    if config.states("local_layer_ids"):
        local = set(config.integers("local_layer_ids"))
        config.record("layer_types", "local_layer_ids")
        return [HYBRID_SLIDING if layer in local else HYBRID for layer in range(count)]
    return inkling2_kinds(config, count)


def inkling2_kinds(config: Configuration, count: int) -> Kinds:
    """inkling2: all but every sixth layer slide."""
    config.record("layer_types", "all but every 6th layer slide (built into the model type)")
    return [HYBRID_SLIDING if (layer + 1) % 6 else HYBRID for layer in range(count)]


def _with_passes(config: Configuration, name: str, kinds: Kinds, looped: Kinds, passes: int) -> Kinds:
    if len(kinds) + len(looped) * (passes - 1) > MOST_LAYERS:
        raise config.invalid(name, "makes more cache layers than any model has")
    if passes > 1:
        config.record("cache layers", f"{name}: layers of further passes follow the last layer")
    return kinds + looped * (passes - 1)


def _counts_feed_forward(config: Configuration) -> bool:
    return config.states("layer_types") and "mlp" in config.texts("layer_types")
