"""The snippets that show consumers how to use the schema: each is compiled, run, and notices a wrong document."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools import needs

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")
CONSUMERS = ROOT / "tests" / "consumers"

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


def run(command: list[str], folder: Path) -> None:
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def fails(command: list[str], folder: Path) -> None:
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode != 0


def test_rust(folder: Path) -> None:
    needs("cargo")
    (folder / "src").mkdir()
    source = folder / "src" / "main.rs"
    dependencies = re.findall(r'(\w+ = (?:"[^"]+"|\{[^}]+\}))', snippet("rust").splitlines()[0])
    assert len(dependencies) == 2
    manifest = '[package]\nname = "snippet"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n'
    (folder / "Cargo.toml").write_text(manifest + "\n".join(dependencies) + "\n", encoding="utf-8")
    source.write_text(snippet("rust"), encoding="utf-8")
    run(["cargo", "run", "--quiet"], folder)
    source.write_text(snippet("rust").replace(GOOD, BAD, 1), encoding="utf-8")
    fails(["cargo", "run", "--quiet"], folder)


def test_typescript(folder: Path) -> None:
    needs("node", "npm")
    for file in ("package.json", "package-lock.json"):
        shutil.copy(CONSUMERS / "typescript" / file, folder)
    run(["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"], folder)
    run(["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "@types/node@20"], folder)
    source, compiler = folder / "snippet.ts", str(folder / "node_modules" / ".bin" / "tsc")
    compile_it = [compiler, "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "snippet.ts"]
    source.write_text(snippet("ts"), encoding="utf-8")
    run(compile_it, folder)
    run(["node", "snippet.js"], folder)
    source.write_text(snippet("ts").replace(GOOD, BAD), encoding="utf-8")
    run(compile_it, folder)
    fails(["node", "snippet.js"], folder)
    source.write_text(snippet("ts").replace("layout.layers.length", "layout.layer.length"), encoding="utf-8")
    fails(compile_it, folder)


def test_go(folder: Path) -> None:
    needs("go")
    for file in ("go.mod", "go.sum"):
        shutil.copy(CONSUMERS / "go" / file, folder)
    source = folder / "main.go"
    source.write_text(snippet("go"), encoding="utf-8")
    run(["go", "run", "."], folder)
    source.write_text(snippet("go").replace(GOOD, BAD), encoding="utf-8")
    fails(["go", "run", "."], folder)


def test_python(folder: Path) -> None:
    source = folder / "snippet.py"
    source.write_text(snippet("python"), encoding="utf-8")
    run([sys.executable, "snippet.py"], folder)
    source.write_text(snippet("python").replace(GOOD, BAD), encoding="utf-8")
    fails([sys.executable, "snippet.py"], folder)
