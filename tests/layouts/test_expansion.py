"""What layouts expand to: names, shapes, and what must be there."""

from __future__ import annotations

from pathlib import Path

import pytest

import cachespec
from tests.refusals import codes

EXAMPLES = Path(__file__).resolve().parents[2] / "schema" / "v1" / "examples"


def test_expand_names_places_and_shortens_lagging_layers() -> None:
    layout = cachespec.load(EXAMPLES / "deepseek-v4-last-stage.cachespec.yaml")
    expanded = cachespec.expand(layout, 1, 9)
    assert expanded[0].name == "layers.33.attention.keys"
    assert expanded[-1].name == "layers.43.attention.keys"
    assert expanded[-1].shape == (1, 1, 8, 512)
    assert [named.shape for named in cachespec.expand(layout, 1, 0)][-1] == (1, 1, 0, 512)


def test_expand_says_what_must_be_there() -> None:
    layout = cachespec.load(EXAMPLES / "deepseek-v4.cachespec.yaml")

    def required(prefix_tokens: int) -> set[str]:
        return {
            named.name.removeprefix("layers.3.")
            for named in cachespec.expand(layout, 1, prefix_tokens)
            if named.layer == 3 and named.required
        }

    assert required(3) == {
        "attention.keys",
        *(f"state.pooling.{stream}.pending_{what}" for stream in (0, 1) for what in ("values", "gates")),
    }
    assert not any("pending" in name for name in required(8))
    assert "state.pooling.1.pooled" in required(9)


@pytest.mark.parametrize(("batch_size", "prefix_tokens"), [(2**31, 1), (1, 2**31), (-1, 1), (1, -1)])
def test_extents_out_of_range_are_refused(batch_size: int, prefix_tokens: int) -> None:
    layout = cachespec.load(EXAMPLES / "mistral.cachespec.yaml")
    assert [code for code, _ in codes(lambda: cachespec.expand(layout, batch_size, prefix_tokens))] == ["out-of-range"]


def test_only_the_extents_that_are_used_count() -> None:
    dimension = cachespec.StateTensorDimensionPrefixTokensDiv(prefix_tokens_div=2)
    assert cachespec.resolved_shape([cachespec.fixed(3)], 2**31, 2**31) == (3,)
    assert cachespec.resolved_shape([dimension], 1, 2**31) == (2**30,)
    assert cachespec.resolved_shape(["scalar"], 1, 1) == (1,)


def test_an_unsound_layout_is_not_expanded() -> None:
    layout = cachespec.CacheLayout(cachespec=1, layers=("no_state", "no_state"), layer_prefix_offsets=(0,))
    assert codes(lambda: cachespec.expand(layout, 1, 1)) == [("offset-count", "/layer_prefix_offsets")]
