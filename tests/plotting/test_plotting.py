"""Pictures: what is in them, that they are the same in every run, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import cachespec
import pictures
from cachespec import CacheLayout, CachePolicyError
from cachespec.layouts.labels import groups, in_units, kept, layer_numbers, per_token, title
from cachespec.layouts.sizing import size
from cachespec.plotting.curves import curves, token_range
from cachespec.plotting.picture import MOST_LAYERS, plot
from pictures import example

FRESH = "import sys; sys.modules['matplotlib'] = None\n"


def texts(path: Path) -> list[str]:
    """The words of an .svg, which stand in it as text."""
    root = ElementTree.fromstring(path.read_bytes())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    title = root.findtext("{http://www.w3.org/2000/svg}title")
    assert title
    return [title, *("".join(element.itertext()).strip() for element in root.iter("{http://www.w3.org/2000/svg}text"))]


def test_a_picture_names_the_model_the_components_the_windows_and_the_layers(tmp_path: Path) -> None:
    path = tmp_path / "gpt-oss.svg"
    plot(example("gpt-oss"), path)
    words = texts(path)
    for line in (
        "gpt-oss 120B (eredu)",
        "batch size 1, floating tensors as bfloat16",
        "needed to resume, GiB",
        "bytes at 131,072 tokens",
        "attention.keys: 2.25 GiB",
        "attention.values: 2.25 GiB",
        "all tokens, no window: 9.00 GiB",
        "window 128 full (18 layers)",
        "the first 1,024 tokens",
        "36 layers",
        "18 x key/value 8 x 64, sliding 128",
        "18 x key/value 8 x 64, full",
    ):
        assert line in words


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("qwen3-next", ["state.recurrent: 72.00 MiB", "state.convolution: 1.69 MiB", "12 x key/value 2 x 256, full"]),
        ("deepseek-v4", ["attention.keys: 5.46 MiB", "20 x key only 1 x 512, sliding 128 + pooling by 4"]),
        ("deepseek-v3", ["attention.compressed_latent: 7.62 GiB", "61 x latent 512 + rotary 64, full"]),
        ("gemma3n", ["15 x no state", "window 512 full (16 layers)"]),
        ("mamba2", ["needed to resume, MiB", "64 x state: convolution, recurrent"]),
        ("nemotron-h", ["attention.keys: 256.00 MiB", "4 layers"]),
    ],
)
def test_every_kind_of_component_and_layer_has_its_name(name: str, parts: list[str], tmp_path: Path) -> None:
    plot(example(name), tmp_path / "picture.svg")
    assert set(parts) <= set(texts(tmp_path / "picture.svg"))


def test_two_layouts_stand_side_by_side(tmp_path: Path) -> None:
    plot([example("qwen3-next"), example("gpt-oss")], tmp_path / "two.svg", batch_size=2, dtype="float32")
    words = texts(tmp_path / "two.svg")
    assert words[0] == "Qwen3-Next 80B (eredu), gpt-oss 120B (eredu)"
    assert {"Qwen3-Next 80B (eredu)", "gpt-oss 120B (eredu)", "48 layers", "36 layers"} <= set(words)
    assert words.count("batch size 2, floating tensors as float32") == 2
    assert words.count("needed to resume, GiB") == 2


@pytest.mark.parametrize("suffix", [".svg", ".png", ".PNG"])
def test_a_picture_is_the_same_in_every_run(suffix: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
    plot(example("deepseek-v4"), first)
    script = "import sys; from pictures import example; from cachespec.plotting.picture import plot;"
    script += "import matplotlib; matplotlib.rcParams['font.size'] = 20;"
    script += "plot(example('deepseek-v4'), sys.argv[1])"
    subprocess.run([sys.executable, "-c", script, str(second)], check=True, cwd=pictures.ROOT / "scripts")
    assert first.read_bytes() == second.read_bytes()
    if suffix != ".svg":
        assert first.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == [first.name, second.name]


def test_the_state_of_the_process_is_left_alone(tmp_path: Path) -> None:
    script = (
        "import sys, matplotlib; matplotlib.rcParams['svg.hashsalt'] = 'mine'; before = matplotlib.rcParams.copy();"
        "from pictures import example; from cachespec.plotting.picture import plot;"
        "plot(example('gpt-oss'), sys.argv[1]); assert matplotlib.rcParams.copy() == before;"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    command = [sys.executable, "-W", "error", "-c", script, str(tmp_path / "picture.svg")]
    subprocess.run(command, check=True, cwd=pictures.ROOT / "scripts")


def test_without_matplotlib_the_extra_is_named(tmp_path: Path) -> None:
    script = FRESH + "import cachespec, cachespec.plotting.picture as plotting\n"
    script += "plotting.plot(cachespec.CacheLayout(cachespec=1, layers=('no_state',)), sys.argv[1])"
    command = [sys.executable, "-c", script, str(tmp_path / "picture.svg")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        "ImportError: a picture needs matplotlib, which is not installed: pip install 'cachespec[plot]'"
    )
    assert not list(tmp_path.iterdir())


def test_what_no_picture_can_show_is_refused(tmp_path: Path) -> None:
    one, path = example("gpt-oss"), tmp_path / "picture.svg"
    for name in ("picture", "picture.pdf", "picture.svg.gz", ".svg"):
        with pytest.raises(ValueError, match=r"an \.svg or a \.png file"):
            plot(one, tmp_path / name)
    for layouts in ([], [one] * 3):
        with pytest.raises(ValueError, match="one layout or two"):
            plot(layouts, path)
    with pytest.raises(ValueError, match="at most 2,048 layers"):
        plot(CacheLayout(cachespec=1, layers=[*one.layers] * MOST_LAYERS), path)
    for range_ in ((0, 8), (8, 8), (9, 8)):
        with pytest.raises(ValueError, match="shortest prefix"):
            plot(one, path, prefix_tokens=range_)
    with pytest.raises(CachePolicyError, match="unknown dtype"):
        plot(one, path, dtype="float8")
    with pytest.raises(OSError, match="No such file"):
        plot(one, tmp_path / "missing" / "picture.svg")
    assert not list(tmp_path.iterdir())


def test_a_picture_that_cannot_be_replaced_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "picture.svg"
    path.write_text("old", encoding="utf-8")

    def refuse(source: object, target: object) -> None:
        raise PermissionError("refused")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        plot(example("llama"), path)
    assert [(left.name, left.read_text(encoding="utf-8")) for left in tmp_path.iterdir()] == [("picture.svg", "old")]


@pytest.mark.parametrize("batch_size", [0, 1])
def test_odd_layouts_have_pictures_too(batch_size: int, tmp_path: Path) -> None:
    windows = [cachespec.key_value(cachespec.sliding(n), 2, 64) for n in (1, 2, 100, 110, 120, 130, 2**31 - 1)]
    full = [cachespec.key_value(cachespec.full(), heads, 64) for heads in range(1, 9)]
    odd = CacheLayout(
        cachespec=1,
        name="$x^ <&> \x00\x1b\n" + "y" * 100,
        rank=cachespec.CacheRankIdentity(stage_rank=1),
        layer_count=99,
        global_layer_start=7,
        layers=(*windows, *full, "no_state"),
    )
    plot(odd, tmp_path / "odd.svg", batch_size)
    words = texts(tmp_path / "odd.svg")
    assert "$x^ <&> " + "y" * 49 + "... (stage 1)" in words
    assert {"16 of 99 layers", "7 more kinds", "7"} <= set(words)
    for suffix in ("svg", "png"):
        plot(
            CacheLayout(cachespec=1, name="\u6a21\u578b", layers=("no_state",)), tmp_path / f"none.{suffix}", batch_size
        )
    assert "\u6a21\u578b" in texts(tmp_path / "none.svg")


def test_curves_are_the_sizes_at_their_points() -> None:
    for name in ("gpt-oss", "qwen3-next", "deepseek-v4", "gemma4", "deepseek-v4-last-stage"):
        one = example(name)
        drawn = curves(one, 2, "float16", 16, 5000)
        assert list(drawn.tokens) == sorted(set(drawn.tokens))
        for place, tokens in list(enumerate(drawn.tokens))[::7]:
            sized = size(one, 2, tokens, "float16")
            assert drawn.to_resume[place] == sized.resume_bytes
            assert drawn.all_tokens[place] == sized.total_bytes


def test_curves_show_pending_rows_at_their_fullest_and_windows_where_they_fill_up() -> None:
    drawn = curves(example("deepseek-v4"), 1, "bfloat16", 16, 5000)
    assert all(tokens % 128 == 127 for tokens in drawn.tokens if tokens > 128)
    assert drawn.windows == {128: 44}
    assert 127 in drawn.tokens
    assert curves(example("deepseek-v4"), 1, "bfloat16", 200, 300).windows == {}


def test_the_range_shows_every_window() -> None:
    def sliding(*windows: int) -> tuple[CacheLayout, ...]:
        layers = tuple(cachespec.key_only(cachespec.sliding(window), 1, 1) for window in windows)
        return (CacheLayout(cachespec=1, layers=layers),)

    assert token_range((example("llama"),)) == (16, 131_072)
    assert token_range(sliding(1, 5)) == (4, 131_072)
    assert token_range(sliding(128, 1_000_001)) == (16, 2_000_000)
    assert token_range(sliding(2**31 - 1)) == (16, 2**31 - 1)


def test_the_words_of_tables_and_pictures() -> None:
    assert title(CacheLayout(cachespec=1, layers=("no_state",))) == "unnamed layout"
    assert title(CacheLayout(cachespec=1, model_type="m", runtime="r", layers=("no_state",))) == "m (r)"
    assert [in_units(n) for n in (0, 1023, 1024, -1536, 3 * 2**30)] == [
        "0 B",
        "1,023 B",
        "1.00 KiB",
        "-1.50 KiB",
        "3.00 GiB",
    ]
    assert per_token(1024) == "1,024 B"
    assert layer_numbers([3]) == "3"
    assert layer_numbers([0, 1, 2, 5, 8, 9]) == "0-2, 5, 8-9"
    assert layer_numbers(range(0, 36, 2)) == "0, 2, ..., 34"
    (first, *_), last = groups(example("gemma4")), groups(example("deepseek-v4"))[-1]
    assert kept(first.policy) == "key/value 4 x 256, sliding 512 + prefix embedding"
    assert (kept(last.policy, last.offset), last.layers) == ("key only 1 x 512, sliding 128, 1 behind", (43,))


def test_the_page_and_its_pictures_are_what_the_code_says(tmp_path: Path) -> None:
    assert pictures.PAGE.read_text(encoding="utf-8") == pictures.page(), "run: python scripts/pictures.py"
    # The picture of speed is made by the benchmark.
    assert {path.stem for path in pictures.FOLDER.iterdir()} - {"speed"} == set(pictures.PICTURES)
    for name in pictures.PICTURES:
        # Another version of matplotlib may place things differently; the words and numbers are the same.
        pictures.draw(name, tmp_path / f"{name}.svg")
        assert sorted(texts(pictures.FOLDER / f"{name}.svg")) == sorted(texts(tmp_path / f"{name}.svg"))
