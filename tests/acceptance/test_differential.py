"""The package and the original answer the same documents, made at random: new ones in every run.

`CACHESPEC_SEED` repeats a run. With `CI` set there are ten times as many documents.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import cachespec
from cachespec.layouts.models import model_of, plain_value
from cachespec.validation.codes import codes
from tests.conformance import reference
from tests.conformance.run import DTYPE_NAMES, FOLDER, Vector, failures
from tests.consumers.agreement import differences, reasons
from tests.consumers.answers import answered, completed
from tests.consumers.cases import Cases
from tests.consumers.original import Answer, Ask, Program, Question, original
from tests.consumers.shrinking import shrunk
from tests.tools import Tell

pytestmark = [pytest.mark.consumers, pytest.mark.oracle]

SEED = int(os.environ.get("CACHESPEC_SEED") or time.time_ns() % 10**9)
DOCUMENTS = 5_000 if os.environ.get("CI") else 500

# Half of the documents are layers, and whole layouts are mostly layers too.
KINDS = [*(["LayerCachePolicy"] * len(reference.TYPES)), *(["CacheLayout"] * 4), *sorted(reference.TYPES)]
PROBES = [(1, 0), (2, 9), (0, 4096), (3, 2**31 - 1), (2**31, 2**31), (1, 2**40)]

# Which findings a reason to be stricter can lead to; a bad value beside it would lead to another one.
CODES = {
    # The original passes over what an unknown field holds.
    "S1": {"unknown-field", "encoding", "not-finite"},
    "S2": {"non-canonical"},
    "S3": {"non-canonical", "wrong-type"},
    "S4": {"duplicate-key"},
    "S5": {"out-of-range"},
    "S7": {"block-range-empty", "out-of-range"},
    "S8": {"residency-mismatch", "scalar-not-alone", "too-few-items"},
}


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    with original() as running:
        yield running


@pytest.fixture
def cases(request: pytest.FixtureRequest) -> Cases:
    """A source for one test, so that the tests of a run can be repeated one by one."""
    return Cases(f"{SEED} {request.node.name}")


# --- documents -------------------------------------------------------------------------------------------


def canonical(value: Any) -> str:
    """The canonical text of a value, whether or not it breaks a rule."""
    return json.dumps(plain_value(value), ensure_ascii=False, separators=(",", ":"))


def disagreements(kind: str, text: str, ask: Ask) -> list[str]:
    """Where the original answers otherwise about a document than the package."""
    try:
        vector = answered(kind, text, PROBES)
    except Exception as error:  # whatever it is, no document may raise it
        return [f"the package raises {error!r}"]
    found = differences(vector, ask)
    if vector["verdict"] == "refuse":
        found += _reasons_and_findings(vector)
    elif kind == "LayerCachePolicy":
        found += _facts(text, ask)
    return found


def _reasons_and_findings(vector: Vector) -> list[str]:
    """What only the original accepts is refused for its reasons, and for nothing else."""
    stricter = vector.get("stricter", [])
    allowed = set().union(*(CODES[reason] for reason in stricter))
    errors = {finding["code"] for finding in vector["findings"] if codes()[finding["code"]].level == "error"}
    return [f"refused for {', '.join(stricter)} with {errors - allowed}"] if stricter and errors - allowed else []


def _facts(text: str, ask: Ask) -> list[str]:
    """What the vectors do not ask about a layer."""
    policy = cachespec.check(text, type="LayerCachePolicy", syntax="json").value
    assert policy is not None
    question = {"op": "decode", "type": "LayerCachePolicy", "text": text, "asked": {"dtypes": DTYPE_NAMES}}
    facts = ask(question)["facts"]
    attention = cachespec.attention(policy)
    package = {
        "attention": None if attention is None else plain_value(attention),
        "attention_residency_class": cachespec.attention_residency_class(policy),
        "fixed_state": [canonical(tensor) for tensor in cachespec.fixed_state(policy)],
        "dtypes": [
            [name for name in DTYPE_NAMES if cachespec.accepts_dtype_name(component.dtype, name)]
            for component in cachespec.components(policy)
        ],
    }
    return [
        f"{name}: {facts[name]}, and the package says {fact}" for name, fact in package.items() if facts[name] != fact
    ]


def compare(kinds: list[str], count: int, cases: Cases, ask: Ask, folder: Path) -> Counter[str]:
    """Compares so many documents, and counts the verdicts; a disagreement is shrunk, written as a vector, and fails."""
    verdicts: Counter[str] = Counter()
    for _ in range(count):
        kind = cases.random.choice(kinds)
        text = cases.text(kind)
        if disagreements(kind, text, ask):
            pytest.fail(_report(kind, text, ask, folder))
        report = cachespec.check(text, type=kind, syntax="json")
        only_there = not report.ok and kind in reference.TYPES and bool(reasons(kind, text))
        verdicts["accepted" if report.ok else "stricter" if only_there else "refused"] += 1
    return verdicts


def _report(kind: str, text: str, ask: Ask, folder: Path) -> str:
    smallest = shrunk(text, lambda other: bool(disagreements(kind, other, ask)))
    found = disagreements(kind, smallest, ask)
    name = f"found-{sha256(f'{kind} {smallest}'.encode()).hexdigest()[:8]}"
    vector = _as_vector(kind, smallest, name, found)
    path = folder / f"{name}.json"
    file = {"about": f"Found by the differential test with the seed {SEED}.", "vectors": [vector]}
    path.write_text(json.dumps(file, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return f"CACHESPEC_SEED={SEED}: {kind} {smallest}: {'; '.join(found)}; written as a vector: {path}"


def _as_vector(kind: str, text: str, name: str, found: list[str]) -> Vector:
    """The package's answer as a vector; where it has none, the findings are left to whoever mends it."""
    try:
        return completed(answered(kind, text, PROBES), name, f"The original: {found[0]}")
    except Exception:
        return {"name": name, "about": found[0], "type": kind, "syntax": "json", "text": text, "verdict": "refuse"}


def test_documents(program: Program, cases: Cases, tmp_path: Path, tell: Tell) -> None:
    verdicts = compare(KINDS, DOCUMENTS, cases, program.ask, tmp_path)
    counts = ", ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items()))
    tell(f"differential: {DOCUMENTS} documents, CACHESPEC_SEED={SEED}: {counts}")
    # A source that makes only one kind of document would prove little.
    assert min(verdicts[verdict] for verdict in ("accepted", "refused", "stricter")) > DOCUMENTS // 50


# --- order and builders ----------------------------------------------------------------------------------

ORDERED = [
    *("AttentionPolicy", "CacheBlockId", "CacheRankIdentity", "CacheRepresentation", "PoolingStateComponent"),
    *("StateComponentRole", "StateTensorOwner", "StateTensorRole"),
]


def test_every_ordered_type_is_sorted(program: Program) -> None:
    assert program.ask({"op": "types"})["ordered"] == sorted(ORDERED)


@pytest.mark.parametrize("kind", ORDERED)
def test_order(kind: str, program: Program, cases: Cases) -> None:
    for _ in range(DOCUMENTS // 25):
        values = [model_of(kind, cases.value(kind)) for _ in range(cases.random.randint(2, 12))]
        question = {"op": "sort", "type": kind, "values": [canonical(value) for value in values]}
        ordered = [canonical(value) for value in sorted(values, key=cachespec.sort_key)]
        assert ordered == program.ask(question)["sorted"], f"CACHESPEC_SEED={SEED}"


# Each builder with the type of what it builds, and the types of its arguments; an empty name is a number.
BUILDERS = {
    "full": ("AttentionPolicy",),
    "sliding": ("AttentionPolicy", ""),
    "fixed": ("StateTensorDimension", ""),
    "key_value": ("LayerCachePolicy", "AttentionPolicy", "", ""),
    "key_only": ("LayerCachePolicy", "AttentionPolicy", "", ""),
    "compressed_latent_rotary": ("LayerCachePolicy", "AttentionPolicy", "", ""),
    "fixed_only": ("LayerCachePolicy", "tensors"),
    "key_value_with_fixed_state": ("LayerCachePolicy", "AttentionPolicy", "", "", "tensors"),
    "key_only_with_fixed_state": ("LayerCachePolicy", "AttentionPolicy", "", "", "tensors"),
    "state_tensor": ("StateTensorPolicy", "StateTensorRole", "shape", "StateTensorDtype", "MutableStateResidency"),
    "state_tensor_with_residency": (
        *("StateTensorPolicy", "StateTensorRole", "shape", "StateTensorDtype", "StateResidencyClass"),
    ),
    "optional": ("StateTensorPolicy", "StateTensorPolicy"),
    "when_prefix_remainder_nonzero": ("StateTensorPolicy", "StateTensorPolicy", ""),
    "when_prefix_at_least": ("StateTensorPolicy", "StateTensorPolicy", ""),
}
LISTS = {"tensors": "StateTensorPolicy", "shape": "StateTensorDimension"}


def argument(kind: str, cases: Cases) -> Any:
    """An argument as a model, or a list of models, or a number that may be out of range."""
    if kind == "":
        return cases.integer(1, 2**31 - 1) if cases.random.random() < 0.9 else cases.integer(-(2**31), 2**33)
    if kind in LISTS:
        return [argument(LISTS[kind], cases) for _ in range(cases.random.choice([0, 1, 1, 2, 3]))]
    return model_of(kind, cases.value(kind))


def in_json(value: Any) -> Any:
    return [plain_value(item) for item in value] if isinstance(value, list) else plain_value(value)


@pytest.mark.parametrize("builder", BUILDERS)
def test_builder(builder: str, program: Program, cases: Cases) -> None:
    built, *kinds = BUILDERS[builder]
    for _ in range(DOCUMENTS // 10):
        arguments = [argument(kind, cases) for kind in kinds]
        question = {"op": "build", "builder": builder, "arguments": list(map(in_json, arguments))}
        answer = program.ask(question)
        try:
            assert cachespec.dumps(getattr(cachespec, builder)(*arguments)) == answer["canonical"], question
        except cachespec.CachePolicyError:
            assert "refused" in answer or reasons(built, answer["canonical"]), question


# --- a disagreement --------------------------------------------------------------------------------------


def lying(ask: Ask, about: str, instead: str) -> Ask:
    """An original whose answers have one text in the place of another."""

    def answer(question: Question) -> Answer:
        text = json.dumps(ask(question))
        changed: Answer = json.loads(text.replace(about, instead))
        return changed

    return answer


@pytest.mark.parametrize(
    ("kind", "about", "instead", "smallest"),
    [
        # Which variant it is stays as it was found.
        (
            "LayerCachePolicy",
            "attention.values",
            "attention.value",
            r'\{"key_value.*"num_key_value_heads":1,"head_dim":1.*',
        ),
        ("StateTensorDtype", "Float64", "Float65", '"floating"'),
        # An original that accepts everything.
        ("AttentionPolicy", '"refused"', '"canonical"', ""),
    ],
)
def test_a_disagreement_is_shrunk_and_written(
    kind: str, about: str, instead: str, smallest: str, program: Program, tmp_path: Path
) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"CACHESPEC_SEED=\d+: .*; written as a vector: ") as failure:
        compare([kind], 200, Cases("1"), lying(program.ask, about, instead), tmp_path)
    (path,) = tmp_path.iterdir()
    assert str(path) in str(failure.value)
    file = json.loads(path.read_text(encoding="utf-8"))
    schema = json.loads((FOLDER / "vectors.schema.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(file)) == []
    (vector,) = file["vectors"]
    assert re.fullmatch(smallest, vector["text"])
    # What is written is the package's answer.
    assert failures(vector) == []
