"""The published schema for editors that know nothing newer than draft-07."""

from __future__ import annotations

from typing import Any

from generate.schemas import Schema, rewritten

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def draft_07(bundle: Schema) -> Schema:
    """The bundle in the words of draft-07: same verdicts."""
    copy = rewritten(bundle, with_definitions)
    return {**copy, "$schema": DRAFT_07}


def with_definitions(keyword: str, value: Any) -> tuple[str, Any]:
    """A keyword as the drafts before 2019-09 have it: types stand in `definitions`."""
    if keyword == "$defs":
        return "definitions", value
    if keyword == "$ref":
        return keyword, value.replace("#/$defs/", "#/definitions/")
    return keyword, value
