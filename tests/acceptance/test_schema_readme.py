"""The snippets that show consumers how to use the schema: each is compiled, run, and notices a wrong document."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installs import CONSUMERS, cargo, go_environment, npm
from tests.tools import needs

pytestmark = pytest.mark.consumers

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")

# The document of the snippets, and one that each of them must refuse.
GOOD, BAD = '["no_state"]', '["no_stat"]'


def snippet(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(block)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in ("cachespec_types/cachespec.schema.json", "typescript/cachespec.d.ts"):
        shutil.copy(ROOT / "generated" / file, tmp_path)
    return tmp_path


def status(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> int:
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    print(result.stdout, result.stderr)
    return result.returncode


def test_rust(folder: Path) -> None:
    (folder / "src").mkdir()
    source = folder / "src" / "main.rs"
    source.write_text(snippet("rust"), encoding="utf-8")
    for file in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(CONSUMERS / "rust-snippet" / file, folder)
    manifest = (folder / "Cargo.toml").read_text(encoding="utf-8")
    dependencies = re.findall(r'(\w+ = (?:"[^"]+"|\{[^}]+\}))', snippet("rust").splitlines()[0])
    assert manifest.partition("[dependencies]\n")[2].splitlines() == dependencies
    options = ["--locked", "--quiet", "--target-dir", str(cargo("rust-snippet", folder, "dev"))]
    try:
        assert status(["cargo", "run", *options], folder) == 0
        source.write_text(snippet("rust").replace(GOOD, BAD, 1), encoding="utf-8")
        assert status(["cargo", "build", *options], folder) == 0
        assert status(["cargo", "run", *options], folder) != 0
    finally:
        # Next time the folder has another name, and the program another place.
        status(["cargo", "clean", "--package", "snippet", *options], folder)


def test_typescript(folder: Path) -> None:
    modules = npm("typescript", CONSUMERS / "typescript")
    shutil.copy(CONSUMERS / "typescript" / "package.json", folder)
    (folder / "node_modules").symlink_to(modules)
    source, compiler = folder / "snippet.ts", str(modules / ".bin" / "tsc")
    compile_it = [compiler, "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "snippet.ts"]
    text = snippet("ts")
    source.write_text(text, encoding="utf-8")
    assert status(compile_it, folder) == 0
    assert status(["node", "snippet.js"], folder) == 0
    source.write_text(text.replace(GOOD, BAD), encoding="utf-8")
    assert status(compile_it, folder) == 0
    assert status(["node", "snippet.js"], folder) != 0
    source.write_text(text.replace("layout.layers.length", "layout.layer.length"), encoding="utf-8")
    assert status(compile_it, folder) != 0


def test_go(folder: Path) -> None:
    needs("go")
    for file in ("go.mod", "go.sum"):
        shutil.copy(CONSUMERS / "go" / file, folder)
    for layer, good in ((GOOD, True), (BAD, False)):
        (folder / "main.go").write_text(snippet("go").replace(GOOD, layer), encoding="utf-8")
        assert status(["go", "build", "-o", "snippet", "."], folder, go_environment()) == 0
        assert (status(["./snippet"], folder) == 0) == good


def test_python(folder: Path) -> None:
    source = folder / "snippet.py"
    source.write_text(snippet("python"), encoding="utf-8")
    assert status([sys.executable, "snippet.py"], folder) == 0
    source.write_text(snippet("python").replace(GOOD, BAD), encoding="utf-8")
    assert status([sys.executable, "snippet.py"], folder) != 0
