"""The documentation page of the codes."""

from __future__ import annotations

from cachespec.validation.codes import codes
from generate.project import MAKER
from generate.schemas import DOCUMENT_TYPE


def codes_page() -> str:
    """The page, from the same source as `cachespec explain`."""
    parts = [
        f"<!-- Made by {MAKER} from src/cachespec/validation/codes.yaml and rules.py. Do not edit. -->",
        "# Codes",
        "Every finding has a code, and a code never changes its meaning. `cachespec explain residency-mismatch` prints "
        "one of these pages.",
        "To try an example, save it as `example.cachespec.yaml` (one in JSON as `example.cachespec.json`) and run "
        "`cachespec check example.cachespec.yaml`, with the option `--type` where the example names a type. One of a "
        "`config.json` is saved under that name, for `cachespec import config.json`.",
    ]
    for code in codes().values():
        example = "" if code.type == DOCUMENT_TYPE else f"({_option(code.type)})"
        parts += [f"## {code.name}", f"*{code.level}*", code.meaning]
        parts += [f"Fails {example}".strip() + ":", f"```{code.syntax}\n{code.failing_shown}\n```"]
        parts += [f"Passes {example}".strip() + ":", f"```{code.syntax}\n{code.corrected.rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"


def _option(type_name: str) -> str:
    return f"`{type_name}`" if type_name == "config.json" else f"`--type {type_name}`"
