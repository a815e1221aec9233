"""Write docs/comparison.md: what cachespec and three well-known tools print for ten typical mistakes.

The other tools are installed into a throw-away folder, in the versions pinned below. Run it with the Python that has
cachespec, and with node and npm at hand.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cachespec.files import replace_file

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "comparison.md"
SCHEMA = "cachespec.schema.json"
DOCUMENT = "layout.cachespec.yaml"

PYTHON_PACKAGES = {"check-jsonschema": "0.39.0", "jsonschema": "4.26.0", "pyyaml": "6.0.4", "ruamel.yaml": "0.19.1"}
NODE_PACKAGES = {"ajv": "8.20.0", "yaml": "2.8.3"}

MOST_LINES = 10


@dataclass(frozen=True)
class Mistake:
    """A bad document: what is wrong with it, and the words without which an output does not name the fix."""

    title: str
    document: str
    fix: str
    note: str = ""


MISTAKES = (
    Mistake(
        "Misspelt variant",
        """\
cachespec: 1
layers:
  - no_state
  - key_valu:
      attention: full
      num_key_value_heads: 8
      head_dim: 128
""",
        r"\bkey_value\b",
    ),
    Mistake(
        "Misspelt field",
        """\
cachespec: 1
layers:
  - key_value:
      attention: full
      num_key_value_head: 8
      head_dim: 128
""",
        r"\bnum_key_value_heads\b",
    ),
    Mistake(
        "Missing field",
        """\
cachespec: 1
layers:
  - key_value:
      attention: full
      num_key_value_heads: 8
""",
        r"\bhead_dim\b",
    ),
    Mistake(
        "Field of another variant",
        """\
cachespec: 1
layers:
  - key_only:
      attention: full
      num_key_value_heads: 8
      head_dim: 128
""",
        r"\bnum_key_heads\b",
    ),
    Mistake(
        "Variant not indented",
        """\
cachespec: 1
layers:
  - key_value:
    attention: full
    num_key_value_heads: 8
    head_dim: 128
""",
        r"\bindent\b",
        note="The fields stand beside `key_value`, which is empty, where they belong below it.",
    ),
    Mistake(
        "Number in quotes",
        """\
cachespec: 1
layer_count: "36"
layers:
  - no_state
""",
        r"\binteger\b",
    ),
    Mistake(
        "Decimal point in a whole number",
        """\
cachespec: 1
layers:
  - key_value:
      attention: full
      num_key_value_heads: 8.0
      head_dim: 128
""",
        r"\bwrite 8\b",
        note="To JSON Schema `8.0` is an integer; a decoder with integer types, such as serde, refuses it.",
    ),
    Mistake(
        "Key written twice",
        """\
cachespec: 1
layers:
  - key_value:
      attention: full
      num_key_value_heads: 8
      head_dim: 128
      head_dim: 64
""",
        r"\btwice\b|\bduplicate\b|\bunique\b",
        note="A schema cannot see it: what reads the YAML must. PyYAML keeps the last value and says nothing.",
    ),
    Mistake(
        "Number that YAML versions read differently",
        """\
cachespec: 1
layers:
  - key_value:
      attention: full
      num_key_value_heads: 010
      head_dim: 128
""",
        r"\bdecimal\b",
        note="`010` is 8 to a YAML 1.1 reader such as PyYAML, and 10 to a YAML 1.2 reader.",
    ),
    Mistake(
        "Residency that the role does not have",
        """\
cachespec: 1
layers:
  - fixed_state:
      tensors:
        - role: recurrent
          shape: [batch, {fixed: 32}, {fixed: 128}]
          dtype: float32
          residency: always_device_mutable
          presence: required
""",
        r"\blayer_scoped_offloadable\b",
        note="A rule between two fields, beyond the schema.",
    ),
)

# jsonschema and ajv are libraries that take values; these are the shortest fair uses of their own words.
JSONSCHEMA_PROGRAM = """\
import json, sys, yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

schema, document = (open(name, encoding="utf-8") for name in sys.argv[1:])
error = best_match(Draft202012Validator(json.load(schema)).iter_errors(yaml.safe_load(document)))
if error is not None:
    sys.exit(f"{error.json_path}: {error.message}")
"""
AJV_PROGRAM = """\
import Ajv from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const [schema, document] = process.argv.slice(2).map((name) => readFileSync(name, "utf8"));
const ajv = new Ajv();
try {
  const valid = ajv.validate(JSON.parse(schema), parse(document));
  if (!valid) throw new Error(ajv.errorsText(ajv.errors, { separator: "\\n" }));
} catch (error) {
  console.error(error.message.trimEnd());
  process.exitCode = 1;
}
"""


# The command of each tool lacks only the name of the document.
OURS = {"cachespec": [sys.executable, "-m", "cachespec", "check"]}


@dataclass(frozen=True)
class Output:
    """What a tool printed for a document, and whether it took the document for a good one."""

    accepted: bool
    text: str

    def shown(self) -> str:
        """The output as the page has it: from the first line on, at most `MOST_LINES`."""
        lines = self.text.splitlines()
        left_out = len(lines) - MOST_LINES
        more = [f"({left_out} more lines)"] if left_out > 0 else []
        return "\n".join(lines[:MOST_LINES] + more)

    def summary(self, mistake: Mistake) -> str:
        """The cell of the table: how many lines, what place they name, whether they name the fix."""
        if self.accepted:
            return "accepts it"
        lines = sum(1 for line in self.text.splitlines() if line.strip())
        position = re.search(r":\d+:\d+:|line \d+, column \d+", self.text)
        path = re.search(r"\$\.|data/", self.text)
        place = "line and column" if position else "a path" if path else "no place"
        fix = "the fix" if re.search(mistake.fix, self.text) else "no fix"
        return f"{lines} {'line' if lines == 1 else 'lines'}: {place}, {fix}"


def outputs(mistake: Mistake, commands: Mapping[str, Sequence[str]], folder: Path) -> dict[str, Output]:
    """What each tool prints for the document of a mistake; the document is written into the folder."""
    (folder / DOCUMENT).write_text(mistake.document, encoding="utf-8", newline="\n")
    return {tool: run([*command, DOCUMENT], folder) for tool, command in commands.items()}


def run(command: Sequence[str], folder: Path) -> Output:
    """Runs a tool in the folder of the document, so that it prints its name without a path."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    if result.returncode not in (0, 1):
        raise RuntimeError(f"{command} has failed: {result.stderr}")
    return Output(accepted=result.returncode == 0, text=(result.stdout + result.stderr).strip("\n"))


def install(folder: Path) -> dict[str, list[str]]:
    """Installs the other tools; returns the command of each, which lacks only the name of the document."""
    venv.create(folder / "python", with_pip=True)
    programs = folder / "python" / ("Scripts" if sys.platform == "win32" else "bin")
    pins = [f"{name}=={pin}" for name, pin in PYTHON_PACKAGES.items()]
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", *pins], check=True)
    pins = [f"{name}@{pin}" for name, pin in NODE_PACKAGES.items()]
    (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *pins], cwd=folder, check=True)
    (folder / "with_jsonschema.py").write_text(JSONSCHEMA_PROGRAM, encoding="utf-8")
    (folder / "with_ajv.mjs").write_text(AJV_PROGRAM, encoding="utf-8")
    return {
        "check-jsonschema": [str(programs / "check-jsonschema"), "--schemafile", SCHEMA],
        "jsonschema": [str(programs / "python"), "with_jsonschema.py", SCHEMA],
        "ajv": ["node", "with_ajv.mjs", SCHEMA],
    }


def page(found: Mapping[Mistake, Mapping[str, Output]]) -> str:
    """The whole page, from the outputs of every tool for every mistake."""
    parts = [INTRODUCTION, table(found)]
    for mistake, by_tool in found.items():
        parts += [heading(mistake), *(block(tool, output) for tool, output in by_tool.items())]
    return "\n\n".join(parts) + "\n"


def table(found: Mapping[Mistake, Mapping[str, Output]]) -> str:
    tools = list(next(iter(found.values())))
    rows = [row("mistake", tools), row("---", ["---"] * len(tools))]
    for mistake, by_tool in found.items():
        rows.append(row(mistake.title, [output.summary(mistake) for output in by_tool.values()]))
    return "\n".join(rows)


def row(first: str, others: Sequence[str]) -> str:
    return f"| {' | '.join([first, *others])} |"


def heading(mistake: Mistake) -> str:
    note = f"\n\n{mistake.note}" if mistake.note else ""
    return f"## {mistake.title}{note}\n\n```yaml\n{mistake.document}```"


def block(tool: str, output: Output) -> str:
    """What one tool printed; a tool that is content is said to be so, as most print nothing then."""
    if output.accepted:
        return f"**{tool}** accepts the document."
    return f"**{tool}**\n\n```text\n{output.shown()}\n```"


INTRODUCTION = f"""\
<!-- Made by scripts/compare_tools.py. Do not edit. -->

# Ten mistakes, four tools

What a person is told who makes a typical mistake in a layout, by cachespec and by three tools for any schema, which
were given [the published schema](../generated/cachespec_types/{SCHEMA}).

- **cachespec** of this repository: `cachespec check {DOCUMENT}`. A test keeps its part of this page up to date.
- **check-jsonschema** {PYTHON_PACKAGES["check-jsonschema"]}, which reads YAML with ruamel.yaml \
{PYTHON_PACKAGES["ruamel.yaml"]}: `check-jsonschema --schemafile {SCHEMA} {DOCUMENT}`.
- **jsonschema** {PYTHON_PACKAGES["jsonschema"]}, a library for Python: the `best_match` of its errors, for what \
PyYAML {PYTHON_PACKAGES["pyyaml"]} reads.
- **ajv** {NODE_PACKAGES["ajv"]}, a library for JavaScript: the `errorsText` with the options it has by default, for \
what yaml {NODE_PACKAGES["yaml"]} reads. The option `allErrors` gives more lines.

Every output is what the tool printed, cut after {MOST_LINES} lines. The table counts the lines that are not blank, and
says whether they name a line and a column or only a path into the document. "The fix" means that the words to write
are among them, wherever: for a misspelt variant ajv has it, as one of six."""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(ROOT / "generated" / "cachespec_types" / SCHEMA, folder)
        commands = OURS | install(folder)
        found = {mistake: outputs(mistake, commands, folder) for mistake in MISTAKES}
    replace_file(PAGE, page(found).encode())


if __name__ == "__main__":
    main()
