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
        "Every finding has a code, and a code never changes its meaning. `cachespec explain CODE` prints these pages.",
    ]
    for code in codes().values():
        example = f"(`{code.type}`)" if code.type != DOCUMENT_TYPE else ""
        parts += [f"## {code.name}", f"*{code.level}*", code.meaning]
        parts += [f"Fails {example}".strip() + ":", f"```{code.syntax}\n{code.failing_shown}\n```"]
        parts += ["Passes:", f"```{code.syntax}\n{code.corrected.rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"
