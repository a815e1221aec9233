"""The wheel that users install, built through the sdist, in an environment with nothing else."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.consumers

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel and its dependencies alone."""
    folder = tmp_path_factory.mktemp("package")
    run = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    subprocess.run(run, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    assert len(list(folder.glob("*.tar.gz"))) == 1
    venv.create(folder / "environment", with_pip=True)
    programs = folder / "environment" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    return programs


def run(program: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(program), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_wheel_checks_and_expands_the_examples(installed: Path, tmp_path: Path) -> None:
    examples = ROOT / "schema" / "v1" / "examples"
    result = run(installed / "cachespec", "check", str(examples), folder=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    for example in sorted(examples.glob("*.cachespec.*")):
        arguments = ["components", str(example), "--batch-size", "1", "--prefix-tokens", "4096", "--format", "json"]
        result = run(installed / "cachespec", *arguments, folder=tmp_path)
        assert result.returncode == 0, result.stderr
        assert '"required": true' in result.stdout


def test_the_wheel_carries_schema_pages_and_types(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "cachespec", "schema", folder=tmp_path).stdout.startswith("{")
    assert run(installed / "cachespec", "explain", "syntax", folder=tmp_path).returncode == 0
    script = (
        "import cachespec, cachespec_types, pathlib;"
        "folders = [pathlib.Path(module.__file__).parent for module in (cachespec, cachespec_types)];"
        "assert all((folder / 'py.typed').is_file() for folder in folders);"
        "print(cachespec.__version__, cachespec.SCHEMA_VERSION)"
    )
    result = run(installed / "python", "-c", script, folder=tmp_path)
    assert result.returncode == 0, result.stderr
