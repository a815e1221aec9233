"""What the package answers about a document, as a conformance vector."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from tests.conformance import reference
from tests.conformance.run import DTYPE_NAMES, Vector, has_large_integers, stage
from tests.consumers.agreement import reasons

import cachespec

Probes: TypeAlias = Sequence[tuple[int, int]]


def answered(kind: str, text: str, probes: Probes = ()) -> Vector:
    """A vector of a JSON text without the fields that are for its readers only; `completed` adds them."""
    report = cachespec.check(text, type=kind, syntax="json")
    vector: Vector = {"name": "", "type": kind, "syntax": "json", "text": text}
    findings = [
        {"code": finding.code, "path": finding.path, "line": finding.line, "column": finding.column}
        for finding in report.findings
    ]
    if report.value is None:
        stricter = reasons(kind, text) if kind in reference.TYPES else []
        return {**vector, "verdict": "refuse", "findings": findings, **({"stricter": stricter} if stricter else {})}
    warnings = [{"code": finding["code"], "path": finding["path"]} for finding in findings]
    vector = {**vector, "verdict": "accept", "canonical": cachespec.dumps(report.value)}
    return {**vector, **({"warnings": warnings} if warnings else {}), **_expansion(kind, report.value, probes)}


def completed(vector: Vector, name: str, about: str) -> Vector:
    """The vector as one for a file."""
    found = {**vector, "name": name, "about": about.replace("\n", " ")}
    if vector["verdict"] == "refuse":
        found["stage"] = stage(vector)
    if has_large_integers(vector):
        found["large_integers"] = True
    return found


def _expansion(kind: str, value: Any, probes: Probes) -> dict[str, Any]:
    if kind in ("LayerCachePolicy", "CacheLayout"):
        resolved = _of_layout if kind == "CacheLayout" else _of_layer
        return {"components": _components(value), "resolved": [resolved(value, *probe) for probe in probes]}
    if kind == "StateComponentRole":
        return {"stable_name": cachespec.stable_name(value)}
    if kind == "StateTensorDtype":
        accepted = [name for name in DTYPE_NAMES if cachespec.accepts_dtype_name(value, name)]
        return {"dtypes": {"accepted": accepted, "refused": [name for name in DTYPE_NAMES if name not in accepted]}}
    return {}


def _components(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, cachespec.CacheLayout):
        named = [(component.name, component.policy) for component in cachespec.expand(value, 1, 1)]
    else:
        named = [(cachespec.stable_name(component.role), component) for component in cachespec.components(value)]
    return [{"name": name, "policy": json.loads(cachespec.dumps(policy))} for name, policy in named]


def _of_layout(layout: Any, batch_size: int, prefix_tokens: int) -> dict[str, Any]:
    probe = {"batch_size": batch_size, "prefix_tokens": prefix_tokens}
    try:
        expanded = cachespec.expand(layout, batch_size, prefix_tokens)
    except cachespec.CachePolicyError as error:
        return {**probe, "error": error.findings[0].code}
    return {
        **probe,
        "components": [{"name": one.name, "shape": list(one.shape), "required": one.required} for one in expanded],
    }


def _of_layer(policy: Any, batch_size: int, prefix_tokens: int) -> dict[str, Any]:
    components = [
        {
            "name": cachespec.stable_name(component.role),
            "required": cachespec.is_required_for(component.presence, prefix_tokens),
            **_shape(component, batch_size, prefix_tokens),
        }
        for component in cachespec.components(policy)
    ]
    return {"batch_size": batch_size, "prefix_tokens": prefix_tokens, "components": components}


def _shape(component: cachespec.StateComponentPolicy, batch_size: int, prefix_tokens: int) -> dict[str, Any]:
    try:
        return {"shape": list(cachespec.resolved_shape(component.shape, batch_size, prefix_tokens))}
    except cachespec.CachePolicyError as error:
        return {"error": error.findings[0].code}
