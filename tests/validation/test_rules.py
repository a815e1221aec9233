"""The rules, each at both sides; and what they judge when the structure of something else is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

import cachespec

TENSOR: dict[str, object] = {
    "role": "recurrent",
    "shape": ["batch", {"fixed": 3}],
    "dtype": "float32",
    "residency": "layer_scoped_offloadable",
    "presence": "required",
}
CONVOLUTION: dict[str, object] = {"role": {"convolution": {"slot": 0}}, "residency": "always_device_mutable"}
REST, GROUPS = {"prefix_tokens_rem": 4}, {"prefix_tokens_div": 4}


def tensor(changes: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in {**TENSOR, **changes}.items() if value is not ...}


def found(value: object, name: str) -> list[str]:
    return [
        f"{finding.code} {finding.path}".rstrip() for finding in cachespec.check(json.dumps(value), type=name).findings
    ]


TENSORS: list[tuple[dict[str, object], list[str]]] = [
    ({}, []),
    ({"shape": ["scalar"]}, []),
    ({"shape": ["scalar", "batch"]}, ["scalar-not-alone /shape"]),
    ({"shape": ["scalar", "scalar"]}, ["scalar-not-alone /shape"]),
    ({"shape": ["batch", "batch", "batch"]}, ["repeated-dimension /shape/1", "repeated-dimension /shape/2"]),
    ({"shape": ["prefix_tokens", "batch", "prefix_tokens"]}, ["repeated-dimension /shape/2"]),
    ({"shape": [{"fixed": 3}, {"fixed": 3}]}, []),
    ({"shape": [REST]}, ["zero-extent /shape/0"]),
    ({"shape": [REST], "presence": "optional"}, []),
    ({"shape": [REST], "presence": {"prefix_remainder_non_zero": 4}}, []),
    ({"shape": [REST], "presence": {"prefix_remainder_non_zero": 5}}, ["zero-extent /shape/0"]),
    ({"shape": [REST], "presence": {"prefix_at_least": 4}}, ["zero-extent /shape/0"]),
    ({"shape": [GROUPS], "presence": {"prefix_remainder_non_zero": 4}}, ["zero-extent /shape/0"]),
    ({"shape": [GROUPS], "presence": {"prefix_at_least": 3}}, ["zero-extent /shape/0"]),
    ({"shape": [GROUPS], "presence": {"prefix_at_least": 4}}, []),
    ({"shape": [GROUPS], "presence": {"prefix_at_least": 5}}, []),
    ({"shape": ["batch", {"fixed": 3}, GROUPS, REST]}, ["zero-extent /shape/2", "zero-extent /shape/3"]),
    ({"residency": "sealable_paged"}, ["residency-mismatch /residency"]),
    ({"role": "prefix_embedding"}, ["residency-mismatch /residency"]),
    ({"role": "prefix_embedding", "residency": "always_device_mutable"}, []),
    ({"role": "position_delta", "residency": "sealable_paged"}, ["residency-mismatch /residency"]),
    ({"role": "position_delta", "residency": "always_device_mutable"}, []),
    (CONVOLUTION, []),
    ({**CONVOLUTION, "residency": "sealable_paged"}, ["residency-mismatch /residency"]),
    ({"role": {"pooling": {"stream": 0, "component": "pooled"}}, "residency": "sealable_paged"}, []),
    (
        {"role": {"pooling": {"stream": 0, "component": "pooled"}}, "residency": "always_device_mutable"},
        ["residency-mismatch /residency"],
    ),
    ({"role": {"pooling": {"stream": 0, "component": "pending_gates"}}, "residency": "always_device_mutable"}, []),
    (
        {"role": {"pooling": {"stream": 0, "component": "pending_gates"}}, "residency": "sealable_paged"},
        ["residency-mismatch /residency"],
    ),
    # what is wrong in structure is not judged by the rules, and the rest is
    ({"shape": 7, "residency": "sealable_paged"}, ["wrong-type /shape", "residency-mismatch /residency"]),
    ({"role": 7, "residency": "sealable_paged"}, ["wrong-type /role"]),
    ({"role": ..., "residency": "sealable_paged"}, ["missing-field"]),
    ({"role": {"convolution": {}}, "residency": "sealable_paged"}, ["missing-field /role/convolution"]),
    ({"role": {"convolution": {"slot": "x"}}, "residency": "sealable_paged"}, ["wrong-type /role/convolution/slot"]),
    ({"role": {"convolution": 7}, "residency": "sealable_paged"}, ["wrong-type /role/convolution"]),
    ({"residency": ...}, ["missing-field"]),
    ({"residency": "x"}, ["unknown-variant /residency"]),
    ({"shape": [REST], "presence": ...}, ["missing-field"]),
    ({"shape": [REST], "presence": "x"}, ["unknown-variant /presence"]),
    ({"shape": [REST], "presence": {"prefix_at_least": "x"}}, ["wrong-type /presence/prefix_at_least"]),
    ({"shape": [{"prefix_tokens_rem": "x"}]}, ["wrong-type /shape/0/prefix_tokens_rem"]),
    ({"shape": [7, REST]}, ["wrong-type /shape/0", "zero-extent /shape/1"]),
    ({"shape": ["scalar", 7]}, ["scalar-not-alone /shape", "wrong-type /shape/1"]),
    ({"x": 1, "residency": "sealable_paged"}, ["residency-mismatch /residency", "unknown-field /x"]),
]


@pytest.mark.parametrize(("changes", "expected"), TENSORS)
def test_rules_of_a_tensor(changes: dict[str, object], expected: list[str]) -> None:
    assert found(tensor(changes), "StateTensorPolicy") == expected


WORDS: list[tuple[dict[str, object], str, str]] = [
    ({"shape": ["scalar", "batch"]}, "`scalar` stands beside other dimensions", 'write ["scalar"]'),
    (
        {"shape": ["batch", "batch"]},
        "`batch` is repeated",
        "write each of `batch` and `prefix_tokens` at most once",
    ),
    (
        {"shape": [REST]},
        "the dimension can be 0 when the tensor must be there",
        "write the presence {prefix_remainder_non_zero: 4}, or optional",
    ),
    (
        {"shape": [GROUPS]},
        "the dimension can be 0 when the tensor must be there",
        "write the presence {prefix_at_least: 4}, or optional",
    ),
    (
        {**CONVOLUTION, "residency": "sealable_paged"},
        "the role `convolution.0` has the residency `always_device_mutable`, not `sealable_paged`",
        "write always_device_mutable",
    ),
]


@pytest.mark.parametrize(("changes", "message", "hint"), WORDS)
def test_the_words_of_a_rule(changes: dict[str, object], message: str, hint: str) -> None:
    (finding,) = cachespec.check(json.dumps(tensor(changes)), type="StateTensorPolicy").findings
    assert (finding.message, finding.hint) == (message, hint)
    assert finding.level == ("warning" if finding.code in ("repeated-dimension", "zero-extent") else "error")


def test_the_words_of_a_role_that_is_taken() -> None:
    tensors = [tensor({}), tensor(CONVOLUTION), tensor(CONVOLUTION)]
    (finding,) = cachespec.check(json.dumps({"tensors": tensors}), type="FixedState").findings
    assert finding.message == "the role `convolution.0` is taken by tensor 1 of this layer"
    assert finding.hint == "give each tensor of a layer its own role, slot, or stream and component"


@pytest.mark.parametrize(("changes", "expected"), TENSORS)
def test_they_hold_wherever_a_tensor_stands(changes: dict[str, object], expected: list[str]) -> None:
    alone = [*map(str.split, expected)]

    def below(path: str) -> list[str]:
        return [f"{code} {path}{''.join(place)}" for code, *place in alone]

    tensors = [tensor(changes)]
    assert found({"tensors": tensors}, "FixedState") == below("/tensors/0")
    layer = {"fixed_state": {"tensors": tensors}}
    assert found(layer, "LayerCachePolicy") == below("/fixed_state/tensors/0")
    both = {"cachespec": 1, "layers": ["no_state", layer, layer]}
    assert found(both, "CacheLayout") == [
        *below("/layers/1/fixed_state/tensors/0"),
        *below("/layers/2/fixed_state/tensors/0"),
    ]
    heads = {"attention": "full", "num_key_value_heads": 8, "head_dim": 8}
    beside = {"key_value_with_fixed_state": {**heads, "tensors": tensors}}
    assert found(beside, "LayerCachePolicy") == below("/key_value_with_fixed_state/tensors/0")


ROLES: list[tuple[list[dict[str, object]], list[str]]] = [
    ([{}, {}], ["duplicate-role /tensors/1/role"]),
    ([{}, {}, {}], ["duplicate-role /tensors/1/role", "duplicate-role /tensors/2/role"]),
    ([CONVOLUTION, {}, CONVOLUTION], ["duplicate-role /tensors/2/role"]),
    ([CONVOLUTION, {**CONVOLUTION, "role": {"convolution": {"slot": 1}}}], []),
    (
        [
            {**CONVOLUTION, "role": {"pooling": {"stream": stream, "component": component}}}
            for stream in (0, 1)
            for component in ("pending_values", "pending_gates")
        ],
        [],
    ),
    (
        [{**CONVOLUTION, "role": {"pooling": {"stream": 1, "component": "pending_gates"}}}] * 2,
        ["duplicate-role /tensors/1/role"],
    ),
    # of what is wrong in structure nothing else is said
    ([{"role": 7}, {"role": 7}], ["wrong-type /tensors/0/role", "wrong-type /tensors/1/role"]),
    ([{"role": 7}, {}, {}], ["wrong-type /tensors/0/role", "duplicate-role /tensors/2/role"]),
    (
        [{"role": {"pooling": {"stream": 0}}}] * 2,
        ["missing-field /tensors/0/role/pooling", "missing-field /tensors/1/role/pooling"],
    ),
    (
        [{"dtype": ...}, {"residency": 7}],
        ["missing-field /tensors/0", "duplicate-role /tensors/1/role", "wrong-type /tensors/1/residency"],
    ),
    (
        [{"dtyp": 1, "dtype": ...}, {"residency": 7}],
        ["unknown-field /tensors/0/dtyp", "duplicate-role /tensors/1/role", "wrong-type /tensors/1/residency"],
    ),
    (
        [{"role": {"convolutio": {"slot": 0}}, "x": 1}, {"residency": "sealable_paged"}],
        [
            "unknown-variant /tensors/0/role/convolutio",
            "unknown-field /tensors/0/x",
            "residency-mismatch /tensors/1/residency",
        ],
    ),
]


@pytest.mark.parametrize(("tensors", "expected"), ROLES)
def test_a_role_occurs_once(tensors: list[dict[str, object]], expected: list[str]) -> None:
    assert found({"tensors": [*map(tensor, tensors)]}, "FixedState") == expected


def test_a_tensor_that_is_no_object_has_no_role() -> None:
    assert found({"tensors": [7, tensor({}), tensor({})]}, "FixedState") == [
        "wrong-type /tensors/0",
        "duplicate-role /tensors/2/role",
    ]


LAYOUTS: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({"layer_count": 2}, [], []),
    (
        {"layer_count": 1},
        ["layer-range /layer_count"],
        ["layers 0 to 1 are listed, and the model has 1", "write 2 or more"],
    ),
    ({"layer_count": 5, "global_layer_start": 3}, [], []),
    (
        {"layer_count": 4, "global_layer_start": 3},
        ["layer-range /layer_count"],
        ["layers 3 to 4 are listed, and the model has 4", "write 5 or more"],
    ),
    ({"global_layer_start": 2**64 - 2}, [], []),
    (
        {"global_layer_start": 2**64 - 1},
        ["layer-range /global_layer_start"],
        [
            f"layers {2**64 - 1} to {2**64} are listed, and no index is above {2**64 - 1}",
            "write 18446744073709551614 or less",
        ],
    ),
    ({"layer_prefix_offsets": [0, -1]}, [], []),
    (
        {"layer_prefix_offsets": [0]},
        ["offset-count /layer_prefix_offsets"],
        ["1 offsets for 2 layers", "write one offset for each layer"],
    ),
    ({"layer_prefix_offsets": [0, 0, 0]}, ["offset-count /layer_prefix_offsets"], ["3 offsets for 2 layers"]),
    ({"layer_count": "x", "global_layer_start": 3}, ["wrong-type /layer_count"], []),
    ({"layer_count": 1, "global_layer_start": "x"}, ["wrong-type /global_layer_start"], []),
    ({"layer_count": 1, "layers": 7, "layer_prefix_offsets": [0]}, ["wrong-type /layers"], []),
    ({"layer_prefix_offsets": 7}, ["wrong-type /layer_prefix_offsets"], []),
]


@pytest.mark.parametrize(("fields", "expected", "words"), LAYOUTS)
def test_rules_of_a_layout(fields: dict[str, Any], expected: list[str], words: list[str]) -> None:
    value = {"cachespec": 1, "layers": ["no_state", "no_state"], **fields}
    assert found(value, "CacheLayout") == expected
    for finding in cachespec.check(json.dumps(value)).findings:
        assert [finding.message, finding.hint][: len(words)] == words or not words


def test_a_good_layer_does_not_vouch_for_a_bad_one() -> None:
    good, bad = ({"fixed_state": {"tensors": [tensor(own)]}} for own in ({}, {"residency": "sealable_paged"}))
    others = [{"fixed_state": {"tensors": [tensor({"shape": ["batch", {"fixed": size}]})]}} for size in range(10, 30)]
    layers = [good, *others, bad, good, bad]
    expected = [f"residency-mismatch /layers/{index}/fixed_state/tensors/0/residency" for index in (21, 23)]
    assert found({"cachespec": 1, "layers": layers}, "CacheLayout") == expected


@pytest.mark.parametrize(
    ("start", "end", "expected"), [(5, 6, []), (5, 5, ["block-range-empty /end"]), (5, 4, ["block-range-empty /end"])]
)
def test_a_block_holds_a_token(start: int, end: int, expected: list[str]) -> None:
    block = {"session_id": 1, "global_layer": 0, "representation": "key_value", "start": start, "end": end}
    assert found(block, "CacheBlockId") == expected
    assert found({**block, "start": "x"}, "CacheBlockId") == ["wrong-type /start"]
    for finding in cachespec.check(json.dumps(block), type="CacheBlockId").findings:
        assert finding.message == f"the block ends at {end} and starts at 5, so it holds no token"
        assert finding.hint == "write an end above 5"


@pytest.mark.parametrize(
    ("role", "residency"),
    [
        ("attention_keys", "sealable_paged"),
        ("attention_values", "sealable_paged"),
        ("compressed_latent", "sealable_paged"),
        ("rotary_keys", "sealable_paged"),
        ({"fixed": "recurrent"}, "layer_scoped_offloadable"),
        ({"fixed": "prefix_embedding"}, "always_device_mutable"),
        ({"fixed": {"convolution": {"slot": 0}}}, "always_device_mutable"),
        ({"fixed": {"pooling": {"stream": 0, "component": "pooled"}}}, "sealable_paged"),
        ({"fixed": {"pooling": {"stream": 0, "component": "overlap_gates"}}}, "always_device_mutable"),
    ],
)
def test_the_residency_of_every_component(role: object, residency: str) -> None:
    for tried in ("sealable_paged", "layer_scoped_offloadable", "always_device_mutable"):
        expected = [] if tried == residency else ["residency-mismatch /residency"]
        assert found(tensor({"role": role, "residency": tried}), "StateComponentPolicy") == expected
