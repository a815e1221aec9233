"""What reaches a terminal and a log: no escape of others, colour only where it is wanted, names whole."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "schema" / "v1" / "examples"
PROGRAM = [sys.executable, "-m", "cachespec"]

# Names of files, none of which may command a terminal or a log.
NAMES = [
    "\x1b[31mred",
    "a\n::error::b",
    "::error::c",
    " ::error::d",
    "e\r::error::e",
    "c1\x9b31m",
    "bidi\u202egnp",
    "\u2066isolate",
    "line\u2028separator",
    "\x07bell",
]
BAD = "cachespec: 1\nlayers: [no_stat]\n"
# Escapes in texts: raw in JSON (those that JSON allows) and escaped in YAML.
TEXTS = {
    "json": '{"cachespec": 1, "name": "\x9b31m\u202e\\u001b[31m", "layers": ["\x9b31m\u202e", "\\u001b[31m\\n::x"]}',
    "yaml": 'cachespec: 1\n"\\e[31m\\n::warning::": 1\nlayers: ["\\e[31m", "\u202e"]\n',
}


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    result = subprocess.run(
        [*PROGRAM, *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )
    assert b"Traceback" not in result.stderr
    return result


def commands_nothing(output: bytes) -> None:
    text = output.decode("utf-8")
    # The headings of a table of two have blanks that are not broken at.
    assert all(c.isprintable() or c in "\n\xa0" for c in text)
    # GitHub's runner looks past blanks.
    for line in text.splitlines():
        assert not line.lstrip().startswith("::") or line.startswith(("::error file=", "::warning file="))


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_no_name_and_no_text_commands_a_log(form: str, tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / f"{name}.cachespec.yaml").write_text(BAD, encoding="utf-8")
    for syntax, text in TEXTS.items():
        (tmp_path / f"text.cachespec.{syntax}").write_text(text, encoding="utf-8")
    missing = [f"{name}.missing" for name in NAMES]
    result = run(tmp_path, "check", "--format", form, *sorted(os.listdir(tmp_path)), *missing)
    assert result.returncode == 2
    commands_nothing(result.stdout)
    commands_nothing(result.stderr)
    if form == "json":
        files = {finding["file"] for finding in json.loads(result.stdout)["findings"]}
        assert files >= {f"{name}.cachespec.yaml" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_no_command_says_a_name_as_it_is(name: str, tmp_path: Path) -> None:
    path = f"{name}.cachespec.json"
    (tmp_path / path).write_text('{"layers": ["no_state"], "cachespec": 1, "name": "\\u001b[1m::x"}', encoding="utf-8")
    for arguments in (
        ["size", path],
        ["size", path, path],
        ["size", path, "--format", "csv"],
        ["size", path, "--format", "json"],
        ["components", path, "--layer", "5"],
        ["format", "--check", path],
        ["format", "--diff", path],
        ["format", path],
        ["import", path],
        ["import", path, "-o", path],
        ["explain", name],
        ["schema", name],
        ["check", path, "--type", name],
        ["check", path, f"--{name}"],
        ["size", path, "--plot", name],
        [name],
    ):
        result = run(tmp_path, *arguments)
        commands_nothing(result.stdout)
        commands_nothing(result.stderr)


pty = pytest.mark.skipif(sys.platform == "win32" or not shutil.which("script"), reason="needs the program `script`")


def on_terminal(folder: Path, command: str, columns: int = 80, **environment: str) -> str:
    inner = f"stty cols {columns}; {' '.join(PROGRAM)} {command}"
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    result = subprocess.run(
        ["script", "--quiet", "--return", "--command", inner, os.devnull],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
        env={**kept, "TERM": "xterm-256color", **environment},
    )
    return result.stdout.decode("utf-8").replace("\r\n", "\n")


@pty
def test_no_color_means_no_bold_either(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BAD, encoding="utf-8")
    layout = EXAMPLES / "gpt-oss.cachespec.yaml"
    for command in ("check a.yaml", f"size {layout}", f"components {layout}"):
        assert "\x1b[1m" in on_terminal(tmp_path, command) or "\x1b[1;31m" in on_terminal(tmp_path, command)
        assert "\x1b" not in on_terminal(tmp_path, command, NO_COLOR="1")


@pty
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_names_in_narrow_tables_are_whole(columns: int, tmp_path: Path) -> None:
    v4 = EXAMPLES / "deepseek-v4.cachespec.yaml"
    listed = run(tmp_path, "components", str(v4), "--format", "json")
    shown = on_terminal(tmp_path, f"components {v4}", columns)
    for row in json.loads(listed.stdout):
        for word in (row["name"], row["dtype"], row["residency"]):
            assert word in shown
    sized = run(tmp_path, "size", str(v4), "--format", "json")
    for command in (f"size {v4}", f"size {v4} {EXAMPLES / 'deepseek-v3.cachespec.yaml'}"):
        shown = on_terminal(tmp_path, command, columns)
        for part in ("components", "residency"):
            assert all(row["name"] in shown for row in json.loads(sized.stdout)[part])


def test_a_shell_completes_commands_options_and_files(tmp_path: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = run(tmp_path, "completion", shell)
        assert (script.returncode, script.stderr) == (0, b"")
        assert b"components" in script.stdout
        assert b"prefix-tokens" in script.stdout
    if not shutil.which("bash"):
        pytest.skip("no bash to complete in")
    (tmp_path / "a.cachespec.yaml").write_text(BAD, encoding="utf-8")
    (tmp_path / "completion").write_bytes(run(tmp_path, "completion", "bash").stdout)

    def completed(*words: str) -> list[str]:
        quoted = " ".join(f"'{word}'" for word in words)
        ask = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; $function cachespec; "
        ask += "printf '%s\\n' \"${COMPREPLY[@]}\""
        find = "function=$(complete -p cachespec | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
        result = subprocess.run(
            ["bash", "-c", f"source ./completion; {find}; {ask}"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        )
        return result.stdout.split()

    assert set(completed("cachespec", "c")) == {"check", "components", "completion"}
    assert "--prefix-tokens" in completed("cachespec", "size", "--p")
    assert "a.cachespec.yaml" in completed("cachespec", "check", "a.c")
