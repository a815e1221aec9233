"""The command line, as its users meet it: exit states, what is printed, and where."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from cachespec.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "schema" / "v1" / "examples"

BAD = """\
cachespec: 1
layers:
  - key_valu: {attention: full, num_key_value_heads: 8, head_dim: 128}
  - fixed_state:
      tensors:
        - role: recurrent
          shape: [batch, batch]
          dtype: float32
          residency: layer_scoped_offloadable
          presence: required
"""
WARNED = BAD.replace("key_valu:", "key_value:")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.cachespec.yaml").write_text(BAD, encoding="utf-8")
    deep = tmp_path / "some" / "where"
    deep.mkdir(parents=True)
    (deep / "warned.cachespec.yml").write_text(WARNED, encoding="utf-8")
    (deep / "good.cachespec.json").write_text('{"cachespec": 1, "layers": ["no_state"]}', encoding="utf-8")
    (deep / "other.yaml").write_text("not: ours\n", encoding="utf-8")
    return tmp_path


def test_check_of_good_documents_is_quiet_and_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLES)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"checked {len(list(EXAMPLES.glob('*.cachespec.*')))} documents: no findings\n"


def test_check_shows_findings_with_the_line_a_caret_and_a_hint(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "bad.cachespec.yaml"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "bad.cachespec.yaml:3:5: unknown-variant: unknown variant `key_valu`, expected one of `no_state`, `key_value`, "
        "`key_only`, `compressed_latent_rotary`, `fixed_state`, `key_value_with_fixed_state`, "
        "`key_only_with_fixed_state`",
        "    3 |   - key_valu: {attention: full, num_key_value_heads: 8, head_dim: 128}",
        "      |     ^",
        "      = help: did you mean `key_value`?",
        "bad.cachespec.yaml:7:26: repeated-dimension: `batch` is repeated",
        "    7 |           shape: [batch, batch]",
        "      |                          ^",
        "      = help: write each of `batch` and `prefix_tokens` at most once",
    ]
    assert err == "checked 1 document: 1 error, 1 warning\n"


def test_a_folder_means_its_documents_below(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "some"]) == 0
    assert main(["check", "some", "--strict"]) == 1
    assert main(["check", ".", "--format", "json"]) == 1
    out, _ = capsys.readouterr()
    report = json.loads(out[out.index("{\n") :])
    assert (report["checked"], report["errors"], report["warnings"]) == (3, 1, 2)
    assert report["findings"][0] == {
        "file": os.path.join(".", "bad.cachespec.yaml"),
        "code": "unknown-variant",
        "level": "error",
        "message": report["findings"][0]["message"],
        "path": "/layers/0/key_valu",
        "line": 3,
        "column": 5,
        "hint": "did you mean `key_value`?",
    }


def test_what_cannot_be_read_is_2_and_the_rest_is_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "missing.yaml", "bad.cachespec.yaml"]) == 2
    out, err = capsys.readouterr()
    assert "missing.yaml: no such file" in err
    assert "unknown-variant" in out
    (folder / "empty").mkdir()
    assert main(["check", "empty"]) == 2
    assert main(["check", "bad.cachespec.yaml", "--type", "Layer"]) == 2
    assert "no type Layer" in capsys.readouterr().err


def test_check_reads_standard_input_and_other_types() -> None:
    def run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cachespec", "check", "-", *arguments]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False)

    assert run("no_state", "--type", "LayerCachePolicy").returncode == 0
    assert run('"no_state"', "--type", "LayerCachePolicy", "--syntax", "json").returncode == 0
    result = run("no_state", "--type", "LayerCachePolicy", "--syntax", "json")
    assert result.returncode == 1
    assert result.stdout.startswith("-:1:1: syntax: ")
    assert "\x1b" not in result.stdout


def test_at_most_100_findings_of_a_file_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = "cachespec: 1\nlayers: [" + ", ".join(["no_stat"] * 150) + "]\n"
    (folder / "many.cachespec.yaml").write_text(many, encoding="utf-8")
    assert main(["check", "many.cachespec.yaml"]) == 1
    out, err = capsys.readouterr()
    assert out.count("unknown-variant") == 100
    assert out.splitlines()[-1] == "many.cachespec.yaml: 50 more findings"
    assert err == "checked 1 document: 150 errors, 0 warnings\n"


def test_components_as_table_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "deepseek-v4.cachespec.yaml")
    assert main(["components", path, "--batch-size", "1", "--prefix-tokens", "9", "--layer", "3"]) == 0
    out, err = capsys.readouterr()
    rows = [line.split() for line in out.splitlines() if "layers.3." in line]
    assert rows[0] == ["layers.3.attention.keys", "[1,", "1,", "9,", "512]", "floating", "sealable_paged", "yes"]
    assert len(rows) == 11
    assert err == "11 components\n"

    assert main(["components", path, "--format", "json", "--batch-size", "1", "--prefix-tokens", "8"]) == 0
    objects = json.loads(capsys.readouterr().out)
    pending = next(row for row in objects if row["name"] == "layers.3.state.pooling.0.pending_values")
    assert pending["resolved_shape"] == [1, 0, 1024]
    assert pending["required"] is False
    assert pending["presence"] == {"prefix_remainder_non_zero": 4}

    assert main(["components", path, "--format", "csv", "--layer", "3"]) == 0
    table = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert table[1]["shape"] == "batch x prefix_tokens_rem 4 x 1024"
    assert table[1]["presence"] == "prefix_remainder_non_zero 4"


def test_components_refuses_what_it_cannot_expand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "mistral.cachespec.yaml")
    assert main(["components", path, "--batch-size", "1"]) == 2
    assert main(["components", "missing.yaml"]) == 2
    assert main(["components", "bad.cachespec.yaml"]) == 1
    assert "unknown-variant" in capsys.readouterr().out
    assert main(["components", path, "--batch-size", "1", "--prefix-tokens", str(2**31)]) == 1
    assert "out-of-range" in capsys.readouterr().err


@pytest.mark.parametrize("draft", ["2020-12", "draft-07"])
def test_schema_prints_the_published_schema_or_one_type(draft: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--draft", draft]) == 0
    name = "cachespec.schema.json" if draft == "2020-12" else "cachespec.draft-07.schema.json"
    published = (ROOT / "generated" / "cachespec_types" / name).read_text(encoding="utf-8")
    assert capsys.readouterr().out == published
    assert main(["schema", "StateTensorRole", "--draft", draft]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.validate({"convolution": {"slot": 0}}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"convolution": {"slot": -1}}, schema)
    assert main(["schema", "Role"]) == 2


def test_explain_prints_the_page_of_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "duplicate-role"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("duplicate-role (error)\n")
    assert "A role occurs once in a layer" in out
    assert main(["explain", "duplicate-rule"]) == 2
    assert "did you mean duplicate-role?" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help_shows_an_example(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    if command:
        assert f"cachespec {command[0]} " in capsys.readouterr().out.partition("example:")[2]


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    out = " ".join(capsys.readouterr().out.split())
    assert all(f" {name} {command.what}" in out for name, command in COMMANDS.items())


@pytest.mark.parametrize("arguments", [[], ["chek", "x"], ["--verbose", "check", "x"], ["check"], ["check", "--lax"]])
def test_what_is_no_command_line_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: cachespec" in capsys.readouterr().err


PROGRAM = [sys.executable, "-m", "cachespec"]


def test_the_program_writes_everything_before_it_ends(folder: Path) -> None:
    """It leaves without the usual farewell of an interpreter, which would write what is still held back."""
    schema = subprocess.run([*PROGRAM, "schema"], capture_output=True, check=True)
    assert schema.stdout == (ROOT / "generated" / "cachespec_types" / "cachespec.schema.json").read_bytes()
    found = subprocess.run([*PROGRAM, "check", "bad.cachespec.yaml"], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert found.stdout.splitlines()[-1].endswith("help: write each of `batch` and `prefix_tokens` at most once")
    assert found.stderr == "checked 1 document: 1 error, 1 warning\n"


def test_a_reader_that_has_gone_is_no_traceback() -> None:
    program = subprocess.Popen([*PROGRAM, "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdout
    program.stdout.close()
    _, err = program.communicate()
    assert (program.returncode, err) == (2, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_no_traceback() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = subprocess.run([*PROGRAM, "schema"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith("cachespec: ")
    assert "Traceback" not in result.stderr


def test_many_files_are_checked_by_several_processes_in_order(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(200):
        text = BAD if number % 40 == 7 else BAD.replace("key_valu:", "key_value:").replace("batch, batch", "batch")
        (folder / f"{number:03}.cachespec.yaml").write_text(text, encoding="utf-8")
    (folder / "dangling.cachespec.yaml").symlink_to(folder / "nowhere")
    assert main(["check", ".", "--format", "json"]) == 2
    out, err = capsys.readouterr()
    assert "dangling.cachespec.yaml: no such file" in err
    monkeypatch.setattr("cachespec.cli.commands.check._WORTH_A_PROCESS", 10**6)
    assert main(["check", ".", "--format", "json"]) == 2
    assert capsys.readouterr().out == out
    report = json.loads(out)
    assert report["checked"] == 203
    assert report["errors"] == 6
