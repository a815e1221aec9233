"""The files that go out are the same in every run, and hold to what earlier releases accepted."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import cachespec

pytestmark = pytest.mark.consumers

ROOT = Path(__file__).resolve().parents[2]
RELEASED = ROOT / "schema" / "v1" / "released"


def release(folder: Path) -> dict[str, bytes]:
    command = [sys.executable, str(ROOT / "scripts" / "release.py"), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return release(tmp_path_factory.mktemp("release"))


def test_two_runs_make_the_same_bytes(made: dict[str, bytes], tmp_path: Path) -> None:
    assert release(tmp_path) == made


def test_the_sums_are_those_of_the_files(made: dict[str, bytes]) -> None:
    sums = dict(line.split("  ")[::-1] for line in made["SHA256SUMS"].decode().splitlines())
    files = {name: data for name, data in made.items() if name != "SHA256SUMS"}
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    archive = f"cachespec-schema-{cachespec.SCHEMA_VERSION}.tar.gz"
    version = re.escape(cachespec.__version__)
    assert archive in files
    assert len(files) == 3
    assert any(re.fullmatch(rf"cachespec-{version}-py3-none-any\.whl", name) for name in files)
    assert f"cachespec-{cachespec.__version__}.tar.gz" in files


def test_the_archive_is_all_that_a_consumer_needs(made: dict[str, bytes], tmp_path: Path) -> None:
    name = f"cachespec-schema-{cachespec.SCHEMA_VERSION}"
    (tmp_path / "archive.tar.gz").write_bytes(made[f"{name}.tar.gz"])
    with tarfile.open(tmp_path / "archive.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / name
    for file in ("cachespec.schema.json", "cachespec.draft-07.schema.json", "cachespec.d.ts", "README.md", "LICENSE"):
        assert (folder / file).is_file()
    assert len(list((folder / "vectors").glob("*.json"))) == len(list((ROOT / "tests/conformance").glob("*.json")))
    assert len(list((folder / "examples").glob("*.cachespec.*"))) >= 14
    schema = json.loads((folder / "cachespec.schema.json").read_text(encoding="utf-8"))
    assert schema["$id"] == "urn:cachespec:schema:v1"


def compatibility(root: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root / "generated")])}
    command = [sys.executable, str(root / "scripts" / "compatibility.py")]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_what_a_release_accepted_is_still_accepted() -> None:
    result = compatibility(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


def test_a_released_version_does_not_change() -> None:
    """The schema of a version that is out is final: a change needs a new number in schema/v1/VERSION."""
    archive = RELEASED / f"cachespec-schema-{cachespec.SCHEMA_VERSION}.tar.gz"
    if archive.exists():
        with tarfile.open(archive) as files:
            released = files.extractfile(f"cachespec-schema-{cachespec.SCHEMA_VERSION}/cachespec.schema.json")
            assert released is not None
            current = ROOT / "generated" / "cachespec_types" / "cachespec.schema.json"
            assert released.read() == current.read_bytes(), "raise schema/v1/VERSION"


def test_a_deliberate_break_fails_with_the_list_of_cases(tmp_path: Path) -> None:
    for folder in ("src", "generated", "schema", "scripts", "tests/transformers-truth"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    source = tmp_path / "schema" / "v1" / "KeyValue.json"
    schema = json.loads(source.read_text(encoding="utf-8"))
    schema["properties"]["head_dim"]["maximum"] = 255
    source.write_text(json.dumps(schema), encoding="utf-8")
    subprocess.run([sys.executable, str(tmp_path / "scripts" / "generate")], check=True, stdout=subprocess.PIPE)
    result = compatibility(tmp_path)
    assert result.returncode == 1
    assert "examples/gemma2.cachespec.yaml: out-of-range: 256 is above 255" in result.stdout
    assert "vectors/bounds.json: " in result.stdout
    assert "what was valid stays valid" in result.stdout
