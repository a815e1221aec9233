"""What the schema cannot say: one function per rule, its docstring the rule, its name the code.

Rules look at values that the schema has accepted; where an earlier stage refused something, REFUSED stands there or a
field is missing, and a rule that needs it says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

from cachespec.findings import Mistake, Path
from cachespec.reading.document import Value, is_refused
from cachespec.schema import DOCUMENT_TYPE

Fields: TypeAlias = Mapping[str, Any]

_REMEMBERED = 8


def judge(name: str, value: Value) -> Iterator[Mistake]:
    """The mistakes of a value of type `name` against every rule that concerns it, layer by layer, in order."""
    if name == DOCUMENT_TYPE:
        if isinstance(value, Mapping):
            yield from _layout(value)
    elif name == "LayerCachePolicy":
        yield from _layer(value, ())
    elif isinstance(value, Mapping):
        if name in ("StateTensorPolicy", "StateComponentPolicy"):
            yield from _tensor(value, ())
        elif name == "CacheBlockId":
            yield from block_range_empty(value, ())
        elif "tensors" in value:
            yield from _tensors(value["tensors"], ("tensors",))


def _layout(layout: Fields) -> Iterator[Mistake]:
    yield from layer_range(layout, ())
    layers = layout.get("layers")
    if _is_list(layers):
        # Models repeat a few policies over many layers; one that is equal to a good one is good.
        good: list[Value] = []
        for index, layer in enumerate(layers):
            if isinstance(layer, str) or layer in good:
                continue
            mistakes = list(_layer(layer, ("layers", index)))
            yield from mistakes
            if not mistakes and len(good) < _REMEMBERED:
                good.append(layer)
    yield from offset_count(layout, ())


def _layer(layer: Value, path: Path) -> Iterator[Mistake]:
    if isinstance(layer, Mapping):
        for tag, payload in layer.items():
            if isinstance(payload, Mapping) and "tensors" in payload:
                yield from _tensors(payload["tensors"], (*path, tag, "tensors"))


def _tensors(tensors: Value, path: Path) -> Iterator[Mistake]:
    if not _is_list(tensors):
        return
    yield from duplicate_role(tensors, path)
    for index, tensor in enumerate(tensors):
        if isinstance(tensor, Mapping):
            yield from _tensor(tensor, (*path, index))


def _tensor(tensor: Fields, path: Path) -> Iterator[Mistake]:
    if _is_list(tensor.get("shape")):
        yield from scalar_not_alone(tensor, path)
    yield from residency_mismatch(tensor, path)
    if _is_list(tensor.get("shape")):
        yield from zero_extent(tensor, path)
        yield from repeated_dimension(tensor, path)


def duplicate_role(tensors: Sequence[Any], path: Path) -> Iterator[Mistake]:
    """A role occurs once in a layer; the slot of a convolution and the stream and component of a pooling count."""
    seen: dict[Value, int] = {}
    for index, tensor in enumerate(tensors):
        role = _identity(tensor.get("role")) if isinstance(tensor, Mapping) else None
        if role is None:
            continue
        if role in seen:
            message = f"the role `{_role_name(role)}` is taken by tensor {seen[role]} of this layer"
            hint = "give each tensor of a layer its own role, slot, or stream and component"
            yield Mistake("duplicate-role", message, (*path, index, "role"), hint)
        else:
            seen[role] = index


def scalar_not_alone(tensor: Fields, path: Path) -> Iterator[Mistake]:
    """`scalar` is the only dimension of its shape: it stands for one element, of shape [1]."""
    shape = tensor["shape"]
    if "scalar" in shape and len(shape) > 1:
        yield Mistake(
            "scalar-not-alone",
            "`scalar` stands beside other dimensions",
            (*path, "shape"),
            'write ["scalar"]',
        )


def residency_mismatch(tensor: Fields, path: Path) -> Iterator[Mistake]:
    """The role decides the residency of a tensor.

    A recurrent state is `layer_scoped_offloadable`; the pooled history of a stream and everything of attention is
    `sealable_paged`; every other role is `always_device_mutable`.
    """
    role = _identity(tensor.get("role"))
    residency = tensor.get("residency")
    if role is None or residency is None or is_refused(residency):
        return
    demanded = _residency(role)
    if residency != demanded:
        message = f"the role `{_role_name(role)}` has the residency `{demanded}`, not `{residency}`"
        yield Mistake("residency-mismatch", message, (*path, "residency"), f"write {demanded}")


def zero_extent(tensor: Fields, path: Path) -> Iterator[Mistake]:
    """A tensor that must be there has elements.

    `prefix_tokens_rem d` is 0 when the prefix ends with a group, so its tensor is present under
    `prefix_remainder_non_zero d`; `prefix_tokens_div d` is 0 before the first group is complete, so its tensor is
    present under `prefix_at_least` d or more. A tensor that is `optional` can be left out instead. Containers can
    hold tensors without elements, but that a tensor is absent is the one documented form of having nothing to keep.
    """
    presence = tensor.get("presence")
    if presence is None or is_refused(presence) or presence == "optional":
        return
    condition = presence if isinstance(presence, Mapping) else {}
    if any(map(is_refused, condition.values())):
        return
    for index, dimension in enumerate(tensor["shape"]):
        if not isinstance(dimension, Mapping):
            continue
        for kind, divisor in dimension.items():
            if kind == "prefix_tokens_rem" and condition.get("prefix_remainder_non_zero") != divisor:
                needed = "prefix_remainder_non_zero"
            elif kind == "prefix_tokens_div" and not _at_least(condition.get("prefix_at_least"), divisor):
                needed = "prefix_at_least"
            else:
                continue
            if not is_refused(divisor):
                message = "the dimension can be 0 when the tensor must be there"
                hint = f"write the presence {{{needed}: {divisor}}}, or optional"
                yield Mistake("zero-extent", message, (*path, "shape", index), hint, level="warning")


def repeated_dimension(tensor: Fields, path: Path) -> Iterator[Mistake]:
    """`batch` and `prefix_tokens` occur once in a shape."""
    shape = tensor["shape"]
    for name in ("batch", "prefix_tokens"):
        for index in [index for index, dimension in enumerate(shape) if dimension == name][1:]:
            hint = "write each of `batch` and `prefix_tokens` at most once"
            yield Mistake("repeated-dimension", f"`{name}` is repeated", (*path, "shape", index), hint, level="warning")


def block_range_empty(block: Fields, path: Path) -> Iterator[Mistake]:
    """A block holds at least one token: `end` is above `start`."""
    start, end = block.get("start"), block.get("end")
    if isinstance(start, int) and isinstance(end, int) and end <= start:
        message = f"the block ends at {end} and starts at {start}, so it holds no token"
        yield Mistake("block-range-empty", message, (*path, "end"), f"write an end above {start}")


def layer_range(layout: Fields, path: Path) -> Iterator[Mistake]:
    """The layers of a layout are layers of the model: `global_layer_start` + their number <= `layer_count`.

    Without a `layer_count` the last layer still has an index below 2^64.
    """
    layers, start, count = layout.get("layers"), layout.get("global_layer_start"), layout.get("layer_count")
    start = 0 if start is None else start
    if not _is_list(layers) or not isinstance(start, int) or not isinstance(count, int | None):
        return
    end = start + len(layers)
    if count is not None and end > count:
        message = f"layers {start} to {end - 1} are listed, and the model has {count}"
        yield Mistake("layer-range", message, (*path, "layer_count"), f"write {end} or more")
    elif end > 2**64:
        message = f"layers {start} to {end - 1} are listed, and no index is above {2**64 - 1}"
        yield Mistake("layer-range", message, (*path, "global_layer_start"), f"write {2**64 - len(layers)} or less")


def offset_count(layout: Fields, path: Path) -> Iterator[Mistake]:
    """`layer_prefix_offsets` has one entry for each layer."""
    offsets, layers = layout.get("layer_prefix_offsets"), layout.get("layers")
    if _is_list(offsets) and _is_list(layers) and len(offsets) != len(layers):
        message = f"{len(offsets)} offsets for {len(layers)} layers"
        yield Mistake("offset-count", message, (*path, "layer_prefix_offsets"), "write one offset for each layer")


def _at_least(value: Value, bound: Value) -> bool:
    return isinstance(value, int) and isinstance(bound, int) and value >= bound


def _is_list(value: Value) -> TypeGuard[Sequence[Any]]:
    """Whether a value is a list: a list in a document, a tuple in a model."""
    return isinstance(value, (list, tuple))


def _identity(role: Value) -> Value:
    """A role as something that can be compared and hashed; None where it is not known."""
    if role is None or is_refused(role):
        return None
    if isinstance(role, str):
        return role
    if "fixed" in role:
        return _identity(role["fixed"])
    fields = ["slot"] if "convolution" in role else ["stream", "component"]
    payload = role.get("convolution", role.get("pooling"))
    if not isinstance(payload, Mapping):
        return None
    values = [payload.get(field) for field in fields]
    return None if any(value is None or is_refused(value) for value in values) else (next(iter(role)), *values)


def _residency(role: Value) -> str:
    if role == "recurrent":
        return "layer_scoped_offloadable"
    if role in ("attention_keys", "attention_values", "compressed_latent", "rotary_keys") or role[-1] == "pooled":
        return "sealable_paged"
    return "always_device_mutable"


def _role_name(role: Value) -> str:
    return role if isinstance(role, str) else ".".join(map(str, role))
