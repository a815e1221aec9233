"""Which runtime reads a configuration, and what it says, checked like every other document."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from cachespec.checking import at_fields, loads, read_configuration
from cachespec.findings import CachePolicyError, CachePolicyWarning, Finding, refusal

if TYPE_CHECKING:
    from cachespec_types.models import CacheLayout

__all__ = ["import_config"]


class HasFields(Protocol):
    """A configuration of transformers, or of anything else that says what its fields are."""

    def to_dict(self) -> dict[str, object]: ...


def import_config(
    config: Mapping[str, object] | str | os.PathLike[str] | HasFields,
    runtime: str = "transformers",
    *,
    tensor_parallel: int = 1,
    rank: int = 0,
    layers: tuple[int, int] | None = None,
) -> CacheLayout:
    """The layout of what a runtime keeps for the model that a configuration describes.

    `config` is a parsed config.json, the path of one, or an object whose `to_dict()` gives it.
    `runtime` is "transformers" (the geometry that transformers 5.24 caches) or "eredu". For eredu, `tensor_parallel`
    is the number of ranks that share each layer and `rank` the one to describe, from 0; `layers` are the global
    indices of the first layer of a pipeline stage and of the one after its last. The annotations of the layout say
    which field or rule each value came from.

    Raises CachePolicyError with the code `missing-config-field`, `unknown-model-type`, `not-expressible` or
    `invalid-config-value`, and the path of the field; ValueError for options that do not exist; OSError for a file
    that cannot be read. What deserves a look is a CachePolicyWarning: `chunked-attention`, `unused-window`.
    """
    read = partial(read_config, runtime=runtime, tensor_parallel=tensor_parallel, rank=rank, layers=layers)
    if isinstance(config, (str, os.PathLike)):
        text, fields = read_configuration(config)
        try:
            document, found = read(fields)
        except CachePolicyError as error:
            raise CachePolicyError(at_fields(text, config, error.findings)) from None
        found = at_fields(text, config, found)
    else:
        document, found = read(_fields(config))
    for finding in found:
        warnings.warn(CachePolicyWarning(finding), stacklevel=2)
    # What an importer says goes through the same checks as every other document.
    return loads(json.dumps(document))


def _fields(config: Mapping[str, object] | HasFields) -> Mapping[str, object]:
    """The fields as a config.json has them: there, keys are text and tuples are lists."""
    if isinstance(config, Mapping) or not callable(getattr(config, "to_dict", None)):
        return config  # type: ignore[return-value]
    fields: Mapping[str, object] = json.loads(json.dumps(config.to_dict(), default=str))
    return fields


def read_config(
    config: Mapping[str, object],
    runtime: str = "transformers",
    *,
    tensor_parallel: int = 1,
    rank: int = 0,
    layers: tuple[int, int] | None = None,
) -> tuple[dict[str, object], list[Finding]]:
    """The layout of what `runtime` keeps for the model that `config` (a parsed config.json) describes.

    Returns a `CacheLayout` document as plain values and the warnings. `tensor_parallel` is the number of
    ranks that share each layer and `rank` the one to describe, from 0; `layers` is a pipeline stage, the
    global indices of its first layer and of the one after its last. Both are read for eredu only.

    Refusals raise `CachePolicyError`, whose findings carry `missing-config-field`, `unknown-model-type`,
    `not-expressible` or `invalid-config-value` and point at the field of the configuration. Options out of
    range raise `ValueError`.
    """
    if not isinstance(config, Mapping):
        raise refusal("invalid-config-value", "the configuration must be an object")
    if runtime == "transformers":
        if tensor_parallel != 1 or rank != 0 or layers is not None:
            raise ValueError("tensor parallel ranks and pipeline stages are known for the runtime eredu only")
        from cachespec.importers.transformers.importer import read

        return read(config)
    if runtime == "eredu":
        from cachespec.importers.eredu.importer import read as read_eredu

        return read_eredu(config, tensor_parallel=tensor_parallel, rank=rank, layers=layers)
    raise ValueError(f"unknown runtime {runtime!r}: transformers and eredu are known")
