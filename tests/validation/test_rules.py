"""What the rules say beyond their codes, and what they leave to the stages before them."""

from __future__ import annotations

import cachespec
from cachespec.validation.codes import codes


def found(text: str) -> list[tuple[str, str, str]]:
    report = cachespec.check(text, syntax="yaml")
    return [(finding.code, finding.path, finding.message) for finding in report.findings]


def tensor(role: str, **fields: str) -> str:
    own = {"role": role, "shape": "[batch]", "dtype": "float32", "residency": "always_device_mutable"}
    written = {**own, "presence": "required", **fields}
    return "{" + ", ".join(f"{name}: {value}" for name, value in written.items() if value) + "}"


def layer(*tensors: str) -> str:
    return f"cachespec: 1\nlayers: [{{fixed_state: {{tensors: [{', '.join(tensors)}]}}}}]\n"


def test_layers_beyond_the_model_are_counted() -> None:
    text = "cachespec: 1\nlayer_count: 4\nglobal_layer_start: 3\nlayers: [no_state, no_state, no_state]\n"
    message = "layers 3 to 5 are listed, and the model has 4"
    assert found(text) == [("layer-range", "/layer_count", message)]
    assert cachespec.check(text, syntax="yaml").findings[0].hint == "write 6 or more"


def test_layers_beyond_every_index_are_counted() -> None:
    text = f"cachespec: 1\nglobal_layer_start: {2**64 - 2}\nlayers: [no_state, no_state, no_state]\n"
    message = (
        "layers 18446744073709551614 to 18446744073709551616 are listed, and no index is above 18446744073709551615"
    )
    assert found(text) == [("layer-range", "/global_layer_start", message)]
    assert cachespec.check(text, syntax="yaml").findings[0].hint == "write 18446744073709551613 or less"
    assert found(f"cachespec: 1\nglobal_layer_start: {2**64 - 2}\nlayers: [no_state, no_state]\n") == []


def test_what_the_schema_refuses_no_rule_judges_whatever_is_missing_before_it() -> None:
    """The first tensor lacks a field; the role of the second is refused, and has no residency that it could miss."""
    text = layer(tensor("position_delta", presence=""), tensor("recurrnt"))
    assert [(code, path) for code, path, _ in found(text)] == [
        ("missing-field", "/layers/0/fixed_state/tensors/0"),
        ("unknown-variant", "/layers/0/fixed_state/tensors/1/role"),
    ]


def test_an_integer_written_as_a_float_is_shown_where_the_float_is_exact() -> None:
    def hint(number: str) -> str | None:
        text = f'{{"key_value":{{"attention":"full","num_key_value_heads":{number},"head_dim":8}}}}'
        (finding,) = cachespec.check(text, type="LayerCachePolicy", syntax="json").findings
        return finding.hint

    assert hint("9007199254740991.0") == "write 9007199254740991"
    assert hint("9007199254740992.0") == "write all digits of the integer"
    assert hint("8.0") == "write 8"


def test_a_rule_finds_the_layers_after_many_good_ones() -> None:
    """Only the first few good layers are remembered, and no bad one ever is."""
    good = [
        f"{{fixed_state: {{tensors: [{tensor('position_delta', shape=f'[{{fixed: {n}}}]')}]}}}}" for n in range(1, 12)
    ]
    bad = f"{{fixed_state: {{tensors: [{tensor('recurrent')}]}}}}"
    text = f"cachespec: 1\nlayers: [{', '.join([*good, bad, good[0], bad, good[-1]])}]\n"
    assert [(code, path) for code, path, _ in found(text)] == [
        ("residency-mismatch", f"/layers/{index}/fixed_state/tensors/0/residency") for index in (11, 13)
    ]


def test_failing_examples_are_shown_with_escapes_and_their_lines() -> None:
    shown = {name: code.failing_shown for name, code in codes().items()}
    for name, code in codes().items():
        assert shown[name].count("\n") == code.failing.rstrip().count("\n")
        assert all(character.isprintable() or character == "\n" for character in shown[name])
        if code.failing.rstrip().replace("\n", "").isprintable():
            assert shown[name] == code.failing.rstrip()
