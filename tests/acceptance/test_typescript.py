"""The TypeScript types are complete and exhaustive, and ajv gives the verdicts of the vectors with both files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.run import vectors
from tests.consumers.languages import Answer, mistakes
from tests.consumers.programs import departures, documented_departures, line, write_wrong_vectors
from tests.installs import npm
from tests.tools import Tell

pytestmark = pytest.mark.consumers

ROOT = Path(__file__).resolve().parents[2]
CONSUMER = Path("tests", "consumers", "typescript")
TYPES = (ROOT / "generated" / "typescript" / "cachespec.d.ts").read_text(encoding="utf-8")
BUNDLE = json.loads((ROOT / "generated" / "cachespec_types" / "cachespec.schema.json").read_text(encoding="utf-8"))
EXHAUSTIVE = (ROOT / CONSUMER / "exhaustive.ts").read_text(encoding="utf-8")

# Each `case` with the line below it that returns, and the variant that it is about.
BRANCHES = {
    variant: branch
    for branch, variant in re.findall(r'^( *case (?:"|\w+\.)(\w+).*\n *return .*\n)', EXHAUSTIVE, flags=re.MULTILINE)
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The consumer, in a copy of the folders that it needs."""
    modules = npm("typescript", ROOT / CONSUMER)
    root = tmp_path_factory.mktemp("typescript")
    shutil.copytree(ROOT / "generated", root / "generated")
    shutil.copytree(ROOT / CONSUMER, root / CONSUMER, ignore=shutil.ignore_patterns("node_modules"))
    (root / CONSUMER / "node_modules").symlink_to(modules)
    return root / CONSUMER


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


# --- the vectors -----------------------------------------------------------------------------------------


def test_ajv_agrees_with_the_vectors(folder: Path, tell: Tell) -> None:
    result = run(folder, "node", "vectors.mjs", str(ROOT / "tests" / "conformance"))
    assert result.returncode == 0, result.stderr
    tell(result.stdout)
    # Those that JavaScript cannot answer are left out, but for the reader's, which are left out anyway.
    answerable = [v for v in vectors() if v.get("stage") == "reader" or "large_integers" not in v]
    assert result.stdout.splitlines()[0] == line("typescript", answerable)
    assert departures(result.stdout) == documented_departures("yaml 1.1", "yaml 1.2")


def test_ajv_disagrees_with_wrong_vectors(folder: Path, tmp_path: Path) -> None:
    wrong = write_wrong_vectors(tmp_path)
    result = run(folder, "node", "vectors.mjs", str(tmp_path))
    assert result.returncode == 1
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == wrong


def test_what_docs_languages_says_of_javascript(folder: Path) -> None:
    result = run(folder, "node", "answers.mjs", str(ROOT / "tests" / "conformance"))
    assert result.returncode == 0, result.stderr
    answers = {
        reader: {vector: Answer(**answer) for vector, answer in one.items()}
        for reader, one in json.loads(result.stdout).items()
    }
    assert answers.keys() == {"JSON.parse", "yaml 1.2", "yaml 1.1"}
    assert mistakes(answers) == []


# --- the types -------------------------------------------------------------------------------------------


def test_every_type_of_the_schema_is_exported() -> None:
    exported = set(re.findall(r"^export (?:type|interface) (\w+)", TYPES, flags=re.MULTILINE))
    assert BUNDLE["$defs"].keys() <= exported


def test_unions_are_written_out() -> None:
    assert TYPES.startswith("// Made by scripts/generate from schema/. Do not edit.\n")
    assert 'export type LayerCachePolicy =\n  | "no_state"\n  | LayerCachePolicyKeyValue\n' in TYPES
    assert "referenced by" not in TYPES


def test_the_branches_are_all_variants() -> None:
    variants = [
        branch["const"] if "const" in branch else branch["required"][0]
        for union in ("LayerCachePolicy", "StateTensorRole")
        for branch in BUNDLE["$defs"][union]["oneOf"]
    ]
    assert sorted(BRANCHES) == sorted(variants)


def test_without_a_branch_the_program_does_not_compile(folder: Path) -> None:
    """All programs that lack one branch are compiled at once, beside the whole one."""
    lacking = {f"without_{variant}.ts": branch for variant, branch in BRANCHES.items()}
    try:
        for name, branch in lacking.items():
            (folder / name).write_text(EXHAUSTIVE.replace(branch, ""), encoding="utf-8")
        result = run(folder, "node_modules/.bin/tsc", "--pretty", "false")
    finally:
        for name in lacking:
            (folder / name).unlink()
    refused = re.findall(r"^(\w+\.ts)\(.*not assignable to parameter of type 'never'", result.stdout, re.MULTILINE)
    assert sorted(refused) == sorted(lacking)
    assert result.stdout.count(": error ") == len(lacking), result.stdout


def test_the_programs_compile(folder: Path) -> None:
    result = run(folder, "node_modules/.bin/tsc", "--pretty", "false")
    assert result.returncode == 0, result.stdout


# --- the tools -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lock", ["scripts/typescript", "tests/consumers/typescript"])
def test_lock_files_name_no_registry(lock: str) -> None:
    assert '"resolved"' not in (ROOT / lock / "package-lock.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("ci", ["", "true"])
def test_without_node_the_file_is_left_alone_but_not_in_ci(ci: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path), "CI": ci}
    command = [sys.executable, str(ROOT / "scripts" / "generate"), "--check"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    reason = "generated/typescript/cachespec.d.ts: not installed: node, npm\n"
    assert result.stderr == (f"cannot make {reason}" if ci else f"left alone: {reason}")
    assert "cachespec.d.ts" not in result.stdout
    assert result.returncode == (1 if ci else 0)
