"""Policies built in Python: what the builders make, what they refuse, and what is replaced in a tensor."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import cachespec
from tests.refusals import codes


def recurrent() -> cachespec.StateTensorPolicy:
    return cachespec.state_tensor("recurrent", ["batch", cachespec.fixed(16)], "float32", "layer_scoped_offloadable")


def test_builders_make_what_the_wire_form_says() -> None:
    layer = cachespec.key_value_with_fixed_state(cachespec.sliding(128), 8, 64, [recurrent()])
    text = cachespec.dumps(layer)
    assert text == (
        '{"key_value_with_fixed_state":{"attention":{"sliding":{"window":128}},"num_key_value_heads":8,"head_dim":64,'
        '"tensors":[{"role":"recurrent","shape":["batch",{"fixed":16}],"dtype":"float32",'
        '"residency":"layer_scoped_offloadable","presence":"required"}]}}'
    )
    assert cachespec.check(text, type="LayerCachePolicy").value == layer
    assert cachespec.validate(layer) == ()


def test_each_variant_has_its_builder() -> None:
    full, tensors = cachespec.full(), [recurrent()]
    built: list[cachespec.LayerCachePolicy] = [
        cachespec.key_value(full, 2, 64),
        cachespec.key_only(full, 1, 64),
        cachespec.compressed_latent_rotary(full, 512, 64),
        cachespec.fixed_only(tensors),
        cachespec.key_value_with_fixed_state(full, 2, 64, tensors),
        cachespec.key_only_with_fixed_state(full, 1, 64, tensors),
    ]
    assert len({type(policy) for policy in built}) == 6
    for policy in built:
        assert cachespec.attention(policy) == (
            None if isinstance(policy, cachespec.LayerCachePolicyFixedState) else "full"
        )
        residency = None if isinstance(policy, cachespec.LayerCachePolicyFixedState) else "sealable_paged"
        assert cachespec.attention_residency_class(policy) == residency


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda: cachespec.key_value("full", 0, 64), [("out-of-range", "/key_value/num_key_value_heads")]),
        (
            lambda: cachespec.key_value("full", -1, 2**31),
            [("out-of-range", "/key_value/num_key_value_heads"), ("out-of-range", "/key_value/head_dim")],
        ),
        (lambda: cachespec.sliding(0), [("out-of-range", "/sliding/window")]),
        (lambda: cachespec.fixed(2**31), [("out-of-range", "/fixed")]),
        (lambda: cachespec.fixed_only([]), [("too-few-items", "/fixed_state/tensors")]),
        (
            lambda: cachespec.fixed_only([recurrent(), recurrent()]),
            [("duplicate-role", "/fixed_state/tensors/1/role")],
        ),
        (
            lambda: cachespec.state_tensor("recurrent", ["scalar", "batch"], "float32", "layer_scoped_offloadable"),
            [("scalar-not-alone", "/shape")],
        ),
        (
            lambda: cachespec.state_tensor("recurrent", ["batch"], "float32", "always_device_mutable"),
            [("residency-mismatch", "/residency")],
        ),
        (
            lambda: cachespec.state_tensor("recurrent", ["batch"], "float32", "sealable_paged"),  # type: ignore[arg-type]
            [("unknown-variant", "")],
        ),
        (lambda: cachespec.when_prefix_at_least(recurrent(), 0), [("out-of-range", "/prefix_at_least")]),
        (lambda: cachespec.key_value("full", True, 64), [("wrong-type", "/key_value/num_key_value_heads")]),
        (lambda: cachespec.key_value("full", 8, 64.0), [("non-canonical", "/key_value/head_dim")]),  # type: ignore[arg-type]
    ],
)
def test_builders_refuse_with_code_and_path(build: Callable[[], object], expected: list[tuple[str, str]]) -> None:
    assert codes(build) == expected


def test_a_pooled_tensor_needs_its_residency_class() -> None:
    role = cachespec.StateTensorRolePooling(pooling=cachespec.Pooling(stream=0, component="pooled"))
    shape = ["batch", cachespec.StateTensorDimensionPrefixTokensDiv(prefix_tokens_div=4), cachespec.fixed(8)]
    tensor = cachespec.state_tensor_with_residency(role, shape, "floating", "sealable_paged")  # type: ignore[arg-type]
    assert [finding.code for finding in cachespec.validate(tensor)] == ["zero-extent"]
    assert cachespec.validate(cachespec.when_prefix_at_least(tensor, 4)) == ()
    assert cachespec.validate(cachespec.optional(tensor)) == ()


def test_presence_is_replaced_and_nothing_else() -> None:
    tensor = recurrent()
    assert cachespec.optional(tensor).presence == "optional"
    sometimes = cachespec.when_prefix_remainder_nonzero(tensor, 4)
    assert cachespec.dumps(sometimes).endswith('"presence":{"prefix_remainder_non_zero":4}}')
    assert sometimes.shape == tensor.shape
    assert tensor.presence == "required"
