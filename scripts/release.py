"""Make the files that go out, into dist/: the same bytes in every run.

The wheel and the sdist, an archive of the schema for consumers in any language, and the SHA-256 of each.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from cachespec.files import replace_file

ROOT = Path(__file__).resolve().parent.parent
VERSION = (ROOT / "schema" / "v1" / "VERSION").read_text(encoding="utf-8").strip()
SUMS = "SHA256SUMS"

# What is in the archive, by the folder that it stands in there.
CONTENTS = {
    "": [
        "generated/cachespec_types/cachespec.schema.json",
        "generated/cachespec_types/cachespec.draft-07.schema.json",
        "generated/typescript/cachespec.d.ts",
        "schema/README.md",
        "schema/v1/VERSION",
        "schema/v1/CHANGELOG.md",
        "LICENSE",
    ],
    "vectors": ["tests/conformance/*.json", "tests/conformance/README.md"],
    "examples": ["schema/v1/examples/*"],
}


def archive_name() -> str:
    return f"cachespec-schema-{VERSION}.tar.gz"


def members() -> dict[str, Path]:
    """The files of the archive by their names in it, sorted."""
    top = f"cachespec-schema-{VERSION}"
    found = {
        "/".join(part for part in (top, folder, path.name) if part): path
        for folder, patterns in CONTENTS.items()
        for pattern in patterns
        for path in ROOT.glob(pattern)
    }
    return dict(sorted(found.items()))


def schema_archive() -> bytes:
    """The archive; owners, times and modes are set, so that only the contents decide its bytes."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, path in members().items():
            data = path.read_bytes()
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o644
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def python_packages() -> dict[str, bytes]:
    """The sdist, and the wheel that is built from it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "build", "--outdir", folder, str(ROOT)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def files() -> dict[str, bytes]:
    """Everything that goes out, the list of sums last."""
    made = dict(sorted({**python_packages(), archive_name(): schema_archive()}.items()))
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in made.items())
    return {**made, SUMS: sums.encode()}


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    target.mkdir(parents=True, exist_ok=True)
    made = files()
    for name, data in made.items():
        replace_file(target / name, data)
    print(made[SUMS].decode(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
