"""What the benchmark reads: layouts of one kind, in any number and length."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

LAYERS = 64


def layout(layers: int, name: str = "bench") -> dict[str, Any]:
    """A gated-delta hybrid: three layers of convolution and recurrent state, then one of attention, and so on."""
    state = {"dtype": "floating", "residency": "always_device_mutable", "presence": "required"}
    linear = {
        "fixed_state": {
            "tensors": [
                {"role": {"convolution": {"slot": 0}}, "shape": ["batch", {"fixed": 3}, {"fixed": 8192}], **state},
                {
                    "role": "recurrent",
                    "shape": ["batch", {"fixed": 32}, {"fixed": 128}, {"fixed": 128}],
                    "dtype": "float32",
                    "residency": "layer_scoped_offloadable",
                    "presence": "required",
                },
            ]
        }
    }
    full = {"key_value": {"attention": "full", "num_key_value_heads": 2, "head_dim": 256}}
    return {"cachespec": 1, "name": name, "layers": [full if index % 4 == 3 else linear for index in range(layers)]}


class _WithoutAliases(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def as_text(document: dict[str, Any], syntax: str) -> str:
    """A document as most tools write it: JSON on one line, YAML in blocks."""
    if syntax == "json":
        return json.dumps(document)
    return yaml.dump(document, Dumper=_WithoutAliases, sort_keys=False)


def write_many(folder: Path, count: int, syntax: str, bad: int | None = None) -> None:
    """So many layouts, each with a name of its own; the one numbered `bad` has a misspelt variant."""
    folder.mkdir(parents=True)
    document = layout(LAYERS, "NAME")
    text = as_text(document, "yaml") if syntax == "yaml" else json.dumps(document, indent=1)
    for number in range(count):
        own = text.replace("NAME", f"layout {number}")
        own = own.replace("recurrent", "recurent", 1) if number == bad else own
        (folder / f"{number:04}.cachespec.{syntax}").write_text(own, encoding="utf-8")
