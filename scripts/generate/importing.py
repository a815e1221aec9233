"""The documentation page of what `cachespec import` knows."""

from __future__ import annotations

from cachespec.importers import catalogue
from generate.project import ROOT

IMPORTING = ROOT / "scripts" / "importing.md"


def importing_page() -> str:
    """The page, from the tables that `cachespec import` reads by."""
    families: dict[tuple[str, ...], list[str]] = {}
    for row in catalogue.model_type_rows():
        words = (row.family, row.layers, ", ".join(f"`{field}`" for field in row.fields))
        families.setdefault(words, []).append(f"`{row.model_type}`")
    rows = [f"| {', '.join(names)} | {' | '.join(words)} |" for words, names in sorted(families.items())]
    wrappers = [f"| `{name}` | `{field}` | {inner} |" for name, field, inner in catalogue.wrapper_rows()]
    refused = [f"| `{name}` | {reason} |" for name, reason in catalogue.inexpressible_rows()]
    eredu = ", ".join(f"`{name}`" for name in catalogue.eredu_model_types())
    text = IMPORTING.read_text(encoding="utf-8")
    return text.format(rows="\n".join(rows), wrappers="\n".join(wrappers), refused="\n".join(refused), eredu=eredu)
