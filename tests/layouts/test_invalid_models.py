"""No door for invalid models: validate is check, changes are checked, nothing is written or counted of a bad one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

import cachespec
from cachespec import CacheLayout, CachePolicyError, KeyValue, LayerCachePolicyKeyValue
from cachespec.reading.document import Value
from tests.refusals import codes

LAYER = cachespec.key_value(cachespec.full(), 8, 64)
LAYOUT = cachespec.layout([LAYER, "no_state"], name="two")
RECURRENT = cachespec.state_tensor("recurrent", ["batch", cachespec.fixed(4)], "float32", "layer_scoped_offloadable")
RULES = cachespec.FixedState.model_construct(tensors=(RECURRENT, RECURRENT))


def layer(**changes: object) -> LayerCachePolicyKeyValue:
    fields = {"attention": "full", "num_key_value_heads": 8, "head_dim": 64, **changes}
    return LayerCachePolicyKeyValue.model_construct(key_value=KeyValue.model_construct(**fields))  # type: ignore[arg-type]


def layout(*layers: Any, **fields: Any) -> CacheLayout:
    return CacheLayout.model_construct(**{"cachespec": 1, "layers": layers, **fields})


BAD: dict[str, tuple[CacheLayout, str, str]] = {
    "negative": (layout(layer(head_dim=-64)), "out-of-range", "/layers/0/key_value/head_dim"),
    "boolean": (layout(layer(head_dim=True)), "wrong-type", "/layers/0/key_value/head_dim"),
    "fraction": (layout(layer(head_dim=8.0)), "non-canonical", "/layers/0/key_value/head_dim"),
    "not finite": (layout(layer(head_dim=float("inf"))), "not-finite", "/layers/0/key_value/head_dim"),
    "no layers": (layout(), "too-few-items", "/layers"),
    "unknown word": (layout("no_stat"), "unknown-variant", "/layers/0"),
    "missing": (CacheLayout.model_construct(cachespec=1), "missing-field", ""),
    "a set": (CacheLayout.model_construct(cachespec=1, layers={"no_state"}), "wrong-type", "/layers"),
    "half a character": (layout("no_state", name="\ud800"), "encoding", "/name"),
    "a numbered note": (layout("no_state", annotations={1: "x"}), "wrong-type", "/annotations"),
    "major": (layout("no_state", cachespec=2), "unknown-document", "/cachespec"),
    "rule of the layout": (layout("no_state", layer_prefix_offsets=(0, 0)), "offset-count", "/layer_prefix_offsets"),
    "one role twice": (
        layout(cachespec.LayerCachePolicyFixedState(fixed_state=RULES)),
        "duplicate-role",
        "/layers/0/fixed_state/tensors/1/role",
    ),
}


@pytest.mark.parametrize(("model", "code", "path"), BAD.values(), ids=BAD.keys())
def test_a_bad_layout_is_refused_wherever_it_goes(model: CacheLayout, code: str, path: str) -> None:
    (finding,) = cachespec.validate(model)
    assert (finding.code, finding.path, finding.line) == (code, path, None)
    for use in (
        cachespec.dumps,
        lambda model: cachespec.dumps(model, syntax="yaml"),
        lambda model: cachespec.expand(model, 1, 1),
        lambda model: cachespec.size(model, 1, 1),
    ):
        assert codes(lambda use=use: use(model)) == [(code, path)]  # type: ignore[misc]


def of_text(model: CacheLayout) -> list[tuple[str, str]]:
    def plain(value: Any) -> Value:
        if isinstance(value, pydantic.BaseModel):
            return {name: plain(field) for name, field in value.__dict__.items() if field is not None}
        return [plain(item) for item in value] if isinstance(value, tuple) else value

    return [(found.code, found.path) for found in cachespec.check(json.dumps(plain(model))).findings]


@pytest.mark.parametrize("name", ["negative", "boolean", "fraction", "no layers", "unknown word", "missing", "major"])
def test_validate_answers_as_check_does_of_the_text(name: str) -> None:
    model = BAD[name][0]
    assert [(found.code, found.path) for found in cachespec.validate(model)] == of_text(model)


def test_validate_takes_every_model_and_unit_variant() -> None:
    for good in (
        LAYOUT,
        LAYER,
        LAYER.key_value,
        RECURRENT,
        cachespec.sliding(4),
        "full",
        "no_state",
        "required",
        "device",
    ):
        assert cachespec.validate(good) == ()
    assert [found.code for found in cachespec.validate("no_stat")] == ["unknown-variant"]
    assert [found.code for found in cachespec.validate(RULES)] == ["duplicate-role"]
    assert [found.code for found in cachespec.validate(layer(head_dim=0))] == ["out-of-range"]
    assert [found.code for found in cachespec.validate(5)] == ["wrong-type"]  # type: ignore[arg-type]
    for none in (None, {"cachespec": 1}, object()):
        assert [found.code for found in cachespec.validate(none)] == ["wrong-type"]  # type: ignore[arg-type]
        assert codes(lambda none=none: cachespec.dumps(none)) == [("wrong-type", "")]  # type: ignore[misc]


def test_only_a_layout_has_components_and_a_size() -> None:
    for wrong in (LAYER, "no_state", None):
        assert codes(lambda wrong=wrong: cachespec.expand(wrong, 1, 1)) == [("wrong-type", "")]  # type: ignore[misc]
        assert codes(lambda wrong=wrong: cachespec.size(wrong, 1, 1)) == [("wrong-type", "")]  # type: ignore[misc]


def test_warnings_are_no_reason_to_refuse() -> None:
    tensor = cachespec.state_tensor(
        "prefix_embedding",
        ["batch", cachespec.StateTensorDimensionPrefixTokensRem(prefix_tokens_rem=4)],
        "floating",
        "always_device_mutable",
    )
    warned = cachespec.layout([cachespec.fixed_only([tensor])])
    assert [found.code for found in cachespec.validate(warned)] == ["zero-extent"]
    assert cachespec.dumps(warned)
    assert cachespec.expand(warned, 1, 1)


def test_a_change_is_checked() -> None:
    assert cachespec.replace(LAYOUT, name="other").name == "other"
    assert cachespec.replace(LAYOUT, name=None).name is None
    assert cachespec.replace(LAYOUT, schema_uri="x").schema_uri == "x"
    assert cachespec.replace(LAYOUT, layers=[LAYER]).layers == (LAYER,)
    assert cachespec.replace(LAYER.key_value, head_dim=128).head_dim == 128
    bigger = cachespec.replace(LAYER, key_value=cachespec.replace(LAYER.key_value, head_dim=128))
    assert bigger == cachespec.key_value("full", 8, 128)
    refused: list[tuple[Callable[[], object], str, str]] = [
        (lambda: cachespec.replace(LAYER.key_value, head_dim=-64), "out-of-range", "/head_dim"),
        (lambda: cachespec.replace(LAYER.key_value, head_dim=True), "wrong-type", "/head_dim"),
        (lambda: cachespec.replace(LAYER.key_value, head_dims=4), "unknown-field", "/head_dims"),
        (lambda: cachespec.replace(LAYOUT, layers=[]), "too-few-items", "/layers"),
        (lambda: cachespec.replace(LAYOUT, layer_count=1), "layer-range", "/layer_count"),
        (lambda: cachespec.replace("no_state", name="x"), "wrong-type", ""),  # type: ignore[type-var]
    ]
    for change, code, path in refused:
        assert codes(change) == [(code, path)]


def replaced(model: Any, **changes: object) -> Any:
    """What `copy.replace` of Python 3.13 calls."""
    return model.__replace__(**changes)


def test_pydantics_own_copies_refuse_what_the_types_refuse() -> None:
    assert LAYOUT.model_copy() == LAYOUT
    assert LAYOUT.model_copy(deep=True) == LAYOUT
    assert LAYOUT.model_copy(update={"layers": [LAYER]}).layers == (LAYER,)
    assert LAYOUT.model_copy(update={"$schema": "x"}).schema_uri == "x"
    assert LAYOUT.model_copy(update={"name": "x"}).model_fields_set == LAYOUT.model_fields_set
    wrongs: list[dict[str, object]] = [
        {"layers": ()},
        {"layer_count": -1},
        {"layer_count": True},
        {"layer": 1},
        {"cachespec": 2},
    ]
    for wrong in wrongs:
        with pytest.raises(pydantic.ValidationError):
            LAYOUT.model_copy(update=wrong)
    with pytest.raises(pydantic.ValidationError):
        replaced(LAYER.key_value, head_dim=-64)
    assert replaced(LAYER.key_value, head_dim=32).head_dim == 32


def test_a_model_accepts_its_own_dump() -> None:
    whole = cachespec.layout(
        [LAYER, "no_state"], name="n", schema_uri="./s.json", rank=cachespec.CacheRankIdentity(shard_rank=1)
    )
    for model in (LAYOUT, whole):
        assert CacheLayout(**model.model_dump()) == model
        assert CacheLayout.model_validate(model.model_dump(by_alias=False)) == model
        assert CacheLayout.model_validate_json(model.model_dump_json()) == model
        assert cachespec.check(model.model_dump_json()).value == model
        assert cachespec.check(model.model_dump()).value == model
    assert whole.model_dump()["$schema"] == "./s.json"
    assert CacheLayout(cachespec=1, layers=("no_state",), schema_uri="x").schema_uri == "x"


def test_a_layout_is_built_of_any_iterable_with_hints() -> None:
    assert cachespec.layout(iter(LAYOUT.layers), name="two") == LAYOUT
    assert cachespec.layout(("no_state" for _ in range(3)), layer_prefix_offsets=iter([0, 0, -1])).cachespec == 1
    with pytest.raises(CachePolicyError) as error:
        cachespec.layout(("no_stat",))  # type: ignore[arg-type]
    (finding,) = error.value.findings
    assert (finding.code, finding.path, finding.hint) == ("unknown-variant", "/layers/0", "did you mean `no_state`?")
    refused: list[tuple[Callable[[], object], str, str]] = [
        (lambda: cachespec.layout([]), "too-few-items", "/layers"),
        (lambda: cachespec.layout("no_state"), "wrong-type", "/layers"),  # type: ignore[arg-type]
        (lambda: cachespec.layout(LAYER), "wrong-type", "/layers"),  # type: ignore[arg-type]
        (lambda: cachespec.layout(None), "wrong-type", "/layers"),  # type: ignore[arg-type]
        (lambda: cachespec.layout([layer(head_dim=-1)]), "out-of-range", "/layers/0/key_value/head_dim"),
        (lambda: cachespec.layout(["no_state"], layer_count=0), "out-of-range", "/layer_count"),
        (lambda: cachespec.layout(["no_state"], layer_prefix_offsets=[0, 0]), "offset-count", "/layer_prefix_offsets"),
        (lambda: cachespec.layout(["no_state"], name=5), "wrong-type", "/name"),  # type: ignore[arg-type]
    ]
    for build, code, path in refused:
        assert codes(build) == [(code, path)]


def test_arguments_that_are_none_are_refused_with_findings() -> None:
    presence = cachespec.StateTensorPresencePrefixAtLeast(prefix_at_least=4)
    bad_presence = cachespec.StateTensorPresencePrefixRemainderNonZero.model_construct(prefix_remainder_non_zero=0)
    untyped: Any = cachespec
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: untyped.is_required_for(presence, -5), "out-of-range"),
        (lambda: untyped.is_required_for("required", -5), "out-of-range"),
        (lambda: untyped.is_required_for(presence, True), "wrong-type"),
        (lambda: untyped.is_required_for(presence, 4.0), "wrong-type"),
        (lambda: untyped.is_required_for("require", 4), "unknown-variant"),
        (lambda: untyped.is_required_for(bad_presence, 4), "out-of-range"),
        (lambda: untyped.is_required_for(None, 4), "wrong-type"),
        (lambda: untyped.is_required_for({"prefix_at_least": 4}, 4), "wrong-type"),
        (lambda: untyped.accepts_dtype_name("float", "Float32"), "unknown-variant"),
        (lambda: untyped.accepts_dtype_name(True, "Float32"), "wrong-type"),
        (lambda: untyped.accepts_dtype_name(["floating"], "Float32"), "wrong-type"),
        (lambda: untyped.accepts_dtype_name("floating", 5), "wrong-type"),
        (lambda: untyped.stable_name("attention_key"), "unknown-variant"),
        (lambda: untyped.stable_name(5), "wrong-type"),
        (lambda: untyped.size(LAYOUT, -1, 4), "out-of-range"),
        (lambda: untyped.size(cachespec.layout(["no_state"]), -1, 4), "out-of-range"),
        (lambda: untyped.size(LAYOUT, True, 4), "wrong-type"),
        (lambda: untyped.size(LAYOUT, 1, -4), "out-of-range"),
        (lambda: untyped.size(LAYOUT, 1, 4, "int3"), "unknown-variant"),
        (lambda: untyped.size(cachespec.layout(["no_state"]), 1, 4, ["bfloat16"]), "unknown-variant"),
        (lambda: untyped.expand(cachespec.layout(["no_state"]), -1, 4), "out-of-range"),
        (lambda: untyped.expand(LAYOUT, 1, False), "wrong-type"),
        (lambda: untyped.components("no_stat"), "unknown-variant"),
        (lambda: untyped.components(5), "wrong-type"),
        (lambda: untyped.components(layer(head_dim=-64)), "out-of-range"),
        (lambda: untyped.attention("no_stat"), "unknown-variant"),
        (lambda: untyped.window("no_stat"), "unknown-variant"),
        (lambda: untyped.fixed_state("no_stat"), "unknown-variant"),
        (lambda: untyped.attention_residency_class("full"), "unknown-variant"),
        (lambda: untyped.resolved_shape(["bach"], 1, 1), "unknown-variant"),
    ]
    for number, (use, code) in enumerate(refused):
        assert (number, [found for found, _ in codes(use)]) == (number, [code])
    assert cachespec.window(cachespec.key_value(cachespec.sliding(8), 1, 1)) == 8
    assert cachespec.window("no_state") is None
