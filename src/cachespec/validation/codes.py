"""What every code of a finding means: the pages behind `cachespec explain` and the documentation."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from cachespec.findings import Level
from cachespec.schema import DOCUMENT_TYPE
from cachespec.validation import rules


@dataclass(frozen=True)
class Code:
    """One code: its level, its meaning, and an example that fails with it beside one that passes.

    The examples are texts of type `type` in the syntax `syntax`; the type `config.json` is a model's configuration,
    read by `cachespec import`; the type `path` is what stands on a command line.
    """

    name: str
    level: Level
    meaning: str
    failing: str
    corrected: str
    type: str = DOCUMENT_TYPE
    syntax: str = "yaml"

    def text(self) -> str:
        """The page as plain text."""
        return "\n".join(
            [
                f"{self.name} ({self.level})",
                "",
                self.meaning,
                "",
                f"Fails ({self.type}, {self.syntax}):",
                "",
                _indented(self.failing_shown),
                "",
                "Passes:",
                "",
                _indented(self.corrected.rstrip()),
            ]
        )

    def in_one_line(self) -> str:
        """The first sentence of the meaning."""
        return re.split(r"(?<=[.:])\s", " ".join(self.meaning.split()), maxsplit=1)[0].rstrip(".:")

    @property
    def failing_shown(self) -> str:
        """The failing example with escapes for what cannot be printed."""
        return "".join(c if c.isprintable() or c == "\n" else f"\\u{ord(c):04x}" for c in self.failing.rstrip())


@cache
def codes() -> dict[str, Code]:
    """All codes by name, in the order of the stages that emit them."""
    source = files("cachespec.validation").joinpath("codes.yaml").read_text(encoding="utf-8")
    pages = yaml.safe_load(source)
    return {name: Code(name=name, **{"meaning": _meaning(name), **page}) for name, page in pages.items()}


def _meaning(name: str) -> str:
    """The meaning of a rule's code is the docstring of the rule."""
    rule = getattr(rules, name.replace("-", "_"), None)
    return inspect.getdoc(rule) or "" if rule else ""


def _indented(example: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in example.split("\n"))
