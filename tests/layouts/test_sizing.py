"""Sizes: known figures, the sums of what layouts expand to, and growth checked against larger prefixes."""

from __future__ import annotations

from fractions import Fraction
from math import lcm, prod
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cachespec
from cachespec import CacheLayout, CachePolicyError, LayerCachePolicy, StateTensorPolicy
from cachespec.layouts.expansion import FLOATING
from cachespec.layouts.models import model_of
from cachespec.layouts.sizing import Amounts, Size, size

AMOUNTS = ("total_bytes", "resume_bytes", "fixed_bytes", "bytes_per_token", "optional_bytes")


def layout(*layers: LayerCachePolicy, offsets: tuple[int, ...] | None = None, start: int | None = None) -> CacheLayout:
    return CacheLayout(cachespec=1, layers=layers, layer_prefix_offsets=offsets, global_layer_start=start)


def pooled(width: int, divisor: int) -> StateTensorPolicy:
    role: Any = {"pooling": {"stream": 0, "component": "pooled"}}
    shape: Any = ["batch", {"prefix_tokens_div": divisor}, cachespec.fixed(width)]
    return cachespec.state_tensor_with_residency(model_of("StateTensorRole", role), shape, "floating", "sealable_paged")


def state(*shape: Any, dtype: Any = "float32") -> LayerCachePolicy:
    return cachespec.fixed_only([cachespec.state_tensor("recurrent", shape, dtype, "layer_scoped_offloadable")])


FULL, LLAMA_3_8B = cachespec.full(), cachespec.key_value(cachespec.full(), 8, 128)


def test_llama_3_8b_takes_131072_bytes_per_token() -> None:
    sized = size(layout(*[LLAMA_3_8B] * 32), 1, 1000)
    assert sized.bytes_per_token == 131_072
    assert type(sized.bytes_per_token) is int
    assert sized.total_bytes == sized.resume_bytes == 131_072 * 1000
    assert sized.fixed_bytes == sized.optional_bytes == 0
    assert list(sized.by_component) == ["attention.keys", "attention.values"]
    assert list(sized.by_residency) == ["sealable_paged"]
    assert size(layout(*[LLAMA_3_8B] * 32), 3, 1000).bytes_per_token == 3 * 131_072


def test_deepseek_v3_takes_70272_bytes_per_token() -> None:
    layers = [cachespec.compressed_latent_rotary(FULL, 512, 64)] * 61
    assert size(layout(*layers), 1, 4096).bytes_per_token == 70_272 == 61 * 576 * 2


def test_only_full_layers_grow_once_the_windows_are_full() -> None:
    sliding = [cachespec.key_value(cachespec.sliding(1024), 8, 256)] * 40
    layers = layout(*sliding, *[cachespec.key_value(FULL, 1, 512)] * 8)
    everything = 16_384 + 40 * 2 * 8 * 256 * 2
    assert size(layers, 1, 1022).bytes_per_token == everything
    assert size(layers, 1, 1023).bytes_per_token == 16_384
    sized = size(layers, 1, 5000)
    assert sized.bytes_per_token == 16_384
    assert sized.total_bytes == 5000 * everything
    assert sized.resume_bytes == 5000 * 16_384 + 1023 * (everything - 16_384)


def test_layers_that_share_a_cache_count_once() -> None:
    owners: list[LayerCachePolicy] = [cachespec.key_value(FULL, 2, 256)] * 20
    none: list[LayerCachePolicy] = ["no_state"] * 15
    shared = layout(*owners, *none)
    assert size(shared, 1, 100).total_bytes == size(layout(*owners), 1, 100).total_bytes
    assert [layer.total_bytes for layer in size(shared, 1, 100).by_layer[20:]] == [0] * 15


def test_a_window_of_one_token_keeps_nothing() -> None:
    sized = size(layout(cachespec.key_only(cachespec.sliding(1), 1, 4)), 1, 10)
    assert (sized.total_bytes, sized.resume_bytes, sized.bytes_per_token) == (80, 0, 0)


def test_the_window_does_not_bound_the_state_beside_attention() -> None:
    both = cachespec.key_only_with_fixed_state(cachespec.sliding(4), 1, 8, [pooled(6, 3)])
    sized = size(layout(both), 1, 10)
    assert sized.by_component["attention.keys"] == Amounts(total_bytes=160, resume_bytes=48)
    pooled_rows = sized.by_component["state.pooling.0.pooled"]
    assert pooled_rows == Amounts(total_bytes=36, resume_bytes=36, bytes_per_token=4)


def test_a_rate_that_is_not_whole_is_exact() -> None:
    sized = size(layout(cachespec.fixed_only([pooled(5, 3)])), 1, 9)
    assert sized.bytes_per_token == Fraction(10, 3)
    together = size(layout(*[cachespec.fixed_only([pooled(5, 3)])] * 3), 1, 9).bytes_per_token
    assert together == 10
    assert type(together) is int


def test_a_product_of_prefixes_grows_by_its_next_step() -> None:
    layers = layout(state("prefix_tokens", "prefix_tokens"))
    assert size(layers, 1, 10).bytes_per_token == (11 * 11 - 10 * 10) * 4


def test_what_is_not_there_counts_nothing_and_what_is_optional_stands_apart() -> None:
    late = cachespec.when_prefix_at_least(pooled(4, 4), 4)
    assert size(layout(cachespec.fixed_only([late])), 1, 3).total_bytes == 0
    assert size(layout(cachespec.fixed_only([late])), 1, 4).total_bytes == 8
    extra = cachespec.optional(
        cachespec.state_tensor(
            "prefix_embedding", ["batch", "prefix_tokens", cachespec.fixed(3)], "floating", "always_device_mutable"
        )
    )
    sized = size(layout(cachespec.fixed_only([extra])), 2, 5)
    assert sized.by_component["state.prefix_embedding"] == Amounts(optional_bytes=60)
    assert [getattr(sized, name) for name in AMOUNTS] == [0, 0, 0, 0, 60]


def test_a_layer_behind_the_prefix_holds_fewer_tokens() -> None:
    key = cachespec.key_only(FULL, 1, 1)
    sized = size(layout(key, key, offsets=(0, -3), start=7), 1, 10)
    assert [(layer.layer, layer.total_bytes) for layer in sized.by_layer] == [(7, 20), (8, 14)]
    assert [layer.total_bytes for layer in size(layout(key, key, offsets=(0, -3)), 1, 2).by_layer] == [4, 0]


@pytest.mark.parametrize(("dtype", "width"), FLOATING.items())
def test_the_dtype_is_that_of_floating_tensors_alone(dtype: str, width: int) -> None:
    floating, fixed = state("batch", cachespec.fixed(10), dtype="floating"), state("batch", cachespec.fixed(10))
    assert size(layout(floating), 1, 0, dtype).fixed_bytes == 10 * width
    assert size(layout(fixed), 1, 0, dtype).fixed_bytes == 40


@pytest.mark.parametrize("dtype", ["Bfloat16", "float8", "int32", ""])
def test_another_dtype_is_refused_with_the_list(dtype: str) -> None:
    with pytest.raises(CachePolicyError, match="`float16`, `bfloat16`, `float32`, `float64`") as error:
        size(layout(LLAMA_3_8B), 1, 1, dtype)
    assert error.value.findings[0].code == "unknown-variant"


@pytest.mark.parametrize(
    ("layers", "batch_size", "prefix_tokens", "code"),
    [
        (layout(LLAMA_3_8B), 1, 2**31, "out-of-range"),
        (layout(cachespec.key_value(cachespec.sliding(8), 1, 1)), 1, 2**31, "out-of-range"),
        (layout(LLAMA_3_8B), -1, 1, "out-of-range"),
        (layout(LLAMA_3_8B), True, 1, "wrong-type"),
        (layout(LLAMA_3_8B, offsets=(0, 0)), 1, 1, "offset-count"),
        (layout(state(*[cachespec.fixed(2**31 - 1)] * 3)), 1, 1, "out-of-range"),
        (layout(state(*[cachespec.fixed(2)] * 100_000)), 1, 1, "out-of-range"),
        (layout(state(*[{"prefix_tokens_div": 2**31 - 1 - i} for i in range(20_000)])), 1, 1, "out-of-range"),
    ],
    ids=["prefix", "windowed-prefix", "batch", "bool", "offsets", "elements", "dimensions", "divisors"],
)
def test_what_has_no_size_is_refused(layers: CacheLayout, batch_size: int, prefix_tokens: int, code: str) -> None:
    with pytest.raises(CachePolicyError) as error:
        size(layers, batch_size, prefix_tokens)
    assert [finding.code for finding in error.value.findings] == [code]


def test_sizes_are_values() -> None:
    sized = size(layout(LLAMA_3_8B), 1, 5, "float32")
    assert sized == size(layout(LLAMA_3_8B), 1, 5, "float32")
    assert len({sized, size(layout(LLAMA_3_8B), 1, 5, "float32"), size(layout(LLAMA_3_8B), 1, 5)}) == 2
    assert (sized.batch_size, sized.prefix_tokens, sized.dtype) == (1, 5, "float32")


DIVISORS = st.integers(1, 6)
FIXED = st.builds(lambda n: {"fixed": n}, st.integers(1, 9))
STILL = st.one_of(FIXED, st.just("batch"), st.builds(lambda d: {"prefix_tokens_rem": d}, DIVISORS))
GROWING = st.one_of(st.just("prefix_tokens"), st.builds(lambda d: {"prefix_tokens_div": d}, DIVISORS))
PRESENCE = st.one_of(
    st.just("required"),
    st.just("optional"),
    st.builds(lambda d: {"prefix_remainder_non_zero": d}, DIVISORS),
    st.builds(lambda d: {"prefix_at_least": d}, st.integers(1, 20)),
)
ROLES = {
    "recurrent": "layer_scoped_offloadable",
    "prefix_embedding": "always_device_mutable",
    "convolution": "always_device_mutable",
    "pooled": "sealable_paged",
}
WIRE_ROLES = {"convolution": {"convolution": {"slot": 3}}, "pooled": {"pooling": {"stream": 0, "component": "pooled"}}}


@st.composite
def shapes(draw: st.DrawFn) -> list[Any]:
    """At most one growing dimension: such a shape grows evenly, which numbers can show."""
    if draw(st.integers(0, 9)) == 0:
        return ["scalar"]
    return draw(st.permutations([*draw(st.lists(STILL, min_size=1, max_size=3)), *draw(st.lists(GROWING, max_size=1))]))


@st.composite
def policies(draw: st.DrawFn) -> Any:
    attention = draw(st.one_of(st.just("full"), st.builds(lambda w: {"sliding": {"window": w}}, st.integers(1, 60))))
    heads, dim = draw(st.integers(1, 4)), draw(st.integers(1, 8))
    tensors = [
        {
            "role": WIRE_ROLES.get(role, role),
            "shape": draw(shapes()),
            "dtype": draw(st.sampled_from(["floating", "float32", "int32", "uint32"])),
            "residency": ROLES[role],
            "presence": draw(PRESENCE),
        }
        for role in draw(st.lists(st.sampled_from(sorted(ROLES)), min_size=1, max_size=3, unique=True))
    ]
    both = {"attention": attention, "num_key_value_heads": heads, "head_dim": dim}
    keys = {"attention": attention, "num_key_heads": heads, "head_dim": dim}
    return draw(
        st.sampled_from(
            [
                "no_state",
                {"key_value": both},
                {"key_only": keys},
                {"compressed_latent_rotary": {"attention": attention, "latent_dim": heads, "rotary_dim": dim}},
                {"fixed_state": {"tensors": tensors}},
                {"key_value_with_fixed_state": {**both, "tensors": tensors}},
                {"key_only_with_fixed_state": {**keys, "tensors": tensors}},
            ]
        )
    )


@st.composite
def layouts(draw: st.DrawFn) -> CacheLayout:
    layers = draw(st.lists(policies(), min_size=1, max_size=4))
    fields: dict[str, Any] = {"cachespec": 1, "layers": layers, "global_layer_start": draw(st.integers(0, 5))}
    if draw(st.booleans()):
        fields["layer_prefix_offsets"] = [draw(st.integers(-3, 0)) for _ in layers]
    made: CacheLayout = model_of("CacheLayout", fields)
    assert not [finding for finding in cachespec.validate(made) if finding.level == "error"]
    return made


def tokens_of(layers: CacheLayout, layer: int, prefix_tokens: int) -> int:
    index = layer - (layers.global_layer_start or 0)
    return max(prefix_tokens + (layers.layer_prefix_offsets or [0] * len(layers.layers))[index], 0)


def window_of(layers: CacheLayout, layer: int) -> int | None:
    attention = cachespec.attention(layers.layers[layer - (layers.global_layer_start or 0)])
    return attention.sliding.window if isinstance(attention, cachespec.AttentionPolicySliding) else None


def width_of(component: cachespec.NamedComponent, dtype: str) -> int:
    return FLOATING[dtype] if component.policy.dtype == "floating" else 4


@given(layouts(), st.integers(0, 3), st.integers(0, 80), st.sampled_from(sorted(FLOATING)))
def test_sizes_are_sums_over_what_the_layout_expands_to(
    layers: CacheLayout, batch_size: int, prefix_tokens: int, dtype: str
) -> None:
    total = resume = optional = 0
    for component in cachespec.expand(layers, batch_size, prefix_tokens):
        number = prod(component.shape) * width_of(component, dtype)
        if component.policy.presence == "optional":
            optional += number
        if not component.required:
            continue
        total += number
        tokens, window = tokens_of(layers, component.layer, prefix_tokens), window_of(layers, component.layer)
        kept = component.shape
        if ".attention." in component.name and window is not None:
            dimensions = zip(component.policy.shape, component.shape, strict=True)
            kept = tuple(min(tokens, window - 1) if name == "prefix_tokens" else extent for name, extent in dimensions)
        resume += prod(kept) * width_of(component, dtype)
    sized = size(layers, batch_size, prefix_tokens, dtype)
    assert (sized.total_bytes, sized.resume_bytes, sized.optional_bytes) == (total, resume, optional)
    assert 0 <= sized.fixed_bytes <= sized.resume_bytes <= sized.total_bytes
    assert sized.bytes_per_token >= 0
    check_sums(sized)
    assert [layer.layer for layer in sized.by_layer] == [
        (layers.global_layer_start or 0) + index for index in range(len(layers.layers))
    ]


def check_sums(sized: Size) -> None:
    for parts in (sized.by_layer, sized.by_component.values(), sized.by_residency.values()):
        for name in AMOUNTS:
            assert sum(getattr(part, name) for part in parts) == getattr(sized, name)


@given(layouts(), st.integers(0, 3), st.integers(3, 80))
def test_growth_is_what_a_longer_prefix_takes_more(layers: CacheLayout, batch_size: int, prefix_tokens: int) -> None:
    period = lcm(*range(1, 7))
    for component in cachespec.expand(layers, batch_size, prefix_tokens):
        tokens = tokens_of(layers, component.layer, prefix_tokens)
        # Within the period no window fills up and no tensor comes in for good.
        window = window_of(layers, component.layer)
        assume(window is None or tokens >= window - 1 or tokens + period <= window - 1)
        presence = component.policy.presence
        if isinstance(presence, cachespec.StateTensorPresencePrefixAtLeast):
            assume(tokens >= presence.prefix_at_least or tokens + period < presence.prefix_at_least)
    now, later = size(layers, batch_size, prefix_tokens), size(layers, batch_size, prefix_tokens + period)
    assert later.resume_bytes - now.resume_bytes == period * now.bytes_per_token
    assert later.fixed_bytes == now.fixed_bytes
    assert later.bytes_per_token == now.bytes_per_token
