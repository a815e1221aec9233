"""The command as a process: interrupted, killed, with closed streams, and with workers that die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "cachespec"]
GOOD = "cachespec: 1\nlayers: [no_state]\n"
BAD = "cachespec: 1\nlayers: [no_stat]\n"

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks up processes in /proc")


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Files that take several processes some seconds each."""
    slow = "cachespec: 1\nlayers:\n" + "  - {fixed_state: {tensors: [{role: recurrent}]}}\n" * 400
    for number in range(100):
        (tmp_path / f"{number:03}.cachespec.yaml").write_text(slow, encoding="utf-8")
    return tmp_path


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(reached: object, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    assert callable(reached)
    while not reached():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


@pytest.fixture
def pool(many: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A check of many files that is at work, in a session of its own, and its workers."""
    command = [*PROGRAM, "check", str(many), "--format", "json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        until(lambda: len(children(process.pid)) > 1)
        time.sleep(0.3)
        workers = children(process.pid)
        yield process, workers
        process.kill()


several_cores = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core needs no second process")


@several_cores
@pytest.mark.parametrize("everyone", [True, False], ids=["the terminal", "the parent alone"])
def test_an_interrupt_of_many_processes_is_one_line(
    pool: tuple[subprocess.Popen[str], list[int]], everyone: bool
) -> None:
    process, workers = pool
    start = time.monotonic()
    (os.killpg if everyone else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - start < 3
    assert (process.returncode, out, err) == (130, "", "cachespec: interrupted\n")
    until(lambda: not any(map(alive, workers)))


@several_cores
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_parent(pool: tuple[subprocess.Popen[str], list[int]], how: signal.Signals) -> None:
    process, workers = pool
    process.send_signal(how)
    # This waits until nobody holds the streams open.
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (-how, "", "")
    until(lambda: not any(map(alive, workers)))


@several_cores
def test_a_worker_that_dies_costs_its_file_and_no_other(pool: tuple[subprocess.Popen[str], list[int]]) -> None:
    process, workers = pool
    os.kill(workers[0], signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert err.count("\n") == 1
    assert "has ended (killed by signal 9)" in err
    report = json.loads(out)
    assert report["checked"] == 99
    assert len({finding["file"] for finding in report["findings"]}) == 100
    (died,) = [finding for finding in report["findings"] if finding["code"] == "cannot-read"]
    assert died["file"] in err


@pytest.mark.parametrize("arguments", [["check", "-"], ["import", "-"], ["format", "-"], ["size", "-"]])
def test_an_interrupt_of_one_process_is_one_line(arguments: list[str]) -> None:
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wchan = Path(f"/proc/{process.pid}/syscall")
        # System call 0 is read on x86-64; elsewhere, or where nobody may see it, a second is long enough.
        end = time.monotonic() + (5 if os.uname().machine == "x86_64" and os.access(wchan, os.R_OK) else 1)
        while time.monotonic() < end and not reading_input(wchan):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "cachespec: interrupted\n")


def reading_input(syscall: Path) -> bool:
    try:
        return syscall.read_text(encoding="utf-8").startswith("0 0x0 ")
    except OSError:
        return False


def test_standard_input_beside_many_files_is_read(tmp_path: Path) -> None:
    for number in range(80):
        (tmp_path / f"{number:03}.cachespec.yaml").write_text(GOOD, encoding="utf-8")
    files = sorted(map(str, tmp_path.iterdir()))
    for paths in (["-", *files], [*files, "-"]):
        command = [*PROGRAM, "check", "--format", "json", *paths]
        result = subprocess.run(command, input=BAD, capture_output=True, text=True, check=False, timeout=60)
        assert result.returncode == 1, result.stderr
        report = json.loads(result.stdout)
        assert (report["checked"], [finding["file"] for finding in report["findings"]]) == (81, ["-"])


def shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    program = " ".join(PROGRAM)
    return subprocess.run(
        ["sh", "-c", command.replace("cachespec", program, 1)],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


# A command, what its streams are, and its status: 2 where output is lost, else as if nothing were wrong.
STREAMS = [
    ("cachespec check bad.cachespec.yaml >&-", 2),
    ("cachespec check good.cachespec.yaml >&-", 0),
    ("cachespec check good.cachespec.yaml 2>&-", 0),
    ("cachespec check bad.cachespec.yaml 2>&-", 1),
    ("cachespec check missing.yaml 2>&-", 2),
    ("cachespec check good.cachespec.yaml >&- 2>&-", 0),
    ("cachespec check - <&-", 2),
    ("cachespec format - <&-", 2),
    ("cachespec check bad.cachespec.yaml >/dev/full", 2),
    ("cachespec check bad.cachespec.yaml --format json >/dev/full", 2),
    ("cachespec check bad.cachespec.yaml --format sarif >/dev/full", 2),
    ("cachespec check missing.yaml 2>/dev/full", 2),
    ("cachespec check good.cachespec.yaml 2>/dev/full", 0),
    ("cachespec check bad.cachespec.yaml 2>/dev/full", 1),
    ("cachespec --help >/dev/full", 2),
    ("cachespec check --lax 2>/dev/full", 2),
    ("cachespec components good.cachespec.yaml >/dev/full", 2),
    ("cachespec size good.cachespec.yaml >/dev/full", 2),
    ("cachespec size good.cachespec.yaml >&-", 2),
    ("cachespec format - <good.cachespec.yaml >/dev/full", 2),
    ("cachespec format - <good.cachespec.yaml >&-", 2),
    ("cachespec explain syntax >&-", 2),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(("command", "status"), STREAMS, ids=[command for command, _ in STREAMS])
def test_streams_that_take_nothing_are_no_traceback(command: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "good.cachespec.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.cachespec.yaml").write_text(BAD, encoding="utf-8")
    result = shell(command, tmp_path)
    assert b"Traceback" not in result.stderr
    assert b"Exception" not in result.stderr
    assert result.returncode == status, result.stderr


ENCODINGS = [
    {"PYTHONIOENCODING": "cp1252"},
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "POSIX", "PYTHONIOENCODING": "latin-1"},
]
COMMANDS = [
    "check . --format text",
    "check . --format json",
    "check . --format github",
    "check . --format sarif",
    "size snow☃.cachespec.json",
    "size snow☃.cachespec.json --format json",
    "size snow☃.cachespec.json --format csv",
    "components snow☃.cachespec.json",
    "format --diff snow☃.cachespec.json",
    "format --check .",
    "check missing☃.yaml",
]


@pytest.mark.parametrize("environment", ENCODINGS, ids=str)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_encoding_is_good_enough(command: str, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "snow☃.cachespec.json").write_text(
        '{"layers": ["no_state"], "cachespec": 1, "name": "☃"}', encoding="utf-8"
    )
    (tmp_path / "bad☃.cachespec.yaml").write_text("cachespec: 1\nlayers: [no_☃]\n", encoding="utf-8")
    with open(os.fsencode(tmp_path) + b"/\xff\xfe.cachespec.yaml", "w", encoding="utf-8") as file:
        file.write(BAD)
    result = shell(f"cachespec {command}", tmp_path, **environment)
    assert b"Traceback" not in result.stderr
    assert result.returncode == (1 if command.startswith(("check .", "format")) else 2 if "missing" in command else 0)
    if "json" in command.split() or "sarif" in command:
        json.loads(result.stdout.decode("ascii"))


def test_a_document_on_standard_output_is_utf_8(tmp_path: Path) -> None:
    text = 'cachespec: 1\nname: "☃"\nlayers: [no_state]\n'
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    for environment in ENCODINGS:
        result = shell("cachespec format - < a.yaml", tmp_path, **environment)
        assert (result.returncode, result.stdout.decode("utf-8")) == (0, text), result.stderr
