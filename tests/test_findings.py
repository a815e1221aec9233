"""The error that carries findings: its text, its identity, and that it survives other processes."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import cachespec
from cachespec import CachePolicyError, CachePolicyWarning, Finding

FINDING = Finding(
    "out-of-range", "error", "`head_dim` is -64", "/layers/0", 4, 7, "write 1 or more", "a.cachespec.yaml"
)


def test_an_error_can_be_pickled_copied_and_compared() -> None:
    error = CachePolicyError([FINDING])
    error.add_note("while reading")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert again == error
        assert again.findings == (FINDING,)
        assert str(again) == str(error)
        assert again.__notes__ == ["while reading"]
    assert copy.copy(error) == copy.deepcopy(error) == error
    assert hash(copy.copy(error)) == hash(error)
    assert error != CachePolicyError([FINDING._replace(line=5)])
    assert error != ValueError(str(error))


def test_a_warning_can_be_pickled() -> None:
    warning = pickle.loads(pickle.dumps(CachePolicyWarning(FINDING)))
    assert warning.finding == FINDING
    assert str(warning) == str(CachePolicyError([FINDING]))


def test_the_text_is_a_line_for_each_finding_with_the_place_that_is_known() -> None:
    text = "out-of-range: `head_dim` is -64 (write 1 or more)"
    assert str(CachePolicyError([FINDING])) == f"a.cachespec.yaml:4:7: {text}"
    assert str(CachePolicyError([FINDING._replace(file=None)])) == f"4:7: {text}"
    unplaced = FINDING._replace(line=None, column=None)
    assert str(CachePolicyError([unplaced])) == f"a.cachespec.yaml:/layers/0: {text}"
    assert str(CachePolicyError([unplaced._replace(file=None)])) == f"/layers/0: {text}"
    assert str(CachePolicyError([unplaced._replace(file=None, path="")])) == text
    two = str(CachePolicyError([FINDING, FINDING._replace(file="a\n::b\x1b[31m")]))
    assert two.splitlines()[1].startswith("a\\n::b\\x1b[31m:4:7: ")


def bad_file(path: Path) -> Path:
    path.write_text("cachespec: 1\nname: bad\nlayers:\n  - key_valu: {attention: full}\n", encoding="utf-8")
    return path


def test_a_bad_file_ends_one_job_of_a_pool_and_not_the_pool(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.cachespec.yaml", bad_file(tmp_path / "bad.cachespec.yaml")
    good.write_text("cachespec: 1\nlayers: [no_state]\n", encoding="utf-8")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(cachespec.load, path) for path in (bad, good)]
        with pytest.raises(CachePolicyError, match="unknown-variant") as error:
            jobs[0].result()
        assert jobs[1].result() == cachespec.load(good)
    assert [finding.line for finding in error.value.findings] == [4]


def test_load_names_the_file_the_line_and_the_column(tmp_path: Path) -> None:
    path = bad_file(tmp_path / "model.cachespec.yaml")
    with pytest.raises(CachePolicyError) as error:
        cachespec.load(path)
    (finding,) = error.value.findings
    assert finding.file == str(path)
    assert str(error.value).startswith(f"{path}:4:5: unknown-variant: ")
