"""The style of the schema files: the rules that keep every generator and validator on our side."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

import cachespec
from cachespec import schema as published
from cachespec.cli import main

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "schema" / "v1").glob("*.json"))
SCHEMAS: dict[str, dict[str, Any]] = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}

# How a draft calls the place of its definitions.
DRAFTS = [("2020-12", "$defs"), ("draft-07", "definitions")]

KEYWORDS = {
    "$schema",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "oneOf",
    "const",
    "enum",
    "items",
    "minItems",
    "minimum",
    "maximum",
    "title",
    "description",
    "default",
    "examples",
    "$comment",
    "$ref",
}
TYPES = [
    "AttentionPolicy",
    "CacheRepresentation",
    "CacheTier",
    "CacheRankIdentity",
    "CacheBlockId",
    "LayerCachePolicy",
    "StateTensorRole",
    "PoolingStateComponent",
    "StateResidencyClass",
    "MutableStateResidency",
    "StateTensorDimension",
    "StateTensorPresence",
    "StateTensorDtype",
    "StateTensorPolicy",
    "StateTensorOwner",
    "StateComponentRole",
    "StateComponentPolicy",
    "Sliding",
    "KeyValue",
    "KeyOnly",
    "CompressedLatentRotary",
    "FixedState",
    "KeyValueWithFixedState",
    "KeyOnlyWithFixedState",
    "Convolution",
    "Pooling",
    "CacheLayout",
]


def subschemas(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema within a schema, and where it stands."""
    yield path, schema
    for name, field in schema.get("properties", {}).items():
        yield from subschemas(field, f"{path}/properties/{name}")
    for index, branch in enumerate(schema.get("oneOf", ())):
        yield from subschemas(branch, f"{path}/oneOf/{index}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield from subschemas(schema[keyword], f"{path}/{keyword}")


ALL = [pytest.param(schema, id=name + path) for name, root in SCHEMAS.items() for path, schema in subschemas(root)]


def test_every_type_has_its_file() -> None:
    assert set(TYPES) <= SCHEMAS.keys()


@pytest.mark.parametrize("name", SCHEMAS)
def test_it_is_a_schema_of_draft_2020_12(name: str) -> None:
    schema = SCHEMAS[name]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)
    assert "$id" not in schema


@pytest.mark.parametrize("schema", ALL)
def test_it_uses_the_keywords_that_every_consumer_handles(schema: dict[str, Any]) -> None:
    assert schema.keys() <= KEYWORDS
    if "$ref" in schema:
        assert schema.keys() <= {"$ref", "description"}, "beside a reference stands a description at most"


@pytest.mark.parametrize("schema", ALL)
def test_objects_are_closed(schema: dict[str, Any]) -> None:
    if "object" in schema.get("type", ()):
        if "properties" in schema:
            assert schema["additionalProperties"] is False
            assert set(schema.get("required", ())) <= schema["properties"].keys()
        else:
            # The one map: annotations.
            assert schema["additionalProperties"] == {"type": "string"}


@pytest.mark.parametrize("schema", ALL)
def test_integers_have_their_range(schema: dict[str, Any]) -> None:
    if "integer" in schema.get("type", ()):
        assert schema["minimum"] <= schema["maximum"]


@pytest.mark.parametrize("schema", ALL)
def test_lists_hold_one_named_type(schema: dict[str, Any]) -> None:
    if "array" in schema.get("type", ()):
        assert schema["items"].keys() == {"$ref"}


@pytest.mark.parametrize("name", SCHEMAS)
def test_everything_is_described(name: str) -> None:
    for path, schema in subschemas(SCHEMAS[name]):
        is_property = re.search(r"/properties/[$\w]+$", path)
        if (
            ("$ref" in schema and not is_property)
            or path.endswith("/additionalProperties")
            or schema == {"type": "null"}
        ):
            continue
        text = schema["description"]
        assert text == text.strip(), path
        assert text[0].isupper() or text[0] == "[", path
        assert not text.endswith("."), path
        assert len(text) <= 110, path


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_type_and_variant_has_examples_that_hold(name: str) -> None:
    validator = jsonschema_rs.validator_for(published.schema_of(name))
    branches = SCHEMAS[name].get("oneOf", ())
    assert SCHEMAS[name]["examples"]
    for branch in branches:
        if "$ref" not in branch:
            (example,) = branch["examples"]
            assert example == branch.get("const", example)
            assert example in SCHEMAS[name]["examples"]
            assert list(example) == branch["required"] if isinstance(example, dict) else "const" in branch
    for example in SCHEMAS[name]["examples"]:
        assert validator.is_valid(example)
        # What the rules demand beyond the schema holds too.
        assert cachespec.check(json.dumps(example), type=name).findings == ()


@pytest.mark.parametrize("name", SCHEMAS)
def test_references_resolve_to_files_beside(name: str) -> None:
    for path, schema in subschemas(SCHEMAS[name]):
        if "$ref" in schema:
            assert (ROOT / "schema" / "v1" / schema["$ref"]).is_file(), path


@pytest.mark.parametrize("name", SCHEMAS)
def test_unions_are_externally_tagged(name: str) -> None:
    for path, schema in subschemas(SCHEMAS[name]):
        branches = schema.get("oneOf")
        if branches is None:
            continue
        if {"type": "null"} in branches:
            assert len(branches) == 2, path
            assert "$ref" in branches[0], path
            continue
        if name == "SizeReport":
            # What a command prints for one layout or for two: no tag tells them apart, but their fields do.
            assert all(branch.keys() == {"$ref"} for branch in branches)
            continue
        tags = []
        for branch in branches:
            if "const" in branch:
                tags.append(branch["const"])
                continue
            (tag,) = branch["properties"]
            assert branch["required"] == [tag]
            assert branch["title"] == name + "".join(part.capitalize() for part in tag.split("_"))
            payload = branch["properties"][tag]
            assert "$ref" in payload or payload["type"] == "integer"
            tags.append(tag)
        assert len(tags) == len(set(tags)), path


JSON_TYPES = {str: "string", type(None): "null"}


def json_types(branch: dict[str, Any]) -> set[str]:
    """The types of the values that a branch can accept."""
    if "const" in branch:
        return {JSON_TYPES[type(branch["const"])]}
    types = branch["type"]
    return {types} if isinstance(types, str) else set(types)


def are_disjoint(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether it is proved that no value is accepted by both of two schemas."""
    one, other = (SCHEMAS[it["$ref"].removesuffix(".json")] if "$ref" in it else it for it in (one, other))
    shared = json_types(one) & json_types(other)
    if shared == {"string"} and "const" in one and "const" in other:
        return bool(one["const"] != other["const"])
    if shared == {"object"}:
        return any(
            set(wanting.get("required", ())) - closed["properties"].keys()
            for wanting, closed in ((one, other), (other, one))
            if closed.get("additionalProperties") is False
        )
    return not shared


def overlaps(schema: dict[str, Any]) -> list[str]:
    """Where two branches of one `oneOf` may accept the same value."""
    return [
        f"{path}/oneOf: {first} and {second}"
        for path, union in subschemas(schema)
        for (first, one), (second, other) in combinations(enumerate(union.get("oneOf", ())), 2)
        if not are_disjoint(one, other)
    ]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_branches_of_a_union_are_disjoint(name: str) -> None:
    """The quick verdict stands on it: there, the first branch that accepts settles the union."""
    assert overlaps(SCHEMAS[name]) == []


def tagged(*tags: str, **more: Any) -> dict[str, Any]:
    properties = {tag: {"type": "integer"} for tag in tags}
    return {"type": "object", "properties": properties, "required": list(tags), "additionalProperties": False, **more}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"const": "a"}, {"const": "a"}, id="one constant twice"),
        pytest.param({"const": "a"}, {"type": "string"}, id="a constant and every string"),
        pytest.param({"const": None}, {"type": "null"}, id="null twice"),
        pytest.param(tagged("a"), tagged("a"), id="one tag twice"),
        pytest.param(tagged("a"), tagged("a", "b", required=["a"]), id="a tag that the other may have too"),
        pytest.param(tagged("a", required=[]), tagged("b", required=[]), id="tags that need not be there"),
        pytest.param(
            tagged("a", additionalProperties=True), tagged("b", additionalProperties=True), id="objects that are open"
        ),
        pytest.param(
            {"$ref": "KeyValue.json"}, tagged("head_dim", "attention", "num_key_value_heads"), id="a reference"
        ),
        pytest.param(tagged("a", type=["object", "null"]), {"type": "null"}, id="an object or null, and null"),
        pytest.param(
            tagged("a", type=["object", "null"]), tagged("b", type=["object", "null"]), id="null beside two tags"
        ),
    ],
)
def test_branches_that_overlap_are_found_at_any_depth(one: dict[str, Any], other: dict[str, Any]) -> None:
    union = {"oneOf": [{"type": "integer"}, one, other]}
    assert overlaps(union) == ["/oneOf: 1 and 2"]
    assert overlaps({"oneOf": [other, one]}) == ["/oneOf: 0 and 1"]
    assert overlaps(tagged("field", properties={"field": union})) == ["/properties/field/oneOf: 1 and 2"]


def test_every_file_is_referenced_or_stands_alone() -> None:
    referenced = {
        schema["$ref"].removesuffix(".json")
        for root in SCHEMAS.values()
        for _, schema in subschemas(root)
        if "$ref" in schema
    }
    alone = SCHEMAS.keys() - referenced
    assert alone == {
        "CacheLayout",
        "CacheBlockId",
        "CacheTier",
        "StateTensorOwner",
        "StateComponentPolicy",
        "MutableStateResidency",
        "Report",
        "ComponentReport",
        "SizeReport",
    }


def test_the_version_is_the_newest_in_the_changelog() -> None:
    version = (ROOT / "schema/v1/VERSION").read_text(encoding="utf-8").strip()
    changelog = (ROOT / "schema/v1/CHANGELOG.md").read_text(encoding="utf-8")
    match = re.search(r"^## (\S+)$", changelog, re.MULTILINE)
    assert match
    assert match[1] == version == cachespec.SCHEMA_VERSION


def departures(bundle: dict[str, Any], key: str) -> list[str]:
    """The types of which a bundle says something else than their files, the order of the keywords included."""
    root = {keyword: value for keyword, value in bundle.items() if keyword not in ("$schema", "$id", key)}
    definitions = {**bundle[key], "CacheLayout": root}
    departing = []
    for path in FILES:
        said = json.loads(re.sub(r'"(\w+)\.json"', rf'"#/{key}/\1"', path.read_text(encoding="utf-8")))
        del said["$schema"]
        if json.dumps(definitions[path.stem]) != json.dumps(said):
            departing.append(path.stem)
    return departing


@pytest.mark.parametrize(("draft", "key"), DRAFTS)
def test_the_bundle_says_of_every_type_what_its_file_says(draft: published.Draft, key: str) -> None:
    bundle = json.loads(published.schema_text(draft))
    assert departures(bundle, key) == []

    bundle["properties"]["layers"]["minItems"] = 0
    bundle[key]["AttentionPolicy"]["oneOf"].reverse()
    bundle[key]["FixedState"]["properties"]["tensors"]["items"]["$ref"] = f"#/{key}/StateComponentPolicy"
    bundle[key]["KeyOnly"]["properties"]["head_dim"]["maximum"] += 1
    del bundle[key]["KeyValue"]["properties"]["head_dim"]["description"]
    assert departures(bundle, key) == ["AttentionPolicy", "CacheLayout", "FixedState", "KeyOnly", "KeyValue"]


@pytest.mark.parametrize(("draft", "key"), DRAFTS)
def test_the_bundle_has_local_references_and_one_identity(draft: published.Draft, key: str) -> None:
    text = published.schema_text(draft)
    bundle = json.loads(text)
    assert bundle["$id"] == "urn:cachespec:schema:v1"
    assert text.count('"$id"') == 1
    assert set(re.findall(r'"\$ref": "([^"]*)"', text)) <= {"#", *(f"#/{key}/{name}" for name in SCHEMAS)}
    assert bundle[key].keys() == SCHEMAS.keys()
    assert bundle[key]["CacheLayout"] == {"$ref": "#"}
    jsonschema.validators.validator_for(bundle).check_schema(bundle)


@pytest.mark.parametrize("draft", ["2020-12", "draft-07"])
@pytest.mark.parametrize("name", SCHEMAS)
def test_one_type_alone_is_a_schema_that_stands_alone(name: str, draft: published.Draft) -> None:
    schema = published.schema_of(name, draft)
    validator = jsonschema_rs.validator_for(schema)
    assert not validator.is_valid({"no": "such thing"})
    for example in schema.get("examples", ()):
        assert validator.is_valid(example)


EXAMPLE, OTHER = (
    str(ROOT / "schema" / "v1" / "examples" / f"{name}.cachespec.yaml") for name in ("deepseek-v4", "gpt-oss")
)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        pytest.param(["components", EXAMPLE], "ComponentReport", id="components"),
        pytest.param(["components", EXAMPLE, "--batch-size=2", "--prefix-tokens=99"], "ComponentReport", id="resolved"),
        pytest.param(["components", EXAMPLE, "--layer=0"], "ComponentReport", id="components of one layer"),
        pytest.param(["size", EXAMPLE], "SizeReport", id="size"),
        pytest.param(["size", OTHER, EXAMPLE, "--prefix-tokens=131072"], "SizeReport", id="two sizes"),
    ],
)
def test_what_commands_print_has_its_type(command: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--format", "json"]) == 0
    printed = capsys.readouterr().out
    assert cachespec.check(printed, type=name).findings == ()
    misspelt = re.sub(r'"(optional_bytes|residency)"', '"other"', printed, count=1)
    assert {finding.code for finding in cachespec.check(misspelt, type=name).findings} & {"unknown-field"}
