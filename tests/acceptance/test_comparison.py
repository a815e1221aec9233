"""docs/comparison.md: our part of it is what cachespec prints now; the other tools are not asked again."""

from __future__ import annotations

import re

import pytest

import compare_tools
from compare_tools import MISTAKES, OURS, Mistake, Output

PAGE = compare_tools.PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=MISTAKES, ids=lambda mistake: mistake.title)
def mistake(request: pytest.FixtureRequest) -> Mistake:
    found: Mistake = request.param
    return found


@pytest.fixture(scope="module")
def output(mistake: Mistake, tmp_path_factory: pytest.TempPathFactory) -> Output:
    return compare_tools.outputs(mistake, OURS, tmp_path_factory.mktemp("comparison"))["cachespec"]


def test_the_page_has_ten_mistakes() -> None:
    assert len(MISTAKES) == 10
    assert re.findall(r"^## (.*)$", PAGE, re.MULTILINE) == [mistake.title for mistake in MISTAKES]


def test_our_part_is_what_we_print(mistake: Mistake, output: Output) -> None:
    part = "\n\n".join([compare_tools.heading(mistake), compare_tools.block("cachespec", output)])
    assert f"{part}\n\n" in PAGE, "run: python scripts/compare_tools.py"
    assert compare_tools.row(mistake.title, [output.summary(mistake), ""]).removesuffix(" |") in PAGE


def test_we_find_one_mistake_where_it_is_and_name_the_fix(mistake: Mistake, output: Output) -> None:
    assert output.text.endswith("checked 1 document: 1 error, 0 warnings")
    assert output.summary(mistake) == "5 lines: line and column, the fix"


def test_a_long_output_is_cut_and_says_so() -> None:
    lines = [str(number) for number in range(compare_tools.MOST_LINES + 2)]
    assert Output(False, "\n".join(lines)).shown().splitlines() == [*lines[:-2], "(2 more lines)"]
    assert Output(False, "\n".join(lines[:-2])).shown().splitlines() == lines[:-2]


def test_nothing_of_the_machine_is_on_the_page() -> None:
    assert not re.search(r"/tmp/|/home/|/work/", PAGE)
