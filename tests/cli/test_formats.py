"""The formats of `check` that programs read: each is valid by its own published schema or rules."""

from __future__ import annotations

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import cachespec
from cachespec.cli import main
from cachespec.validation.codes import codes
from tests.tools import needs

BAD = "cachespec: 1\nname: 100%, sure: yes\nlayers: [no_stat, {key_value: 8}]\nlayer_prefix_offsets: [0]\n"


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "some, folder"
    folder.mkdir()
    (folder / "bad.cachespec.yaml").write_text(BAD.replace("100%, sure: yes", "!x 100"), encoding="utf-8")
    return "some, folder/bad.cachespec.yaml"


def printed(capsys: pytest.CaptureFixture[str], form: str, *paths: str) -> str:
    main(["check", *paths, "--format", form])
    return capsys.readouterr().out


def test_json_is_a_report_by_the_published_schema(document: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "json", document)
    report = cachespec.check(text, type="Report")
    assert report.ok, report.findings
    assert isinstance(report.value, cachespec.Report)
    assert report.value.errors == len(report.value.findings) == 4
    assert cachespec.check(printed(capsys, "json", __file__.replace("test_formats", "__init__")), type="Report").ok


def test_github_annotations_escape_what_the_runner_would_read(
    document: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys, "github", document).splitlines()
    assert len(lines) == 4
    assert lines[0] == (
        "::error file=some%2C folder/bad.cachespec.yaml,line=2,col=7,title=unsupported-yaml::the tag `!x` is not read"
        "%0Ahelp: remove the tag; a string that looks like a number is written in quotes"
    )
    assert all(line.startswith("::error file=") for line in lines)


@pytest.fixture(scope="module")
def sarif_schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The schema of SARIF 2.1.0, from a package that carries it."""
    needs("npm")
    folder = tmp_path_factory.mktemp("sarif")
    command = ["npm", "pack", "--silent", "@microsoft/jest-sarif@1.0.0-beta.0"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as package:
        file = package.extractfile("package/lib/schemas/sarif-2.1.0-rtm.5.json")
        assert file is not None
        schema: dict[str, Any] = json.load(file)
    return schema


def test_sarif_is_valid_and_each_code_is_a_rule(
    document: str, sarif_schema: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    log = json.loads(printed(capsys, "sarif", document))
    jsonschema.validators.validator_for(sarif_schema)(sarif_schema).validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(codes())
    assert len(run["results"]) == 4
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "some%2C%20folder/bad.cachespec.yaml"
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 7}


def test_good_documents_give_empty_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "good.cachespec.json"
    path.write_text('{"cachespec": 1, "layers": ["no_state"]}', encoding="utf-8")
    assert json.loads(printed(capsys, "json", str(path))) == {"checked": 1, "errors": 0, "warnings": 0, "findings": []}
    assert printed(capsys, "github", str(path)) == ""
    assert json.loads(printed(capsys, "sarif", str(path)))["runs"][0]["results"] == []
