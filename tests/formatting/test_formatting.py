"""Canonical form: the order of fields, what survives, what is refused, and files that are whole or untouched."""

from __future__ import annotations

import json
import os
import random
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cachespec
from cachespec.cli import main
from cachespec.formatting.canonical import CannotFormat, formatted
from cachespec.reading import events as parsing
from cachespec.reading.plain_parser import PlainParser
from cachespec.schema import definitions

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "schema" / "v1" / "examples").glob("*.cachespec.*"))

FIELDS = list(definitions()["CacheLayout"]["properties"])

GOOD = "cachespec: 1\nlayers: [no_state]\n"
UNORDERED = "layers: [no_state]  # one\ncachespec: 1\n"
ORDERED = "cachespec: 1\nlayers: [no_state]  # one\n"


def meaning(text: str, syntax: str = "yaml") -> str:
    report = cachespec.check(text, syntax=syntax)
    assert report.value is not None, report.findings
    return cachespec.dumps(report.value)


def canonical(text: str) -> str:
    """The canonical form of a YAML document, after the two things that hold for every document."""
    result = formatted(text, "yaml")
    assert meaning(result) == meaning(text)
    assert formatted(result, "yaml") == result
    return result


# The form.


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_are_in_canonical_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text, "json" if path.suffix == ".json" else "yaml") == text


def test_fields_are_in_the_order_of_the_schema_everywhere() -> None:
    text = """\
annotations: {z: first, a: second}
layer_prefix_offsets: [0, -1]
rank: {addressable_rank: null, stage_rank: 1}
layers:
- fixed_state:
    tensors:
    - presence: {prefix_at_least: 4}
      residency: sealable_paged
      dtype: floating
      shape: [batch, fixed: 4]
      role: {pooling: {component: pooled, stream: 0}}
- key_value: {head_dim: 4, attention: full, num_key_value_heads: 1}
cachespec: 1
"""
    expected = """\
cachespec: 1
rank: {stage_rank: 1, addressable_rank: null}
layers:
  - fixed_state:
      tensors:
        - role: {pooling: {stream: 0, component: pooled}}
          shape: [batch, {fixed: 4}]
          dtype: floating
          residency: sealable_paged
          presence: {prefix_at_least: 4}
  - key_value: {attention: full, num_key_value_heads: 1, head_dim: 4}
layer_prefix_offsets: [0, -1]
annotations: {z: first, a: second}
"""
    assert canonical(text) == expected
    value = yaml.safe_load(text)
    as_json = formatted(json.dumps(value), "json")
    assert as_json == json.dumps(yaml.safe_load(expected), indent=2, sort_keys=False) + "\n"
    assert formatted(as_json, "json") == as_json


def test_json_keeps_characters_and_nulls() -> None:
    text = '{"name": "caf\\u00e9 \\u2028", "layers": ["no_state"], "rank": null, "cachespec": 1}'
    expected = """\
{
  "cachespec": 1,
  "name": "caf\u00e9 \u2028",
  "rank": null,
  "layers": [
    "no_state"
  ]
}
"""
    assert formatted(text, "json") == expected


COMMENTED = """\
# Title

# about layers
layers:  # beside layers
  - &first   # beside the first layer
    # in the first layer
    key_value: {head_dim: 128, attention: full, num_key_value_heads: 8}
  # after the first layer
  # - no_state
name: A model   # beside name

# above the model type
model_type: llama


# above cachespec
cachespec: 1
annotations:
    # above source
    source: "here"
    # below source
# the end
"""


def test_comments_go_where_their_fields_go() -> None:
    assert (
        canonical(COMMENTED)
        == """\
# Title

# above cachespec
cachespec: 1
name: A model  # beside name

# above the model type
model_type: llama
# about layers
layers:  # beside layers
  - &first  # beside the first layer
    # in the first layer
    key_value: {attention: full, num_key_value_heads: 8, head_dim: 128}
  # after the first layer
  # - no_state
annotations:
  # above source
  source: "here"
  # below source
# the end
"""
    )


def test_the_line_that_editors_look_for_stays_on_top() -> None:
    line = "# yaml-language-server: $schema=x.json\n"
    assert canonical(line + "# layers\n" + UNORDERED) == line + "cachespec: 1\n# layers\nlayers: [no_state]  # one\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("layers:\n- no_state\n# next\ncachespec: 1\n", "# next\ncachespec: 1\nlayers:\n  - no_state\n"),
        ("layers:\n  - no_state\n  # last\ncachespec: 1\n", "cachespec: 1\nlayers:\n  - no_state\n  # last\n"),
        ("cachespec: 1\nlayers:\n# first\n- no_state\n", "cachespec: 1\nlayers:\n  # first\n  - no_state\n"),
        ("cachespec: # a\n  1 # b\nlayers: [no_state]\n", "# a\ncachespec: 1  # b\nlayers: [no_state]\n"),
        ("layers: [no_state]\ncachespec:\n  # a\n  1\n", "# a\ncachespec: 1\nlayers: [no_state]\n"),
        ("cachespec: 1\nlayers:\n  - # a\n    key_only: {attention: full, num_key_heads: 1, head_dim: 1}\n", None),
        ("--- # a\nlayers: [no_state]\n# b\ncachespec: 1\n", "---\n# b\ncachespec: 1\n# a\nlayers: [no_state]\n"),
        ("# a\n---\n" + UNORDERED + "...\n# b\n", "# a\n---\n" + ORDERED + "# b\n"),
        ("%YAML 1.1\n---\n" + UNORDERED, "%YAML 1.1\n---\n" + ORDERED),
        ("{layers: [no_state], cachespec: 1}  # a\n", "{cachespec: 1, layers: [no_state]}  # a\n"),
        ("\n\n" + GOOD + "\n\n", GOOD),
        ("cachespec: 1\n\n\n\nlayers: [no_state]", "cachespec: 1\n\nlayers: [no_state]\n"),
        ("rank:\ncachespec: 1\t# a\nlayers: [no_state]\n", "cachespec: 1  # a\nrank: null\nlayers: [no_state]\n"),
    ],
)
def test_comments_and_blank_lines_in_every_place(text: str, expected: str | None) -> None:
    result = canonical(text)
    if expected is None:
        assert "  # a\n  - key_only:" in result
    else:
        assert result == expected


def test_flow_style_keeps_its_line_breaks_and_its_comments() -> None:
    text = """\
layer_prefix_offsets: [ # opening
    0, 0,
  # above the last
  -1 ,  # beside the last
    # end
    ]
layers: [no_state, no_state, {key_value: {head_dim: 1, # beside the head
  attention: full, num_key_value_heads: 1}}]
cachespec: 1
"""
    assert (
        canonical(text)
        == """\
cachespec: 1
layers: [no_state, no_state, {key_value: {attention: full,
  num_key_value_heads: 1, head_dim: 1  # beside the head
}}]
layer_prefix_offsets: [  # opening
  0, 0,
  # above the last
  -1  # beside the last
  # end
]
"""
    )


def test_anchors_and_aliases_survive_and_an_anchor_comes_first() -> None:
    text = """\
annotations: {source: &model "Qwen's"}
layers:
  - &a {key_only: {head_dim: &size 64, num_key_heads: 1, attention: &unused full}}
  - *a
  - key_only: {head_dim: *size, num_key_heads: 1, attention: full}
name: *model
cachespec: 1
"""
    assert (
        canonical(text)
        == """\
cachespec: 1
name: &model "Qwen's"
layers:
  - &a {key_only: {attention: &unused full, num_key_heads: 1, head_dim: &size 64}}
  - *a
  - key_only: {attention: full, num_key_heads: 1, head_dim: *size}
annotations: {source: *model}
"""
    )


def test_an_anchor_written_twice_keeps_its_two_meanings_or_the_text_stays() -> None:
    harmless = "name: &a x\nannotations: {b: *a, c: &a z, d: *a}\nlayers: [no_state]\ncachespec: 1\n"
    assert "{b: *a, c: &a z, d: *a}" in canonical(harmless)
    swapped = "runtime: &a x\nmodel_type: *a\nname: &a z\nannotations: {b: *a}\nlayers: [no_state]\ncachespec: 1\n"
    with pytest.raises(CannotFormat, match="would not say the same"):
        formatted(swapped, "yaml")


def test_text_stays_as_the_author_wrote_it() -> None:
    long = "a " * 200
    text = f"""\
cachespec: 1
name: 'it''s'
model_type: "caf\\u00e9 \\U0001F600 \\"x\\""
layers: ["no_state", 'no_state', no_state]
annotations:
  long: {long}z
  "quoted key": plain text, with: colons#and hashes
  {"k" * 200}: long key
  two: "lines of \\
    text"
  plain: over
    two lines
  literal: |-
    one
      two

    three
  indented: |2+
      four

  folded: >
    five

    six
"""
    assert canonical(text.replace("with: ", "with:")) == text.replace("with: ", "with:")


def test_text_in_lines_moves_with_its_indentation() -> None:
    text = """\
annotations:
        literal: |1-   # beside
           one
          two
        ? |
          key
        : "two
              lines"
layers: [no_state]
cachespec: 1
"""
    assert (
        canonical(text)
        == """\
cachespec: 1
layers: [no_state]
annotations:
  literal: |2-  # beside
      one
     two
  "key\\U0000000a": "two
    lines"
"""
    )


def test_a_text_that_keeps_its_blank_lines_gets_no_other() -> None:
    text = "layers: [no_state]\n\ncachespec: 1\nruntime: x\n\nname: |+\n  a\n\n"
    expected = "cachespec: 1\n\nname: |+\n  a\n\nruntime: x\nlayers: [no_state]\n"
    assert canonical(text) == expected


def test_a_key_can_be_an_alias_or_longer_than_readers_like() -> None:
    key = "k" * 1100
    text = f"cachespec: 1\nname: &n x\nlayers: [no_state]\nannotations:\n  *n : w\n  ? {key}\n  : z\n"
    assert canonical(text) == text
    flow = f"cachespec: 1\nname: &n x\nlayers: [no_state]\nannotations: {{*n : w, ? {key}: z}}\n"
    assert canonical(flow) == flow


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_end_with_a_line_feed(end: str) -> None:
    assert canonical(COMMENTED.replace("\n", end)) == canonical(COMMENTED)
    assert formatted(GOOD.rstrip("\n"), "yaml") == GOOD


def test_without_libyaml_the_form_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [COMMENTED, *(path.read_text(encoding="utf-8") for path in EXAMPLES if path.suffix == ".yaml")]
    expected = [formatted(text, "yaml") for text in texts]
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert type(parsing.events("a", "yaml")) is PlainParser
    assert [formatted(text, "yaml") for text in texts] == expected


# What is generated.

TEXTS = st.text(max_size=20) | st.text("ab :#-\n\"'\\ \t,[]{}&*!|>%@`", max_size=30)
ATTENTION: list[Any] = ["full", {"sliding": {"window": 128}}]
ROLES: list[Any] = ["prefix_embedding", "position_delta", {"convolution": {"slot": 0}}, {"convolution": {"slot": 1}}]
SHAPES: list[Any] = [["scalar"], ["batch", {"fixed": 3}], [{"prefix_tokens_rem": 4}, {"fixed": 3}, {"fixed": 3}]]
PRESENCES: list[Any] = ["required", "optional", {"prefix_at_least": 4}]


@st.composite
def layers(draw: st.DrawFn) -> Any:
    heads = {"attention": draw(st.sampled_from(ATTENTION)), "num_key_value_heads": 8, "head_dim": 128}
    tensors = [
        {
            "role": role,
            "shape": draw(st.sampled_from(SHAPES)),
            "dtype": "floating",
            "residency": "always_device_mutable",
            "presence": draw(st.sampled_from(PRESENCES)),
        }
        for role in draw(st.lists(st.sampled_from(ROLES), min_size=1, max_size=3, unique_by=str))
    ]
    variants = [{"key_value": heads}, {"fixed_state": {"tensors": tensors}}]
    return draw(st.sampled_from(["no_state", *variants, {"key_value_with_fixed_state": {**heads, "tensors": tensors}}]))


@st.composite
def layouts(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.integers(1, 4))
    optional = {
        **dict.fromkeys(("name", "model_type", "runtime", "$schema"), st.none() | TEXTS),
        "rank": st.just({"shard_rank": 1, "stage_rank": None}) | st.none(),
        "layer_count": st.integers(9, 99),
        "layer_prefix_offsets": st.lists(st.integers(-2, 0), min_size=count, max_size=count),
        "annotations": st.dictionaries(TEXTS | st.text("ab", min_size=120, max_size=140), TEXTS, max_size=3),
    }
    fields = {"cachespec": st.just(1), "layers": st.lists(layers(), min_size=count, max_size=count)}
    value: dict[str, Any] = draw(st.fixed_dictionaries(fields, optional=optional))
    return value


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        return {key: shuffled(value[key], chance) for key in chance.sample(list(value), len(value))}
    return [shuffled(item, chance) for item in value] if isinstance(value, list) else value


def written(value: Any, chance: random.Random) -> str:
    """A document as some program writes it: fields in any order, any style, equal parts as aliases."""

    class Dumper(yaml.SafeDumper):
        pass

    all_styles: list[list[str | None]] = [[None], ["'", '"'], ["|", ">"], [None, "'", '"', "|", ">"]]
    styles = chance.choice(all_styles)

    def text(dumper: Dumper, value: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=chance.choice(styles))

    Dumper.add_representer(str, text)
    return yaml.dump(
        shuffled(value, chance),
        Dumper=Dumper,
        sort_keys=False,
        default_flow_style=chance.choice([True, False, None]),
        width=chance.choice([1, 20, 80, 1000]),
        indent=chance.choice([2, 4, 7]),
        allow_unicode=chance.random() < 0.5,
        explicit_start=chance.random() < 0.2,
        explicit_end=chance.random() < 0.2,
    )


def remarked(text: str, chance: random.Random) -> str:
    """The text with comments, blank lines and line breaks wherever they do not change what it says."""
    said = meaning(text)
    for number in range(chance.randrange(8)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        breaks = [place for place, character in enumerate(lines[at]) if character in ",[{"]
        kind = chance.randrange(4)
        if kind == 0:
            lines.insert(at, " " * chance.randrange(10) + f"# own {number}")
        elif kind == 1:
            lines[at] += f" # beside {number}"
        elif kind == 2:
            lines.insert(at, chance.choice(["", "  "]))
        elif breaks:
            place = chance.choice(breaks) + 1
            lines[at] = lines[at][:place] + chance.choice(["\n", " # c\n"]) + lines[at][place:]
        report = cachespec.check("\n".join(lines), syntax="yaml")
        if report.value is not None and cachespec.dumps(report.value) == said:
            text = "\n".join(lines)
    return text


@given(layouts(), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_every_layout_in_any_style_keeps_its_meaning_and_becomes_a_fixed_point(
    value: dict[str, Any], chance: random.Random
) -> None:
    text = written(value, chance)
    # PyYAML leaves out quotes around some text that YAML 1.2 would read as numbers, and doubles a backslash where it
    # breaks a line behind one.
    assume(cachespec.check(text, syntax="yaml").ok)
    assume(yaml.safe_load(text)["annotations"] == value["annotations"] if "annotations" in value else True)
    result = canonical(remarked(text, chance))
    assert list(yaml.safe_load(result)) == [name for name in FIELDS if name in value]
    compact = json.dumps(shuffled(value, chance))
    as_json = formatted(compact, "json")
    assert meaning(as_json, "json") == meaning(compact, "json") == meaning(result)
    assert formatted(as_json, "json") == as_json


@given(layouts(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_every_comment_stays_with_its_field(value: dict[str, Any], chance: random.Random) -> None:
    """Each field of a document in block style has its own name in a comment above it and in one beside it."""
    value = {key: field for key, field in value.items() if key not in ("annotations", "$schema", "name", "runtime")}
    value["model_type"] = "m"
    lines = []
    for line in yaml.safe_dump(shuffled(value, chance), sort_keys=False, default_flow_style=False).splitlines():
        name, colon, _ = line.strip("- ").partition(":")
        if colon and not line.lstrip().startswith("-"):
            lines += [" " * (len(line) - len(line.lstrip())) + f"# {name}", f"{line}  # {name}"]
        else:
            lines.append(line)
    result = canonical("\n".join(lines) + "\n").splitlines()
    above = ""
    for line in result:
        code, _, remark = line.partition("#")
        if not code.strip():
            # The comment above a field that has become the first of its item stands above the dash.
            above = remark.strip()
            continue
        name = code.strip("- ").partition(":")[0]
        assert not remark or remark.strip() == name
        assert not above or above == name
        above = ""
    assert sum(line.count("#") for line in result) == sum(line.count("#") for line in lines)


# What is refused.


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_a_document_with_errors_is_not_formatted(syntax: Any) -> None:
    with pytest.raises(cachespec.CachePolicyError) as refused:
        formatted('{"layers": ["no_stat"], "cachespec": 1}', syntax)
    assert [finding.code for finding in refused.value.findings] == ["unknown-variant"]


def test_a_result_that_says_something_else_is_not_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cachespec.formatting.canonical._formatted_yaml", lambda _: "cachespec: 1\nlayers: []\n")
    with pytest.raises(CannotFormat, match="would not say the same"):
        formatted(UNORDERED, "yaml")
    monkeypatch.setattr("cachespec.formatting.canonical._formatted_yaml", lambda _: GOOD)
    with pytest.raises(CannotFormat, match="comment or an anchor"):
        formatted(UNORDERED, "yaml")


def test_without_the_extra_yaml_ends_in_2_and_json_is_formatted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ruamel.yaml", None)
    file = tmp_path / "a.cachespec.yaml"
    file.write_text(UNORDERED, encoding="utf-8")
    assert main(["format", str(file)]) == 2
    assert "pip install 'cachespec[format]'" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == UNORDERED
    other = tmp_path / "a.cachespec.json"
    other.write_text('{"layers": ["no_state"], "cachespec": 1}', encoding="utf-8")
    assert main(["format", str(other)]) == 1
    assert json.loads(other.read_text(encoding="utf-8")) == {"cachespec": 1, "layers": ["no_state"]}


# The command.


def test_format_rewrites_and_then_has_nothing_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep").mkdir()
    changed = tmp_path / "deep" / "a.cachespec.yml"
    changed.write_bytes(UNORDERED.replace("\n", "\r\n").encode())
    (tmp_path / "b.cachespec.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "other.yaml").write_text(UNORDERED, encoding="utf-8")

    assert main(["format", str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().out == f"would reformat: {changed}\n"
    assert b"\r\n" in changed.read_bytes()

    assert main(["format", str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"reformatted: {changed}\n"
    assert changed.read_bytes() == ORDERED.encode()

    assert main(["format", str(tmp_path)]) == 0
    assert main(["format", str(tmp_path), "--check"]) == 0
    assert capsys.readouterr() == ("", "")
    assert (tmp_path / "other.yaml").read_text(encoding="utf-8") == UNORDERED


def test_findings_are_shown_and_other_files_are_formatted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "a.cachespec.yaml"
    bad.write_text("layers:\n  - no_stat\ncachespec: 1\n", encoding="utf-8")
    good = tmp_path / "b.cachespec.yaml"
    good.write_text(UNORDERED, encoding="utf-8")
    assert main(["format", str(bad), str(good)]) == 1
    out, err = capsys.readouterr()
    assert f"{bad}:2:5: unknown-variant: " in out
    assert f"reformatted: {good}\n" in out
    assert err == "checked 2 documents: 1 error, 0 warnings\n"
    assert bad.read_text(encoding="utf-8") == "layers:\n  - no_stat\ncachespec: 1\n"


def test_what_cannot_be_formatted_is_2_and_the_rest_is_formatted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "b.cachespec.yaml"
    good.write_text(UNORDERED, encoding="utf-8")
    assert main(["format", "-", str(tmp_path / "missing.yaml"), str(good)]) == 2
    err = capsys.readouterr().err
    assert "standard input" in err
    assert "missing.yaml: no such file" in err
    assert good.read_text(encoding="utf-8") == ORDERED
    (tmp_path / "empty").mkdir()
    assert main(["format", str(tmp_path / "empty")]) == 2
    assert "no documents found" in capsys.readouterr().err


@pytest.mark.parametrize("mode", [0o640, 0o755])
def test_permissions_stay(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "a.cachespec.yaml"
    file.write_text(UNORDERED, encoding="utf-8")
    file.chmod(mode)
    assert main(["format", str(file)]) == 1
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_symbolic_link_stays_and_its_file_is_rewritten(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    file = tmp_path / "real" / "layout.yaml"
    file.write_text(UNORDERED, encoding="utf-8")
    link = tmp_path / "a.cachespec.yaml"
    link.symlink_to(Path("real") / "layout.yaml")
    assert main(["format", str(link)]) == 1
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == ORDERED
    assert os.listdir(file.parent) == ["layout.yaml"]


@pytest.mark.parametrize("step", ["tempfile.mkstemp", "os.fsync", "os.chmod", "os.replace"])
def test_a_failure_while_writing_leaves_the_old_bytes_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], step: str
) -> None:
    file = tmp_path / "a.cachespec.yaml"
    file.write_text(UNORDERED, encoding="utf-8")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(step, fail)
    assert main(["format", str(file)]) == 2
    assert capsys.readouterr() == ("", f"cachespec: {file}: no space left on device\n")
    assert os.listdir(tmp_path) == [file.name]
    assert file.read_text(encoding="utf-8") == UNORDERED


def test_an_interruption_leaves_the_old_bytes_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.cachespec.yaml"
    file.write_text(UNORDERED, encoding="utf-8")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        main(["format", str(file)])
    assert os.listdir(tmp_path) == [file.name]
    assert file.read_text(encoding="utf-8") == UNORDERED


@pytest.mark.parametrize("read_only", ["folder", "file"])
def test_what_is_read_only_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], read_only: str
) -> None:
    file = tmp_path / "a.cachespec.yaml"
    file.write_text(UNORDERED, encoding="utf-8")
    place = tmp_path if read_only == "folder" else file
    mode = place.stat().st_mode
    place.chmod(0o555)
    if os.geteuid() == 0:
        # No permission stops this user, so what the system would answer to another one is said here.
        monkeypatch.setattr(f"os.{'open' if read_only == 'folder' else 'access'}", _as_another_user)
    try:
        assert main(["format", str(file)]) == 2
        assert str(file) in capsys.readouterr().err
        assert file.read_text(encoding="utf-8") == UNORDERED
        assert main(["format", "--check", str(file)]) == 1
    finally:
        place.chmod(mode)
    assert os.listdir(tmp_path) == [file.name]


_open = os.open


def _as_another_user(path: str, mode: int, *_: Any) -> Any:
    """`os.access` and `os.open` for a user who may read everything and write nothing."""
    if mode == os.W_OK:
        return False
    if mode & os.O_CREAT:
        raise PermissionError(13, "Permission denied")
    return _open(path, mode)
