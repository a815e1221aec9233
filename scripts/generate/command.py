"""The command: every made file, which of them are stale, and how they are brought up to date."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cachespec.files import replace_file
from generate.bundle import bundle
from generate.codes import codes_page
from generate.draft_07 import draft_07
from generate.draft_4 import draft_4_module
from generate.importing import importing_page
from generate.models import python_package
from generate.project import DOCS, GENERATED, MAKER, ROOT, TYPES
from generate.schemas import as_text
from generate.typescript import typescript


def made() -> dict[Path, str]:
    """Every made file: its path from the root, and its text."""
    schema = bundle()
    return {
        TYPES / "cachespec.schema.json": as_text(schema),
        TYPES / "cachespec.draft-07.schema.json": as_text(draft_07(schema)),
        TYPES / "draft_4.py": draft_4_module(schema),
        **python_package(schema),
        **typescript(schema),
        DOCS / "codes.md": codes_page(),
        DOCS / "importing.md": importing_page(),
    }


def present() -> set[Path]:
    """The files in the folder that holds made files alone."""
    return {
        path.relative_to(ROOT)
        for path in (ROOT / GENERATED).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def stale(files: dict[Path, str]) -> list[Path]:
    """The files that differ from what would be made, are missing, or are not made at all."""

    def current(path: Path) -> bytes | None:
        target = ROOT / path
        return target.read_bytes() if target.is_file() else None

    changed = {path for path, text in files.items() if current(path) != text.encode()}
    return sorted(changed | (present() - files.keys()))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=MAKER, description="Make generated/ and the made pages of docs/.")
    parser.add_argument("--check", action="store_true", help="list what is stale and write nothing")
    only_check = parser.parse_args(arguments).check
    files = made()
    outdated = stale(files)
    for path in outdated:
        what = "stale" if only_check else "written" if path in files else "removed"
        print(f"{what}: {path.as_posix()}")
    if only_check:
        if outdated:
            print(f"run: python {MAKER}")
        return 1 if outdated else 0
    for path in outdated:
        target = ROOT / path
        if path in files:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_file(target, files[path].encode())
        else:
            target.unlink()
    return 0
