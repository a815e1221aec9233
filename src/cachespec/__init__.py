"""What a language model must remember between tokens, layer by layer.

A name loads its module when it is first used, so that a check never waits for the models.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cachespec_types import MODEL_NAMES

if TYPE_CHECKING:
    from cachespec.checking import *
    from cachespec.findings import *
    from cachespec.formatting.documents import *
    from cachespec.importers.runtimes import *
    from cachespec.layouts.builders import *
    from cachespec.layouts.expansion import *
    from cachespec.layouts.models import *
    from cachespec.layouts.ordering import *
    from cachespec.layouts.sizing import *
    from cachespec.plotting.picture import *
    from cachespec_types import SCHEMA_VERSION as SCHEMA_VERSION
    from cachespec_types.models import *

__version__ = "0.1.0"

_NAMES = {
    "cachespec.checking": "CheckReport check load loads",
    "cachespec.findings": "CachePolicyError CachePolicyWarning Finding",
    "cachespec.formatting.documents": "dump dumps",
    "cachespec.importers.runtimes": "import_config",
    "cachespec.layouts.builders": """
        compressed_latent_rotary fixed fixed_only full key_only key_only_with_fixed_state key_value
        key_value_with_fixed_state layout optional replace sliding state_tensor state_tensor_with_residency
        when_prefix_at_least when_prefix_remainder_nonzero
    """,
    "cachespec.layouts.expansion": """
        Layer NamedComponent accepts_dtype_name attention attention_residency_class components expand fixed_state
        is_required_for layers resolved_shape stable_name window
    """,
    "cachespec.layouts.models": "validate",
    "cachespec.layouts.ordering": "sort_key",
    "cachespec.layouts.sizing": "Amounts LayerSize Size size",
    "cachespec.plotting.picture": "plot",
    "cachespec_types": "SCHEMA_VERSION",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
_MODULES |= dict.fromkeys(MODEL_NAMES, "cachespec_types.models")

__all__ = sorted([*_MODULES, "__version__"])


class _Package(ModuleType):
    """A module that says what its names are only when it is asked, since that takes all of them."""

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        from cachespec.schema import definitions

        lines = [__doc__, "The public names:", ""]
        for name in __all__:
            value = getattr(self, name)
            text = value if isinstance(value, str) else value.__doc__
            # Type aliases share the text of their class; the schema says what each of them is.
            text = definitions()[name]["description"] if name in definitions() else text.strip()
            lines.append(f"  {name}: {text.partition(chr(10))[0]}")
        return "\n".join(lines)

    def __dir__(self) -> list[str]:
        return __all__

    def __getattr__(self, name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_MODULES[name]), name)
        setattr(self, name, value)
        return value


sys.modules[__name__].__class__ = _Package
