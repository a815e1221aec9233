"""The documentation says what is so: its blocks run, its table of names is whole, its pages of codes hold."""

from __future__ import annotations

import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import cachespec
from cachespec.cli import main
from cachespec.cli.documents import CannotRead, checked
from cachespec.importers.runtimes import read_config
from cachespec.importers.transformers import defaults
from cachespec.validation import rules
from cachespec.validation.codes import Code, codes
from tests.installs import CONSUMERS, npm

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_python_block_runs_and_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = blocks("python")
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "2 did you mean `no_state`?"
    assert printed[1] == "layers.0.attention.keys (1, 8, 4096, 128)"
    assert printed[-1].startswith('{"cachespec":1,')


@pytest.mark.consumers
def test_the_javascript_block_runs(tmp_path: Path) -> None:
    modules = npm("typescript", CONSUMERS / "typescript")
    (block,) = blocks("js")
    (tmp_path / "block.mjs").write_text(block, encoding="utf-8")
    shutil.copytree(ROOT / "generated" / "cachespec_types", tmp_path / "generated" / "cachespec_types")
    (tmp_path / "node_modules").symlink_to(modules)
    result = subprocess.run(["node", "block.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_the_yaml_blocks_are_a_good_document_and_our_hook() -> None:
    document, hook, _ = blocks("yaml")
    report = cachespec.check(document, syntax="yaml")
    assert report.findings == ()
    ours = {entry["id"] for entry in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    (repository,) = yaml.safe_load(hook)["repos"]
    assert {entry["id"] for entry in repository["hooks"]} <= ours


def test_the_hook_checks_the_examples_and_selects_only_documents() -> None:
    hook, _ = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    examples = sorted(str(path) for path in (ROOT / "schema/v1/examples").glob("*.cachespec.*"))
    entry = shlex.split(hook["entry"])
    result = subprocess.run([sys.executable, "-m", *entry, *examples], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    for path in ("a.cachespec.yaml", "b/a.cachespec.yml", "a.cachespec.json"):
        assert re.search(hook["files"], path)
    for path in ("a.yaml", "cachespec.yaml", "a.cachespec.toml", "a.cachespec.yaml.orig"):
        assert not re.search(hook["files"], path)


def commands() -> list[str]:
    return [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("command", [command for command in commands() if command.startswith("cachespec ")])
def test_every_command_of_the_readme_runs(command: str) -> None:
    arguments = [sys.executable, "-m", *shlex.split(command)]
    result = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_the_other_commands_are_the_two_that_set_up() -> None:
    others = [command for command in commands() if not command.startswith("cachespec ")]
    assert others == ["scripts/demo", "scripts/test"]
    for command in others:
        assert os.access(ROOT / command, os.X_OK)


def test_nothing_that_is_not_released_is_shown_as_if_it_were() -> None:
    """Before the first release there is no package of that name in an index, and no tag."""
    pages = [ROOT / "README.md", ROOT / "schema" / "README.md", *(ROOT / "docs").glob("*.md")]
    promised = re.compile(r"pip install '?cachespec\b|pip install \S*cachespec\[|rev: v\d|example\.com")
    for page in pages:
        for paragraph in page.read_text(encoding="utf-8").split("\n\n"):
            if "first release" not in " ".join(paragraph.split()):
                assert not promised.search(paragraph), paragraph


def shown_commands() -> list[tuple[Path, str]]:
    """Every command for `cachespec` on the pages that people copy from."""
    pages = [ROOT / "README.md", *(ROOT / "docs" / name for name in ("sizes.md", "codes.md", "ci.md", "editors.md"))]
    consoles = {page: re.findall(r"^```console\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S) for page in pages}
    found = [(page, line[2:]) for page, blocks in consoles.items() for block in blocks for line in block.splitlines()]
    return [(page, command) for page, command in found if command.startswith("cachespec ")]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder that looks like a clone to a reader, and into which a command may write."""
    for name in ("schema", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.fixture
def activated() -> dict[str, str]:
    """The environment of a shell after `. .venv/bin/activate`."""
    return {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}


@pytest.mark.parametrize(("page", "command"), shown_commands(), ids=lambda value: getattr(value, "name", value))
def test_every_shown_command_works_when_copied(
    page: Path, command: str, clone: Path, activated: dict[str, str]
) -> None:
    result = subprocess.run(
        ["bash", "-c", command], cwd=clone, env=activated, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_the_readme_says_how_to_get_the_command() -> None:
    start = README[README.index("## Start") : README.index("## Three ways")]
    assert ". .venv/bin/activate" in start
    assert ".venv/bin/cachespec" in start


def test_the_python_of_the_page_of_sizes_runs(clone: Path, activated: dict[str, str]) -> None:
    page = (ROOT / "docs" / "sizes.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    run = subprocess.run(["python", "-c", block], cwd=clone, env=activated, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 4 * 2**30
    assert (clone / "gpt-oss.svg").is_file()


# On the page of codes, what stands before an example, and the example.
EXAMPLE = re.compile(
    r"^(?P<outcome>Fails|Passes)(?: \(`(?P<option>[^`]+)`\))?:\n\n```(?P<syntax>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)


@pytest.mark.usefixtures("without_defaults")
@pytest.mark.parametrize("code", [name for name, code in codes().items() if code.type != "path"])
def test_the_examples_of_the_page_of_codes_do_as_it_says_when_copied(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "codes.md").read_text(encoding="utf-8")
    (section,) = re.findall(rf"^## {code}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    examples = list(EXAMPLE.finditer(section))
    assert [example["outcome"] for example in examples] == ["Fails", "Passes"]
    monkeypatch.chdir(tmp_path)
    for example in examples:
        if example["option"] == "config.json":
            name, command = "config.json", ["import", "config.json"]
        else:
            name = f"example.cachespec.{example['syntax']}"
            command = ["check", name, *(example["option"] or "").split()]
        Path(name).write_text(example["text"], encoding="utf-8")
        status = main(command)
        printed = "".join(capsys.readouterr())
        assert (f"{code}: " in printed) == (example["outcome"] == "Fails"), printed
        assert status == (codes()[code].level == "error" and example["outcome"] == "Fails")


def test_the_workflow_marks_the_lines_and_writes_the_report(tmp_path: Path, activated: dict[str, str]) -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    # To YAML 1.1 the key `on` is true.
    workflow = yaml.safe_load(block.replace("\non:", '\n"on":'))
    assert workflow.keys() == {"name", "on", "jobs"}
    ((_, job),) = workflow["jobs"].items()
    steps = {
        step["run"].partition(" >")[0]: step["run"] for step in job["steps"] if "cachespec check" in step.get("run", "")
    }
    report, mark = "cachespec check . --format sarif", "cachespec check . --format github"
    assert list(steps) == [report, mark]
    (upload,) = (step for step in job["steps"] if "upload-sarif" in step.get("uses", ""))

    def run(step: str) -> subprocess.CompletedProcess[str]:
        # As GitHub runs it.
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", steps[step]]
        return subprocess.run(command, cwd=tmp_path, env=activated, capture_output=True, text=True, check=False)

    for text, status in (("cachespec: 1\nlayers: [no_state]\n", 0), ("cachespec: 1\nlayers: [no_stat]\n", 1)):
        (tmp_path / "a.cachespec.yaml").write_text(text, encoding="utf-8")
        assert run(report).returncode == 0
        results = json.loads((tmp_path / upload["with"]["sarif_file"]).read_text(encoding="utf-8"))["runs"][0][
            "results"
        ]
        assert len(results) == status
        marked = run(mark)
        assert marked.returncode == status
        assert marked.stdout.count("::error file=a.cachespec.yaml,line=2") == status
    # What could not run is no report: here nothing can be opened below a file.
    broken = steps[report].replace("check .", "check no-such-folder")
    command = ["bash", "-e", "-o", "pipefail", "-c", broken]
    assert subprocess.run(command, cwd=tmp_path, env=activated, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("page", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("schema/**/*.md")])
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


ORIGINALS = """
    CacheRankIdentity::new CacheRankIdentity::stage_rank CacheRankIdentity::shard_rank
    CacheRankIdentity::addressable_rank StateComponentRole::stable_name StateComponentPolicy::role
    StateComponentPolicy::shape StateComponentPolicy::dtype StateComponentPolicy::residency
    StateComponentPolicy::presence LayerCachePolicy::attention_residency_class LayerCachePolicy::key_value
    LayerCachePolicy::key_only LayerCachePolicy::compressed_latent_rotary LayerCachePolicy::fixed_only
    LayerCachePolicy::key_value_with_fixed_state LayerCachePolicy::key_only_with_fixed_state
    LayerCachePolicy::attention LayerCachePolicy::fixed_state LayerCachePolicy::components LayerCachePolicy::validate
    StateTensorDimension::fixed StateTensorPolicy::new StateTensorPolicy::new_with_residency
    StateTensorPolicy::optional StateTensorPolicy::when_prefix_remainder_nonzero
    StateTensorPolicy::when_prefix_at_least StateTensorPolicy::is_required_for StateTensorPolicy::residency_class
    StateTensorPolicy::resolved_shape StateTensorPolicy::accepts_dtype_name CachePolicyError::Invalid
"""


def test_every_name_of_the_original_has_a_counterpart_that_exists() -> None:
    page = (ROOT / "docs" / "original-names.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", page, re.MULTILINE))
    assert set(ORIGINALS.split()) <= rows.keys()
    for ours in rows.values():
        for path in re.findall(r"`cachespec\.([\w.]+)", ours):
            value: Any = cachespec
            name, _, field = path.partition(".")
            value = getattr(value, name)
            if field:
                assert field in value.model_fields


def findings(code: Code, example: str) -> tuple[cachespec.Finding, ...]:
    if code.type == "path":
        try:
            return checked(str(ROOT / example.strip()), None).report.findings
        except CannotRead as error:
            return (error.finding(),)
    if code.type != "config.json":
        return cachespec.check(example, code.type, code.syntax).findings
    try:
        _, warnings = read_config(json.loads(example))
    except cachespec.CachePolicyError as error:
        return error.findings
    return tuple(warnings)


@pytest.fixture
def without_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "why_unavailable", lambda: "state it")


@pytest.mark.usefixtures("without_defaults")
@pytest.mark.parametrize("code", codes().values(), ids=codes().keys())
def test_the_examples_of_a_code_fail_and_pass(code: Code) -> None:
    assert code.meaning
    failing = findings(code, code.failing)
    assert [(finding.code, finding.level) for finding in failing] == [(code.name, code.level)]
    assert findings(code, code.corrected) == ()


def test_every_rule_is_the_page_of_its_code() -> None:
    own = {name for name, value in vars(rules).items() if inspect.isgeneratorfunction(value) and name[0] != "_"}
    for name in own - {"judge"}:
        assert codes()[name.replace("_", "-")].meaning == inspect.getdoc(getattr(rules, name))


def test_every_code_that_the_sources_emit_has_its_page_and_no_other() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src" / "cachespec").rglob("*.py")]
    emitted = {
        code
        for source in sources
        for code in re.findall(r'(?:Mistake|Finding|_add|_stop|_error|refusal)\(\s*"([a-z]+(?:-[a-z]+)*)"', source)
    }
    emitted |= {"too-deep", "too-large"}
    assert emitted == codes().keys()
