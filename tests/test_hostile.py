"""Files that are not what they seem: a finding or a clear refusal each, in bounded memory, without a hang."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import cachespec
from cachespec.reading import quick_json, quick_yaml, reader, thorough
from cachespec.reading.document import MAX_BYTES, MAX_DEPTH, MAX_NODES

# No case takes longer than two seconds on an idle machine; the limit here only tells a hang from a busy one.
HANG = 60
MEMORY = 300 * 2**20


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str
    peak: int


# The peak that Linux keeps for the program itself; what getrusage says can be that of the process that started it.
MEASURE = """
import re, resource, sys
from cachespec.cli import main
try:
    status = main(sys.argv[1:])
finally:
    try:
        peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print("peak", peak, file=sys.stderr)
sys.exit(status)
"""


def check(path: Path, *arguments: str) -> Outcome:
    """Runs the command in a process of its own and reads off its peak memory, in bytes."""
    command = [sys.executable, "-c", MEASURE, "check", str(path), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG)
    *err, peak = result.stderr.splitlines()
    unit = 1 if sys.platform == "darwin" else 1024
    measured = int(peak.split()[1]) * unit
    assert measured > 10 * 2**20
    return Outcome(result.returncode, result.stdout, "\n".join(err), measured)


GOOD = "{key_value: {attention: full, num_key_value_heads: 8, head_dim: 128}}"
LETTERS = "abcdefghi"


def alias_bomb() -> str:
    lines = ["x0: &x0 [a, a, a, a, a, a, a, a, a, a]"]
    lines += [f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 10)}]" for n in range(1, 40)]
    return "cachespec: 1\n" + "\n".join(lines) + "\n"


TEXTS: dict[str, tuple[str, Callable[[], str | bytes], str]] = {
    "alias-bomb.yaml": ("too-large", alias_bomb, ""),
    "many-aliases.yaml": ("too-large", lambda: f"cachespec: 1\nlayers:\n- &a {GOOD}\n" + "- *a\n" * 200_000, ""),
    "unknown-keys.yaml": (
        "unknown-field",
        lambda: "cachespec: 1\nlayers: [no_state]\n" + "".join(f"head_dim_{n}: 1\n" for n in range(200_000)),
        "199,900 more findings",
    ),
    "unknown-keys.json": (
        "unknown-field",
        lambda: '{"cachespec": 1, "layers": ["no_state"]' + "".join(f', "k{n}": 1' for n in range(200_000)) + "}",
        "199,900 more findings",
    ),
    "bad-layers.yaml": (
        "out-of-range",
        lambda: "cachespec: 1\nlayers:\n" + f"- {GOOD.replace('128', '0')}\n" * 10_000,
        "9,900 more findings",
    ),
    "brackets.yaml": ("too-deep", lambda: "[" * 100_000, ""),
    "brackets.json": ("too-deep", lambda: "[" * 100_000, ""),
    "closed-brackets.json": ("too-deep", lambda: "[" * 100_000 + "]" * 100_000, ""),
    "objects.json": ("too-deep", lambda: '{"a":' * 100_000, ""),
    "block-nest.yaml": ("too-deep", lambda: "- " * 100_000, ""),
    "keys-nest.yaml": ("too-deep", lambda: "? " * 100_000, ""),
    "long-integer.json": (
        "out-of-range",
        lambda: '{"cachespec": 1, "layers": ["no_state"], "layer_count": ' + "9" * 10**6 + "}",
        "",
    ),
    "long-integer.yaml": ("out-of-range", lambda: "cachespec: 1\nlayers: [no_state]\nlayer_count: " + "9" * 10**6, ""),
    "long-key.yaml": ("unknown-field", lambda: "cachespec: 1\nlayers: [no_state]\n? " + "k" * 10**6 + "\n: 1\n", ""),
    "long-tag.yaml": ("unsupported-yaml", lambda: "cachespec: 1\nlayers: [!" + "k" * 10**6 + " no_state]\n", ""),
    "binary.yaml": ("encoding", lambda: bytes(range(256)) * 100, ""),
    "nuls.json": ("syntax", lambda: b"\x00" * 1000, ""),
    "truncated.json": ("syntax", lambda: '{"cachespec": 1, "layers": ["no_sta', ""),
    "utf-16.yaml": ("encoding", lambda: "cachespec: 1\nlayers: [no_state]\n".encode("utf-16"), ""),
    "empty.yaml": ("unknown-document", lambda: "", ""),
    "empty.json": ("unknown-document", lambda: "", ""),
}


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_end_in_findings(name: str, tmp_path: Path) -> None:
    code, make, last_line = TEXTS[name]
    text = make()
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    outcome = check(path)
    assert outcome.status == 1
    assert f": {code}: " in outcome.out
    assert last_line in outcome.out.splitlines()[-1]
    assert "Traceback" not in outcome.out + outcome.err
    assert max(map(len, outcome.out.splitlines())) < 1000
    assert outcome.peak < MEMORY


def test_a_sparse_file_of_a_gigabyte_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "sparse.yaml"
    with path.open("wb") as file:
        file.truncate(2**30)
    outcome = check(path)
    assert (outcome.status, ": too-large: " in outcome.out) == (1, True)
    assert outcome.peak < MEMORY


@pytest.mark.parametrize("kind", ["fifo", "device", "missing", "forbidden", "dangling"])
def test_what_is_no_readable_file_ends_with_2_and_a_sentence(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.cachespec.yaml"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    elif kind == "dangling":
        path.symlink_to(tmp_path / "nowhere")
    elif kind == "forbidden":
        path.write_text("cachespec: 1\n", encoding="utf-8")
        path.chmod(0)
        if os.access(path, os.R_OK):
            # Root reads everything; a folder entry below a file is refused to root as well.
            path = path / "below"
    outcome = check(path)
    assert outcome.status == 2
    assert outcome.out == ""
    assert str(path) in outcome.err
    assert "Traceback" not in outcome.err


def test_a_folder_without_documents_ends_with_2(tmp_path: Path) -> None:
    outcome = check(tmp_path)
    assert outcome.status == 2
    assert "no documents found" in outcome.err


def test_a_file_that_changes_while_it_is_read_is_judged_as_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "a.cachespec.yaml"
    path.write_text("cachespec: 1\nlayers: [no_stat]\n", encoding="utf-8")
    script = (
        "import pathlib, sys; from cachespec.cli import documents, main\n"
        "read = documents.contents\n"
        "def then_change(path):\n"
        "    data = read(path)\n"
        "    pathlib.Path(path).write_text('x')\n"
        "    return data\n"
        "documents.contents = then_change\n"
        "sys.exit(main(['check', sys.argv[1]]))\n"
    )
    result = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "layers: [no_stat]" in result.stdout


@pytest.mark.parametrize("syntax", ["json", "yaml"])
def test_the_limit_of_depth(syntax: str) -> None:
    def codes(levels: int) -> list[str]:
        text = "[" * levels + "]" * levels
        return [finding.code for finding in cachespec.check(text, type="FixedState", syntax=syntax).findings]

    assert codes(MAX_DEPTH) == ["non-canonical"]
    assert codes(MAX_DEPTH + 1) == ["too-deep"]


def test_the_depth_behind_an_alias_counts() -> None:
    def codes(levels: int) -> list[str]:
        deep = "[" * levels + "]" * levels
        text = f"tensors: [&a {deep}, {'[' * 30}*a{']' * 30}]"
        return [finding.code for finding in cachespec.check(text, type="FixedState", syntax="yaml").findings]

    assert "too-deep" not in codes(MAX_DEPTH - 32)
    assert codes(MAX_DEPTH - 31) == ["too-deep"]


def codes_of_many(layers: int, syntax: str) -> list[str]:
    text = '{"cachespec":1,"layers":[' + ",".join(['"no_state"'] * layers) + "]}"
    return [finding.code for finding in cachespec.check(text, syntax=syntax).findings]


# The document, two keys, the version and the list are five nodes beside the layers.


def test_the_limit_of_nodes() -> None:
    assert codes_of_many(MAX_NODES - 5, "yaml") == []
    assert codes_of_many(MAX_NODES - 4, "yaml") == ["too-large"]


@pytest.mark.parametrize("syntax", ["json", "yaml"])
def test_a_lower_limit_of_nodes(syntax: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with a limit that is reached sooner, in every way to read."""
    for module in (thorough, quick_json, quick_yaml):
        monkeypatch.setattr(module, "MAX_NODES", 1000)
    assert codes_of_many(995, syntax) == []
    assert codes_of_many(996, syntax) == ["too-large"]
    for layers, complete in ((995, True), (996, False)):
        text = '{"cachespec":1,"layers":[' + ",".join(['"no_state"'] * layers) + "]}"
        assert reader.read_closely(text, "json" if syntax == "json" else "yaml").complete is complete


def test_the_limit_of_size() -> None:
    def codes(size: int) -> list[str]:
        text = "cachespec: 1\nlayers: [no_state]\n# "
        return [finding.code for finding in cachespec.check(text + "x" * (size - len(text)), syntax="yaml").findings]

    assert codes(MAX_BYTES) == []
    assert codes(MAX_BYTES + 1) == ["too-large"]
    assert [finding.code for finding in cachespec.check("é" * (MAX_BYTES // 2 + 1)).findings] == ["too-large"]
