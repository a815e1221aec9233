"""The wire form of layer policies and state tensors, as plain values: for the importers and for the builders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Policy: TypeAlias = str | dict[str, object]
Tensor: TypeAlias = dict[str, object]
Attention: TypeAlias = str | dict[str, object]
Dimension: TypeAlias = str | dict[str, int]

NO_STATE = "no_state"
FULL = "full"
FLOATING = "floating"
FLOAT32 = "float32"

_ALWAYS_DEVICE = "always_device_mutable"
_OFFLOADABLE = "layer_scoped_offloadable"
_PAGED = "sealable_paged"


def sliding(window: int) -> Attention:
    """Attention that sees `window` tokens, the current one included."""
    return {"sliding": {"window": window}}


def key_value(attention: Attention, heads: int, width: int, tensors: list[Tensor] | None = None) -> Policy:
    """Keys and values of `heads` heads with `width` elements each, and fixed state if there is any."""
    if tensors:
        return key_value_with_fixed_state(attention, heads, width, tensors)
    return {"key_value": {"attention": attention, "num_key_value_heads": heads, "head_dim": width}}


def key_value_with_fixed_state(attention: Attention, heads: int, width: int, tensors: list[Tensor]) -> Policy:
    """Keys and values as in `key_value`, and state tensors beside them."""
    fields = {"attention": attention, "num_key_value_heads": heads, "head_dim": width, "tensors": tensors}
    return {"key_value_with_fixed_state": fields}


def key_only(attention: Attention, heads: int, width: int, tensors: list[Tensor] | None = None) -> Policy:
    """Keys that serve as values too, counted once."""
    if tensors:
        return key_only_with_fixed_state(attention, heads, width, tensors)
    return {"key_only": {"attention": attention, "num_key_heads": heads, "head_dim": width}}


def key_only_with_fixed_state(attention: Attention, heads: int, width: int, tensors: list[Tensor]) -> Policy:
    """Keys as in `key_only`, and state tensors beside them."""
    fields = {"attention": attention, "num_key_heads": heads, "head_dim": width, "tensors": tensors}
    return {"key_only_with_fixed_state": fields}


def compressed_latent_rotary(attention: Attention, latent: int, rotary: int) -> Policy:
    """The compressed latent and the rotary keys of latent attention."""
    return {"compressed_latent_rotary": {"attention": attention, "latent_dim": latent, "rotary_dim": rotary}}


def fixed_state(tensors: list[Tensor]) -> Policy:
    """State whose size does not depend on the attention of the layer."""
    return {"fixed_state": {"tensors": tensors}}


def convolution(slot: int, *extents: int, dtype: str = FLOATING) -> Tensor:
    """The history of a convolution; `extents` follow the batch axis."""
    return _tensor({"convolution": {"slot": slot}}, _fixed(extents), dtype, _ALWAYS_DEVICE)


def recurrent(*extents: int, dtype: str = FLOAT32) -> Tensor:
    """The recurrent state; `extents` follow the batch axis."""
    return _tensor("recurrent", _fixed(extents), dtype, _OFFLOADABLE)


def prefix_embedding(width: int) -> Tensor:
    """Embeddings of all prefix tokens, which need not be kept."""
    shape: list[Dimension] = ["batch", "prefix_tokens", {"fixed": width}]
    return _tensor("prefix_embedding", shape, FLOATING, _ALWAYS_DEVICE, "optional")


def position_delta() -> Tensor:
    """The offset between token positions and rotary positions."""
    return _tensor("position_delta", ["scalar"], "int32", _ALWAYS_DEVICE)


def pooling_stream(
    stream: int, rate: int, width: int, *, overlapping: bool, overlap_gate_dtype: str = FLOATING
) -> list[Tensor]:
    """The tensors of a stream that pools `rate` tokens into one of `width` elements.

    An overlapping stream reads two sources of that width and keeps the last `rate` of the earlier one.
    """
    source = 2 * width if overlapping else width
    pending: object = {"prefix_remainder_non_zero": rate}
    pooled: object = {"prefix_at_least": rate}

    def tensor(component: str, extents: list[Dimension], dtype: str, residency: str, presence: object) -> Tensor:
        role = {"pooling": {"stream": stream, "component": component}}
        return _tensor(role, ["batch", *extents], dtype, residency, presence)

    rest: list[Dimension] = [{"prefix_tokens_rem": rate}, {"fixed": source}]
    tensors = [
        tensor("pending_values", rest, FLOATING, _ALWAYS_DEVICE, pending),
        tensor("pending_gates", rest, FLOATING, _ALWAYS_DEVICE, pending),
        tensor("pooled", [{"prefix_tokens_div": rate}, {"fixed": width}], FLOATING, _PAGED, pooled),
    ]
    if overlapping:
        last: list[Dimension] = [{"fixed": rate}, {"fixed": width}]
        tensors.append(tensor("overlap_values", last, FLOATING, _ALWAYS_DEVICE, pooled))
        tensors.append(tensor("overlap_gates", last, overlap_gate_dtype, _ALWAYS_DEVICE, pooled))
    return tensors


def _fixed(extents: Sequence[int]) -> list[Dimension]:
    return ["batch", *({"fixed": extent} for extent in extents)]


def _tensor(
    role: object, shape: Sequence[Dimension], dtype: str, residency: str, presence: object = "required"
) -> Tensor:
    # every tensor owns its lists: documents share no objects
    return {"role": role, "shape": list(shape), "dtype": dtype, "residency": residency, "presence": presence}
