"""What an importer makes of a configuration, in a line that a table can hold: a layout layer by layer, or a refusal."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Container, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import cachespec

TESTS = Path(__file__).resolve().parent.parent

Config: TypeAlias = dict[str, Any]
# By the name of a configuration: fields in place of its own (`...` leaves one out), and what comes out then.
Cases: TypeAlias = Mapping[str, list[tuple[Config, str]]]

SMALL: Config = {
    "hidden_size": 72,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 3,
    "head_dim": 16,
}


@cache
def recorded(case: str) -> Config:
    """The whole configuration of a recorded cache of transformers."""
    lines = (TESTS / "transformers-truth" / "transformers-5.24.jsonl").read_text(encoding="utf-8").splitlines()
    config: Config = next(record["config"] for record in map(json.loads, lines) if record["case"] == case)
    return config


@cache
def of_eredu(name: str) -> Config:
    """The configuration of a list of layers that eredu keeps."""
    lines = (TESTS / "vectors" / "eredu-layouts.jsonl").read_text(encoding="utf-8").splitlines()
    config: Config = next(case["config"] for case in map(json.loads, lines) if case["name"].startswith(name))
    return config


def published(name: str) -> Config:
    """A configuration as it is published."""
    config: Config = json.loads((TESTS / "configs" / f"{name}.json").read_text(encoding="utf-8"))
    return config


def changed(config: Config, changes: Config) -> Config:
    return {name: value for name, value in {**config, **changes}.items() if value is not ...}


def rows(cases: Cases, configs: Mapping[str, Config], nested: Container[str] = ()) -> list[Any]:
    """A parameter for each row of a table; configurations that are not in `configs` are recorded ones.

    For the model types in `nested`, what is changed is the text model of a configuration.
    """
    found = []
    for name, table in cases.items():
        for changes, expected in table:
            config = changed(configs[name] if name in configs else recorded(name), changes)
            whole = {"model_type": name, "text_config": config} if name in nested else config
            found.append(pytest.param(whole, expected, id=f"{name} {changes}".replace("Ellipsis", "...")))
    return found


def outcome(config: Config, **options: Any) -> str:
    """The layers in the notation of `told`, or the code of the refusal and where it points."""
    try:
        return told(json.loads(cachespec.dumps(imported(config, **options)))["layers"])
    except cachespec.CachePolicyError as error:
        (finding,) = error.findings
        return f"{finding.code} {finding.path}".rstrip()


def imported(config: Config, **options: Any) -> cachespec.CacheLayout:
    """The layout, without defaults of the library."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", cachespec.CachePolicyWarning)
        patch.setitem(sys.modules, "transformers", None)
        return cachespec.import_config(config, **options)


def told(layers: list[Any]) -> str:
    """`0-1,3: kv 3x16 in 19; 2: none`: three layers of 3 heads with 16 elements and a window, one without state."""
    places: dict[str, list[int]] = {}
    for index, layer in enumerate(layers):
        places.setdefault(_layer(layer), []).append(index)
    return "; ".join(f"{_ranges(indices)}: {layer}" for layer, indices in places.items())


def _ranges(indices: list[int]) -> str:
    known = set(indices)
    starts = [index for index in indices if index - 1 not in known]
    ends = [index for index in indices if index + 1 not in known]
    pairs = zip(starts, ends, strict=True)
    return ",".join(str(start) if start == end else f"{start}-{end}" for start, end in pairs)


def _layer(layer: Any) -> str:
    if layer == "no_state":
        return "none"
    ((variant, fields),) = layer.items()
    parts = []
    if variant.startswith("key_value"):
        parts.append(f"kv {fields['num_key_value_heads']}x{fields['head_dim']}")
    elif variant.startswith("key_only"):
        parts.append(f"keys {fields['num_key_heads']}x{fields['head_dim']}")
    elif variant == "compressed_latent_rotary":
        parts.append(f"latent {fields['latent_dim']}+{fields['rotary_dim']}")
    if fields.get("attention", "full") != "full":
        parts[0] += f" in {fields['attention']['sliding']['window']}"
    return " + ".join([*parts, *map(_tensor, fields.get("tensors", ()))])


def _tensor(tensor: Any) -> str:
    """Role, extents after the batch, an unusual dtype, and when it is there; the role decides the residency."""
    role = tensor["role"]
    if isinstance(role, dict):
        ((kind, fields),) = role.items()
        role = ".".join(["conv" if kind == "convolution" else kind, *map(str, fields.values())])
    extents = "x".join(map(_dimension, tensor["shape"])).removeprefix("batchx")
    usual = {"recurrent": "float32", "position_delta": "int32"}.get(role, "floating")
    dtype = "" if tensor["dtype"] == usual else f" {tensor['dtype']}"
    presence = "" if tensor["presence"] == "required" else f" if {_dimension(tensor['presence'])}"
    return f"{role} {extents}{dtype}{presence}"


def _dimension(dimension: Any) -> str:
    if isinstance(dimension, str):
        return dimension
    ((kind, number),) = dimension.items()
    words = {
        "fixed": "",
        "prefix_tokens_rem": "rest",
        "prefix_tokens_div": "groups",
        "prefix_remainder_non_zero": "rest",
        "prefix_at_least": "tokens",
    }
    return f"{words[kind]}{number}"
