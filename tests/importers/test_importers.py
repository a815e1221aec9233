"""Importing configurations: against recorded caches, the lists of eredu, and mistakes others have made."""

from __future__ import annotations

import contextlib
import copy
import importlib.metadata
import importlib.util
import json
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cachespec.findings import CachePolicyError
from cachespec.importers import catalogue
from cachespec.importers.configuration import Configuration
from cachespec.importers.eredu import attention as eredu_attention
from cachespec.importers.layer_lists import layer_of_key
from cachespec.importers.runtimes import read_config
from cachespec.importers.transformers import defaults, families, importer
from tests.tools import Tell

HERE = Path(__file__).parents[1]
CODES = {"missing-config-field", "unknown-model-type", "not-expressible", "invalid-config-value"}
DISTINCTIVE_BATCH = 8191

Config = dict[str, Any]
Kept = tuple[str, tuple[int, ...], bool]


def has_extra() -> bool:
    return importlib.util.find_spec("transformers") is not None and importlib.metadata.version(
        "transformers"
    ).startswith(f"{defaults.SUPPORTED}.")


needs_extra = pytest.mark.skipif(not has_extra(), reason="the extra cachespec[transformers] is not installed")


def records() -> Iterator[Config]:
    with (HERE / "transformers-truth" / "transformers-5.24.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def shared_config(name: str) -> Config:
    config: Config = json.loads((HERE / "configs" / f"{name}.json").read_text(encoding="utf-8"))
    return config


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "why_unavailable", lambda: "state it, or install cachespec[transformers]")


# What a layout says is kept, by the conventions of the transformers runtime, written down a second time


def extent(dimension: Any, batch: int, tokens: int) -> int:
    if dimension in ("batch", "prefix_tokens", "scalar"):
        return {"batch": batch, "prefix_tokens": tokens, "scalar": 1}[dimension]
    (kind, number), *_ = dimension.items()
    resolved: dict[str, int] = {
        "fixed": number,
        "prefix_tokens_div": tokens // number,
        "prefix_tokens_rem": tokens % number,
    }
    return resolved[kind]


def is_present(presence: Any, tokens: int) -> bool:
    if presence == "required":
        return True
    (kind, number), *_ = presence.items()
    return bool(tokens % number if kind == "prefix_remainder_non_zero" else tokens >= number)


def name_of(role: Any) -> str:
    if role == "recurrent":
        return "recurrent_states[0]"
    if "convolution" in role:
        return f"conv_states[{role['convolution']['slot']}]"
    entry = ("compressor", "indexer")[role["pooling"]["stream"]]
    component = {
        "pending_values": "buffer_kv",
        "pending_gates": "buffer_gate",
        "pooled": "compressed_kv",
        "overlap_values": "overlap_kv",
        "overlap_gates": "overlap_gate",
    }[role["pooling"]["component"]]
    return f"{component}['{entry}']"


def kept(layer: Any, batch: int, tokens: int) -> list[Kept]:
    """Name, shape and whether float32 is demanded, of everything the layer keeps."""
    if layer == "no_state":
        return []
    ((variant, fields),) = layer.items()
    found: list[Kept] = []
    attention = fields.get("attention")
    if isinstance(attention, dict):
        window = attention["sliding"]["window"]
        held = min(tokens, window - 1) if window > 1 else tokens
    else:
        held = tokens
    if variant.startswith("key_value"):
        shape = (batch, fields["num_key_value_heads"], held, fields["head_dim"])
        found += [("keys", shape, False), ("values", shape, False)]
    elif variant.startswith("key_only"):
        found.append(("keys", (batch, fields["num_key_heads"], held, fields["head_dim"]), False))
    elif variant == "compressed_latent_rotary":
        found.append(("keys", (batch, 1, held, fields["latent_dim"]), False))
        found.append(("values", (batch, 1, held, fields["rotary_dim"]), False))
    for tensor in fields.get("tensors", ()):
        if is_present(tensor["presence"], tokens):
            extents = tuple(extent(dimension, batch, tokens) for dimension in tensor["shape"])
            found.append((name_of(tensor["role"]), extents, tensor["dtype"] == "float32"))
    return found


def recorded(tensors: list[Config], batch: int, dtype: str) -> list[Kept]:
    """The same of a recorded layer: each storage once, without empty tensors, for a batch of another size."""
    others = {
        "module_state['temporal_block.conv1d_state']": "conv_states[0]",
        "module_state['temporal_block.rg_lru.recurrent_states']": "recurrent_states[0]",
    }
    found: list[Kept] = []
    for tensor in tensors:
        if tensor.get("same_storage_as") or 0 in tensor["shape"]:
            continue
        shape = [batch if axis in tensor["batch_dims"] else size for axis, size in enumerate(tensor["shape"])]
        name: str = tensor["name"]
        name = others.get(name, name)
        if name.startswith("linear_cache["):
            name = "recurrent_states[0]"
        # in a float32 model nothing tells a float32 state from the others
        found.append((name, tuple(shape), dtype != "float32" and tensor["dtype"] == "float32"))
    return found


def difference(document: Config, record: Config) -> str | None:
    layers, truth = document["layers"], record["layers"]
    if len(layers) != len(truth) or record.get("unlayered_tensors"):
        return f"{len(layers)} layers, recorded {len(truth)}"
    for index, (layer, real) in enumerate(zip(layers, truth, strict=True)):
        imported = kept(layer, DISTINCTIVE_BATCH, record["prompt_tokens"])
        if record["dtype"] == "float32":
            imported = [(name, shape, False) for name, shape, _ in imported]
        wanted = recorded(real["tensors"], DISTINCTIVE_BATCH, record["dtype"])
        if sorted(imported) != sorted(wanted):
            return f"layer {index}: imported {sorted(imported)}, recorded {sorted(wanted)}"
        slides = layer != "no_state" and any(isinstance(f.get("attention"), dict) for f in layer.values())
        cache = real["cache_class"] or ""
        if slides != ("Sliding" in cache or cache.startswith("DeepseekV4")):
            return f"layer {index}: sliding is {slides}, recorded {cache}"
    return None


def survey(form: str, tell: Tell) -> tuple[int, int, int, list[str], dict[str, str]]:
    """Model types, those right in some record, those right in all, wrong answers, and refusals by case."""
    answers: dict[str, set[bool]] = defaultdict(set)
    wrong: list[str] = []
    refused: dict[str, str] = {}
    for record in records():
        try:
            document, _ = read_config(record[form])
        except CachePolicyError as error:
            if not {finding.code for finding in error.findings} <= CODES:
                wrong.append(f"{record['case']}: {error}")
            answers[record["model_type"]].add(False)
            refused[record["case"]] = str(error)
            continue
        problem = difference(document, record)
        answers[record["model_type"]].add(problem is None)
        if problem is not None:
            wrong.append(f"{record['case']}: {problem}")
    some = sum(True in answer for answer in answers.values())
    every = sum(answer == {True} for answer in answers.values())
    counts = f"right in some record {some}, in every record {every}, wrong {len(wrong)}"
    tell(f"{form}: {len(answers)} types, {counts}, {len(refused)} records refused")
    return len(answers), some, every, wrong, refused


@pytest.mark.usefixtures("without_extra")
def test_whole_configurations_give_the_recorded_caches(tell: Tell) -> None:
    types, some, every, wrong, refused = survey("config", tell)
    assert not wrong
    assert (types, some, every, len(refused)) == (118, 109, 108, 12)
    assert all("not-expressible" in reason for reason in refused.values())


@pytest.mark.usefixtures("without_extra")
def test_hub_configurations_give_the_recorded_caches_or_name_what_is_missing(tell: Tell) -> None:
    types, some, every, wrong, refused = survey("config_minimal", tell)
    assert not wrong
    assert (types, some, every, len(refused)) == (118, 99, 80, 45)
    assert all("missing-config-field" in text or "not-expressible" in text for text in refused.values())


@needs_extra
def test_the_extra_reads_as_much_from_hub_configurations_as_from_whole_ones(tell: Tell) -> None:
    _, some, every, wrong, _ = survey("config_minimal", tell)
    _, some_whole, every_whole, wrong_whole, _ = survey("config", tell)
    assert not wrong
    assert not wrong_whole
    assert (some, every) == (some_whole, every_whole)


# One reading against another: our rules and the library's classes must never give two different layouts

STRAYS: dict[str, list[Any]] = {
    "sliding_window": [19, 1, None],
    "use_sliding_window": [True, False],
    "max_window_layers": [1, 99],
    "attention_chunk_size": [17, None],
    "head_dim": [20, None],
    "num_key_value_heads": [1, 6, None],
    "num_kv_shared_layers": [0, 1],
    "sliding_window_pattern": [2],
    "use_bidirectional_attention": [True, False],
    "multi_query": [True, False],
    "layer_types": [None],
    "num_attention_heads": [12],
    "v_head_dim": [10],
}


BESIDE_THE_CACHE = (
    "_id",
    "drop",
    "act",
    "init",
    "vocab",
    "eps",
    "rope",
    "rout",
    "expert",
    "bias",
    "dtype",
    "intermed",
)


def mutants(config: Config) -> Iterator[tuple[str, Config]]:
    for name in config:
        if name != "model_type" and not any(part in name for part in BESIDE_THE_CACHE):
            yield f"without {name}", {key: value for key, value in config.items() if key != name}
            yield f"null {name}", {**config, name: None}
    for name, values in STRAYS.items():
        for value in values:
            yield f"{name}={value}", {**config, name: value}


@needs_extra
def test_our_rules_and_the_librarys_classes_never_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    compared, seen = 0, set()
    for record in records():
        for form in ("config", "config_minimal"):
            whole = record[form]
            if isinstance(whole.get("text_config"), dict):
                whole = whole["text_config"]
            key = json.dumps(whole, sort_keys=True)
            if key in seen or "model_type" not in whole:
                continue
            seen.add(key)
            for what, config in mutants(whole):
                with monkeypatch.context() as patch:
                    patch.setattr(defaults, "why_unavailable", lambda: "not here")
                    ours = outcome(config)
                    if ours is None:
                        continue
                    try:
                        filled = outcome(defaults.filled(config))
                    except CachePolicyError:
                        continue
                if filled is not None:
                    compared += 1
                    assert ours["layers"] == filled["layers"], f"{record['case']} {form}: {what}"
    print(f"\n{compared} mutated configurations read twice")
    assert compared > 1000


def outcome(config: Config) -> Config | None:
    try:
        return read_config(config)[0]
    except CachePolicyError:
        return None


# eredu


@pytest.mark.parametrize(
    "case",
    [json.loads(line) for line in (HERE / "vectors" / "eredu-layouts.jsonl").read_text(encoding="utf-8").splitlines()],
    ids=lambda case: case["name"],
)
def test_eredu_keeps_what_its_lists_say(case: Config) -> None:
    stage = tuple(case["stage"]) if case["stage"] else None
    document, warnings = read_config(
        case["config"], "eredu", tensor_parallel=case["tensor_parallel"], rank=case["rank"], layers=stage
    )
    assert document["layers"] == case["layers"]
    assert document.get("layer_prefix_offsets") == case["offsets"]
    assert not warnings


def test_eredu_stages_put_the_whole_together() -> None:
    config = shared_config("deepseek_v4")
    whole, _ = read_config(config, "eredu")
    stages = [read_config(config, "eredu", layers=(start, start + 11))[0] for start in range(0, 44, 11)]
    joined: list[object] = []
    for stage in stages:
        joined += stage["layers"]  # type: ignore[arg-type]
    assert joined == whole["layers"]
    assert [stage["global_layer_start"] for stage in stages] == [0, 11, 22, 33]
    assert {stage["layer_count"] for stage in stages} == {44}
    assert "layer_prefix_offsets" not in stages[0]
    assert stages[3]["layer_prefix_offsets"] == [0] * 10 + [-1]


def test_only_the_first_stage_keeps_what_belongs_to_layer_0() -> None:
    config = shared_config("gemma4_text")
    first, second = (read_config(config, "eredu", layers=stage)[0] for stage in ((0, 6), (6, 30)))
    assert "prefix_embedding" in json.dumps(first["layers"])
    assert "prefix_embedding" not in json.dumps(second["layers"])


SMALL = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 6,
    "num_key_value_heads": 3,
    "head_dim": 16,
}


def test_eredu_ranks_may_differ_by_one_head() -> None:
    layers = [read_config(SMALL, "eredu", tensor_parallel=2, rank=rank)[0]["layers"] for rank in (0, 1)]
    assert [layer[0]["key_value"]["num_key_value_heads"] for layer in layers] == [2, 1]  # type: ignore[index]


def test_eredu_refuses_more_ranks_than_heads() -> None:
    config = {**SMALL, "num_attention_heads": 8, "num_key_value_heads": 2}
    refused(config, "invalid-config-value", "/num_key_value_heads", runtime="eredu", tensor_parallel=4)


def test_eredu_refuses_to_split_quantised_weights() -> None:
    config = {**SMALL, "quantization_config": {"bits": 4}}
    assert read_config(config, "eredu")[0]["layer_count"] == 2
    refused(config, "not-expressible", "/quantization_config", runtime="eredu", tensor_parallel=3)


def test_eredu_latent_attention_is_not_split() -> None:
    config = shared_config("deepseek_v3")
    assert read_config(config, "eredu")[0]["layers"] == read_config(config, "eredu", tensor_parallel=8)[0]["layers"]


@pytest.mark.parametrize("options", [{"rank": 1}, {"tensor_parallel": 0}, {"layers": (1, 9)}, {"layers": (1, 1)}])
def test_options_out_of_range_are_errors_of_the_caller(options: Any) -> None:
    with pytest.raises(ValueError, match=r"rank|stage") as caught:
        read_config(SMALL, "eredu", **options)
    assert not isinstance(caught.value, CachePolicyError)


# Mistakes seen in public trackers, with the right answer

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 4,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
}
QWEN2 = {
    **LLAMA,
    "model_type": "qwen2",
    "use_sliding_window": True,
    "sliding_window": 1024,
    "max_window_layers": 2,
}
MISTRAL = {**LLAMA, "model_type": "mistral", "sliding_window": 4096}


def geometry(config: Config) -> list[tuple[int, int, int | None]]:
    """Heads, width and window of every layer that keeps keys and values."""
    found = []
    for layer in read_config(config)[0]["layers"]:  # type: ignore[attr-defined]
        fields = layer["key_value"]
        attention = fields["attention"]
        window = None if attention == "full" else attention["sliding"]["window"]
        found.append((fields["num_key_value_heads"], fields["head_dim"], window))
    return found


def refused(config: Config, code: str, path: str, **options: Any) -> CachePolicyError:
    with pytest.raises(CachePolicyError) as caught:
        read_config(config, **options)
    (finding,) = caught.value.findings
    assert (finding.code, finding.path, finding.level) == (code, path, "error")
    assert "\n" not in finding.message
    return caught.value


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param({**LLAMA, "head_dim": 64}, [(8, 64, None)] * 4, id="a stated width is not hidden / heads"),
        pytest.param({**LLAMA, "head_dim": None}, [(8, 128, None)] * 4, id="a null width is hidden / heads"),
        pytest.param({**LLAMA, "num_key_value_heads": None}, [(32, 128, None)] * 4, id="null heads are all heads"),
        pytest.param({**QWEN2, "use_sliding_window": False}, [(8, 128, None)] * 4, id="a window switched off"),
        pytest.param(
            {**LLAMA, "use_sliding_window": False, "sliding_window": 1024},
            [(8, 128, 1024)] * 4,
            id="a switch that llama does not read",
        ),
        pytest.param(QWEN2, [(8, 128, None)] * 2 + [(8, 128, 1024)] * 2, id="max_window_layers"),
        pytest.param({**MISTRAL, "sliding_window": None}, [(8, 128, None)] * 4, id="a null window is no window"),
        pytest.param(MISTRAL, [(8, 128, 4096)] * 4, id="a window"),
        pytest.param(
            {
                "model_type": "falcon",
                "hidden_size": 128,
                "num_hidden_layers": 1,
                "num_attention_heads": 8,
                "multi_query": True,
                "num_kv_heads": 4,
                "new_decoder_architecture": False,
            },
            [(1, 16, None)],
            id="multi_query",
        ),
        pytest.param(
            {
                "model_type": "gpt_bigcode",
                "n_embd": 128,
                "n_layer": 1,
                "n_head": 8,
                "multi_query": True,
            },
            [(1, 16, None)],
            id="multi_query under other names",
        ),
        pytest.param(
            {
                "model_type": "llava",
                "vision_config": {"hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 24},
                "text_config": LLAMA,
            },
            [(8, 128, None)] * 4,
            id="vision and text sizes in one configuration",
        ),
    ],
)
@pytest.mark.usefixtures("without_extra")
def test_mistakes_seen_in_trackers(config: Config, expected: list[tuple[int, int, int | None]]) -> None:
    assert geometry(config) == expected


@pytest.mark.parametrize(
    ("config", "code", "path"),
    [
        ({**LLAMA, "hidden_size": 4100}, "invalid-config-value", "/hidden_size"),
        ({**LLAMA, "head_dim": 0}, "invalid-config-value", "/head_dim"),
        ({**LLAMA, "head_dim": 64.0}, "invalid-config-value", "/head_dim"),
        ({**LLAMA, "head_dim": True}, "invalid-config-value", "/head_dim"),
        ({**LLAMA, "head_dim": "64"}, "invalid-config-value", "/head_dim"),
        ({**LLAMA, "num_key_value_heads": 5}, "invalid-config-value", "/num_key_value_heads"),
        ({**MISTRAL, "sliding_window": 0}, "invalid-config-value", "/sliding_window"),
        ({**MISTRAL, "sliding_window": -1}, "invalid-config-value", "/sliding_window"),
        ({**LLAMA, "layer_types": ["full_attention"] * 5}, "invalid-config-value", "/layer_types"),
        ({**LLAMA, "layer_types": ["no_such_attention"] * 4}, "invalid-config-value", "/layer_types"),
        ({**LLAMA, "layer_types": ["linear_attention"] * 4}, "not-expressible", "/layer_types"),
        ({**LLAMA, "num_hidden_layers": 10**9}, "invalid-config-value", "/num_hidden_layers"),
        ({**LLAMA, "num_hidden_layers": 10**5000}, "invalid-config-value", "/num_hidden_layers"),
        ({**LLAMA, "is_encoder_decoder": True}, "not-expressible", "/is_encoder_decoder"),
        ({**LLAMA, "text_config": LLAMA}, "invalid-config-value", "/text_config"),
        ({**LLAMA, "model_type": "lama"}, "unknown-model-type", "/model_type"),
        ({**LLAMA, "model_type": None}, "missing-config-field", "/model_type"),
        ({**LLAMA, "model_type": 7}, "invalid-config-value", "/model_type"),
        (
            {"model_type": "llava", "text_config": {**LLAMA, "model_type": None}},
            "missing-config-field",
            "/text_config/model_type",
        ),
        ({"model_type": "gemma3", "text_config": LLAMA}, "invalid-config-value", "/text_config/model_type"),
        ({"model_type": "llava"}, "missing-config-field", "/text_config"),
        ({"model_type": "llava", "text_config": []}, "invalid-config-value", "/text_config"),
        (
            {**QWEN2, "layer_types": ["sliding_attention"] * 4, "sliding_window": None},
            "missing-config-field",
            "/sliding_window",
        ),
        (
            {key: value for key, value in MISTRAL.items() if key != "sliding_window"},
            "missing-config-field",
            "/sliding_window",
        ),
        (
            {**LLAMA, "per_layer_config": {"9": {"sliding_window": 5}}},
            "invalid-config-value",
            "/per_layer_config/9",
        ),
        (
            {**LLAMA, "per_layer_config": {"1": {"head_dim": 5}}},
            "not-expressible",
            "/per_layer_config/1/head_dim",
        ),
        (
            {"model_type": "mimo_v2_flash", **SMALL, "v_head_dim": 8, "sliding_window": 5}
            | {"model_type": "mimo_v2_flash"},
            "not-expressible",
            "/v_head_dim",
        ),
        (
            {"model_type": "gpt2", "n_embd": 64, "hidden_size": 32, "n_layer": 1, "n_head": 4},
            "invalid-config-value",
            "/n_embd",
        ),
        ({"model_type": "rwkv"}, "not-expressible", "/model_type"),
    ],
)
@pytest.mark.usefixtures("without_extra")
def test_refusals_name_the_field(config: Config, code: str, path: str) -> None:
    refused(config, code, path)


def test_a_window_switched_off_is_no_window_for_a_listed_layer() -> None:
    config = {**QWEN2, "use_sliding_window": False, "layer_types": ["sliding_attention"] * 4}
    refused(config, "invalid-config-value", "/use_sliding_window")


def test_eredu_refuses_kinds_that_contradict_the_window() -> None:
    refused(
        {**MISTRAL, "layer_types": ["full_attention"] * 4},
        "invalid-config-value",
        "/layer_types",
        runtime="eredu",
    )


def test_a_list_of_the_wrong_length_is_named_with_both_lengths() -> None:
    error = refused({**LLAMA, "layer_types": ["full_attention"] * 3}, "invalid-config-value", "/layer_types")
    assert "3 entries" in str(error)
    assert "is 4" in str(error)


def test_a_window_that_no_layer_uses_is_a_warning() -> None:
    document, warnings = read_config({**QWEN2, "max_window_layers": 28})
    assert [(warning.code, warning.level, warning.path) for warning in warnings] == [
        ("unused-window", "warning", "/sliding_window")
    ]
    assert "sliding" not in json.dumps(document["layers"])


def test_chunks_are_windows_with_a_warning_and_an_annotation() -> None:
    document, warnings = read_config(shared_config("llama4_text"))
    assert [warning.code for warning in warnings] == ["chunked-attention"]
    assert "chunked attention" in document["annotations"]  # type: ignore[operator]


def test_overrides_of_a_layer_are_found_by_number() -> None:
    config = {**LLAMA, "num_hidden_layers": 11, "per_layer_config": {"05": {"sliding_window": 7}}}
    assert [window for _, _, window in geometry(config)] == [None] * 5 + [7] + [None] * 5


def test_text_models_are_found_several_levels_down() -> None:
    text = {
        "model_type": "qwen2_5_omni_text",
        "hidden_size": 64,
        "num_hidden_layers": 1,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "use_sliding_window": False,
    }
    thinker = {"model_type": "qwen2_5_omni_thinker", "text_config": text}
    document, _ = read_config({"model_type": "qwen2_5_omni", "thinker_config": thinker})
    annotations: Any = document["annotations"]
    assert document["model_type"] == "qwen2_5_omni_text"
    assert annotations["wrapper_model_type"] == "qwen2_5_omni > qwen2_5_omni_thinker"
    assert annotations["num_key_value_heads"] == "thinker_config.text_config.num_key_value_heads"


@pytest.mark.usefixtures("without_extra")
def test_wrappers_that_supply_fields_leave_nothing_to_derive() -> None:
    inner = {**LLAMA, "intermediate_size": 64}
    refused({"model_type": "voxtral", "text_config": inner}, "missing-config-field", "/text_config/head_dim")
    assert geometry({"model_type": "voxtral", "text_config": {**inner, "head_dim": 64}}) == [(8, 64, None)] * 4


def test_annotations_say_where_a_value_came_from() -> None:
    annotations: Any = read_config({**LLAMA, "num_key_value_heads": None})[0]["annotations"]
    assert annotations["num_key_value_heads"] == "num_attention_heads (num_key_value_heads is null)"
    assert annotations["head_dim"] == "hidden_size / num_attention_heads (head_dim is missing)"
    assert all(isinstance(value, str) for value in annotations.values())


# Known figures


def bytes_per_token(config: Config, tokens: int, width: int = 2) -> int:
    """Growth of the whole cache from one token to the next, at `tokens` tokens, in bytes."""

    def size(count: int) -> int:
        layers: Any = read_config(config)[0]["layers"]
        total = 0
        for layer in layers:
            for _, shape, is_float32 in kept(layer, 1, count):
                elements = 1
                for axis in shape:
                    elements *= axis
                total += elements * (4 if is_float32 else width)
        return total

    return size(tokens + 1) - size(tokens)


def test_llama_3_8b_keeps_131072_bytes_a_token() -> None:
    assert bytes_per_token({**LLAMA, "num_hidden_layers": 32}, 1000) == 131_072


def test_deepseek_v3_keeps_70272_bytes_a_token() -> None:
    assert bytes_per_token(shared_config("deepseek_v3"), 1000) == 61 * 576 * 2 == 70_272


def test_full_windows_do_not_grow() -> None:
    config = {
        "model_type": "gemma4_text",
        "hidden_size": 2560,
        "num_hidden_layers": 48,
        "num_attention_heads": 8,
        "num_key_value_heads": 8,
        "head_dim": 256,
        "sliding_window": 1024,
        "global_head_dim": 512,
        "num_global_key_value_heads": 1,
        "attention_k_eq_v": True,
    }
    assert bytes_per_token(config, 5000) == 16_384
    assert bytes_per_token(config, 100) == 16_384 + 40 * 2 * 8 * 256 * 2


def test_shared_layers_count_once() -> None:
    layers: Any = read_config(shared_config("gemma3n_text"))[0]["layers"]
    assert layers[-15:] == ["no_state"] * 15
    assert "no_state" not in layers[:-15]


# Missing fields and the library


def test_without_the_library_the_hint_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    error = refused({**LLAMA, "model_type": "gemma"}, "missing-config-field", "/head_dim")
    assert "cachespec[transformers]" in (error.findings[0].hint or "")


def test_another_version_of_the_library_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "4.57.6")
    error = refused({**LLAMA, "model_type": "gemma"}, "missing-config-field", "/head_dim")
    assert "4.57.6" in (error.findings[0].hint or "")


@needs_extra
def test_a_default_of_the_library_is_marked_as_such() -> None:
    document, _ = read_config({**LLAMA, "model_type": "gemma"})
    annotations: Any = document["annotations"]
    assert annotations["head_dim"] == "head_dim (filled in by transformers)"
    assert annotations["num_key_value_heads"] == "num_key_value_heads"


@needs_extra
def test_what_the_library_refuses_is_refused() -> None:
    with pytest.raises(CachePolicyError) as caught:
        read_config({**LLAMA, "model_type": "gemma", "num_key_value_heads": None})
    assert caught.value.findings[0].code in CODES


def test_the_configuration_is_left_as_it_was() -> None:
    for runtime in ("transformers", "eredu"):
        config = shared_config("deepseek_v4")
        before = copy.deepcopy(config)
        layers: Any = read_config(config, runtime)[0]["layers"]
        assert config == before
        assert len({id(layer) for layer in layers if isinstance(layer, dict)}) == len(layers)


# The table


def test_the_table_is_documentation() -> None:
    rows = catalogue.model_type_rows()
    known = {row.model_type for row in rows}
    assert len(known) == len(rows) >= 140
    assert all(row.family and row.layers for row in rows)
    inexpressible = {name for name, _ in catalogue.inexpressible_rows()}
    wrappers = {name for name, _, _ in catalogue.wrapper_rows()}
    assert not known & inexpressible
    assert not wrappers & (known | inexpressible)
    inner = {name for _, _, names in catalogue.wrapper_rows() for name in names.split(" or ")}
    assert inner <= known | inexpressible | wrappers | {"any"}


def test_no_model_type_stands_in_two_families() -> None:
    modules = [
        importlib.import_module(f"{families.__name__}.{module.name}")
        for module in pkgutil.iter_modules(families.__path__)
    ]
    listed = [name for module in modules for name in module.TYPES]
    assert sorted(listed) == sorted(families.MODEL_TYPES)


PAGE = (HERE.parent / "docs" / "importing.md").read_text(encoding="utf-8")


def fields_on_the_page() -> dict[str, set[str]]:
    """What the documentation says is looked up for each model type of transformers."""
    (common,) = re.findall(r"left out of the rows: (.*)\.$", PAGE, re.MULTILINE)
    section = PAGE.partition("## Model types of the runtime transformers")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    everywhere = set(re.findall(r"`([^`]+)`", common))
    return {
        name: set(re.findall(r"`([^`]+)`", fields)) | everywhere
        for types, _, _, fields in rows
        for name in re.findall(r"`([^`]+)`", types)
    }


@pytest.mark.parametrize(
    ("model_type", "fields"),
    [
        ("hrm_text", {"H_cycles", "L_cycles", "num_layers_per_stack"}),
        ("longcat_flash", {"num_layers"}),
        ("qwen2", {"use_sliding_window", "max_window_layers"}),
        ("llama4_text", {"no_rope_layers", "no_rope_layer_interval"}),
        ("dory", {"n_recurrent_loops", "recurrent_kv_cache_mode"}),
        ("zamba", {"attn_layer_offset", "num_attention_heads"}),
        ("zamba2", {"attention_head_dim", "mamba_headdim"}),
        ("cohere2_moe", {"first_k_dense_replace", "sliding_window_pattern"}),
        ("gpt2", {"n_embd", "n_head", "n_layer"}),
        ("dbrx", {"attn_config.kv_n_heads"}),
        # these three are in no recorded configuration
        ("bamba", {"attn_layer_indices", "mamba_d_head", "num_key_value_heads"}),
        ("falcon_h1", {"mamba_d_ssm", "mamba_expand", "num_key_value_heads"}),
        ("mimo_v2_flash", {"v_head_dim", "sliding_window", "sliding_window_size"}),
    ],
)
def test_the_page_names_the_fields_that_decide_a_layout(model_type: str, fields: set[str]) -> None:
    assert fields <= fields_on_the_page()[model_type]


def test_the_page_leaves_out_no_field_that_reading_a_record_looks_up() -> None:
    shown, read = fields_on_the_page(), set()
    assert shown.keys() == families.MODEL_TYPES.keys()
    for record in records():
        for form in ("config", "config_minimal"):
            try:
                text, model_type, _ = importer.text_model(Configuration(record[form]))
            except CachePolicyError:
                assert "text_config" in record[form], "only a wrapper may leave the type of its text model out"
                continue
            if model_type not in families.MODEL_TYPES:
                continue
            read.add(model_type)
            rules = families.MODEL_TYPES[model_type]
            config = Configuration(text.fields).renamed(rules.names)
            with contextlib.suppress(CachePolicyError):
                importer.cache_layers(config, rules)
            asked = {rules.names.get(name, (name,))[0] for path, name in config.asked if not path}
            parts = {name.partition(".")[0] for name in shown[model_type]}
            assert asked <= parts, record["case"]
    assert len(read) == 99


def test_overrides_of_layers_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counted(key: str, count: int) -> int | None:
        parsed.append(key)
        return layer_of_key(key, count)

    monkeypatch.setattr(eredu_attention, "layer_of_key", counted)
    monkeypatch.setattr(importer, "layer_of_key", counted)
    keys = [str(layer) for layer in range(6)]
    config = {
        "model_type": "gemma4_text",
        "hidden_size": 64,
        "num_hidden_layers": 6,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 8,
        "layer_types": ["full_attention"] * 6,
        "per_layer_config": {key: {"head_dim": 16} for key in keys},
    }
    for runtime in ("eredu", "transformers"):
        layers: Any = read_config(config, runtime)[0]["layers"]
        kept_widths = {fields["head_dim"] for layer in layers for fields in layer.values()}
        assert kept_widths == {16}
        assert parsed == keys
        parsed.clear()
    read_config({**LLAMA, "per_layer_config": {"1": {"sliding_window": 5}}})
    assert parsed == ["1"]


ODD_VALUES = [
    [],
    {},
    "x",
    1.5,
    True,
    -1,
    0,
    2**70,
    [None],
    [[1]],
    {"0": 1},
    {"0": {"sliding_window": []}},
    ["x"],
]


@pytest.mark.usefixtures("without_extra")
def test_odd_values_end_in_a_layout_or_a_refusal() -> None:
    configs = {record["case"]: (record["config"], "transformers") for record in records()}
    for line in (HERE / "vectors" / "eredu-layouts.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        configs[f"eredu {case['name']}"] = (case["config"], "eredu")
    for whole, runtime in configs.values():
        nested = whole.get("text_config") if isinstance(whole.get("text_config"), dict) else None
        for name in nested or whole:
            for value in ODD_VALUES:
                odd = {**whole, "text_config": {**nested, name: value}} if nested else {**whole, name: value}
                try:
                    layers = read_config(odd, runtime)[0]["layers"]
                except CachePolicyError as error:
                    bad = {finding.code for finding in error.findings} - CODES
                else:
                    bad = set()
                    json.dumps(layers, allow_nan=False)
                assert not bad, f"{name} = {value!r}"


@pytest.mark.parametrize("hostile", [[], {}, "text", None, 3, {"model_type": []}, {"model_type": "x" * 10**6}])
@pytest.mark.parametrize("runtime", ["transformers", "eredu"])
def test_hostile_configurations_end_in_a_refusal(hostile: Any, runtime: str) -> None:
    with pytest.raises(CachePolicyError) as caught:
        read_config(hostile, runtime)
    assert caught.value.findings[0].code in CODES
    assert len(str(caught.value)) < 500
