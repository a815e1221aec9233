"""What the original accepts, retold as two tables: a second opinion that shares no code with the package.

The original decodes more leniently than the specification. `reads` decodes as it does and notes, on the way, every
lenient step by its number in the list S1 to S8, so that a refusal by the specification can be told from a mistake.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, TypeAlias

# The original has two ways to read: the text straight into a type, or the text as a generic value first, where the
# last of two equal keys wins.
Way: TypeAlias = Literal["text", "value"]

_TENSOR_TAIL = (
    ("shape", "list:StateTensorDimension"),
    ("dtype", "StateTensorDtype"),
    ("residency", "StateResidencyClass"),
    ("presence", "StateTensorPresence"),
)
_RANGE = ("attention", "AttentionPolicy")
_KEY_VALUE = (_RANGE, ("num_key_value_heads", "nonzero"), ("head_dim", "nonzero"))
_KEY_ONLY = (_RANGE, ("num_key_heads", "nonzero"), ("head_dim", "nonzero"))
_TENSORS = (("tensors", "list:StateTensorPolicy"),)

STRUCTS: dict[str, tuple[tuple[str, str], ...]] = {
    "CacheRankIdentity": (
        ("stage_rank", "option:u64"),
        ("shard_rank", "option:u64"),
        ("addressable_rank", "option:u64"),
    ),
    "CacheBlockId": (
        ("session_id", "u64"),
        ("global_layer", "u64"),
        ("representation", "CacheRepresentation"),
        ("start", "i64"),
        ("end", "i64"),
        ("rank", "option:CacheRankIdentity"),
    ),
    "StateTensorPolicy": (("role", "StateTensorRole"), *_TENSOR_TAIL),
    "StateComponentPolicy": (("role", "StateComponentRole"), *_TENSOR_TAIL),
    # The payloads of struct variants: the original has no types of these names.
    "_Sliding": (("window", "nonzero"),),
    "_Convolution": (("slot", "u32"),),
    "_Pooling": (("stream", "u32"), ("component", "PoolingStateComponent")),
    "_KeyValue": _KEY_VALUE,
    "_KeyOnly": _KEY_ONLY,
    "_Latent": (_RANGE, ("latent_dim", "nonzero"), ("rotary_dim", "nonzero")),
    "_FixedState": _TENSORS,
    "_KeyValueWithFixedState": (*_KEY_VALUE, *_TENSORS),
    "_KeyOnlyWithFixedState": (*_KEY_ONLY, *_TENSORS),
}


def _units(*names: str) -> dict[str, str | None]:
    return dict.fromkeys(names)


UNIONS: dict[str, dict[str, str | None]] = {
    "AttentionPolicy": {"full": None, "sliding": "_Sliding"},
    "CacheRepresentation": _units("key_value", "compressed_latent_rotary"),
    "CacheTier": _units("device", "host", "disk"),
    "LayerCachePolicy": {
        "no_state": None,
        "key_value": "_KeyValue",
        "key_only": "_KeyOnly",
        "compressed_latent_rotary": "_Latent",
        "fixed_state": "_FixedState",
        "key_value_with_fixed_state": "_KeyValueWithFixedState",
        "key_only_with_fixed_state": "_KeyOnlyWithFixedState",
    },
    "StateTensorRole": {
        "convolution": "_Convolution",
        **_units("recurrent", "prefix_embedding", "position_delta"),
        "pooling": "_Pooling",
    },
    "PoolingStateComponent": _units("pending_values", "pending_gates", "pooled", "overlap_values", "overlap_gates"),
    "StateResidencyClass": _units("always_device_mutable", "sealable_paged", "layer_scoped_offloadable"),
    "MutableStateResidency": _units("always_device_mutable", "layer_scoped_offloadable"),
    "StateTensorDimension": {
        **_units("batch", "prefix_tokens", "scalar"),
        **dict.fromkeys(("prefix_tokens_div", "prefix_tokens_rem", "fixed"), "nonzero"),
    },
    "StateTensorPresence": {
        **_units("required", "optional"),
        **dict.fromkeys(("prefix_remainder_non_zero", "prefix_at_least"), "nonzero"),
    },
    "StateTensorDtype": _units("floating", "float32", "int32", "uint32"),
    "StateTensorOwner": {"layer": "u64"},
    "StateComponentRole": {
        **_units("attention_keys", "attention_values", "compressed_latent", "rotary_keys"),
        "fixed": "StateTensorRole",
    },
}

TYPES = frozenset({*UNIONS, *(name for name in STRUCTS if not name.startswith("_"))})

_INTEGERS = {
    "nonzero": (1, 2**32 - 1),
    "u32": (0, 2**32 - 1),
    "u64": (0, 2**64 - 1),
    "i64": (-(2**63), 2**63 - 1),
}
_MAX_EXTENT = 2**31 - 1
_WIDE = 10**40  # stands for any integer too long for every type


class _Refused(Exception):
    """The original refuses."""


class _Pairs(list[tuple[str, Any]]):
    """An object as it is written: keys may be there twice."""


@dataclass(frozen=True)
class Reading:
    """What the original made of a text: the value as it writes it back, and its lenient steps."""

    value: Any
    stricter: frozenset[str]

    @property
    def canonical(self) -> str:
        return json.dumps(self.value, ensure_ascii=False, separators=(",", ":"))


def reads(kind: str, text: str, way: Way = "text") -> Reading | None:
    """The original's reading of a text as a type of TYPES, or None where it refuses."""
    try:
        raw = json.loads(
            text, object_pairs_hook=_Pairs, parse_int=_integer, parse_float=_number, parse_constant=_no_constant
        )
        reader = _Reader(way)
        value = reader.value(kind, raw)
        reader.rules(kind, value)
    except (_Refused, ValueError, RecursionError):
        return None
    return Reading(value, frozenset(reader.steps))


def stricter(kind: str, text: str) -> frozenset[str]:
    """Why the specification refuses what the original accepts in either way; empty where it does not accept."""
    reading = reads(kind, text) or reads(kind, text, "value")
    return reading.stricter if reading else frozenset()


def _integer(digits: str) -> Any:
    if digits == "-0":
        return -0.0
    if len(digits) > 40:
        return -_WIDE if digits.startswith("-") else _WIDE
    return int(digits)


def _number(text: str) -> float:
    return float(text)


def _no_constant(_: str) -> NoReturn:
    raise _Refused


@dataclass
class _Reader:
    way: Way
    steps: set[str] = field(default_factory=set)

    def value(self, kind: str, raw: Any) -> Any:
        form, _, inner = kind.partition(":")
        if form == "option":
            return None if raw is None else self.value(inner, raw)
        if form == "list":
            if not isinstance(raw, list) or isinstance(raw, _Pairs):
                raise _Refused
            return [self.value(inner, item) for item in raw]
        if kind in _INTEGERS:
            return self._integer(kind, raw)
        return self._union(UNIONS[kind], raw) if kind in UNIONS else self._struct(kind, raw)

    def _integer(self, kind: str, raw: Any) -> int:
        low, high = _INTEGERS[kind]
        if type(raw) is not int or not low <= raw <= high:
            raise _Refused
        number: int = raw
        if kind == "nonzero" and number > _MAX_EXTENT:
            self.steps.add("S5")
        return number

    def _union(self, variants: dict[str, str | None], raw: Any) -> Any:
        if isinstance(raw, str):
            if variants.get(raw, "") is not None:
                raise _Refused
            return raw
        if not isinstance(raw, _Pairs):
            raise _Refused
        entries = self._entries(raw)
        if len(entries) != 1 or entries[0][0] not in variants:
            raise _Refused
        ((tag, payload),) = entries
        kind = variants[tag]
        if kind is None:
            if payload is not None:
                raise _Refused
            self.steps.add("S2")
            return tag
        if self.way == "value" and kind.startswith("_") and not isinstance(payload, _Pairs):
            raise _Refused
        return {tag: self.value(kind, payload)}

    def _struct(self, kind: str, raw: Any) -> dict[str, Any]:
        fields = STRUCTS[kind]
        if isinstance(raw, _Pairs):
            written: dict[str, Any] = {}
            for key, value in self._entries(raw):
                if key not in dict(fields):
                    self.steps.add("S1")
                elif key in written:
                    raise _Refused
                else:
                    written[key] = value
            if len({key for key, _ in raw}) != len(raw):
                self.steps.add("S4")
        elif isinstance(raw, list) and len(raw) == len(fields):
            self.steps.add("S3")
            written = {name: value for (name, _), value in zip(fields, raw, strict=True)}
        else:
            raise _Refused
        return {name: self._field(inner, name, written) for name, inner in fields}

    def _field(self, kind: str, name: str, written: dict[str, Any]) -> Any:
        if name not in written and not kind.startswith("option:"):
            raise _Refused
        return self.value(kind, written.get(name))

    def _entries(self, raw: _Pairs) -> list[tuple[str, Any]]:
        if self.way == "text":
            return list(raw)
        if len(dict(raw)) != len(raw):
            self.steps.add("S4")
        return list(dict(raw).items())

    def rules(self, kind: str, value: Any) -> None:
        """The checks that the original makes on a layer, and those that the specification makes elsewhere too."""
        if kind == "LayerCachePolicy" and value != "no_state":
            _check_layer(next(iter(value.values())))
        elif kind in ("StateTensorPolicy", "StateComponentPolicy") and not _tensor_is_good(value):
            self.steps.add("S8")
        elif kind == "CacheBlockId" and not 0 <= value["start"] < value["end"]:
            self.steps.add("S7")


def _check_layer(layer: dict[str, Any]) -> None:
    attention = layer.get("attention", "full")
    extents = [value for value in layer.values() if isinstance(value, int)]
    if attention != "full":
        extents.append(attention["sliding"]["window"])
    if any(extent > _MAX_EXTENT for extent in extents):
        raise _Refused
    tensors = layer.get("tensors")
    if tensors is None:
        return
    roles = [json.dumps(tensor["role"]) for tensor in tensors]
    if not tensors or len(set(roles)) < len(roles) or not all(map(_tensor_is_good, tensors)):
        raise _Refused


def _tensor_is_good(tensor: dict[str, Any]) -> bool:
    shape = tensor["shape"]
    if not shape or ("scalar" in shape and len(shape) > 1):
        return False
    return bool(tensor["residency"] == _demanded(tensor["role"]))


def _demanded(role: Any) -> str:
    """The residency of a role, of a tensor or of a component."""
    if isinstance(role, str):
        if role == "recurrent":
            return "layer_scoped_offloadable"
        return "always_device_mutable" if role in UNIONS["StateTensorRole"] else "sealable_paged"
    if "fixed" in role:
        return _demanded(role["fixed"])
    pooled = "pooling" in role and role["pooling"]["component"] == "pooled"
    return "sealable_paged" if pooled else "always_device_mutable"
