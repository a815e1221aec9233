"""docs/languages.md says of each reader what it does: those of Python are asked here, the others where they are run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias

import pydantic
import pytest
import yaml

from tests.conformance import reference
from tests.conformance.run import Vector, data, validator, vectors
from tests.consumers.languages import PAGE, Answer, Cell, cells, mistakes

Reader: TypeAlias = Callable[[Vector], Answer | None]

VECTORS = {vector["name"]: vector for vector in vectors()}
CELLS = cells()


class Rank(pydantic.BaseModel):
    stage_rank: int | None = None
    shard_rank: int | None = None
    addressable_rank: int | None = None


class KeyValue(pydantic.BaseModel):
    attention: str
    num_key_value_heads: int
    head_dim: int


class Layer(pydantic.BaseModel):
    key_value: KeyValue


# As somebody writes them who has not read that pydantic is lax by default; one variant is enough to see it.
LAX: dict[str, type[pydantic.BaseModel]] = {"CacheRankIdentity": Rank, "LayerCachePolicy": Layer}


def parsed_by(parse: Callable[[str | bytes], Any]) -> Reader:
    """A parser, and then the published schema."""

    def reader(vector: Vector) -> Answer:
        try:
            value = parse(data(vector))
        except (ValueError, yaml.YAMLError):
            return Answer(accepts=False, value=None)
        written = json.dumps(value, separators=(",", ":"), default=str)
        return Answer(validator(vector["type"]).is_valid(value), written)

    return reader


def pydantic_reader(vector: Vector) -> Answer | None:
    if vector["type"] not in LAX:
        return None
    try:
        return Answer(accepts=True, value=LAX[vector["type"]].model_validate_json(data(vector)).model_dump_json())
    except pydantic.ValidationError:
        return Answer(accepts=False, value="")


def serde_reader(vector: Vector) -> Answer | None:
    """What the vector says of the original, which tests/consumers/rust asks itself."""
    if vector["type"] not in reference.TYPES:
        return None
    return Answer(vector["verdict"] == "accept" or "stricter" in vector, value="")


READERS: dict[str, Reader] = {
    "json": parsed_by(json.loads),
    "PyYAML": parsed_by(yaml.safe_load),
    "pydantic": pydantic_reader,
    "serde": serde_reader,
}
ASKED_ELSEWHERE = {"JSON.parse", "yaml 1.2", "yaml 1.1", "jsonschema/v6", "encoding/json", "yaml.v3"}


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.vector}-{cell.reader}")
def test_the_verdict_is_that_of_the_vector(cell: Cell) -> None:
    vector = VECTORS[cell.vector]
    assert cell.verdict == ", ".join(filter(None, [vector["verdict"], vector.get("stage")]))


def test_every_vector_that_the_page_names_exists() -> None:
    named = re.findall(r"`([a-z][a-z0-9]*(?:-[a-z0-9]+)+)`", PAGE.read_text(encoding="utf-8"))
    assert {cell.vector for cell in CELLS} <= set(named) <= VECTORS.keys()


def test_every_reader_is_asked() -> None:
    assert {cell.reader for cell in CELLS} == READERS.keys() | ASKED_ELSEWHERE


@pytest.mark.parametrize("name", READERS)
def test_what_the_page_says_of_a_reader(name: str) -> None:
    asked = {cell.vector: READERS[name](VECTORS[cell.vector]) for cell in CELLS if cell.reader == name}
    assert mistakes({name: {vector: answer for vector, answer in asked.items() if answer}}) == []


@pytest.mark.parametrize("says", ["accepts", "refuses", "syntax error", "no type", "`8`", "refuses `8`"])
def test_a_cell_holds_for_one_answer_only(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {
        "accepts": Answer(True, "7"),
        "refuses": Answer(False, "7"),
        "syntax error": Answer(False, None),
        "no type": None,
        "`8`": Answer(True, "[8]"),
        "refuses `8`": Answer(False, "[8]"),
    }
    monkeypatch.setattr("tests.consumers.languages.cells", lambda: [Cell("r", "v", "", says)])
    holding = [other for other, answer in answers.items() if not mistakes({"r": {"v": answer} if answer else {}})]
    # A cell that shows no value says nothing about the value.
    assert holding == [says, *({"accepts": ["`8`"], "refuses": ["refuses `8`"]}.get(says, []))]
