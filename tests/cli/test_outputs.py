"""Where commands write: what is refused before anything is written, and what is left alone."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cachespec.cli import main
from cachespec.files import replace_file

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "tests" / "configs"
LLAMA = str(CONFIGS / "llama.json")
GPT_OSS = str(ROOT / "schema" / "v1" / "examples" / "gpt-oss.cachespec.yaml")

UNORDERED = "layers: [no_state]\ncachespec: 1\n"
ORDERED = "cachespec: 1\nlayers: [no_state]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name / "m").mkdir(parents=True)
        shutil.copy(LLAMA, tmp_path / name / "m" / "config.json")
    return tmp_path


def test_two_configurations_of_one_name_are_refused_before_anything_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for out in ("out", "there"):
        (folder / "there").mkdir(exist_ok=True)
        assert main(["import", LLAMA, "a/m/config.json", "b/m/config.json", "-o", out]) == 2
        err = capsys.readouterr().err
        assert "a/m/config.json and b/m/config.json" in err
        assert not list((folder / "there").iterdir())
    assert not (folder / "out").exists()


def test_a_new_folder_is_made_for_several(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", LLAMA, "a/m/config.json", "-o", "new/deep"]) == 0
    assert sorted(path.name for path in (folder / "new/deep").iterdir()) == [
        "llama.cachespec.yaml",
        "m.cachespec.yaml",
    ]
    assert main(["import", LLAMA, "-o", "other/"]) == 0
    assert (folder / "other" / "llama.cachespec.yaml").exists()
    (folder / "file").write_text("", encoding="utf-8")
    assert main(["import", LLAMA, "a/m/config.json", "-o", "file"]) == 2
    assert "several configurations" in capsys.readouterr().err


def test_an_output_that_is_the_input_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "a/m/config.json").read_bytes()
    (folder / "link.yaml").symlink_to("a/m/config.json")
    os.link("a/m/config.json", "hard.yaml")
    for output in ("a/m/config.json", "./a/m/../m/config.json", "link.yaml", "hard.yaml"):
        assert main(["import", "a/m/config.json", "-o", output]) == 2
        assert f"{output}: the output is the input a/m/config.json" in capsys.readouterr().err
    assert (folder / "a/m/config.json").read_bytes() == before
    shutil.copy(GPT_OSS, "layout.svg")
    assert main(["size", "layout.svg", "--plot", "layout.svg"]) == 2
    assert Path("layout.svg").read_bytes() == Path(GPT_OSS).read_bytes()


def special_files(folder: Path) -> list[str]:
    os.mkfifo(folder / "pipe.svg")
    names = ["pipe.svg"]
    try:
        # The numbers of the device that takes everything; the device of the machine is not touched.
        os.mknod(folder / "device.svg", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        names.append("device.svg")
    except OSError:
        # Only root may make one.
        pass
    for name in list(names):
        (folder / f"link-{name}").symlink_to(name)
        names.append(f"link-{name}")
    return names


def test_a_device_or_a_pipe_is_no_place_for_an_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in special_files(folder):
        kind = stat.S_IFMT(os.lstat(name).st_mode)
        assert main(["import", LLAMA, "-o", name]) == 2
        assert f"{name}: not a regular file" in capsys.readouterr().err
        assert main(["size", GPT_OSS, "--plot", name]) == 2
        assert f"{name}: not a regular file" in capsys.readouterr().err
        with pytest.raises(OSError, match="not a regular file"):
            replace_file(Path(name), b"")
        assert stat.S_IFMT(os.lstat(name).st_mode) == kind


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_standard_output_is_an_output(output: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cachespec", "import", LLAMA]
    printed = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
    assert subprocess.run([*command, "-o", output], capture_output=True, check=True, timeout=60).stdout == printed
    with open(tmp_path / "file", "wb") as file:
        subprocess.run([*command, "-o", output], stdout=file, check=True, timeout=60)
    assert (tmp_path / "file").read_bytes() == printed
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_plot_that_cannot_be_written_is_named_as_the_user_wrote_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["size", GPT_OSS, "--plot", "missing/./p.svg"]) == 2
    assert capsys.readouterr() == ("", "cachespec: missing/./p.svg: No such file or directory\n")


def test_a_file_with_several_names_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.cachespec.yaml").write_text(UNORDERED, encoding="utf-8")
    os.link("a.cachespec.yaml", "other")
    assert main(["format", "a.cachespec.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "cachespec: a.cachespec.yaml: left alone, since the file has 2 names (hard links)\n"
    assert Path("other").read_text(encoding="utf-8") == UNORDERED
    assert Path("other").samefile("a.cachespec.yaml")


def stdin(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_format_takes_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for text, formatted in (
        (UNORDERED, ORDERED),
        (ORDERED, ORDERED),
        ('{"layers": ["no_state"], "cachespec": 1}', '{\n  "cachespec": 1,\n  "layers": [\n    "no_state"\n  ]\n}\n'),
    ):
        stdin(text, monkeypatch)
        assert main(["format", "-"]) == 0
        assert capsys.readouterr() == (formatted, "")
    stdin("cachespec: 1\nlayers: [no_stat]\n", monkeypatch)
    assert main(["format", "-"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("-:2:10: unknown-variant: ")
    stdin(UNORDERED, monkeypatch)
    assert main(["format", "-", "--check"]) == 1
    assert capsys.readouterr().out == "would reformat: -\n"
    assert main(["format", "-", "a.yaml"]) == 2


def test_format_shows_what_would_change(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "a.cachespec.yaml"
    path.write_text(UNORDERED, encoding="utf-8")
    difference = "--- {0}\n+++ {0}\n@@ -1,2 +1,2 @@\n+cachespec: 1\n layers: [no_state]\n-cachespec: 1\n"
    assert main(["format", "--diff", path.name]) == 1
    out, err = capsys.readouterr()
    assert out == difference.format(path.name)
    assert err == "would reformat: a.cachespec.yaml\n"
    assert path.read_text(encoding="utf-8") == UNORDERED
    if shutil.which("patch"):
        subprocess.run(["patch", "--silent", path.name], input=out, text=True, check=True, timeout=20)
        assert path.read_text(encoding="utf-8") == ORDERED
    stdin(UNORDERED, monkeypatch)
    assert main(["format", "--diff", "-"]) == 1
    assert capsys.readouterr().out == difference.format("-")
    path.write_text(ORDERED, encoding="utf-8")
    assert main(["format", "--diff", path.name]) == 0
    assert capsys.readouterr() == ("", "")
    path.write_text(ORDERED.rstrip(), encoding="utf-8")
    assert main(["format", "--diff", path.name]) == 1
    assert "\\ No newline at end of file\n" in capsys.readouterr().out
