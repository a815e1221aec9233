"""Mutation testing: changes the importers and the validation in one place at a time and counts the changes that
make a test fail.

The changes are the operators of cosmic-ray (`pip install cosmic-ray==8.7.0`) and one of ours. A seeded sample of places
is drawn, and one change at each. Every change is tried in a process of its own that has imported all but the package;
the changed source lives in that process alone, so no file is touched.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib
import os
import random
import resource
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.yaml")
PROCESSES = 2
CPU_SECONDS = 120
MEMORY = 4 * 1024**3


class Scope(NamedTuple):
    """A folder of the package and the tests that hold it, the quick ones first; `apart` start processes or are slow."""

    folder: str
    tests: tuple[str, ...]
    apart: tuple[str, ...]


SCOPES = (
    Scope(
        "cachespec/importers",
        ("tests/importers", "tests/cli/test_import_command.py"),
        ("never_disagree", "odd_values"),
    ),
    Scope(
        "cachespec/validation",
        (
            *("tests/validation", "tests/layouts/test_invalid_models.py", "tests/reading/test_positions.py"),
            *("tests/test_docs.py", "tests/test_conformance.py"),
        ),
        ("both_parsers", "javascript", "the_hook", "every_command", "wrong_vector", "falsified"),
    ),
)

# What the tests import and no change concerns; the library is asked for its configuration classes too.
WARM = (
    *("hypothesis", "jsonschema", "jsonschema_rs", "jiter", "pydantic", "rich.console", "rich.table"),
    "cachespec_types.models",
)
OPTIONS = (
    *("-x", "-q", "-o", "addopts=", "-p", "no:cacheprovider", "--hypothesis-seed=0"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
# pytest: wrong usage, and no tests
USAGE, NOTHING = 4, 5


class Mutant(NamedTuple):
    """One change: what `operator` does to a file at the place that it would change as number `occurrence`."""

    scope: Scope
    file: Path
    operator: str
    occurrence: int
    place: tuple[int, int]


@cache
def operators() -> dict[str, Any]:
    """The operators by name. Identity for equality says nothing here, where kinds and codes are interned."""
    plugins = importlib.import_module("cosmic_ray.plugins")
    found = {name: plugins.get_operator(name) for name in sorted(plugins.operator_names())}
    comparisons = "ReplaceComparisonOperator_"
    kept = {
        name: operator()
        for name, operator in found.items()
        if not operator.arguments() and (comparisons not in name or _is_near(name.partition(comparisons)[2]))
    }
    return {**kept, "ours/LeaveOut": leave_out()}


def _is_near(comparison: str) -> bool:
    before, _, after = comparison.partition("_")
    return before.startswith("Is") == after.startswith("Is")


def leave_out() -> Any:
    """The operator that leaves out a refusal, a finding or a call for its effect."""
    base: Any = importlib.import_module("cosmic_ray.operators.operator").Operator
    parso: Any = importlib.import_module("parso")

    class LeaveOut(base):  # type: ignore[misc]
        def mutation_positions(self, node: Any) -> Iterator[Any]:
            if node.type == "simple_stmt" and node.children[0].type in ("raise_stmt", "yield_expr", "atom_expr"):
                yield node.start_pos, node.end_pos

        def mutate(self, node: Any, index: int) -> Any:
            node.children[0] = parso.parse(node.get_first_leaf().prefix + "pass")
            return node

        @classmethod
        def examples(cls) -> Sequence[Any]:
            return ()

    return LeaveOut()


def files(scope: Scope) -> list[Path]:
    return sorted((SOURCES / scope.folder).rglob("*.py"))


def mutants(scope: Scope) -> Iterator[Mutant]:
    """Every change that the operators know for the files of a scope."""
    trees: Any = importlib.import_module("cosmic_ray.ast")
    known = operators()
    for file in files(scope):
        nodes = list(trees.ast_nodes(trees.get_ast(file.read_text(encoding="utf-8"))))
        for name, operator in known.items():
            places = [start for node in nodes for start, _ in operator.mutation_positions(node)]
            for occurrence, place in enumerate(places):
                yield Mutant(scope, file, name, occurrence, place)


def changed(mutant: Mutant) -> str | None:
    """The source after the change; None where it no longer compiles, or does what it did."""
    mutating: Any = importlib.import_module("cosmic_ray.mutating")
    before = mutant.file.read_text(encoding="utf-8")
    after: str | None = mutating.mutate_code(before, operators()[mutant.operator], mutant.occurrence)
    if after is None:
        return None
    try:
        return after if _behaviour(after) != _behaviour(before) else None
    except SyntaxError:
        return None


def _behaviour(source: str) -> str:
    """The program without its annotations, which no process evaluates."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def difference(mutant: Mutant, source: str) -> tuple[str, str]:
    """The lines that a change takes out and the lines that it puts in, without their indentation."""
    before = mutant.file.read_text(encoding="utf-8").splitlines()
    lines = list(difflib.unified_diff(before, source.splitlines(), lineterm="", n=0))[3:]
    out, new = ([line[1:].strip() for line in lines if line[0] == sign] for sign in "-+")
    return "\n".join(out), "\n".join(new)


def equivalents() -> set[tuple[str, str]]:
    """The changes that are known to change nothing, as `difference` tells them."""
    entries = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8"))
    lines = {line.strip() for scope in SCOPES for file in files(scope) for line in file.read_text("utf-8").splitlines()}
    for entry in entries:
        if entry["was"] not in lines:
            raise SystemExit(f"{EQUIVALENT.name} has a line that stands nowhere: {entry['was']}")
    return {(entry["was"], now) for entry in entries for now in entry["now"]}


def sample(seed: int, size: int) -> list[tuple[Mutant, str]]:
    """`size` changes, each at another place, in the order in which they are drawn; none is known to be equivalent."""
    places: dict[tuple[Path, tuple[int, int]], list[Mutant]] = {}
    for scope in SCOPES:
        for mutant in mutants(scope):
            places.setdefault((mutant.file, mutant.place), []).append(mutant)
    draw, equivalent = random.Random(seed), equivalents()
    drawn: list[tuple[Mutant, str]] = []
    for place in draw.sample(sorted(places), len(places)):
        mutant = draw.choice(places[place])
        source = changed(mutant)
        if source is not None and difference(mutant, source) not in equivalent:
            drawn.append((mutant, source))
        if len(drawn) == size:
            break
    return drawn


class Changed(SourceFileLoader):
    """Finds and loads one module from a source that is in no file."""

    def __init__(self, file: Path, source: str) -> None:
        package = file.parent if file.name == "__init__.py" else file.with_suffix("")
        super().__init__(".".join(package.relative_to(SOURCES).parts), str(file))
        self._source = source

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        inside = [str(Path(self.path).parent)] if self.path.endswith("__init__.py") else None
        return spec_from_file_location(name, self.path, loader=self, submodule_search_locations=inside)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)


def tests_of(scope: Scope) -> list[str]:
    found = []
    for pattern in scope.tests:
        paths = sorted(map(str, ROOT.glob(pattern)))
        if not paths:
            raise SystemExit(f"no tests at {pattern}")
        found += paths
    return [*found, *OPTIONS, "-k", " and ".join(f"not {name}" for name in scope.apart)]


def start(scope: Scope, finder: Changed | None, output: int) -> int:
    """A process that runs the tests of a scope and exits as pytest does."""
    child = os.fork()
    if child:
        return child
    status = 3
    try:
        os.dup2(output, 1)
        os.dup2(output, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if finder is not None:
            sys.meta_path.insert(0, finder)
        status = int(pytest.main(tests_of(scope)))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def survivors(drawn: Sequence[tuple[Mutant, str]]) -> Iterator[tuple[Mutant, str]]:
    """The changes with which every test passes; a change that exhausts time or memory is noticed."""
    running: dict[int, tuple[Mutant, str]] = {}
    waiting = list(reversed(drawn))
    nothing = os.open(os.devnull, os.O_WRONLY)
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            mutant, source = waiting.pop()
            running[start(mutant.scope, Changed(mutant.file, source), nothing)] = mutant, source
        child, status = os.wait()
        tried = running.pop(child)
        code = os.waitstatus_to_exitcode(status)
        if code in (USAGE, NOTHING):
            raise SystemExit("pytest ran no tests")
        if code == 0:
            yield tried


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=300, help="how many changes are tried")
    options = parser.parse_args()
    for name in WARM:
        importlib.import_module(name)
    library = importlib.import_module("transformers")
    for name in library.CONFIG_MAPPING:
        library.CONFIG_MAPPING[name]
    assert "cachespec" not in sys.modules
    for scope in SCOPES:
        if os.waitpid(start(scope, None, 1), 0)[1]:
            raise SystemExit(f"the tests of {scope.folder} fail without any change")
    drawn = sample(options.seed, options.sample)
    alive = 0
    began = time.monotonic()
    for mutant, source in survivors(drawn):
        alive += 1
        was, now = difference(mutant, source)
        print(f"{mutant.file.relative_to(ROOT)}:{mutant.place[0]}: {mutant.operator}\n  - {was}\n  + {now}", flush=True)
    killed, took = len(drawn) - alive, time.monotonic() - began
    print(f"seed {options.seed}: {killed} of {len(drawn)} killed ({killed / len(drawn):.1%}) in {took:.0f} s")


if __name__ == "__main__":
    main()
