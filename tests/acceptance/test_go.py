"""A Go program agrees with the vectors, and reads and writes layouts with types written by hand."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import cachespec
from tests.conformance.run import vectors
from tests.consumers.languages import Answer, mistakes
from tests.consumers.programs import departures, documented_departures, line, write_wrong_vectors
from tests.installs import go_environment
from tests.tools import Tell, needs

pytestmark = pytest.mark.consumers

ROOT = Path(__file__).resolve().parents[2]
CONSUMER = ROOT / "tests" / "consumers" / "go"
README = (ROOT / "tests" / "consumers" / "README.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "schema" / "v1" / "examples").glob("*.cachespec.*"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The consumer, built outside the tree."""
    needs("go", "gofmt")
    target = tmp_path_factory.mktemp("go") / "consumer"
    result = run("go", "build", "-o", str(target), ".")
    assert result.returncode == 0, result.stderr
    return target


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=CONSUMER, env=go_environment(), capture_output=True, text=True, check=False)


def test_go_agrees_with_the_vectors(program: Path, tell: Tell) -> None:
    result = run(str(program))
    assert result.returncode == 0, result.stderr
    tell(result.stdout)
    departing = documented_departures("yaml.v3")
    assert departures(result.stdout) == departing
    agreed = [vector for vector in vectors() if ("yaml.v3", vector["name"]) not in departing]
    assert result.stdout.splitlines()[0] == line("go", agreed)


def test_go_disagrees_with_wrong_vectors(program: Path, tmp_path: Path) -> None:
    wrong = write_wrong_vectors(tmp_path)
    result = run(str(program), "-vectors", str(tmp_path))
    assert result.returncode == 1
    assert {line.split(":")[0] for line in result.stderr.splitlines()} == {*wrong}


def test_layouts_are_written_back_to_the_same_bytes(program: Path, tmp_path: Path) -> None:
    for path in EXAMPLES:
        canonical = cachespec.dumps(cachespec.load(path))
        (tmp_path / f"{path.name}.json").write_text(canonical, encoding="utf-8", newline="\n")
    result = run(str(program), "-layouts", str(tmp_path))
    assert result.returncode == 0, result.stderr
    assert f"{len(EXAMPLES)} examples decoded" in result.stdout
    read = [v for v in vectors() if v["verdict"] == "accept" and v["type"] in ("CacheLayout", "LayerCachePolicy")]
    (rewritten,) = re.findall(r"(\d+) vectors decoded", result.stdout)
    assert int(rewritten) >= len(read) > 0


def test_a_layout_that_is_not_written_back_is_noticed(program: Path, tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_text('{"layers":["no_state"],"cachespec":1}', encoding="utf-8")
    result = run(str(program), "-layouts", str(tmp_path))
    assert result.returncode == 1
    assert "layout.json: written as" in result.stderr


def test_what_docs_languages_says_of_go(program: Path) -> None:
    result = run(str(program), "-answers")
    assert result.returncode == 0, result.stderr
    answers = {
        reader: {vector: Answer(**answer) for vector, answer in one.items()}
        for reader, one in json.loads(result.stdout).items()
    }
    assert answers.keys() == {"jsonschema/v6", "yaml.v3", "encoding/json"}
    assert mistakes(answers) == []


def test_the_program_is_tidy() -> None:
    needs("go", "gofmt")
    vetted = run("go", "vet", "./...")
    assert vetted.returncode == 0, vetted.stderr
    assert run("gofmt", "-l", ".").stdout == ""


def test_the_readme_says_how_much_code_the_types_are() -> None:
    lines = (line.strip() for line in (CONSUMER / "layout.go").read_text(encoding="utf-8").splitlines())
    count = sum(bool(line) and not line.startswith("//") for line in lines)
    assert f"{count} lines of code" in README
