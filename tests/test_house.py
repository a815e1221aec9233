"""Folders are the stages of a document, and data flows one way: what each of them may import, and no circles."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parent.parent / "src"

GROUND = {"findings", "schema", "wording", "files"}
STAGES = {"reading", "validation", "layouts", "checking"}
# The name of a place below cachespec, and the names that imports there may begin with: the longest place counts.
MAY_IMPORT = {
    **dict.fromkeys(GROUND, GROUND),
    "reading": {"reading", "findings", "wording"},
    "validation": {"validation", "reading.document", *GROUND},
    "layouts": {"layouts", "validation", *GROUND},
    "checking": {"reading", "validation", "layouts.models", *GROUND},
    "plotting": {"plotting", "layouts", *GROUND},
    "formatting": {"formatting", "checking", "layouts.models", "reading", *GROUND},
    "importers": {"importers", "layouts.wire", *GROUND},
    "importers.runtimes": {"importers", "checking", *GROUND},
    "importers.transformers": {"importers.transformers", "importers.configuration", "importers.layer_lists"}
    | {"layouts.wire", *GROUND},
    "importers.eredu": {"importers.eredu", "importers.configuration", "importers.layer_lists", "layouts.wire", *GROUND},
    "cli": {"cli", "plotting", "formatting", "importers", "", *STAGES, *GROUND},
    "cli.documents": {"cli.arguments", *STAGES, *GROUND},
    "cli.output": {"cli.output", "cli.documents", "cli.arguments", "", *STAGES, *GROUND},
    "__main__": {"cli"},
    # The public names, wherever they are.
    "": {"formatting", "importers", "plotting", *STAGES, *GROUND},
}
# Packages that one place has to itself, since they take long to import.
KEPT_TO = {"matplotlib": "plotting", "ruamel": "formatting", "argparse": "cli", "rich": "cli"}
KEPT_TO |= {"transformers": "importers.transformers", "gc": "cli"}


def modules() -> dict[str, str]:
    """The text of every module by its name below cachespec; the package itself is the empty name."""
    files = (SOURCES / "cachespec").rglob("*.py")
    return {_name(path.relative_to(SOURCES / "cachespec")): path.read_text(encoding="utf-8") for path in files}


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(text: str, known: Mapping[str, object]) -> Iterator[str]:
    """What a module imports, wherever it does: names of modules of ours, the rest by their whole names."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            module = node.module or ""
            for alias in node.names:
                whole = f"{module}.{alias.name}"
                yield whole if whole.removeprefix("cachespec.") in known else module


def within(name: str, place: str) -> bool:
    return name == place or (name.startswith(f"{place}.") and place != "")


def breaches(sources: Mapping[str, str]) -> list[str]:
    """The imports against the table, and the circles, one line each."""
    found: list[str] = []
    edges: dict[str, set[str]] = {}
    for module, text in sources.items():
        place = max((place for place in MAY_IMPORT if place == "" or within(module, place)), key=len)
        allowed = MAY_IMPORT[place]
        edges[module] = set()
        for name in imports(text, sources):
            top = name.partition(".")[0]
            if top != "cachespec":
                if top in KEPT_TO and not within(module, KEPT_TO[top]):
                    found.append(f"{module} imports {top}")
                continue
            ours = name.removeprefix("cachespec").removeprefix(".")
            if not any(within(ours, other) for other in allowed):
                found.append(f"{module} imports {ours}")
            # The package loads its names when they are asked for.
            if module and ours:
                edges[module].add(ours)
    return found + [f"circle: {' -> '.join(circle)}" for circle in circles(edges)]


def circles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    found: list[list[str]] = []
    done: set[str] = set()

    def follow(module: str, way: list[str]) -> None:
        if module in way:
            found.append([*way[way.index(module) :], module])
        elif module not in done:
            for other in sorted(edges.get(module, ())):
                follow(other, [*way, module])
            done.add(module)

    for module in sorted(edges):
        follow(module, [])
    return found


def test_imports_keep_to_the_table_and_make_no_circles() -> None:
    assert breaches(modules()) == []


@pytest.mark.parametrize(
    ("module", "line", "breach"),
    [
        ("reading.reader", "from cachespec.validation import rules", "reading.reader imports validation.rules"),
        ("reading.reader", "from cachespec.schema import definitions", "reading.reader imports schema"),
        ("layouts.sizing", "from cachespec.reading.document import Value", "layouts.sizing imports reading.document"),
        ("layouts.wire", "from cachespec.importers import catalogue", "layouts.wire imports importers.catalogue"),
        ("importers.catalogue", "from cachespec.checking import check", "importers.catalogue imports checking"),
        ("cli.output.tables", "from cachespec.cli.commands import size", "cli.output.tables imports cli.commands.size"),
        ("layouts.sizing", "def f():\n    import rich.table", "layouts.sizing imports rich"),
        ("checking", "import gc", "checking imports gc"),
        ("findings", "from cachespec.wording import shown", None),
        (
            "importers.eredu.hybrids",
            "from cachespec.importers.transformers import importer",
            "importers.eredu.hybrids imports importers.transformers.importer",
        ),
        (
            "reading.document",
            "from cachespec.reading import reader",
            "circle: reading.document -> reading.reader -> reading.document",
        ),
    ],
)
def test_a_breach_is_found(module: str, line: str, breach: str | None) -> None:
    sources = modules()
    sources[module] += f"\n{line}\n"
    found = breaches(sources)
    assert found[:1] == ([breach] if breach else [])
