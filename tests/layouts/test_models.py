"""Models: what is written of them, and what the rules say of values that were made without a text."""

from __future__ import annotations

import cachespec


def test_validate_reports_rules_without_places() -> None:
    block = cachespec.CacheBlockId(session_id=1, global_layer=0, representation="key_value", start=8, end=8)
    (finding,) = cachespec.validate(block)
    assert (finding.code, finding.level, finding.path) == ("block-range-empty", "error", "/end")
    assert finding.line is None
    assert finding.column is None
    assert cachespec.validate("no_state") == ()


def test_dumps_leaves_absent_fields_of_a_layout_out_and_sorts_its_annotations() -> None:
    layout = cachespec.CacheLayout(cachespec=1, layers=("no_state",), annotations={"b": "\u00e9", "a": '"'})
    assert cachespec.dumps(layout) == ('{"cachespec":1,"layers":["no_state"],"annotations":{"a":"\\"","b":"\u00e9"}}')
    rank = cachespec.CacheRankIdentity(stage_rank=1)
    assert cachespec.dumps(rank) == '{"stage_rank":1,"shard_rank":null,"addressable_rank":null}'
    both = cachespec.CacheLayout(cachespec=1, layers=("no_state",), rank=rank)
    assert cachespec.dumps(both) == f'{{"cachespec":1,"rank":{cachespec.dumps(rank)},"layers":["no_state"]}}'
