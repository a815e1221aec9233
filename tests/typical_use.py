"""What users write, as type checkers see it: mypy and pyright read this file, and the tests run it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import assert_type

import cachespec
from cachespec import (
    CacheLayout,
    CachePolicyError,
    CachePolicyWarning,
    CacheRankIdentity,
    CheckReport,
    Finding,
    LayerCachePolicy,
    StateTensorPolicy,
)


def reports(text: str) -> list[Finding]:
    report = cachespec.check(text)
    assert_type(report, CheckReport[CacheLayout])
    assert_type(report.value, CacheLayout | None)
    layer = cachespec.check({"key_only": {}}, type="LayerCachePolicy", syntax="json")
    assert_type(layer.value, LayerCachePolicy | None)
    assert_type(cachespec.check(b"{}", "StateTensorPolicy").value, StateTensorPolicy | None)
    assert_type(cachespec.check(Path(__file__), "FixedState", "yaml", 1).value, cachespec.FixedState | None)
    return [] if report else [finding for finding in report.findings if finding.level == "error"]


def built() -> CacheLayout:
    layers: list[LayerCachePolicy] = [
        cachespec.key_value(cachespec.sliding(4096), num_key_value_heads=8, head_dim=128),
        cachespec.key_value("full", 8, 128),
        "no_state",
    ]
    layout = CacheLayout(cachespec=1, layers=layers, layer_prefix_offsets=[0, 0, -1], schema_uri="./schema.json")
    assert_type(cachespec.layout(layers, name="one", rank=CacheRankIdentity(shard_rank=0)), CacheLayout)
    changed = cachespec.replace(layout, name="two")
    assert_type(changed, CacheLayout)
    return changed.model_copy(update={"layers": layers})


def state() -> LayerCachePolicy:
    tensors: list[StateTensorPolicy] = [
        cachespec.state_tensor("recurrent", ["batch", cachespec.fixed(4)], "float32", "layer_scoped_offloadable")
    ]
    policy: LayerCachePolicy = cachespec.LayerCachePolicyFixedState(fixed_state=cachespec.FixedState(tensors=tensors))
    assert cachespec.fixed_only(tensors) == policy
    return policy


def used(layout: CacheLayout) -> dict[str, Sequence[int]]:
    for index, policy, offset in cachespec.layers(layout):
        assert_type(policy, LayerCachePolicy)
        assert_type(cachespec.window(policy), int | None)
        assert isinstance(index + offset, int)
    assert_type(cachespec.size(layout, 1, 4096).total_bytes, int)
    return {component.name: component.shape for component in cachespec.expand(layout, 1, 4096)}


def written(layout: CacheLayout, folder: Path) -> CacheLayout:
    cachespec.dump(layout, folder / "a.cachespec.yaml")
    cachespec.dump(layout, str(folder / "a.cachespec.json"))
    assert cachespec.loads(cachespec.dumps(layout, syntax="yaml")) == cachespec.loads(cachespec.dumps(layout, indent=2))
    try:
        return cachespec.load(folder / "a.cachespec.yaml")
    except CachePolicyError as error:
        assert_type(error.findings, tuple[Finding, ...])
        raise


def imported(config: Path) -> tuple[CacheLayout, CacheLayout]:
    warning = CachePolicyWarning(Finding("unused-window", "warning", "", ""))
    assert_type(warning.finding, Finding)
    return cachespec.import_config(config), cachespec.import_config({"model_type": "llama"}, "eredu", rank=0)
