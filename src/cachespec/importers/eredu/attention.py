"""eredu's families that keep attention state only."""

from __future__ import annotations

from cachespec.importers.configuration import Configuration
from cachespec.importers.eredu.tensor_parallel import Split
from cachespec.importers.layer_lists import KIND_OF_RATIO, RATIO_OF_KIND, LayerKind, kind_called, layer_of_key
from cachespec.layouts import wire
from cachespec.layouts.wire import (
    Attention,
    Policy,
    compressed_latent_rotary,
    key_only,
    key_value,
    pooling_stream,
    sliding,
)

_OTHER_KINDS = ("layer_types", "sliding_window_pattern", "attention_chunk_size")


def llama(config: Configuration, split: Split) -> list[Policy]:
    """llama, mistral: a window makes every layer sliding; 0 heads or width mean "not stated"."""
    heads = _stated_or_zero(config, "num_key_value_heads")
    if heads is None:
        heads = config.integer("num_attention_heads")
        config.record("num_key_value_heads", "num_attention_heads (num_key_value_heads is not stated)")
    width = _stated_or_zero(config, "head_dim") or head_quotient(config)
    attention: Attention = wire.FULL
    if config.states("sliding_window"):
        attention = sliding(config.integer("sliding_window"))
    count = config.layer_total()
    if config.states("layer_types") and set(sliding_layers(config, count)) != {attention != wire.FULL}:
        raise config.invalid("layer_types", "contradicts sliding_window, the one eredu reads", "leave it out")
    if config.states("attention_chunk_size"):
        raise config.inexpressible("attention_chunk_size", "is not known to eredu for this model type")
    return [_layer(config, split, attention, heads, width) for _ in range(count)]


def qwen2(config: Configuration, split: Split) -> list[Policy]:
    """qwen2: with the switch on, layers from `max_window_layers` on slide, and some must."""
    _refuse_other_kinds(config)
    count, width = config.layer_total(), head_width(config)
    heads = config.integer("num_key_value_heads")
    first = count
    attention: Attention = wire.FULL
    if config.switch("use_sliding_window"):
        first = config.integer("max_window_layers", least=0)
        if first >= count:
            raise config.invalid("max_window_layers", f"({first}) must be smaller than the {count} layers")
        attention = sliding(config.integer("sliding_window"))
    full = wire.FULL
    return [_layer(config, split, attention if layer >= first else full, heads, width) for layer in range(count)]


def qwen3(config: Configuration, split: Split) -> list[Policy]:
    """qwen3, qwen3_moe: every layer is full."""
    _refuse_other_kinds(config)
    if config.switch("use_sliding_window"):
        raise config.inexpressible("use_sliding_window", "is true, which eredu refuses for this model type")
    width, heads = head_width(config), config.integer("num_key_value_heads")
    return [_layer(config, split, wire.FULL, heads, width) for _ in range(config.layer_total())]


def qwen_vl(config: Configuration, split: Split) -> list[Policy]:
    """qwen3_vl, qwen3_vl_moe: every layer is full, and the first keeps the offset of rotary positions."""
    _refuse_sliding_kinds(config)
    width, heads = head_width(config), config.integer("num_key_value_heads")
    layers = [_layer(config, split, wire.FULL, heads, width) for _ in range(config.layer_total())]
    local = split.key_value_heads(config, "num_key_value_heads", heads)
    config.record("position_delta", "layer 0 (built into the family)")
    return [key_value(wire.FULL, local, width, [wire.position_delta()]), *layers[1:]]


def gpt_oss(config: Configuration, split: Split) -> list[Policy]:
    """gpt_oss: even layers slide unless `layer_types` says otherwise."""
    count = config.layer_total()
    window, width = integer_or(config, "sliding_window", 128), integer_or(config, "head_dim", 64)
    heads = config.integer("num_key_value_heads")
    slides = (
        sliding_layers(config, count) if config.states("layer_types") else [not layer % 2 for layer in range(count)]
    )
    return [_layer(config, split, sliding(window) if slide else wire.FULL, heads, width) for slide in slides]


def muse_glimmer(config: Configuration, split: Split) -> list[Policy]:
    """muse_glimmer: `layer_rope_theta` is 0 exactly where a layer is full."""
    count = config.layer_total()
    slides = sliding_layers(config, count)
    thetas = config.stated_value("layer_rope_theta")
    if thetas is None:
        raise config.missing("layer_rope_theta", null=config.is_null("layer_rope_theta"))
    if not isinstance(thetas, list) or not all(isinstance(theta, int | float) for theta in thetas):
        raise config.invalid("layer_rope_theta", "must be a list of numbers")
    config.require_length("layer_rope_theta", len(thetas), count, "num_hidden_layers")
    for layer, (theta, slide) in enumerate(zip(thetas, slides, strict=True)):
        if (theta == 0) is slide:
            raise config.invalid("layer_rope_theta", f"and layer_types disagree about layer {layer}")
    heads, width = config.integer("num_key_value_heads"), head_width(config)
    return [
        _layer(config, split, sliding(config.integer("sliding_window")) if slide else wire.FULL, heads, width)
        for slide in slides
    ]


def gemma4(config: Configuration, split: Split) -> list[Policy]:
    """gemma4: full layers of another size; the last layers may read earlier ones; layer 0 may keep
    embeddings.

    A re-serialised configuration has the sizes of full layers in `per_layer_config` instead of global
    fields.
    """
    count = config.layer_total()
    slides = sliding_layers(config, count) if config.states("layer_types") else [False] * count
    shared = config.count_or_zero("num_kv_shared_layers")
    if shared > count:
        raise config.invalid("num_kv_shared_layers", f"is {shared}, but there are only {count} layers")
    sizes = _gemma4_sizes(config, slides)
    owners = count - shared
    last_owner = {slide: layer for layer, slide in enumerate(slides[:owners])}
    layers: list[Policy] = []
    for layer, (slide, (heads, width)) in enumerate(zip(slides, sizes, strict=True)):
        if layer >= owners:
            source = last_owner.get(slide)
            if source is not None and sizes[source] != (heads, width):
                raise config.invalid("num_kv_shared_layers", f"makes layer {layer} read layer {source} of another size")
            layers.append(wire.NO_STATE)
            continue
        attention = sliding(config.integer("sliding_window")) if slide else wire.FULL
        tensors = [wire.prefix_embedding(config.integer("hidden_size"))] if layer == 0 else []
        local = split.key_value_heads(config, "num_key_value_heads", heads)
        layers.append(key_value(attention, local, width, tensors))
    config.record("prefix_embedding", "layer 0, hidden_size wide (built into the family)")
    return layers


def deepseek_v3(config: Configuration, split: Split) -> list[Policy]:
    """deepseek_v3: latent and rotary keys, which ranks do not split; prediction layers are not kept."""
    latent, rotary = config.integer("kv_lora_rank"), config.integer("qk_rope_head_dim")
    return [compressed_latent_rotary(wire.FULL, latent, rotary) for _ in range(config.layer_total())]


def deepseek_v4(config: Configuration, split: Split) -> list[Policy]:
    """deepseek_v4: keys only in a window, and streams that pool 4 or 128 tokens; ranks do not split them."""
    if config.states("num_key_value_heads") and config.integer("num_key_value_heads") != 1:
        raise config.invalid("num_key_value_heads", "must be 1")
    window = integer_or(config, "sliding_window", 128)
    width = config.integer("head_dim")
    layers: list[Policy] = []
    for ratio in _compress_ratios(config):
        tensors = []
        if ratio:
            tensors = pooling_stream(0, ratio, width, overlapping=ratio == 4)
        if ratio == 4:
            tensors += pooling_stream(1, ratio, config.integer("index_head_dim"), overlapping=True)
        layers.append(key_only(sliding(window), 1, width, tensors))
    return layers


def deepseek_v4_predictions(config: Configuration) -> int:
    """Prediction layers close the list."""
    return config.count_or_zero("num_nextn_predict_layers")


def deepseek_v4_predictions_lag(config: Configuration) -> bool:
    """Prediction layers are one token behind, unless the checkpoint has all four dspark fields."""
    return sum(name.startswith("dspark_") for name in config.fields) < 4


def kept_heads(config: Configuration, split: Split, name: str = "num_key_value_heads") -> int:
    """Key/value heads of a rank, out of as many as the field `name` says."""
    return split.key_value_heads(config, name, config.integer(name))


def head_width(config: Configuration) -> int:
    """The width of a head: the field, or hidden_size / heads where it is not stated."""
    return config.integer("head_dim") if config.states("head_dim") else head_quotient(config)


def head_quotient(config: Configuration) -> int:
    """hidden_size / num_attention_heads, which must come out even."""
    width = config.quotient("hidden_size", "num_attention_heads")
    config.record("head_dim", "hidden_size / num_attention_heads (head_dim is not stated)")
    return width


def sliding_layers(config: Configuration, count: int) -> list[bool]:
    """Which layers slide, from `layer_types` of sliding_attention and full_attention."""
    return layers_of_kind(config, count, LayerKind.SLIDING)


def layers_of_kind(config: Configuration, count: int, kind: LayerKind) -> list[bool]:
    """Which layers are of one kind, from `layer_types` of that kind and full_attention."""
    listed = config.texts("layer_types")
    config.require_length("layer_types", len(listed), count, "num_hidden_layers")
    for layer, word in enumerate(listed):
        if word not in (kind, LayerKind.FULL):
            raise config.invalid("layer_types", f"entry {layer} must be {kind} or {LayerKind.FULL}")
    return [word == kind for word in listed]


def integer_or(config: Configuration, name: str, default: int) -> int:
    """The field where it is stated, else what eredu takes for it."""
    if config.states(name):
        return config.integer(name)
    config.record(name, f"{default} (default of eredu)")
    return default


def _layer(config: Configuration, split: Split, attention: Attention, heads: int, width: int) -> Policy:
    return key_value(attention, split.key_value_heads(config, "num_key_value_heads", heads), width)


def _stated_or_zero(config: Configuration, name: str) -> int | None:
    """The field, or None when it is missing, null or 0."""
    return config.integer_if_stated(name, least=0) or None


def _gemma4_sizes(config: Configuration, slides: list[bool]) -> list[tuple[int, int]]:
    """Heads and width of every layer."""
    all_heads, all_width = config.integer("num_key_value_heads"), config.integer("head_dim")
    overrides = _gemma4_overrides(config, len(slides))
    sizes = []
    for layer, slide in enumerate(slides):
        heads, width = all_heads, all_width
        for own in overrides.get(layer, ()):
            if slide or own.fields.keys() - {"head_dim", "num_key_value_heads"}:
                raise own.inexpressible("", "overrides more than the heads and width of a full layer")
            heads = own.integer_if_stated("num_key_value_heads") or heads
            width = own.integer_if_stated("head_dim") or width
        if not slide:
            heads = config.integer_if_stated("num_global_key_value_heads") or heads
            width = config.integer_if_stated("global_head_dim") or width
        sizes.append((heads, width))
    return sizes


def _gemma4_overrides(config: Configuration, count: int) -> dict[int, list[Configuration]]:
    """`per_layer_config` by layer; eredu lets several keys name the same one."""
    per_layer = config.child_if_stated("per_layer_config")
    if per_layer is None:
        return {}
    found: dict[int, list[Configuration]] = {}
    for key in per_layer.fields:
        layer = layer_of_key(key, count)
        if layer is None:
            raise per_layer.invalid(key, f"must name a layer, 0 to {count - 1}")
        found.setdefault(layer, []).append(per_layer.child(key))
    return found


def _compress_ratios(config: Configuration) -> list[int]:
    """The ratio of every layer, prediction layers included: stated, from the kinds, or by position."""
    count, predictions = config.layer_total(), deepseek_v4_predictions(config)
    if config.states("compress_ratios"):
        ratios = config.integers("compress_ratios")
        config.require_length(
            "compress_ratios", len(ratios), count + predictions, "all layers with the prediction layers"
        )
        if any(ratio not in KIND_OF_RATIO for ratio in ratios) or any(ratios[count:]):
            raise config.invalid("compress_ratios", "must be 0, 4 or 128, and 0 for prediction layers")
        return ratios
    if config.states("layer_types"):
        listed = config.texts("layer_types")
        config.require_length("layer_types", len(listed), count, "num_hidden_layers")
        rates = config.child("compress_rates")
        config.record("compress_ratios", "layer_types and compress_rates (compress_ratios is not stated)")
        return [_ratio(config, rates, word) for word in listed] + [0] * predictions
    config.record("compress_ratios", "0 for the first and last layer, else 4 if odd and 128 if even (built in)")
    between = [4 if layer % 2 else 128 for layer in range(1, count - 1)]
    return [0, *between, *([0] if count > 1 else []), *([0] * predictions)]


def _ratio(config: Configuration, rates: Configuration, word: str) -> int:
    kind = kind_called(word)
    if kind not in RATIO_OF_KIND:
        raise config.invalid("layer_types", "holds an unknown kind of layer")
    ratio = RATIO_OF_KIND[kind]
    if ratio and rates.integer(word) != ratio:
        raise rates.inexpressible(word, f"is not {ratio}, the only rate eredu knows for it")
    return ratio


def _refuse_other_kinds(config: Configuration) -> None:
    for name in _OTHER_KINDS:
        if config.states(name):
            raise config.invalid(name, "is refused by eredu for this model type", "leave it out")


def _refuse_sliding_kinds(config: Configuration) -> None:
    if config.states("layer_types") and any(sliding_layers(config, config.layer_total())):
        raise config.inexpressible("layer_types", "has sliding layers, which eredu does not know for this model type")
