"""`cachespec size`: what its users meet, for one layout and for two."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from cachespec.cli import main
from cachespec.cli.commands.size import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "schema" / "v1" / "examples"

GPT_OSS = str(EXAMPLES / "gpt-oss.cachespec.yaml")
GEMMA_4 = str(EXAMPLES / "gemma4.cachespec.yaml")
QWEN = str(EXAMPLES / "qwen3-next.cachespec.yaml")
IN_TRANSFORMERS = str(EXAMPLES / "qwen3-next-transformers.cachespec.yaml")


def options(*paths: str, form: str = "table", batch_size: int = 1, plot: str | None = None) -> Namespace:
    return Namespace(
        paths=list(paths),
        batch_size=batch_size,
        prefix_tokens=4096,
        dtype="bfloat16",
        format=form,
        plot=plot,
        syntax=None,
    )


def test_the_table_has_layers_components_residency_and_a_total(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(options(GPT_OSS)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert rows[:2] == [
        "gpt-oss 120B (eredu)",
        "1 sequence with a prefix of 4,096 tokens, floating tensors as bfloat16",
    ]
    for row in (
        "layers all tokens needed to resume of it fixed per further token",
        "18 x key/value 8 x 64, sliding 128 0, 2, ..., 34 144.00 MiB 4.46 MiB 0 B 0 B",
        "18 x key/value 8 x 64, full 1, 3, ..., 35 144.00 MiB 144.00 MiB 0 B 36,864 B",
        "attention.keys 144.00 MiB 74.23 MiB 0 B 18,432 B",
        "sealable_paged 288.00 MiB 148.46 MiB 0 B 36,864 B",
        "total 36 layers 288.00 MiB 148.46 MiB 0 B 36,864 B",
    ):
        assert row in rows


def test_what_is_optional_is_named_and_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(options(GEMMA_4, batch_size=2)) == 0
    out = capsys.readouterr().out
    assert out.startswith("Gemma 4 text (eredu)\n2 sequences with ")
    assert out.splitlines()[-1] == "not counted, since optional: 36.00 MiB of state.prefix_embedding"


def test_json_and_csv_have_exact_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(options(GPT_OSS, form="json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: found[name] for name in list(found)[:12]} == {
        "file": GPT_OSS,
        "name": "gpt-oss 120B",
        "model_type": "gpt_oss",
        "runtime": "eredu",
        "batch_size": 1,
        "prefix_tokens": 4096,
        "dtype": "bfloat16",
        "total_bytes": 301_989_888,
        "resume_bytes": 155_676_672,
        "fixed_bytes": 0,
        "bytes_per_token": 36_864,
        "optional_bytes": 0,
    }
    assert [layer["resume_bytes"] for layer in found["layers"][:2]] == [127 * 2048, 4096 * 2048]
    assert [part["name"] for part in found["components"]] == ["attention.keys", "attention.values"]
    assert found["residency"][0]["total_bytes"] == found["total_bytes"]

    assert run(options(GPT_OSS, form="csv")) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert len(rows) == 36 + 2 + 1 + 1
    assert rows[-1] == {
        "file": GPT_OSS,
        "part": "total",
        "name": "",
        **{name: str(found[name]) for name in list(found)[7:12]},
    }


def test_two_layouts_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(options(QWEN, IN_TRANSFORMERS)) == 0
    rows = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for row in (
        "A: Qwen3-Next 80B (eredu)",
        "B: Qwen3-Next 80B in transformers (transformers)",
        "state.convolution.0 1.69 MiB 2.25 MiB +576.00 KiB 1.69 MiB 2.25 MiB +576.00 KiB",
        "state.recurrent 72.00 MiB 72.00 MiB 0 B 72.00 MiB 72.00 MiB 0 B",
        "total 169.69 MiB 170.25 MiB +576.00 KiB 169.69 MiB 170.25 MiB +576.00 KiB",
        "of it fixed 73.69 MiB 74.25 MiB +576.00 KiB",
        "per further token 24,576 B 24,576 B 0 B",
    ):
        assert row in rows

    assert run(options(IN_TRANSFORMERS, QWEN, form="json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert [layout["file"] for layout in found["layouts"]] == [IN_TRANSFORMERS, QWEN]
    assert found["difference"]["total_bytes"] == -576 * 1024
    assert found["difference"]["components"][2]["resume_bytes"] == -576 * 1024

    assert run(options(IN_TRANSFORMERS, GPT_OSS, form="csv")) == 0
    rows_of = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    difference = {row["name"]: row["bytes_per_token"] for row in rows_of if row["file"] == "difference"}
    assert difference[""] == str(36_864 - 24_576)
    assert difference["state.recurrent"] == "0"


def test_a_narrow_terminal_loses_no_number(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    for paths in ([QWEN, IN_TRANSFORMERS], [GEMMA_4]):
        assert run(options(*paths)) == 0
        out = capsys.readouterr().out
        assert "\u2026" not in out
        assert max(map(len, out.splitlines())) <= 80
        for row in ("total", "sealable_paged", "always_device_mutable", "attention.keys"):
            assert any(line.strip().startswith(row) for line in out.splitlines())


def test_a_rate_that_is_not_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "third.cachespec.yaml"
    path.write_text(
        "cachespec: 1\n"
        "layers:\n"
        "  - fixed_state:\n"
        "      tensors:\n"
        "        - role: {pooling: {stream: 0, component: pooled}}\n"
        "          shape: [batch, {prefix_tokens_div: 3}]\n"
        "          dtype: floating\n"
        "          residency: sealable_paged\n"
        "          presence: {prefix_at_least: 3}\n",
        encoding="utf-8",
    )
    assert run(options(str(path))) == 0
    assert "0.67 B" in capsys.readouterr().out
    assert run(options(str(path), form="json")) == 0
    assert json.loads(capsys.readouterr().out)["bytes_per_token"] == pytest.approx(2 / 3)


def test_the_plot_is_written_beside_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "two.png"
    assert run(options(QWEN, GPT_OSS, plot=str(picture))) == 0
    out, err = capsys.readouterr()
    assert "total" in out
    assert err == f"wrote {picture}\n"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_plot_that_cannot_be_made_is_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(plot: Path) -> str:
        assert run(options(GPT_OSS, plot=str(plot))) == 2
        out, err = capsys.readouterr()
        assert out == ""
        return err

    assert "an .svg or a .png file" in refused(tmp_path / "picture.pdf")
    assert "No such file" in refused(tmp_path / "missing" / "picture.svg")
    monkeypatch.setitem(sys.modules, "matplotlib.style", None)
    assert "cachespec[plot]" in refused(tmp_path / "picture.svg")
    assert not list(tmp_path.iterdir())


def test_what_has_no_size_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.cachespec.yaml"
    bad.write_text("cachespec: 1\nlayers: [no_stat]\n", encoding="utf-8")
    assert run(options(GPT_OSS, str(bad))) == 1
    assert "bad.cachespec.yaml:2:10: unknown-variant" in capsys.readouterr().out
    assert run(options(str(tmp_path / "missing.yaml"))) == 2
    assert run(options(GPT_OSS, GPT_OSS, GPT_OSS)) == 2
    assert run(options("-", "-")) == 2
    assert run(options(GPT_OSS, batch_size=2**31)) == 1
    assert "out-of-range" in capsys.readouterr().err


def test_the_command_has_defaults_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["size", GPT_OSS]) == 0
    out = capsys.readouterr().out
    assert "1 sequence with a prefix of 4,096 tokens, floating tensors as bfloat16" in out
    arguments = ["--batch-size", "2", "--prefix-tokens", "100", "--dtype", "float32", "--format", "json"]
    assert main(["size", GPT_OSS, *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["batch_size"], found["prefix_tokens"], found["dtype"]) == (2, 100, "float32")
    assert found["total_bytes"] == 2 * 100 * 36 * 2 * 8 * 64 * 4
    with pytest.raises(SystemExit) as stop:
        main(["size", GPT_OSS, "--dtype", "float8"])
    assert stop.value.code == 2


def test_help_shows_an_example_and_the_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["size", "--help"])
    assert stop.value.code == 0
    words = capsys.readouterr().out
    assert "cachespec size " in words.partition("example:")[2]
    assert "(4096)" in words
    assert "(bfloat16)" in words
