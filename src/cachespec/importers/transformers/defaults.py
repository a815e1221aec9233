"""Missing fields, filled in by the library's own configuration classes (the optional extra
cachespec[transformers]).

The classes work without torch. Another version of the library may have other defaults, so it is not asked.
"""

from __future__ import annotations

import copy
import importlib
import importlib.metadata
import importlib.util
import json
import logging
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

from cachespec.findings import pointer, refusal

SUPPORTED = "5.24"


def why_unavailable() -> str | None:
    """Why missing fields cannot be filled in, as a hint; None when they can."""
    if importlib.util.find_spec("transformers") is None:
        return "state it, or install cachespec[transformers], which fills in the defaults of the library"
    try:
        installed = importlib.metadata.version("transformers")
    except importlib.metadata.PackageNotFoundError:
        installed = "another version"
    if installed != SUPPORTED and not installed.startswith(f"{SUPPORTED}."):
        return f"state it: defaults are taken from transformers {SUPPORTED} only, but {installed} is installed"
    return None


def filled(config: Mapping[str, object]) -> dict[str, object]:
    """The whole configuration as the library re-serialises it; it may refuse the configuration."""
    with _silence():
        library = importlib.import_module("transformers")
        try:
            configuration_class = library.CONFIG_MAPPING[config["model_type"]]
        except KeyError:
            raise refusal("unknown-model-type", "transformers does not know the model type", "/model_type") from None
        try:
            read = configuration_class.from_dict(copy.deepcopy(dict(config)))
            text = read.to_json_string(use_diff=False)
        except Exception as error:  # the classes raise whatever their checks and arithmetic raise
            reason = " ".join(str(error).split())[:200]
            message = f"transformers {SUPPORTED} refuses the configuration: {type(error).__name__}: {reason}"
            raise refusal("invalid-config-value", message, _path(reason)) from None
    return cast("dict[str, object]", json.loads(text))


def _path(reason: str) -> str:
    """The field that the library complains about; the whole configuration if it names none."""
    named = re.search(r"field '(\w+)'", reason)
    return pointer([named[1]]) if named else ""


@contextmanager
def _silence() -> Iterator[None]:
    """Keep the library's warnings, about torch and about fields, out of the answer."""
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled)
