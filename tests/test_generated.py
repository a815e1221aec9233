"""The generated files are fresh, and the models are what a Python user wants them to be."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pydantic
import pytest

import cachespec
from cachespec import schema as published
from cachespec_types import models
from generate import command, typescript
from generate.project import cache

ROOT = Path(__file__).resolve().parent.parent
LAYER: dict[str, Any] = {"key_value": {"attention": "full", "num_key_value_heads": 2, "head_dim": 64}}


def test_nothing_is_stale() -> None:
    result = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "generate"), "--check"], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.returncode) == ("", 0), result.stderr


def test_what_is_stale_is_listed_with_the_command_that_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole command but for the making itself, of which the test above has a run."""
    texts = {"docs/codes.md": "# Codes\n", "generated/types/models.py": "new", "generated/types/py.typed": ""}
    made = {Path(name): text for name, text in texts.items()}
    monkeypatch.setattr(command, "made", lambda: made)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    written = {
        "docs/languages.md": "by hand",
        "generated/leftover.py": "",
        "generated/types/models.py": "old",
        "generated/types/py.typed": "",
        "generated/types/__pycache__/models.pyc": "",
    }
    for name, text in written.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert command.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "stale: docs/codes.md",
        "stale: generated/leftover.py",
        "stale: generated/types/models.py",
        "run: python scripts/generate",
    ]
    assert files_in(tmp_path) == written

    assert command.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "written: docs/codes.md",
        "removed: generated/leftover.py",
        "written: generated/types/models.py",
    ]
    del written["generated/leftover.py"]
    assert files_in(tmp_path) == {**written, **texts}

    assert command.main(["--check"]) == 0
    assert command.main([]) == 0
    assert capsys.readouterr().out == ""


def files_in(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in root.rglob("*")
        if path.is_file()
    }


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


def test_a_match_over_a_union_is_checked_for_exhaustiveness(tmp_path: Path) -> None:
    """A user's program, without the settings of this project; it is the packages below it that take long."""
    branch = '        case cachespec.LayerCachePolicyFixedState():\n            return "fixed"\n'
    assert branch in EXHAUSTIVE
    (tmp_path / "whole.py").write_text(EXHAUSTIVE, encoding="utf-8")
    (tmp_path / "lacking.py").write_text(EXHAUSTIVE.replace(branch, ""), encoding="utf-8")

    options = ["--strict", "--config-file=", "--cache-dir", str(cache() / "mypy")]
    mypy = [sys.executable, "-m", "mypy", *options, "whole.py", "lacking.py"]
    result = subprocess.run(mypy, capture_output=True, text=True, check=False, cwd=tmp_path)
    errors = [line for line in result.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 1, result.stdout + result.stderr
    assert re.match(r"lacking\.py:\d+: error: .*LayerCachePolicyFixedState", errors[0])
    assert result.returncode == 1
