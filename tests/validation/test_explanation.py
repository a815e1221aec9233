"""One mistake is one finding: what it is called, and what to write instead."""

from __future__ import annotations

import pytest

import cachespec


def found(text: str, name: str = "CacheLayout") -> list[tuple[str, int | None]]:
    """The code and the line of each finding."""
    return [(finding.code, finding.line) for finding in cachespec.check(text, type=name, syntax="yaml").findings]


HEAD = "cachespec: 1\nlayers:\n"

TENSOR = """\
role: {convolution: {slot: 0}}
shape: [batch, {fixed: 3}, {fixed: 8192}]
dtype: floating
residency: always_device_mutable
presence: required
"""

# A slip of the hand, and the one finding that it gives.
SLIPS: dict[str, tuple[str, str, str]] = {
    "misspelt field": ("dtype:", "dtyp:", "unknown-field"),
    "missing field": ("dtype: floating\n", "", "missing-field"),
    "misspelt variant": ("floating", "floatin", "unknown-variant"),
    "wrong case": ("floating", "Floating", "unknown-variant"),
    "misspelt tag": ("{convolution:", "{convolutions:", "unknown-variant"),
    "unit as object": ("presence: required", "presence: {required: }", "non-canonical"),
    "object as list": ("{slot: 0}", "[0]", "non-canonical"),
    "two variants": ("{convolution: {slot: 0}}", "{convolution: {slot: 0}, recurrent: }", "several-variants"),
    "tag of another union beside": ("{convolution:", "{fixed: [], convolution:", "unknown-field"),
    "tag without payload": ("{convolution: {slot: 0}}", "convolution", "wrong-type"),
    "number as text": ("{fixed: 3}", '{fixed: "3"}', "wrong-type"),
    "boolean as number": ("{fixed: 3}", "{fixed: true}", "wrong-type"),
    "float": ("{fixed: 3}", "{fixed: 3.0}", "non-canonical"),
    "fraction": ("{fixed: 3}", "{fixed: 3.5}", "wrong-type"),
    "hexadecimal": ("{fixed: 3}", "{fixed: 0x10}", "ambiguous-scalar"),
    "zero": ("{fixed: 3}", "{fixed: 0}", "out-of-range"),
    "too large": ("{fixed: 3}", "{fixed: 2147483648}", "out-of-range"),
    "empty list": ("[batch, {fixed: 3}, {fixed: 8192}]", "[]", "too-few-items"),
    "list as word": ("[batch, {fixed: 3}, {fixed: 8192}]", "batch", "wrong-type"),
    "scalar among others": ("{fixed: 3}", "scalar", "scalar-not-alone"),
    "wrong residency": ("always_device_mutable", "sealable_paged", "residency-mismatch"),
    "merge key": ("dtype: floating", "<<: {dtype: floating}", "unsupported-yaml"),
    "tag": ("floating", "!!str floating", "unsupported-yaml"),
    "key that is no string": ("dtype:", "1:", "unsupported-yaml"),
    "key that is ambiguous": ("dtype:", "on:", "ambiguous-scalar"),
    "fields beside their variant": ("{convolution: {slot: 0}}", "{convolution: , slot: 0}", "wrong-type"),
    "variant forgotten": ("{convolution: {slot: 0}}", "{stream: 0, component: pooled}", "unknown-variant"),
    "null": ("dtype: floating", "dtype: null", "wrong-type"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_one_mistake_is_one_finding(slip: str) -> None:
    right, wrong, code = SLIPS[slip]
    assert cachespec.check(TENSOR, "StateTensorPolicy", "yaml").findings == ()
    text = TENSOR.replace(right, wrong, 1)
    assert text != TENSOR
    assert [found_code for found_code, _ in found(text, "StateTensorPolicy")] == [code]


def test_ten_mistakes_are_ten_findings() -> None:
    good = HEAD + "".join(f"  - fixed_state:\n      tensors:\n        - {_flow(TENSOR)}\n" for _ in range(10))
    assert found(good) == []
    lines = good.splitlines()
    chosen = [slip for slip in SLIPS.values() if ":" not in slip[0] or "{" in slip[0]][:10]
    codes = []
    for index, (right, wrong, code) in enumerate(chosen):
        place = 4 + 3 * index
        assert right in lines[place]
        lines[place] = lines[place].replace(right, wrong, 1)
        codes.append((code, place + 1))
    assert found("\n".join(lines)) == codes


def _flow(block: str) -> str:
    return "{" + ", ".join(block.splitlines()) + "}"


def test_siblings_fields_are_one_mistake_that_names_both() -> None:
    text = HEAD + "  - key_only: {attention: full, num_key_value_heads: 8, head_dim: 128}\n"
    (finding,) = cachespec.check(text, syntax="yaml").findings
    assert finding.code == "unknown-field"
    assert "`num_key_value_heads`" in finding.message
    assert "`num_key_heads`" in finding.message
    assert finding.hint == "write `num_key_heads`"


def test_what_one_stage_refused_the_next_does_not_judge() -> None:
    text = "cachespec: 1\nlayers: [no_state, 0x10]\nlayer_prefix_offsets: [0]\nlayer_count: 1\n"
    assert [code for code, _ in found(text)] == ["ambiguous-scalar", "offset-count", "layer-range"]
    text = "cachespec: 1\nlayers: 8\nlayer_prefix_offsets: [0]\nlayer_count: 1\n"
    assert [code for code, _ in found(text)] == ["wrong-type"]


@pytest.mark.parametrize(
    ("right", "wrong", "hint"),
    [
        ("{fixed: 8192}", "8192", "write {fixed: 8192}"),
        ("{fixed: 8192}", "-1", 'write for example "batch"'),
        ("floating", "bfloat16", "did you mean `floating`?"),
        ("[batch, {fixed: 3}, {fixed: 8192}]", "batch", "write a list of StateTensorDimension"),
        ("{slot: 0}", "0", "write an object with the fields `slot`"),
    ],
)
def test_the_hint_is_what_to_write(right: str, wrong: str, hint: str) -> None:
    (finding,) = cachespec.check(TENSOR.replace(right, wrong, 1), "StateTensorPolicy", "yaml").findings
    assert finding.hint == hint


def test_a_merge_key_is_one_finding() -> None:
    fields = "{attention: full, num_key_value_heads: 8, head_dim: 128}"
    text = f"cachespec: 1\nlayers:\n- key_value: &k {fields}\n- key_value: {{<<: *k, head_dim: 64}}\n"
    findings = cachespec.check(text, syntax="yaml").findings
    assert [(finding.code, finding.line) for finding in findings] == [("unsupported-yaml", 4)]


def test_a_variant_is_named_only_where_one_can_stand() -> None:
    text = "cachespec: 1\nlayers: [no_state]\nrank: {tensors: []}\n"
    (finding,) = cachespec.check(text, syntax="yaml").findings
    assert finding.code == "unknown-field"
    assert "fixed_state" not in (finding.hint or "")
