"""The hooks as users get them: through the real pre-commit, from a clone of the project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.consumers

ROOT = Path(__file__).resolve().parents[2]

GOOD = "cachespec: 1\nlayers:\n  - no_state\n"
BAD = "cachespec: 1\nlayers:\n  - no_stat\n"
UNORDERED = "# a model\nlayers:\n  - no_state\ncachespec: 1\n"

# Whether a hook takes a file, by its path; every file holds a document that is refused.
SELECTED = {
    "a.cachespec.yaml": True,
    "some/where/a.cachespec.yml": True,
    "a.cachespec.json": True,
    "a.yaml": False,
    "cachespec.yaml": False,
    "a.cachespec.toml": False,
    "a.cachespec.yaml.orig": False,
    "acachespec.yaml": False,
    "a.cachespecXyaml": False,
}


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as a repository of hooks: what is tracked, and what will be."""
    folder = tmp_path_factory.mktemp("hooks")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        # A hook is installed from the package; tests and pictures would only be copied.
        if (ROOT / name).is_file() and name.partition("/")[0] not in ("tests", "docs"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    git(folder, "init")
    git(folder, "add", "--all")
    git(folder, "commit", "--message", "the project")
    return folder


@pytest.fixture(scope="module")
def environments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init")
    return tmp_path


def write(repository: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text, encoding="utf-8")
    git(repository, "add", "--all")


def try_hook(repository: Path, hooks: Path, environments: Path, hook: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), hook, "--all-files", "--color", "never"]
    environment = {**os.environ, "PRE_COMMIT_HOME": str(environments), "GIT_CONFIG_GLOBAL": os.devnull}
    result = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def test_the_check_passes_good_documents_without_arguments(repository: Path, hooks: Path, environments: Path) -> None:
    write(repository, {"a.cachespec.yaml": GOOD, "b.cachespec.json": '{"cachespec": 1, "layers": ["no_state"]}\n'})
    status, output = try_hook(repository, hooks, environments, "cachespec-check")
    assert status == 0, output
    assert "Passed" in output


def test_the_check_selects_documents_alone_and_says_where_they_are_wrong(
    repository: Path, hooks: Path, environments: Path
) -> None:
    write(repository, dict.fromkeys(SELECTED, BAD))
    status, output = try_hook(repository, hooks, environments, "cachespec-check")
    assert status == 1
    for path, selected in SELECTED.items():
        # As JSON the same text is wrong at its first character.
        place = "1:1: syntax" if path.endswith("json") else "3:5: unknown-variant"
        assert (f"\n{path}:{place}" in output) == selected, output


def test_the_formatter_rewrites_once(repository: Path, hooks: Path, environments: Path) -> None:
    write(repository, {"a.cachespec.yaml": UNORDERED})
    status, output = try_hook(repository, hooks, environments, "cachespec-format")
    assert status == 1
    assert "reformatted: a.cachespec.yaml" in output
    formatted = (repository / "a.cachespec.yaml").read_text(encoding="utf-8")
    assert formatted.endswith("layers:\n  - no_state\n")
    assert "# a model\n" in formatted
    git(repository, "add", "--all")
    status, output = try_hook(repository, hooks, environments, "cachespec-format")
    assert status == 0, output
    assert (repository / "a.cachespec.yaml").read_text(encoding="utf-8") == formatted


def test_the_configuration_of_the_readme_works(repository: Path, hooks: Path, environments: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (configuration,) = re.findall(r"^```yaml\n(repos:.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    (repository.parent / "cachespec").symlink_to(hooks)
    write(repository, {"a.cachespec.yaml": BAD, ".pre-commit-config.yaml": configuration})
    environment = {**os.environ, "PRE_COMMIT_HOME": str(environments), "GIT_CONFIG_GLOBAL": os.devnull}

    def pre_commit(*arguments: str) -> str:
        command = [sys.executable, "-m", "pre_commit", *arguments, "--color", "never"]
        result = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, check=False)
        return result.stdout

    assert "\na.cachespec.yaml:3:5: unknown-variant" in pre_commit("run", "--all-files")
    pre_commit("autoupdate", "--bleeding-edge")
    updated = (repository / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.search(r"rev: [0-9a-f]{40}\b", updated)
    assert "\na.cachespec.yaml:3:5: unknown-variant" in pre_commit("run", "--all-files")


@pytest.mark.parametrize("hook", ["cachespec-check", "cachespec-format"])
def test_a_file_whose_name_begins_with_a_dash_is_a_file(
    hook: str, repository: Path, hooks: Path, environments: Path
) -> None:
    write(repository, {"--strict.cachespec.yaml": GOOD, "-x.cachespec.yaml": BAD})
    status, output = try_hook(repository, hooks, environments, hook)
    assert status == 1, output
    assert "\n-x.cachespec.yaml:3:5: unknown-variant" in output
    assert "usage:" not in output


def test_the_options_of_a_user_reach_the_hook(repository: Path, hooks: Path, environments: Path) -> None:
    warned = (
        "cachespec: 1\nlayers:\n  - fixed_state:\n      tensors:\n        - {role: recurrent, shape: [batch, batch], "
    )
    warned += "dtype: float32, residency: layer_scoped_offloadable, presence: required}\n"
    revision = subprocess.run(["git", "rev-parse", "HEAD"], cwd=hooks, check=True, capture_output=True, text=True)
    for arguments, expected in ("[]", 0), ("[--strict, --format, github]", 1):
        config = f"repos: [{{repo: '{hooks}', rev: {revision.stdout.strip()}, hooks: [{{id: cachespec-check, "
        config += f"args: {arguments}}}]}}]\n"
        write(repository, {"-x.cachespec.yaml": warned, ".pre-commit-config.yaml": config})
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"]
        environment = {**os.environ, "PRE_COMMIT_HOME": str(environments), "GIT_CONFIG_GLOBAL": os.devnull}
        result = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, check=False)
        assert result.returncode == expected, result.stdout + result.stderr
        if expected:
            assert "::warning file=-x.cachespec.yaml" in result.stdout
