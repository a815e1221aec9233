"""Which files the paths of a command line mean, what cannot be read, and what a layout may be."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

import cachespec
from cachespec.cli import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "schema" / "v1" / "examples"
CONFIGS = ROOT / "tests" / "configs"
GPT_OSS = str(EXAMPLES / "gpt-oss.cachespec.yaml")

GOOD = "cachespec: 1\nlayers: [no_state]\n"
BAD = "cachespec: 1\nlayers: [no_stat]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in (".git", ".venv", "node_modules", "site-packages", "build", "mine"):
        (tmp_path / "tree" / name).mkdir(parents=True)
        (tmp_path / "tree" / name / "bad.cachespec.yaml").write_text(BAD, encoding="utf-8")
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, cachespec.Report]:
    status = main(["check", "--format", "json", *arguments])
    found = cachespec.check(capsys.readouterr().out, type="Report", syntax="json")
    assert found.ok, found.findings
    assert isinstance(found.value, cachespec.Report)
    return status, found.value


def stdin(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_what_tools_make_is_skipped_and_what_is_named_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def files(*paths: str) -> list[str]:
        return [finding.file for finding in report(capsys, *paths)[1].findings]

    assert files("tree") == ["tree/mine/bad.cachespec.yaml"]
    assert files("tree/node_modules") == ["tree/node_modules/bad.cachespec.yaml"]
    assert files("tree/.venv/bad.cachespec.yaml") == ["tree/.venv/bad.cachespec.yaml"]


def test_a_path_given_twice_is_checked_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    same = ["tree", "tree/", "./tree", str(folder / "tree"), "tree/mine/bad.cachespec.yaml", "tree/../tree/mine"]
    assert report(capsys, *same)[1].checked == 1
    assert report(capsys, "missing.yaml", "./missing.yaml")[1].findings[0].file == "missing.yaml"
    assert main(["check", "-", "-"]) == 2
    assert "only once" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_a_missing_file_is_in_every_format(form: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "good.yaml").write_text(GOOD, encoding="utf-8")
    assert main(["check", "missing.yaml", "good.yaml", "--format", form]) == 2
    out, err = capsys.readouterr()
    assert "cachespec: missing.yaml: no such file or directory\n" in err
    assert "no findings" not in err
    if form == "text":
        assert err.endswith("checked 1 document: 1 not read\n")
    else:
        assert "missing.yaml" in out
        assert "cannot-read" in out
    if form == "json":
        (finding,) = json.loads(out)["findings"]
        assert (finding["file"], finding["line"], finding["message"]) == (
            "missing.yaml",
            None,
            "no such file or directory",
        )


def test_a_folder_that_cannot_be_read_is_a_finding_and_the_walk_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    (folder / "tree" / "locked").mkdir()
    monkeypatch.setattr(os, "scandir", scandir)
    status, found = report(capsys, "tree")
    assert status == 2
    assert [(finding.file, finding.code) for finding in found.findings] == [
        ("tree/mine/bad.cachespec.yaml", "unknown-variant"),
        ("tree/locked", "cannot-read"),
    ]
    assert main(["format", "--check", "tree"]) == 2
    assert "tree/locked: permission denied" in capsys.readouterr().err


def test_standard_input_is_json_when_it_begins_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin('{"cachespec":1,"layers":["no_state"],}\n', monkeypatch)
    assert main(["check", "-"]) == 1
    assert capsys.readouterr().out.startswith("-:1:37: syntax: ")
    stdin(GOOD, monkeypatch)
    assert main(["check", "-"]) == 0
    stdin('{cachespec: 1, layers: ["no_state"]}', monkeypatch)
    assert main(["check", "-", "--syntax", "yaml"]) == 0


def test_check_names_import_for_a_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(CONFIGS / "llama.json")]) == 1
    out = capsys.readouterr().out
    assert "cachespec import" in out
    assert "cachespec: 1" not in out


@pytest.mark.parametrize("command", ["size", "components"])
def test_a_configuration_is_a_layout(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = str(CONFIGS / "qwen3_next.json")
    options = ["--runtime", "eredu", "--tensor-parallel", "2", "--rank", "1"]
    target = str(tmp_path / "a.cachespec.yaml")
    assert main(["import", config, *options, "-o", target]) == 0
    assert main([command, target]) == 0
    expected = capsys.readouterr().out
    assert main([command, config, *options]) == 0
    assert capsys.readouterr().out == expected
    stdin(Path(config).read_text(encoding="utf-8"), monkeypatch)
    assert main([command, "-", *options]) == 0
    assert capsys.readouterr().out == expected
    assert main([command, config, "--tensor-parallel", "2"]) == 2
    bad = tmp_path / "config.json"
    bad.write_text('{"model_type": "no-such-model"}', encoding="utf-8")
    assert main([command, str(bad)]) == 1
    assert "unknown-model-type" in capsys.readouterr().out


def test_components_names_the_layers_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["components", GPT_OSS, "--layer", "99"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "no layer 99; the layout has layers 0 to 35" in err
    assert main(["components", GPT_OSS, "--layer", "35"]) == 0
    assert main(["components", str(EXAMPLES / "deepseek-v4-last-stage.cachespec.yaml"), "--layer", "0"]) == 2
    assert "layers 33 to 43" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("131072", 131072), ("131,072", 131072), ("131_072", 131072), ("128k", 131072), ("128K", 131072), ("1M", 2**20)],
)
def test_tokens_are_read_as_people_write_them(text: str, tokens: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["size", GPT_OSS, "--prefix-tokens", text, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["prefix_tokens"] == tokens
    assert main(["components", GPT_OSS, "--prefix-tokens", text, "--batch-size", "1", "--layer", "0"]) == 0


@pytest.mark.parametrize(
    "text", ["", "k", "1,2", "13,1072", "1.5k", "-1", "1e3", "0x10", "1kk", "1 k", "\u0661", "1,024,"]
)
def test_what_is_no_number_of_tokens_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["size", GPT_OSS, f"--prefix-tokens={text}"])
    assert stop.value.code == 2


@pytest.mark.parametrize(
    ("name", "dtype", "per_element"),
    [
        ("bf16", "bfloat16", 2),
        ("BF16", "bfloat16", 2),
        ("torch.bfloat16", "bfloat16", 2),
        ("fp16", "float16", 2),
        ("half", "float16", 2),
        ("fp32", "float32", 4),
        ("f32", "float32", 4),
        ("fp64", "float64", 8),
        ("fp8", "float8_e4m3fn", 1),
        ("fp8_e4m3", "float8_e4m3fn", 1),
        ("float8_e4m3fn", "float8_e4m3fn", 1),
        ("fp8_e5m2", "float8_e5m2", 1),
        ("int8", "int8", 1),
        ("uint8", "uint8", 1),
    ],
)
def test_dtypes_have_the_names_people_use(
    name: str, dtype: str, per_element: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["size", GPT_OSS, "--dtype", name, "--prefix-tokens", "100", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["dtype"] == dtype
    assert found["total_bytes"] == 100 * 36 * 2 * 8 * 64 * per_element
    assert cachespec.size(cachespec.load(GPT_OSS), 1, 100, dtype).total_bytes == found["total_bytes"]


def test_quiet_says_nothing_but_findings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tree", "--quiet"]) == 1
    out, err = capsys.readouterr()
    assert "unknown-variant" in out
    assert err == ""
    assert main(["check", GPT_OSS, "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_explain_without_a_code_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(cachespec_codes())
    assert all(len(line.split()) > 3 for line in lines)


def cachespec_codes() -> list[str]:
    from cachespec.validation.codes import codes

    return list(codes())


def test_help_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, shown in (["help"], "commands:"), (["help", "check"], "usage: cachespec check"):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 0
        assert shown in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        main(["help", "chek"])
    assert stop.value.code == 2


@pytest.mark.parametrize("name", ["-x.cachespec.yaml", "--strict.cachespec.yaml"])
def test_what_follows_two_dashes_is_a_file(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / name).write_text(BAD, encoding="utf-8")
    assert report(capsys, "--", name)[1].findings[0].file == name
    # pre-commit puts the options that a user gives a hook between its entry and the files.
    assert main(["check", "--", "--format", "json", "--strict", name, GPT_OSS]) == 1
    assert json.loads(capsys.readouterr().out)["checked"] == 2
    assert main(["check", "--", "--missing"]) == 2
    assert "--missing: no such file" in capsys.readouterr().err
