"""Where a conformance vector says something else than the original answers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, TypeAlias

from tests.conformance import reference
from tests.conformance.run import Vector, data
from tests.consumers.original import Answer, Ask, Question
from tests.consumers.trees import Node, Pairs, Token, once, parsed, written

from cachespec.validation.codes import codes

Value: TypeAlias = Any
# Its type, path and text.
Part: TypeAlias = tuple[str, str, str]

WAYS: tuple[reference.Way, ...] = ("text", "value")

# The payloads of variants have no type of their own in the original: it reads them inside the variant.
PAYLOADS = {
    "Sliding": ("AttentionPolicy", "sliding"),
    "Convolution": ("StateTensorRole", "convolution"),
    "Pooling": ("StateTensorRole", "pooling"),
    "KeyValue": ("LayerCachePolicy", "key_value"),
    "KeyOnly": ("LayerCachePolicy", "key_only"),
    "CompressedLatentRotary": ("LayerCachePolicy", "compressed_latent_rotary"),
    "FixedState": ("LayerCachePolicy", "fixed_state"),
    "KeyValueWithFixedState": ("LayerCachePolicy", "key_value_with_fixed_state"),
    "KeyOnlyWithFixedState": ("LayerCachePolicy", "key_only_with_fixed_state"),
}
# Its only error on the way to a shape, and what it is here.
_ERRORS = {"fixed-state tensor dimension exceeds runtime i32 range": "out-of-range"}


def left_out(vector: Vector) -> bool:
    """Whether the original has nothing to say: it reads no YAML, and an offset of a layer is no type of it.

    A YAML vector that is accepted is asked about as its canonical text.
    """
    if vector["syntax"] == "yaml" and vector["verdict"] == "refuse":
        return True
    return vector["type"] not in reference.TYPES and vector["type"] not in PAYLOADS and vector["type"] != "CacheLayout"


def differences(vector: Vector, ask: Ask) -> list[str]:
    """What the original answers otherwise, in words."""
    if left_out(vector):
        return []
    if vector["verdict"] == "accept":
        return list(_accepted(vector, ask))
    if vector["type"] == "CacheLayout":
        return list(_refused_layout(vector, ask))
    kind, text = _in_the_original(vector["type"], data(vector))
    named = vector.get("stricter", []) if kind == vector["type"] else reasons(kind, text)
    return list(_refused(kind, text, named, ask))


def _in_the_original(kind: str, document: str | bytes) -> tuple[str, str]:
    """A document as one of a type that the original has."""
    text = document if isinstance(document, str) else document.decode()
    if kind not in PAYLOADS:
        return kind, text
    union, variant = PAYLOADS[kind]
    return union, f'{{"{variant}":{text}}}'


def _asked(kind: str, document: str | bytes, **more: Any) -> Question:
    whole = {"text": document} if isinstance(document, str) else {"bytes": list(document)}
    return {"op": "decode", "type": kind, **whole, "asked": more}


def accepts(answer: Answer) -> bool:
    """Whether the original accepts a document in one of its two ways."""
    return any("refused" not in answer[way] for way in WAYS)


# --- accepted --------------------------------------------------------------------------------------------


def _accepted(vector: Vector, ask: Ask) -> Iterator[str]:
    document = data(vector) if vector["syntax"] == "json" else vector["canonical"]
    kind, text = _in_the_original(vector["type"], document)
    dtypes = vector.get("dtypes", {"accepted": [], "refused": []})
    probes = [(probe["batch_size"], probe["prefix_tokens"]) for probe in vector.get("resolved", [])]
    layout = kind == "CacheLayout"
    named = [*dtypes["accepted"], *dtypes["refused"]]
    answer = ask(_asked(kind, text, probes=[] if layout else probes, dtypes=named))
    canonical = (
        _of_a_layout(vector["canonical"]) if layout else _in_the_original(vector["type"], vector["canonical"])[1]
    )
    for way in WAYS:
        yield from _differs(f"by {way}", answer[way], {"canonical": canonical})
    if not layout:
        yield from _second_opinion(kind, text, answer)
    facts = answer["facts"] or {}
    if "components" in vector:
        components, resolved = _expanded(vector["canonical"], probes, ask) if layout else _expansion(facts)
        yield from _differs("components", components, vector["components"])
        yield from _differs("resolved", resolved, vector["resolved"])
    if "stable_name" in vector:
        yield from _differs("stable_name", facts.get("stable_name"), vector["stable_name"])
    if "dtypes" in vector:
        yield from _differs("dtypes", facts.get("dtypes"), dtypes["accepted"])


def _of_a_layout(canonical: str) -> str:
    """What the original has of a layout, as its program writes it."""
    layout = json.loads(canonical)
    return json.dumps({"layers": layout["layers"], "rank": layout.get("rank")}, separators=(",", ":"))


def _expansion(facts: dict[str, Any]) -> tuple[Value, Value]:
    """Components and resolved shapes in the form of the vectors."""
    components = [_with_policy_as_value(component) for component in facts.get("components", [])]
    resolved = [
        {**probe, "components": [_with_code(component) for component in probe["components"]]}
        for probe in facts.get("resolved", [])
    ]
    return components, resolved


def _with_policy_as_value(component: dict[str, Any]) -> dict[str, Any]:
    return {**component, "policy": json.loads(component["policy"])}


def _with_code(component: dict[str, Any]) -> dict[str, Any]:
    return {**component, "error": _ERRORS[component["error"]]} if "error" in component else component


def _expanded(canonical: str, probes: list[tuple[int, int]], ask: Ask) -> tuple[Value, Value]:
    """The expansion of a layout, put together of those of its layers."""
    layout = json.loads(canonical)
    layers = layout["layers"]
    start = layout.get("global_layer_start", 0)
    offsets = layout.get("layer_prefix_offsets", [0] * len(layers))
    components: list[Value] = []
    resolved: list[Value] = [
        {"batch_size": batch, "prefix_tokens": prefix, "components": []} for batch, prefix in probes
    ]
    for index, (layer, offset) in enumerate(zip(layers, offsets, strict=True), start):
        held = [(batch, max(prefix + offset, 0)) for batch, prefix in probes]
        answer = ask(_asked("LayerCachePolicy", json.dumps(layer), probes=held))
        of_layer, of_probes = _expansion(answer["facts"])
        components += [_in_layer(index, component) for component in of_layer]
        for whole, one in zip(resolved, of_probes, strict=True):
            whole["components"] += [_in_layer(index, component) for component in one["components"]]
    return components, [_unless_an_extent_fails(probe) for probe in resolved]


def _in_layer(index: int, component: dict[str, Any]) -> dict[str, Any]:
    return {**component, "name": f"layers.{index}.{component['name']}"}


def _unless_an_extent_fails(probe: dict[str, Any]) -> dict[str, Any]:
    errors = [component["error"] for component in probe["components"] if "error" in component]
    if not errors:
        return probe
    return {"batch_size": probe["batch_size"], "prefix_tokens": probe["prefix_tokens"], "error": errors[0]}


# --- refused ---------------------------------------------------------------------------------------------


def _refused(kind: str, text: str, named: list[str], ask: Ask) -> Iterator[str]:
    """The original refuses too, unless there is a reason to be stricter than it is."""
    answer = ask(_asked(kind, text))
    if accepts(answer) and not named:
        yield f"accepts {kind} {_shortened(text)}, which is refused for none of S1 to S8"
    elif named and not accepts(answer):
        yield f"refuses {kind} {_shortened(text)}, which is refused for {', '.join(named)} only"
    yield from _second_opinion(kind, text, answer)


def _refused_layout(vector: Vector, ask: Ask) -> Iterator[str]:
    """The original knows no layout, so that it is asked about the parts that are types of it."""
    document = data(vector)
    answer = ask(_asked("CacheLayout", document))
    if "stricter" in vector and not accepts(answer):
        yield f"refuses the layers, which are refused for {', '.join(vector['stricter'])} only"
    try:
        parts = list(_parts(document if isinstance(document, str) else document.decode()))
    except (ValueError, RecursionError):
        # Straight into a type it passes over what it does not need to look at; every other reader sees it.
        if "refused" not in answer["value"]:
            yield "reads a text that is no JSON"
        return
    errors = {finding["path"] for finding in vector["findings"] if codes()[finding["code"]].level == "error"}
    if any(finding["code"] == "unknown-document" for finding in vector["findings"]):
        # Nothing else was judged.
        return
    for kind, path, text in parts:
        if any(_is_within(path, error) for error in errors - {path}):
            continue
        if any(_is_within(error, path) for error in errors):
            yield from _refused(kind, text, reasons(kind, text), ask)
        elif not accepts(ask(_asked(kind, text))):
            yield f"refuses {path}, of which there is no finding"


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}/") or other == ""


def _parts(text: str) -> Iterator[Part]:
    """The parts of a layout that the original has a type for, but for those of a field that is there twice."""
    layout = parsed(text)
    layers, rank = once(layout, "layers"), once(layout, "rank")
    for index, layer in enumerate(layers if type(layers) is list else []):
        yield "LayerCachePolicy", f"/layers/{index}", written(layer)
    if rank is not None:
        yield "CacheRankIdentity", "/rank", written(rank)


def reads(kind: str, text: str, way: reference.Way) -> reference.Reading | None:
    """How the original reads a text, by reference.py, which does not look at what the original passes over.

    By way of a value nothing is passed over: no lone surrogate, no number that is too large for a double. Keys are
    looked at in both ways.
    """
    try:
        tree = parsed(text)
    except (ValueError, RecursionError):
        return None
    looked_at = _scalars(tree) if way == "value" else _keys(tree)
    return None if any(map(_is_no_value, looked_at)) else reference.reads(kind, text, way)


def reasons(kind: str, text: str) -> list[str]:
    """Why a document is refused that the original accepts, in S1 to S8; none where it does not accept it."""
    reading = reads(kind, text, "text") or reads(kind, text, "value")
    return sorted(reading.stricter) if reading else []


def _keys(node: Node) -> Iterator[Node]:
    for entry in node if isinstance(node, list) else ():
        if isinstance(node, Pairs):
            yield entry[0]
        yield from _keys(entry[1] if isinstance(node, Pairs) else entry)


def _scalars(node: Node) -> Iterator[Node]:
    yield from _keys(node)
    if not isinstance(node, list):
        yield node
    for entry in node if isinstance(node, list) else ():
        yield from _scalars(entry[1] if isinstance(node, Pairs) else entry)


def _is_no_value(scalar: Node) -> bool:
    if isinstance(scalar, Token):
        return math.isinf(float(scalar))
    return isinstance(scalar, str) and any("\ud800" <= letter <= "\udfff" for letter in scalar)


def _second_opinion(kind: str, text: str, answer: Answer) -> Iterator[str]:
    """What tells reasons must read as the original does."""
    for way in WAYS:
        reading = reads(kind, text, way)
        if (reading is None) != ("refused" in answer[way]):
            yield f"by {way} {kind} {_shortened(text)} is {answer[way]}, and reference.py says otherwise"
        elif reading is not None:
            yield from _differs(f"by {way}, reference.py", answer[way]["canonical"], reading.canonical)


def _shortened(text: str) -> str:
    return text if len(text) < 200 else f"{text[:200]}..."


def _differs(what: str, answer: object, expected: object) -> Iterator[str]:
    if answer != expected:
        yield f"{what}: {answer!r}, and the vector says {expected!r}"
