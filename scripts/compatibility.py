"""Hold the current schema to every released one of its format major: what was valid stays valid.

Reads the archives in schema/v1/released/, checks every accepted vector and every example in them, and lists the cases
that are refused now or written otherwise. Exit status 1 if there are any.
"""

from __future__ import annotations

import json
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import cachespec
from cachespec.schema import DOCUMENT_TYPE

ROOT = Path(__file__).resolve().parent.parent
RELEASED = ROOT / "schema" / "v1" / "released"


@dataclass(frozen=True)
class Case:
    """A document that a released schema accepts; `canonical` is None where the release does not state it."""

    name: str
    type: str
    syntax: str
    text: str
    canonical: str | None = None


def cases(archive: Path) -> Iterator[Case]:
    """The accepted vectors and the examples of one release."""
    with tarfile.open(archive) as files:
        for member in files.getmembers():
            path = PurePosixPath(member.name)
            extracted = files.extractfile(member)
            text = extracted.read().decode("utf-8") if extracted else ""
            if path.parent.name == "examples" and ".cachespec." in path.name:
                syntax = "json" if path.suffix == ".json" else "yaml"
                yield Case(f"examples/{path.name}", DOCUMENT_TYPE, syntax, text)
            elif path.parent.name == "vectors" and path.suffix == ".json":
                for vector in json.loads(text).get("vectors", ()):
                    if vector["verdict"] == "accept" and "text" in vector:
                        name = f"vectors/{path.name}: {vector['name']}"
                        yield Case(name, vector["type"], vector["syntax"], vector["text"], vector["canonical"])


def broken(case: Case) -> str | None:
    """Why a case no longer holds, or None."""
    try:
        report = cachespec.check(case.text, type=case.type, syntax=case.syntax)
    except ValueError as error:
        return str(error)
    if report.value is None:
        finding = report.findings[0]
        return f"{finding.code}: {finding.message} at {finding.path or 'the root'}"
    if case.canonical is not None and (now := cachespec.dumps(report.value)) != case.canonical:
        return f"is written as {now[:80]}"
    return None


def main() -> int:
    failed = 0
    archives = sorted(RELEASED.glob("cachespec-schema-*.tar.gz"))
    for archive in archives:
        held = list(cases(archive))
        found = [(case, reason) for case in held if (reason := broken(case))]
        failed += len(found)
        print(f"{archive.name}: {len(held)} cases, {len(found)} broken")
        for case, reason in found:
            print(f"  {case.name}: {reason}")
    if failed:
        print("within a format major what was valid stays valid; a change that breaks this is a new major, schema/v2/")
    return 1 if failed or not archives else 0


if __name__ == "__main__":
    sys.exit(main())
