"""The example documents, derived a second time from the configuration files.

The formulas here are small and know nothing of the package, so that a slip in a document, or in the package,
shows as a difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "schema" / "v1" / "examples"
CONFIGS = ROOT / "tests" / "configs"

Config = dict[str, Any]
Policy = Any  # "no_state" or an object with one key
Document = dict[str, Any]

FILES = sorted(EXAMPLES.glob("*.cachespec.*"))


def read(path: Path) -> Document:
    text = path.read_text(encoding="utf-8")
    document: Document = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    return document


def stem(path: Path) -> str:
    return path.name.partition(".")[0]


DOCUMENTS = {stem(path): read(path) for path in FILES}


# --- pieces of a policy ----------------------------------------------------------------------------------


def attention(window: int | None) -> Any:
    return "full" if window is None else {"sliding": {"window": window}}


def key_value(window: int | None, heads: int, width: int) -> Policy:
    return {
        "key_value": {"attention": attention(window), "num_key_value_heads": heads, "head_dim": width},
    }


def latent(config: Config) -> Policy:
    return {
        "compressed_latent_rotary": {
            "attention": "full",
            "latent_dim": config["kv_lora_rank"],
            "rotary_dim": config["qk_rope_head_dim"],
        }
    }


def tensor(
    role: Any,
    shape: list[Any],
    dtype: str = "floating",
    residency: str = "always_device_mutable",
    presence: Any = "required",
) -> Document:
    return {"role": role, "shape": shape, "dtype": dtype, "residency": residency, "presence": presence}


def sizes(*extents: int) -> list[Any]:
    return ["batch", *({"fixed": extent} for extent in extents)]


def convolution(slot: int, *extents: int) -> Document:
    return tensor({"convolution": {"slot": slot}}, sizes(*extents))


def recurrent(*extents: int, dtype: str = "float32") -> Document:
    return tensor("recurrent", sizes(*extents), dtype, "layer_scoped_offloadable")


def fixed_state(*tensors: Document) -> Policy:
    return {"fixed_state": {"tensors": list(tensors)}}


def with_tensors(policy: Policy, *tensors: Document) -> Policy:
    ((variant, payload),) = policy.items()
    return {f"{variant}_with_fixed_state": {**payload, "tensors": list(tensors)}}


def head_dim(config: Config) -> int:
    """The width of a head: the field if it is set, else an exact share of the hidden size."""
    if config.get("head_dim"):
        return int(config["head_dim"])
    share, rest = divmod(config["hidden_size"], config["num_attention_heads"])
    assert rest == 0
    return int(share)


def by_layer_type(config: Config, kinds: dict[str, Policy]) -> list[Policy]:
    assert len(config["layer_types"]) == config["num_hidden_layers"]
    return [kinds[kind] for kind in config["layer_types"]]


# --- one formula per example -----------------------------------------------------------------------------


def one_kind(config: Config) -> Document:
    layer = key_value(config.get("sliding_window"), config["num_key_value_heads"], head_dim(config))
    return {"layers": [layer] * config["num_hidden_layers"]}


def sliding_and_full(config: Config) -> Document:
    heads, width = config["num_key_value_heads"], head_dim(config)
    kinds = {
        "sliding_attention": key_value(config["sliding_window"], heads, width),
        "full_attention": key_value(None, heads, width),
    }
    return {"layers": by_layer_type(config, kinds)}


def gemma3n(config: Config) -> Document:
    layers = sliding_and_full(config)["layers"]
    owners = len(layers) - config["num_kv_shared_layers"]
    # Every consumer needs an owner of its own kind before it.
    assert set(config["layer_types"][owners:]) <= set(config["layer_types"][:owners])
    return {"layers": layers[:owners] + ["no_state"] * config["num_kv_shared_layers"]}


def gemma4(config: Config) -> Document:
    assert config["num_kv_shared_layers"] == 0
    overrides = {int(index): changes for index, changes in config["per_layer_config"].items()}
    layers: list[Policy] = []
    for index, kind in enumerate(config["layer_types"]):
        own = {**config, **overrides.get(index, {})}
        window = own["sliding_window"] if kind == "sliding_attention" else None
        layers.append(key_value(window, own["num_key_value_heads"], own["head_dim"]))
    embedding = tensor(
        "prefix_embedding",
        ["batch", "prefix_tokens", {"fixed": config["hidden_size"]}],
        presence="optional",
    )
    return {"layers": [with_tensors(layers[0], embedding), *layers[1:]]}


def qwen3_vl(config: Config) -> Document:
    # The tensor is the family's; the file is the one of a text model and cannot name it.
    delta = tensor("position_delta", ["scalar"], "int32")
    first, *rest = one_kind(config)["layers"]
    return {"layers": [with_tensors(first, delta), *rest]}


def deepseek_v3(config: Config) -> Document:
    return {"layers": [latent(config)] * config["num_hidden_layers"]}


def gated_delta(config: Config, ranks: int = 1, channels_first: bool = False) -> list[Policy]:
    key_heads = config["linear_num_key_heads"] // ranks
    value_heads = config["linear_num_value_heads"] // ranks
    key_width, value_width = config["linear_key_head_dim"], config["linear_value_head_dim"]
    channels = 2 * key_heads * key_width + value_heads * value_width
    kernel = config["linear_conv_kernel_dim"]
    history = (channels, kernel) if channels_first else (kernel - 1, channels)
    kinds = {
        "linear_attention": fixed_state(convolution(0, *history), recurrent(value_heads, key_width, value_width)),
        "full_attention": key_value(None, config["num_key_value_heads"] // ranks, config["head_dim"]),
    }
    return by_layer_type(config, kinds)


def qwen3_next(config: Config) -> Document:
    return {"layers": gated_delta(config)}


def qwen3_next_rank(config: Config) -> Document:
    for field in ("num_key_value_heads", "linear_num_key_heads", "linear_num_value_heads"):
        assert config[field] % 2 == 0  # the two ranks hold the same
    rank = {"stage_rank": None, "shard_rank": 1, "addressable_rank": None}
    return {"rank": rank, "layers": gated_delta(config, ranks=2)}


def qwen3_next_transformers(config: Config) -> Document:
    return {"layers": gated_delta(config, channels_first=True)}


def nemotron_h(config: Config) -> Document:
    inner = config["mamba_num_heads"] * config["mamba_head_dim"]
    channels = inner + 2 * config["n_groups"] * config["ssm_state_size"]
    kinds = {
        "linear_attention": fixed_state(
            convolution(0, config["conv_kernel"] - 1, channels),
            recurrent(config["mamba_num_heads"], config["mamba_head_dim"], config["ssm_state_size"]),
        ),
        "full_attention": key_value(config["sliding_window"], config["num_key_value_heads"], config["head_dim"]),
        "moe": "no_state",
        "mlp": "no_state",
    }
    return {"layers": [kinds[kind] for kind in config["layers_block_type"]]}


def kimi_linear(config: Config) -> Document:
    heads, width = config["linear_num_heads"], config["linear_head_dim"]
    history = (config["linear_conv_kernel_dim"] - 1, heads * width)
    kinds = {
        "linear_attention": fixed_state(
            *(convolution(slot, *history) for slot in range(3)), recurrent(heads, width, width)
        ),
        "full_attention": latent(config),
    }
    return {"layers": by_layer_type(config, kinds)}


# The file says full_attention for every layer, which would leave no convolution to show. The document states
# an order of its own, and says so in its annotations.
LFM2_ATTENTION_LAYERS = frozenset({3, 7, 11, 15, 19, 23, 27, 31})


def lfm2(config: Config) -> Document:
    conv = fixed_state(convolution(0, config["conv_L_cache"] - 1, config["hidden_size"]))
    full = key_value(None, config["num_key_value_heads"], head_dim(config))
    layers = range(config["num_hidden_layers"])
    return {"layers": [full if index in LFM2_ATTENTION_LAYERS else conv for index in layers]}


def mamba2(config: Config) -> Document:
    inner = config["expand"] * config["hidden_size"]
    assert inner == config["num_heads"] * config["head_dim"]
    channels = inner + 2 * config["n_groups"] * config["state_size"]
    layer = fixed_state(
        convolution(0, channels, config["conv_kernel"]),
        recurrent(config["num_heads"], config["head_dim"], config["state_size"]),
    )
    return {"layers": [layer] * config["num_hidden_layers"]}


def minimax(config: Config) -> Document:
    width = head_dim(config)
    kinds = {
        "full_attention": key_value(None, config["num_key_value_heads"], width),
        "linear_attention": fixed_state(recurrent(config["num_attention_heads"], width, width, dtype="floating")),
    }
    return {"layers": by_layer_type(config, kinds)}


def pooling(stream: int, width: int, group: int, overlapping: bool) -> list[Document]:
    pending_width = 2 * width if overlapping else width
    full_group = {"prefix_at_least": group}

    def pooled(component: str, shape: list[Any], residency: str, presence: Any) -> Document:
        role = {"pooling": {"stream": stream, "component": component}}
        return tensor(role, shape, residency=residency, presence=presence)

    pending = ["batch", {"prefix_tokens_rem": group}, {"fixed": pending_width}]
    part = {"prefix_remainder_non_zero": group}
    tensors = [
        pooled("pending_values", pending, "always_device_mutable", part),
        pooled("pending_gates", pending, "always_device_mutable", part),
        pooled("pooled", ["batch", {"prefix_tokens_div": group}, {"fixed": width}], "sealable_paged", full_group),
    ]
    if overlapping:
        overlap = sizes(group, width)
        tensors += [
            pooled("overlap_values", overlap, "always_device_mutable", full_group),
            pooled("overlap_gates", overlap, "always_device_mutable", full_group),
        ]
    return tensors


def deepseek_v4(config: Config) -> Document:
    assert config["num_key_value_heads"] == 1
    keys = {
        "key_only": {
            "attention": attention(config["sliding_window"]),
            "num_key_heads": 1,
            "head_dim": config["head_dim"],
        }
    }
    sparse = config["compress_rates"]["compressed_sparse_attention"]
    heavy = config["compress_rates"]["heavily_compressed_attention"]
    kinds = {
        "compressed_sparse_attention": with_tensors(
            keys,
            *pooling(0, config["head_dim"], sparse, overlapping=True),
            *pooling(1, config["index_head_dim"], sparse, overlapping=True),
        ),
        "heavily_compressed_attention": with_tensors(keys, *pooling(0, config["head_dim"], heavy, overlapping=False)),
    }
    predictions = config["num_nextn_predict_layers"]
    return {
        "layers": by_layer_type(config, kinds) + [keys] * predictions,
        "layer_prefix_offsets": [0] * config["num_hidden_layers"] + [-1] * predictions,
    }


def deepseek_v4_last_stage(config: Config) -> Document:
    whole = deepseek_v4(config)
    count = len(whole["layers"])
    # Four stages of equal length are the document's choice.
    length, rest = divmod(count, 4)
    assert rest == 0
    start = count - length
    return {
        "layer_count": count,
        "global_layer_start": start,
        "rank": {"stage_rank": 3, "shard_rank": None, "addressable_rank": None},
        **{field: values[start:] for field, values in whole.items()},
    }


EXPECTED: dict[str, Callable[[Config], Document]] = {
    "deepseek-v3": deepseek_v3,
    "deepseek-v4": deepseek_v4,
    "deepseek-v4-last-stage": deepseek_v4_last_stage,
    "gemma2": sliding_and_full,
    "gemma3n": gemma3n,
    "gemma4": gemma4,
    "gpt-oss": sliding_and_full,
    "kimi-linear": kimi_linear,
    "lfm2": lfm2,
    "llama": one_kind,
    "mamba2": mamba2,
    "minimax": minimax,
    "mistral": one_kind,
    "mixtral": one_kind,
    "nemotron-h": nemotron_h,
    "qwen3-next": qwen3_next,
    "qwen3-next-rank-1-of-2": qwen3_next_rank,
    "qwen3-next-transformers": qwen3_next_transformers,
    "qwen3-vl": qwen3_vl,
}

# Documents whose model type is not the one of their configuration file: there is no file of that type.
BORROWED = {"qwen3-vl": "qwen3_vl"}

LABELS = frozenset({"cachespec", "$schema", "name", "model_type", "runtime", "annotations"})


def config_of(document: Document) -> Config:
    source: str = document["annotations"]["source"]
    folder, name = source.split("/")
    assert folder == "configs"
    config: Config = json.loads((CONFIGS / name).read_text(encoding="utf-8"))
    return config


# --- walks over all documents ----------------------------------------------------------------------------


def policies() -> Iterator[Policy]:
    for document in DOCUMENTS.values():
        yield from document["layers"]


def tag(value: Any) -> str:
    """The variant of an externally tagged union."""
    if isinstance(value, str):
        return value
    (name,) = value
    assert isinstance(name, str)
    return name


def tensors_of(policy: Policy) -> list[Document]:
    if isinstance(policy, str):
        return []
    (payload,) = policy.values()
    tensors: list[Document] = payload.get("tensors", [])
    return tensors


def tensors() -> Iterator[Document]:
    for policy in policies():
        yield from tensors_of(policy)


# --- tests -----------------------------------------------------------------------------------------------


def test_every_example_has_a_formula() -> None:
    assert len(DOCUMENTS) == len(FILES), "two files of one name"
    assert set(DOCUMENTS) == set(EXPECTED)
    assert len(DOCUMENTS) >= 14
    assert {path.suffix for path in FILES} == {".json", ".yaml"}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_example_equals_its_configuration(name: str) -> None:
    document = DOCUMENTS[name]
    config = config_of(document)
    expected = EXPECTED[name](config)
    layers = expected.pop("layers")
    assert len(document["layers"]) == len(layers)
    for index, (found, wanted) in enumerate(zip(document["layers"], layers, strict=True)):
        assert found == wanted, f"layer {index}"
        # Order inside an object is no part of equality, and the documents keep the order of the types.
        assert json.dumps(found) == json.dumps(wanted), f"layer {index}"
    rest = {field: value for field, value in document.items() if field not in LABELS | {"layers"}}
    assert rest == expected
    assert document["model_type"] == BORROWED.get(name, config["model_type"])


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_example_says_what_it_is(name: str) -> None:
    document = DOCUMENTS[name]
    assert document["cachespec"] == 1
    assert document["name"]
    assert document["runtime"] in {"eredu", "transformers"}
    assert all(isinstance(text, str) and text for text in document["annotations"].values())
    assert (CONFIGS / document["annotations"]["source"].removeprefix("configs/")).is_file()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_example_starts_the_usual_way(path: Path) -> None:
    lines = path.read_text(encoding="ascii").splitlines()
    if path.suffix == ".yaml":
        assert lines[0].startswith("# ")
        assert lines[1] == "cachespec: 1"
    assert max(map(len, lines)) <= 130


def test_examples_keep_the_rules() -> None:
    for policy in policies():
        roles = [json.dumps(entry["role"], sort_keys=True) for entry in tensors_of(policy)]
        assert len(roles) == len(set(roles))
    for entry in tensors():
        role, shape, presence = entry["role"], entry["shape"], entry["presence"]
        if role == "recurrent":
            residency = "layer_scoped_offloadable"
        elif tag(role) == "pooling" and role["pooling"]["component"] == "pooled":
            residency = "sealable_paged"
        else:
            residency = "always_device_mutable"
        assert entry["residency"] == residency
        assert shape
        assert "scalar" not in shape or shape == ["scalar"]
        # Where a shape can be empty for a short prefix, the tensor is not demanded for it.
        for dimension in shape:
            if tag(dimension) == "prefix_tokens_rem":
                assert presence == {"prefix_remainder_non_zero": dimension["prefix_tokens_rem"]}
            if tag(dimension) == "prefix_tokens_div":
                assert presence == {"prefix_at_least": dimension["prefix_tokens_div"]}


def test_stages_and_offsets_fit_their_layers() -> None:
    for document in DOCUMENTS.values():
        count = len(document["layers"])
        start = document.get("global_layer_start", 0)
        assert start + count <= document.get("layer_count", start + count)
        offsets: list[int] = document.get("layer_prefix_offsets", [0] * count)
        assert len(offsets) == count
        assert max(offsets) <= 0


def test_examples_cover_the_types() -> None:
    assert {tag(policy) for policy in policies()} == {
        "no_state",
        "key_value",
        "key_only",
        "compressed_latent_rotary",
        "fixed_state",
        "key_value_with_fixed_state",
        "key_only_with_fixed_state",
    }
    ranges = {
        tag(payload["attention"])
        for policy in policies()
        if not isinstance(policy, str)
        for payload in policy.values()
        if "attention" in payload
    }
    assert ranges == {"full", "sliding"}
    found = list(tensors())
    assert {tag(entry["role"]) for entry in found} == {
        "convolution",
        "recurrent",
        "prefix_embedding",
        "position_delta",
        "pooling",
    }
    assert {entry["role"]["pooling"]["component"] for entry in found if tag(entry["role"]) == "pooling"} == {
        "pending_values",
        "pending_gates",
        "pooled",
        "overlap_values",
        "overlap_gates",
    }
    assert {tag(dimension) for entry in found for dimension in entry["shape"]} == {
        "batch",
        "prefix_tokens",
        "prefix_tokens_div",
        "prefix_tokens_rem",
        "fixed",
        "scalar",
    }
    assert {tag(entry["presence"]) for entry in found} == {
        "required",
        "optional",
        "prefix_remainder_non_zero",
        "prefix_at_least",
    }
    # No model here keeps a uint32 tensor.
    assert {entry["dtype"] for entry in found} == {"floating", "float32", "int32"}
    assert {entry["residency"] for entry in found} == {
        "always_device_mutable",
        "sealable_paged",
        "layer_scoped_offloadable",
    }


def test_readme_lists_every_example() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in FILES:
        assert f"[`{path.name}`]({path.name})" in text
