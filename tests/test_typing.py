"""A file of typical use runs, and passes mypy in its strict mode and pyright."""

from __future__ import annotations

import pydoc
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cachespec
from tests import typical_use
from tests.tools import needs

ROOT = Path(__file__).resolve().parent.parent
USE = ROOT / "tests" / "typical_use.py"


def test_typical_use_runs(tmp_path: Path) -> None:
    assert [finding.code for finding in typical_use.reports("layers: [no_state]")] == ["unknown-document"]
    layout = typical_use.built()
    assert [type(layout.layers), type(layout.layer_prefix_offsets)] == [tuple, tuple]
    assert hash(layout) == hash(typical_use.built())
    assert typical_use.used(layout)["layers.0.attention.keys"] == (1, 8, 4096, 128)
    assert typical_use.written(layout, tmp_path) == layout
    assert cachespec.validate(typical_use.state()) == ()


def test_typical_use_passes_mypy(tmp_path: Path) -> None:
    shutil.copy(USE, tmp_path / "use.py")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir", str(tmp_path), "use.py"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_typical_use_passes_pyright(tmp_path: Path) -> None:
    needs("node", "npm")
    shutil.copy(USE, tmp_path / "use.py")
    (tmp_path / "package.json").write_text('{"private": true}', encoding="utf-8")
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "pyright@1.1.414"]
    subprocess.run(install, cwd=tmp_path, check=True, capture_output=True)
    command = ["node", "node_modules/pyright/index.js", "--pythonpath", sys.executable, "use.py"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("model", [cachespec.CacheLayout, cachespec.KeyValue, cachespec.StateTensorPolicy])
def test_help_shows_fields_and_what_they_mean(model: type[cachespec.CacheLayout]) -> None:
    shown = pydoc.plain(pydoc.render_doc(model))
    for name, field in model.model_fields.items():
        assert f" {name}: {field.description or ''}" in shown


def test_help_of_a_layout_says_what_its_layers_are() -> None:
    shown = pydoc.plain(pydoc.render_doc(cachespec.CacheLayout))
    assert "layers: What each decoder layer remembers, in the order of the layers" in shown
