"""The conformance vectors: that the package answers them, that they cover what they must, that wrong ones fail."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cachespec.findings import pointer
from cachespec.validation.codes import codes
from tests.conformance.run import (
    FOLDER,
    TYPES_FOLDER,
    Vector,
    data,
    failures,
    order_failures,
    orders,
    read,
    validator,
    vector_files,
    vectors,
)

VECTORS = vectors()
BY_NAME = {vector["name"]: vector for vector in VECTORS}
ORDERS = orders()
ACCEPTED = [vector for vector in VECTORS if vector["verdict"] == "accept"]
REFUSED = [vector for vector in VECTORS if vector["verdict"] == "refuse"]

# What the command line prints is published too; it is no document that anyone checks.
TYPES_OF_REPORTS = {
    "Report",
    "ReportFinding",
    "FindingLevel",
    "ComponentReport",
    "ReportComponent",
    "ResolvedExtent",
    "SizeReport",
    "LayoutSize",
    "LayerBytes",
    "PartBytes",
    "SizeComparison",
    "SizeDifference",
    "PartDifference",
}
# Codes of findings on a model's configuration, of which there are no documents.
# What vectors cannot show, since they are texts: mistakes in configurations, and paths that lead to no text.
CODES_WITHOUT_VECTORS = {name for name, code in codes().items() if code.type in ("config.json", "path")}


# --- the answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vector(vector: Vector) -> None:
    assert failures(vector) == []


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order["name"])
def test_order(order: Vector) -> None:
    assert order_failures(order) == []
    assert order["values"] != order["sorted"]


@pytest.mark.parametrize(
    "vector", [vector for vector in VECTORS if not read(vector).mistakes], ids=lambda vector: vector["name"]
)
def test_both_published_files_give_the_same_verdict(vector: Vector) -> None:
    """And it is the verdict of the vector, where integers are those of the specification."""
    value = read(vector).value
    verdicts = {validator(vector["type"], draft, integers="plain").is_valid(value) for draft in ("2020-12", "draft-07")}
    assert verdicts == {vector["verdict"] == "accept" or vector["stage"] == "rules"}


@pytest.mark.parametrize(
    "vector",
    [vector for vector in VECTORS if vector["syntax"] == "json" and vector.get("stage") != "reader"],
    ids=lambda vector: vector["name"],
)
def test_a_consumer_with_a_parser_and_a_validator(vector: Vector) -> None:
    """What the README promises to those who have nothing but the published file."""
    try:
        value = json.loads(data(vector))
    except ValueError:
        # More digits than Python's parser reads.
        assert vector["stage"] == "schema"
        return
    expected = vector.get("stage") != "schema"
    assert validator(vector["type"]).is_valid(value) == expected
    assert validator(vector["type"], "draft-07").is_valid(value) == expected


# --- the files -------------------------------------------------------------------------------------------


@cache
def file_schema() -> Draft202012Validator:
    schema = json.loads((FOLDER / "vectors.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("name", vector_files())
def test_file_follows_the_schema_of_vectors(name: str) -> None:
    errors = [error.message for error in file_schema().iter_errors(vector_files()[name])]
    assert errors == []


def test_names_are_unique() -> None:
    names = [vector["name"] for vector in (*VECTORS, *ORDERS)]
    assert len(names) == len(set(names))


def test_every_file_is_named_in_the_readme() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in vector_files() if f"`{name}.json`" not in readme] == []


def test_no_number_of_a_file_is_too_large_for_a_double() -> None:
    def numbers(value: Any) -> Iterator[int]:
        if isinstance(value, (dict, list)):
            for item in value.values() if isinstance(value, dict) else value:
                yield from numbers(item)
        elif isinstance(value, int):
            yield value

    assert all(abs(number) < 2**53 for file in vector_files().values() for number in numbers(file))


# --- what they cover -------------------------------------------------------------------------------------


@cache
def definitions() -> dict[str, dict[str, Any]]:
    bundle = json.loads((TYPES_FOLDER / "cachespec.schema.json").read_text(encoding="utf-8"))
    types: dict[str, dict[str, Any]] = bundle.pop("$defs")
    read_as_documents = {name: schema for name, schema in types.items() if name not in TYPES_OF_REPORTS}
    return {**read_as_documents, "CacheLayout": bundle}


def nodes(schema: dict[str, Any], value: Any, where: str, path: tuple[str | int, ...]) -> Iterator[Any]:
    """Every place of a value with its schema: (name of the place in the schema, schema, value, path)."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from nodes(definitions()[name], value, name, path)
        return
    yield where, schema, value, path
    for branch in schema.get("oneOf", []):
        if "$ref" in branch and value is not None:
            yield from nodes(branch, value, where, path)
        yield from fields(branch, value, where, path)
    yield from fields(schema, value, where, path)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from nodes(schema["items"], item, where, (*path, index))


def fields(schema: dict[str, Any], value: Any, where: str, path: tuple[str | int, ...]) -> Iterator[Any]:
    for name, field in schema.get("properties", {}).items():
        if isinstance(value, dict) and name in value:
            yield from nodes(field, value[name], f"{where}.{name}", (*path, name))


def nodes_of(vector: Vector) -> Iterator[Any]:
    yield from nodes({"$ref": vector["type"]}, read(vector).value, "", ())


def integer_places(schema: dict[str, Any], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The integers of one type, without those of the types it refers to."""
    if "minimum" in schema or "maximum" in schema:
        yield where, schema
    for part in (schema, *schema.get("oneOf", [])):
        for name, field in part.get("properties", {}).items():
            yield from integer_places(field, f"{where}.{name}")


BOUNDS = {
    (where, keyword): schema[keyword]
    for name, definition in definitions().items()
    for where, schema in integer_places(definition, name)
    for keyword in ("minimum", "maximum")
}


@cache
def integers_accepted() -> frozenset[tuple[str, int]]:
    """The integers that the schema lets pass, by their place: of accepted vectors, and of those a rule refuses."""
    passed = [*ACCEPTED, *(vector for vector in REFUSED if vector["stage"] == "rules")]
    return frozenset(
        (where, value) for vector in passed for where, _, value, _ in nodes_of(vector) if type(value) is int
    )


@cache
def integers_refused() -> frozenset[tuple[str, int, str]]:
    """The integers that a finding is about, by their place, with the code."""
    return frozenset(
        (where, value, finding["code"])
        for vector in REFUSED
        for where, _, value, path in nodes_of(vector)
        for finding in vector["findings"]
        if type(value) is int and finding["path"] == pointer(path)
    )


def test_every_integer_of_the_schema_has_two_bounds() -> None:
    assert len(BOUNDS) >= 50
    for name, definition in definitions().items():
        text = json.dumps(definition)
        assert text.count('"integer"') * 2 == sum(where.split(".")[0] == name for where, _ in BOUNDS), name


@pytest.mark.parametrize(("where", "keyword"), BOUNDS)
def test_both_sides_of_every_bound(where: str, keyword: str) -> None:
    bound = BOUNDS[where, keyword]
    beyond = bound - 1 if keyword == "minimum" else bound + 1
    code = "unknown-document" if where == "CacheLayout.cachespec" else "out-of-range"
    assert (where, bound) in integers_accepted()
    assert (where, beyond, code) in integers_refused()


@pytest.mark.parametrize("name", definitions())
def test_every_type_is_accepted_and_refused(name: str) -> None:
    assert {vector["verdict"] for vector in VECTORS if vector["type"] == name} == {"accept", "refuse"}


def test_every_variant_is_accepted() -> None:
    every = {
        (name, branch.get("const") or branch["required"][0])
        for name, definition in definitions().items()
        for branch in definition.get("oneOf", [])
    }
    seen = {
        (where, value if isinstance(value, str) else next(iter(value)))
        for vector in ACCEPTED
        for where, schema, value, _ in nodes_of(vector)
        if where in definitions() and "oneOf" in schema
    }
    assert sorted(every - seen) == []


def test_every_list_that_needs_an_entry_is_tried_without() -> None:
    needed = {
        f"{name}.{field}"
        for name, definition in definitions().items()
        for field, schema in definition.get("properties", {}).items()
        if "minItems" in schema
    }
    tried = {
        where
        for vector in REFUSED
        for where, _, value, path in nodes_of(vector)
        for finding in vector["findings"]
        if value == [] and finding["code"] == "too-few-items" and finding["path"] == pointer(path)
    }
    assert tried == {*needed}


def named(vector: Vector) -> set[str]:
    return {finding["code"] for finding in (*vector.get("findings", []), *vector.get("warnings", []))}


@pytest.mark.parametrize("code", sorted(codes().keys() - CODES_WITHOUT_VECTORS))
def test_every_code_fails_and_passes(code: str) -> None:
    failing = ACCEPTED if codes()[code].level == "warning" else REFUSED
    assert any(code in named(vector) for vector in failing)
    neighbours = [vector for vector in ACCEPTED if "neighbour_of" in vector]
    assert any(code in named(BY_NAME[vector["neighbour_of"]]) - named(vector) for vector in neighbours)


def test_only_codes_that_are_explained() -> None:
    assert set().union(*map(named, VECTORS)) <= codes().keys()


def test_neighbours_are_of_one_type() -> None:
    for vector in ACCEPTED:
        if "neighbour_of" in vector:
            other = BY_NAME[vector["neighbour_of"]]
            assert (other["type"], other["syntax"]) == (vector["type"], vector["syntax"]), vector["name"]
            assert named(other) - named(vector), vector["name"]


@pytest.mark.parametrize("reason", [f"S{number}" for number in range(1, 9)])
def test_every_reason_to_be_stricter(reason: str) -> None:
    assert any(vector.get("stricter") == [reason] for vector in REFUSED)
    passing = [BY_NAME[vector["neighbour_of"]] for vector in ACCEPTED if "neighbour_of" in vector]
    assert any(reason in vector.get("stricter", []) for vector in passing)


def test_every_stage_and_form() -> None:
    assert {vector["stage"] for vector in REFUSED} == {"reader", "schema", "rules"}
    assert {vector["syntax"] for vector in VECTORS} == {"json", "yaml"}
    assert max(len(vector["findings"]) for vector in REFUSED) >= 10
    assert all("components" in vector for vector in vector_files()["reference"]["vectors"] if is_expanded(vector))


def is_expanded(vector: Vector) -> bool:
    return bool(vector["type"] == "LayerCachePolicy" and vector["verdict"] == "accept")


# --- wrong vectors ---------------------------------------------------------------------------------------

# One vector for each combination of fields that occurs.
KINDS = {
    (vector.get("stage"), *vector.keys(), len(vector.get("components", "")) > 1): vector
    for vector in VECTORS
    if "yaml-alias-bomb" not in vector["name"]
}


def falsified(vector: Vector) -> Iterator[tuple[str, Vector]]:
    """The vector with one answer wrong at a time, each with what was changed."""
    if vector["verdict"] == "accept":
        wrong: Vector = {key: vector[key] for key in ("name", "type", "syntax", "text", "base64") if key in vector}
        findings = [{"code": "syntax", "path": "", "line": 1, "column": 1}]
        yield "verdict", {**wrong, "verdict": "refuse", "stage": "reader", "findings": findings}
        yield "another warning", {**vector, "warnings": [*vector.get("warnings", []), {"code": "x", "path": ""}]}
    else:
        yield "verdict", {**vector, "verdict": "accept", "canonical": "null"}
        for stage in {"reader", "schema", "rules"} - {vector["stage"]}:
            yield f"stage {stage}", {**vector, "stage": stage}
        yield "stricter", {**vector, "stricter": ["S9"]}
    yield "large_integers", {**vector, "large_integers": not vector.get("large_integers", False)}
    for key in ("warnings", "stricter"):
        if key in vector:
            yield f"no {key}", {name: value for name, value in vector.items() if name != key}
    if "dtypes" in vector:
        accepted, refused = vector["dtypes"]["accepted"], vector["dtypes"]["refused"]
        yield "dtypes accepted", {**vector, "dtypes": {"accepted": [*accepted, refused[0]], "refused": []}}
        yield "dtypes refused", {**vector, "dtypes": {"accepted": [], "refused": [*refused, accepted[0]]}}
    for key in ("canonical", "warnings", "components", "stable_name", "findings", "stricter"):
        if key in vector:
            for what, answer in wrong_answers(vector[key]):
                yield f"{key}{what}", {**vector, key: answer}
    for index, probe in enumerate(vector.get("resolved", [])):
        for key in ("components", "error"):
            for what, answer in wrong_answers(probe.get(key)):
                probes = copy.deepcopy(vector["resolved"])
                probes[index][key] = answer
                yield f"resolved/{index}/{key}{what}", {**vector, "resolved": probes}


def wrong_answers(answer: Any) -> Iterator[tuple[str, Any]]:
    """An answer with one thing wrong at a time: a string, a number, a truth value, or a list's length or order."""
    if isinstance(answer, bool):
        yield "", not answer
    elif isinstance(answer, int):
        yield "", answer + 1
    elif isinstance(answer, str):
        yield "", answer + "x"
    elif isinstance(answer, dict):
        for key, value in answer.items():
            for what, wrong in wrong_answers(value):
                yield f"/{key}{what}", {**answer, key: wrong}
    elif isinstance(answer, list):
        yield "/+", [*answer, answer[-1] if answer else "x"]
        if answer:
            yield "/-", answer[:-1]
        if answer != answer[::-1]:
            yield "/reversed", answer[::-1]
        for index, item in enumerate(answer):
            for what, wrong in wrong_answers(item):
                yield f"/{index}{what}", [*answer[:index], wrong, *answer[index + 1 :]]


@pytest.mark.parametrize("vector", KINDS.values(), ids=lambda vector: vector["name"])
def test_a_wrong_vector_fails(vector: Vector) -> None:
    unnoticed = [what for what, wrong in falsified(vector) if failures(wrong) == []]
    assert unnoticed == []


def test_every_answer_is_falsified_somewhere() -> None:
    changed = {what.split("/")[0].split(" ")[0] for vector in KINDS.values() for what, _ in falsified(vector)}
    assert changed >= {"verdict", "stage", "findings", "canonical", "warnings", "components", "resolved", "stricter"}
    assert changed >= {"stable_name", "dtypes", "large_integers"}


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order["name"])
def test_a_wrong_order_fails(order: Vector) -> None:
    swapped = [*order["sorted"][1::-1], *order["sorted"][2:]]
    assert order_failures({**order, "sorted": swapped}) != []
    assert order_failures({**order, "sorted": order["sorted"][:-1]}) != []
    assert order_failures({**order, "values": order["values"][:-1]}) != []
    assert order_failures({**order, "values": ["7", *order["values"]]}) != []


@pytest.mark.parametrize("key", ["name", "type", "syntax", "text", "verdict", "canonical"])
def test_a_vector_that_lacks_a_field_is_refused_by_its_schema(key: str) -> None:
    vector = BY_NAME["layout-smallest"]
    lacking = {name: value for name, value in vector.items() if name != key}
    assert file_schema().is_valid({"about": "x", "vectors": [vector]})
    assert not file_schema().is_valid({"about": "x", "vectors": [lacking]})
    assert not file_schema().is_valid({"about": "x", "vectors": [{**vector, "unknown": 1}]})
