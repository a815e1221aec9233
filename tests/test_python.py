"""The Python interface: builders, expansion, names, order, loading, and what an import costs."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cachespec
import cachespec_types.models

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "schema" / "v1" / "examples"


def recurrent() -> cachespec.StateTensorPolicy:
    return cachespec.state_tensor("recurrent", ["batch", cachespec.fixed(16)], "float32", "layer_scoped_offloadable")


def codes(build: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(cachespec.CachePolicyError) as error:
        build()
    assert str(error.value)
    return [(finding.code, finding.path) for finding in error.value.findings]


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


def test_validate_reports_rules_without_places() -> None:
    block = cachespec.CacheBlockId(session_id=1, global_layer=0, representation="key_value", start=8, end=8)
    (finding,) = cachespec.validate(block)
    assert (finding.code, finding.level, finding.path) == ("block-range-empty", "error", "/end")
    assert finding.line is None
    assert finding.column is None
    assert cachespec.validate("no_state") == ()


def test_expand_names_places_and_shortens_lagging_layers() -> None:
    layout = cachespec.load(EXAMPLES / "deepseek-v4-last-stage.cachespec.yaml")
    expanded = cachespec.expand(layout, 1, 9)
    assert expanded[0].name == "layers.33.attention.keys"
    assert expanded[-1].name == "layers.43.attention.keys"
    assert expanded[-1].shape == (1, 1, 8, 512)
    assert [named.shape for named in cachespec.expand(layout, 1, 0)][-1] == (1, 1, 0, 512)


def test_expand_says_what_must_be_there() -> None:
    layout = cachespec.load(EXAMPLES / "deepseek-v4.cachespec.yaml")

    def required(prefix_tokens: int) -> set[str]:
        return {
            named.name.removeprefix("layers.3.")
            for named in cachespec.expand(layout, 1, prefix_tokens)
            if named.layer == 3 and named.required
        }

    assert required(3) == {
        "attention.keys",
        *(f"state.pooling.{stream}.pending_{what}" for stream in (0, 1) for what in ("values", "gates")),
    }
    assert not any("pending" in name for name in required(8))
    assert "state.pooling.1.pooled" in required(9)


@pytest.mark.parametrize(("batch_size", "prefix_tokens"), [(2**31, 1), (1, 2**31), (-1, 1), (1, -1)])
def test_extents_out_of_range_are_refused(batch_size: int, prefix_tokens: int) -> None:
    layout = cachespec.load(EXAMPLES / "mistral.cachespec.yaml")
    assert [code for code, _ in codes(lambda: cachespec.expand(layout, batch_size, prefix_tokens))] == ["out-of-range"]


def test_only_the_extents_that_are_used_count() -> None:
    dimension = cachespec.StateTensorDimensionPrefixTokensDiv(prefix_tokens_div=2)
    assert cachespec.resolved_shape([cachespec.fixed(3)], 2**31, 2**31) == (3,)
    assert cachespec.resolved_shape([dimension], 1, 2**31) == (2**30,)
    assert cachespec.resolved_shape(["scalar"], 1, 1) == (1,)


def test_an_unsound_layout_is_not_expanded() -> None:
    layout = cachespec.CacheLayout(cachespec=1, layers=("no_state", "no_state"), layer_prefix_offsets=(0,))
    assert codes(lambda: cachespec.expand(layout, 1, 1)) == [("offset-count", "/layer_prefix_offsets")]


def test_dumps_leaves_absent_fields_of_a_layout_out_and_sorts_its_annotations() -> None:
    layout = cachespec.CacheLayout(cachespec=1, layers=("no_state",), annotations={"b": "\u00e9", "a": '"'})
    assert cachespec.dumps(layout) == ('{"cachespec":1,"layers":["no_state"],"annotations":{"a":"\\"","b":"\u00e9"}}')
    rank = cachespec.CacheRankIdentity(stage_rank=1)
    assert cachespec.dumps(rank) == '{"stage_rank":1,"shard_rank":null,"addressable_rank":null}'
    both = cachespec.CacheLayout(cachespec=1, layers=("no_state",), rank=rank)
    assert cachespec.dumps(both) == f'{{"cachespec":1,"rank":{cachespec.dumps(rank)},"layers":["no_state"]}}'


def test_sort_key_orders_as_declared() -> None:
    def convolution(slot: int) -> cachespec.StateTensorRoleConvolution:
        return cachespec.StateTensorRoleConvolution(convolution=cachespec.Convolution(slot=slot))

    def pooling(stream: int, component: Any) -> cachespec.StateTensorRolePooling:
        return cachespec.StateTensorRolePooling(pooling=cachespec.Pooling(stream=stream, component=component))

    roles: list[cachespec.StateTensorRole] = [
        *(convolution(0), convolution(10), "recurrent", "prefix_embedding", "position_delta"),
        *(
            pooling(0, "pending_values"),
            pooling(0, "pooled"),
            pooling(0, "overlap_values"),
            pooling(1, "pending_gates"),
        ),
    ]
    ranks = [None, cachespec.CacheRankIdentity(), cachespec.CacheRankIdentity(stage_rank=0)]
    for ordered in (roles, ranks):
        shuffled = ordered[:]
        random.Random(0).shuffle(shuffled)
        assert sorted(shuffled, key=cachespec.sort_key) == ordered
    with pytest.raises(TypeError, match="no order"):
        cachespec.sort_key(recurrent())
    with pytest.raises(TypeError, match="no order"):
        cachespec.sort_key("device")


def test_load_chooses_the_syntax_by_the_suffix(tmp_path: Path) -> None:
    yaml, json = tmp_path / "a.cachespec.yaml", tmp_path / "a.cachespec.json"
    yaml.write_text("cachespec: 1\nlayers: [no_state]\n", encoding="utf-8")
    json.write_text('{"cachespec": 1, "layers": ["no_state"]}', encoding="utf-8")
    assert cachespec.load(yaml) == cachespec.load(str(json))
    json.write_text('{"cachespec": 1, "layers": []}', encoding="utf-8")
    assert codes(lambda: cachespec.load(json)) == [("too-few-items", "/layers")]
    with pytest.raises(FileNotFoundError):
        cachespec.load(tmp_path / "missing.cachespec.yaml")


def test_check_refuses_names_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="no type 'Layer'"):
        cachespec.check("{}", type="Layer")
    with pytest.raises(ValueError, match="no syntax 'toml'"):
        cachespec.check("{}", syntax="toml")


def test_the_public_names_are_those_of_the_package_and_the_models() -> None:
    types = {name for name, value in vars(cachespec_types.models).items() if _is_type(value)}
    assert types <= set(cachespec.__all__)
    for name in cachespec.__all__:
        assert getattr(cachespec, name) is not None
    with pytest.raises(AttributeError):
        _ = cachespec.no_such_name


def _is_type(value: object) -> bool:
    return getattr(value, "__module__", "") == "cachespec_types.models"


def test_no_module_bears_the_name_of_a_public_name() -> None:
    modules = {path.stem for path in (ROOT / "src" / "cachespec").rglob("*.py")}
    assert not modules & set(cachespec.__all__)


def loaded_by(statement: str) -> set[str]:
    script = f"import sys; {statement}; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def test_an_import_and_a_good_check_load_no_more_than_they_need() -> None:
    assert not {"yaml", "jsonschema", "jsonschema_rs", "pydantic", "rich"} & loaded_by("import cachespec")
    good = loaded_by("""import cachespec; cachespec.check('{"cachespec": 1, "layers": ["no_state"]}')""")
    assert not {"yaml", "jsonschema", "pydantic", "rich"} & good
    bad = loaded_by("""import cachespec; cachespec.check('{"cachespec": 1, "layers": ["x"]}')""")
    assert "jsonschema" in bad
    assert not {"pydantic", "rich"} & bad
    example = EXAMPLES / "mistral.cachespec.yaml"
    command = loaded_by(f"from cachespec.cli import main; main(['check', {str(example)!r}])")
    # The first three for what they do, the others because importing them takes longer than reading a layout.
    assert not {"jsonschema", "pydantic", "rich", "dataclasses", "inspect", "importlib.resources"} & command
