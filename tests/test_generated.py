"""The generated files are fresh, and the models are what a Python user wants them to be."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pydantic
import pytest

import cachespec
from cachespec import published
from cachespec_types import models
from generate import typescript

ROOT = Path(__file__).resolve().parent.parent
LAYER: dict[str, Any] = {"key_value": {"attention": "full", "num_key_value_heads": 2, "head_dim": 64}}


def generate(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    script = str(root / "scripts" / "generate")
    return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=False)


def test_nothing_is_stale() -> None:
    result = generate("--check")
    assert result.returncode == 0, result.stdout + result.stderr


def test_what_is_stale_is_listed_with_the_command_that_mends_it(tmp_path: Path) -> None:
    for name in ("schema", "generated", "scripts", "docs"):
        subprocess.run(["cp", "-r", str(ROOT / name), str(tmp_path / name)], check=True)
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    models = tmp_path / "generated" / "cachespec_types" / "models.py"
    models.write_text(models.read_text(encoding="utf-8") + "# touched\n", encoding="utf-8")
    (tmp_path / "generated" / "leftover.py").write_text("", encoding="utf-8")
    (tmp_path / "docs" / "codes.md").unlink()

    result = generate("--check", root=tmp_path)
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        "stale: docs/codes.md",
        "stale: generated/cachespec_types/models.py",
        "stale: generated/leftover.py",
        "run: python scripts/generate",
    ]
    assert generate(root=tmp_path).returncode == 0
    assert generate("--check", root=tmp_path).returncode == 0
    assert not (tmp_path / "generated" / "leftover.py").exists()


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An npm that writes down where it was called, and installs one empty package; the cache is a folder of its own."""
    program, calls = tmp_path / "bin" / "npm", tmp_path / "calls"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\npwd >> "{calls}"\nmkdir -p node_modules/package\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CACHESPEC_CACHE", str(tmp_path / "cache"))
    return program


def test_the_typescript_maker_is_installed_once_for_a_lock_file(npm: Path, tmp_path: Path) -> None:
    folder = typescript.installed_typescript_maker()
    assert typescript.installed_typescript_maker() == folder
    assert len((tmp_path / "calls").read_text(encoding="utf-8").splitlines()) == 1
    assert list((tmp_path / "cache").iterdir()) == [folder]
    assert (folder / "node_modules" / "package").is_dir()


def test_another_lock_file_is_installed_beside(npm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = typescript.installed_typescript_maker()
    maker = tmp_path / "maker"
    shutil.copytree(ROOT / "scripts" / "typescript", maker, ignore=shutil.ignore_patterns("node_modules"))
    (maker / "package-lock.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(typescript, "TYPESCRIPT_MAKER", maker)
    assert {folder, typescript.installed_typescript_maker()} == set((tmp_path / "cache").iterdir())
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_an_install_that_lost_the_race_leaves_the_one_that_won(npm: Path, tmp_path: Path) -> None:
    folder = typescript.installed_typescript_maker()
    shutil.rmtree(folder)
    script = npm.read_text(encoding="utf-8")
    npm.write_text(f'{script}mkdir -p "{folder}/node_modules/of-another"\n', encoding="utf-8")
    assert typescript.installed_typescript_maker() == folder
    assert [path.name for path in (folder / "node_modules").iterdir()] == ["of-another"]
    assert list((tmp_path / "cache").iterdir()) == [folder]


def test_an_install_that_fails_leaves_nothing(npm: Path, tmp_path: Path) -> None:
    npm.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        typescript.installed_typescript_maker()
    assert list((tmp_path / "cache").iterdir()) == []


def types_of_the_schema() -> set[str]:
    """The definitions, and the variants of unions that hold something: those have a title."""
    definitions = json.loads(published.schema_text("2020-12"))["$defs"]
    titles = {
        branch["title"] for union in definitions.values() for branch in union.get("oneOf", ()) if "title" in branch
    }
    return {*definitions, *titles}


def test_star_brings_every_type_of_the_schema_and_nothing_else() -> None:
    names: dict[str, object] = {}
    exec("from cachespec_types.models import *", names)
    assert names.keys() - {"__builtins__"} == types_of_the_schema()
    assert models.__all__ == sorted(types_of_the_schema())


@pytest.mark.parametrize("wrong", [8.0, "8", True, None, 0, 2**31, [8]])
def test_models_do_not_coerce(wrong: object) -> None:
    with pytest.raises(pydantic.ValidationError):
        cachespec.KeyValue.model_validate({**LAYER["key_value"], "head_dim": wrong})


@pytest.mark.parametrize("wrong", [True, 1.0, "1", 2])
def test_the_format_major_is_the_integer_1(wrong: object) -> None:
    with pytest.raises(pydantic.ValidationError):
        cachespec.CacheLayout.model_validate({"cachespec": wrong, "layers": ["no_state"]})


def test_models_refuse_unknown_fields() -> None:
    with pytest.raises(pydantic.ValidationError):
        cachespec.KeyValue.model_validate({**LAYER["key_value"], "window": 8})


def layout() -> cachespec.CacheLayout:
    document = {
        "cachespec": 1,
        "layers": [LAYER, "no_state"],
        "layer_prefix_offsets": [0, -1],
        "annotations": {"source": "a test"},
        "$schema": "somewhere",
    }
    return cachespec.CacheLayout.model_validate(document)


def test_models_are_equal_by_value_and_hashable() -> None:
    assert layout() == layout()
    assert hash(layout()) == hash(layout())
    assert len({layout(), layout()}) == 1
    explicit = cachespec.CacheRankIdentity(stage_rank=None, shard_rank=None, addressable_rank=None)
    assert cachespec.CacheRankIdentity() == explicit
    assert hash(cachespec.CacheRankIdentity()) == hash(explicit)


def test_models_are_frozen_and_lists_become_tuples() -> None:
    value = layout()
    assert isinstance(value.layers, tuple)
    assert value.layer_prefix_offsets == (0, -1)
    assert value.schema_uri == "somewhere"
    with pytest.raises(pydantic.ValidationError):
        value.name = "other"


EXHAUSTIVE = """
from typing import assert_never
import cachespec

def kind(policy: cachespec.LayerCachePolicy) -> str:
    match policy:
        case "no_state":
            return "nothing"
        case cachespec.LayerCachePolicyKeyValue(key_value=payload):
            return f"{payload.num_key_value_heads} heads"
        case cachespec.LayerCachePolicyKeyOnly() | cachespec.LayerCachePolicyKeyOnlyWithFixedState():
            return "keys"
        case cachespec.LayerCachePolicyCompressedLatentRotary():
            return "latent"
        case cachespec.LayerCachePolicyFixedState():
            return "fixed"
        case cachespec.LayerCachePolicyKeyValueWithFixedState():
            return "both"
        case _:
            assert_never(policy)

def slot(role: cachespec.StateTensorRole) -> int:
    match role:
        case cachespec.StateTensorRoleConvolution(convolution=convolution):
            return convolution.slot
        case cachespec.StateTensorRolePooling(pooling=pooling):
            return pooling.stream
        case "recurrent" | "prefix_embedding" | "position_delta":
            return 0
        case _:
            assert_never(role)
"""


def mypy(path: Path, text: str) -> subprocess.CompletedProcess[str]:
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent)


def test_a_match_over_a_union_is_checked_for_exhaustiveness(tmp_path: Path) -> None:
    result = mypy(tmp_path / "whole.py", EXHAUSTIVE)
    assert result.returncode == 0, result.stdout

    branch = '        case cachespec.LayerCachePolicyFixedState():\n            return "fixed"\n'
    result = mypy(tmp_path / "lacking.py", EXHAUSTIVE.replace(branch, ""))
    assert result.returncode == 1
    assert "LayerCachePolicyFixedState" in result.stdout
