"""Editors show what docs/editors.md promises: their language servers are driven with the settings it gives."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import jsonschema_rs
import pytest
import yaml

import cachespec
from tests.conformance.run import read, vectors
from tests.editors.language_server import LanguageServer, language_server
from tests.installs import npm

pytestmark = pytest.mark.consumers

Answer: TypeAlias = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
EDITORS = ROOT / "tests" / "editors"
EXAMPLES = ROOT / "schema" / "v1" / "examples"
SCHEMA = json.loads((ROOT / "generated" / "cachespec_types" / "cachespec.schema.json").read_text(encoding="utf-8"))

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


# For each draft, a command for the file of each kind of document.
COMMANDS = [[line.removeprefix("$ ") for line in block.splitlines()] for block in blocks("console")]
SETTINGS, JSON_DOCUMENT = (json.loads(block) for block in blocks("json"))
(YAML_DOCUMENT,) = blocks("yaml")
MODELINE = YAML_DOCUMENT.splitlines(keepends=True)[0]

# The server would fetch a catalogue of schemas from the network; ours is the only one that may count.
OFFLINE = {"yaml.schemaStore.enable": False}

GOOD = """\
cachespec: 1
name: good
layers:
  - no_state
  - key_value:
      attention: full
      num_key_value_heads: 8
      head_dim: 128
"""
# Places in it, and the words that the schema has for what stands there.
MEANINGS = {
    (0, 2): SCHEMA["properties"]["cachespec"]["description"],
    (2, 2): SCHEMA["properties"]["layers"]["description"],
    (5, 8): SCHEMA["$defs"]["KeyValue"]["properties"]["attention"]["description"],
    (6, 8): SCHEMA["$defs"]["KeyValue"]["properties"]["num_key_value_heads"]["description"],
}
# Mistakes that an editor does not see, as the page says.
MISSED = [
    GOOD.replace("heads: 8", "heads: 8.0"),
    GOOD.replace("heads: 8", "heads: 010"),
    GOOD.replace("name: good", "layer_count: 1"),
]
BUNDLE_TYPES = SCHEMA["$defs"].keys()
VARIANTS = [
    branch["const"] if "const" in branch else branch["required"][0]
    for branch in SCHEMA["$defs"]["LayerCachePolicy"]["oneOf"]
]


@pytest.fixture(scope="session")
def node_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the tree with the pinned language servers, and the script that runs the one for JSON."""
    modules = npm("editors", EDITORS)
    folder = tmp_path_factory.mktemp("editors")
    for name in ("package.json", "check_json.mjs"):
        shutil.copy(EDITORS / name, folder)
    (folder / "node_modules").symlink_to(modules)
    return folder


def draft(commands: Sequence[str]) -> str:
    (name,) = {"draft-07" if "draft-07" in command else "2020-12" for command in commands}
    return name


@pytest.fixture(scope="module", params=COMMANDS, ids=draft)
def workspace(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose schema files were written by commands of the page."""
    folder = tmp_path_factory.mktemp("workspace")
    for line in request.param:
        command, _, file = line.partition(" > ")
        with (folder / file).open("wb") as schema:
            subprocess.run([sys.executable, "-m", *command.split()], stdout=schema, check=True)
    return folder


@dataclass
class YamlEditor:
    """An editor of YAML; lines and columns count from 0, and not the modeline."""

    server: LanguageServer
    folder: Path
    modeline: str
    opened: int = 0

    def marked(self, *texts: str, suffix: str = "yaml") -> list[list[tuple[int, str]]]:
        """The line and the message of each diagnostic, for each of the documents."""
        found = self.server.open({self._fresh(suffix): self.modeline + text for text in texts})
        return [
            [(each["range"]["start"]["line"] - self._above, each["message"]) for each in diagnostics]
            for diagnostics in found.values()
        ]

    def hovers(self, text: str, places: Iterable[tuple[int, int]]) -> list[str]:
        path = self._open(text)
        return [self.server.hover(path, line + self._above, column) for line, column in places]

    def completions(self, text: str, line: int, column: int) -> list[str]:
        return self.server.completions(self._open(text), line + self._above, column)

    def inserted(self, text: str) -> dict[str, str]:
        """What the document becomes when one of the completions at its end is chosen, by their labels."""
        *above, line = text.split("\n")
        items = self.server.completion_items(self._open(text), len(above) + self._above, len(line))
        labels = [item["label"] for item in items]
        assert len(labels) == len(set(labels)), labels
        return {item["label"]: self._edited(text, item["textEdit"]) for item in items}

    def _edited(self, text: str, edit: Answer) -> str:
        """The document with an edit at its end: the lines below its first are indented as that line is."""
        *above, line = text.split("\n")
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert (start["line"], end["line"], end["character"]) == (len(above) + self._above,) * 2 + (len(line),)
        indentation = line[: len(line) - len(line.lstrip(" "))]
        new = expanded(edit["newText"]).replace("\n", "\n" + indentation)
        return "\n".join([*above, line[: start["character"]] + new]) + "\n"

    def _open(self, text: str) -> Path:
        path = self._fresh("yaml")
        self.server.open({path: self.modeline + text})
        return path

    def _fresh(self, suffix: str) -> Path:
        # A server compares a document with its own earlier text; a new name for each keeps the tests apart.
        self.opened += 1
        return self.folder / f"{self.opened}.cachespec.{suffix}"

    @property
    def _above(self) -> int:
        return self.modeline.count("\n")


def expanded(snippet: str) -> str:
    """What a snippet shows before anything is typed: tab stops of one number all show what the first of them holds."""
    held: dict[str, str] = {}

    def shown(stop: re.Match[str]) -> str:
        number = stop["number"] or stop["bare"]
        return held.setdefault(number, stop["value"] or "")

    return re.sub(r"\$\{(?P<number>\d+):(?P<value>[^{}]*)\}|\$(?P<bare>\d+)", shown, snippet)


@pytest.fixture(scope="module", params=["modeline", "settings"])
def yaml_editor(request: pytest.FixtureRequest, node_folder: Path, workspace: Path) -> Iterator[YamlEditor]:
    """The real yaml-language-server, told of the schema by the document alone or by the settings alone."""
    program = node_folder / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"
    by_document = request.param == "modeline"
    settings = OFFLINE if by_document else {**SETTINGS, **OFFLINE}
    with language_server(["node", str(program), "--stdio"], workspace, settings) as server:
        # The path in a modeline starts at the document, that of a setting at the workspace; a pattern holds below it.
        if by_document:
            yield YamlEditor(server, workspace, MODELINE)
        else:
            yield YamlEditor(server, workspace / "some" / "where", "")


def test_good_yaml_is_not_marked(yaml_editor: YamlEditor) -> None:
    examples = sorted(EXAMPLES.glob("*.yaml"))
    found = yaml_editor.marked(*(example.read_text(encoding="utf-8") for example in examples))
    assert {example.name: marks for example, marks in zip(examples, found, strict=True) if marks} == {}


# What is changed in the good document, and the lines that are marked then.
MISTAKES = {
    "variant": ("key_value:", "key_valu:", {4}),
    "unit variant": ("no_state", "no_stat", {3}),
    "field": ("num_key_value_heads", "num_key_value_head", {4, 6}),
    "missing field": ("      head_dim: 128\n", "", {4}),
    "range": ("full", "{sliding: {window: 0}}", {5}),
    "type": ("name: good", "name: 1", {1}),
    "key of the document": ("name", "nome", {1}),
}


@pytest.mark.parametrize("suffix", ["yaml", "yml"])
def test_bad_yaml_is_marked_in_its_line(yaml_editor: YamlEditor, suffix: str) -> None:
    texts = [GOOD.replace(right, wrong, 1) for right, wrong, _ in MISTAKES.values()]
    found = yaml_editor.marked(*texts, suffix=suffix)
    assert {name: {line for line, _ in marks} for name, marks in zip(MISTAKES, found, strict=True)} == {
        name: lines for name, (_, _, lines) in MISTAKES.items()
    }


def test_yaml_shows_what_a_field_means(yaml_editor: YamlEditor) -> None:
    for words, shown in zip(MEANINGS.values(), yaml_editor.hovers(GOOD, MEANINGS), strict=True):
        assert words in shown


def test_yaml_completes_the_variants_of_a_layer_and_the_fields_of_a_variant(yaml_editor: YamlEditor) -> None:
    assert set(VARIANTS) <= set(yaml_editor.completions("cachespec: 1\nlayers:\n  - \n", 2, 4))
    fields = yaml_editor.completions("cachespec: 1\nlayers:\n  - key_value:\n      \n", 3, 6)
    assert {"attention", "num_key_value_heads", "head_dim"} <= set(fields)


LAYERS = "cachespec: 1\nlayers:\n  - "
TENSORS = LAYERS + "fixed_state:\n      tensors:\n        - "
RECURRENT = "role: recurrent\n          dtype: float32\n          residency: layer_scoped_offloadable\n"
TENSOR = TENSORS + RECURRENT + "          presence: required\n          shape: [batch]\n          "


@pytest.mark.parametrize("start", [LAYERS, LAYERS + "no_state\n  - ", LAYERS + "k", "name: a\n" + LAYERS])
def test_yaml_completion_inserts_valid_layers_under_the_names_of_their_variants(
    yaml_editor: YamlEditor, start: str
) -> None:
    documents = yaml_editor.inserted(start)
    assert list(documents) == VARIANTS
    for label, document in documents.items():
        report = cachespec.check(document, syntax="yaml")
        assert report.findings == (), document
        assert label in document
    assert yaml_editor.marked(*documents.values()) == [[] for _ in documents]


# What stands before the cursor, and what is offered there that makes a whole document of it.
WHOLE = {
    "document": ("", {"CacheLayout"}),
    "payload": (LAYERS + "key_value:\n      ", {"key_value"}),
    "rest of a payload": (LAYERS + "key_value:\n      attention: full\n      ", {"key_value"}),
    "payload with tensors": (LAYERS + "fixed_state:\n      ", {"fixed_state, an example"}),
    "attention": (
        LAYERS + "key_value:\n      num_key_value_heads: 8\n      head_dim: 8\n      attention: ",
        {"full", "{sliding: {window: 4096}}"},
    ),
    "window": (
        LAYERS + "key_value:\n      num_key_value_heads: 8\n      head_dim: 8\n      attention:\n        ",
        {"sliding", "{sliding: {window: 4096}}"},
    ),
    "tensor": (TENSORS, {"tensor"}),
    "dimension": (
        TENSOR.replace("shape: [batch]\n          ", "shape:\n            - "),
        {"batch", "prefix_tokens", "prefix_tokens_div", "prefix_tokens_rem", "fixed", "scalar"},
    ),
    "presence": (
        TENSOR.replace("presence: required\n          ", "") + "presence: ",
        {"required", "optional", "{prefix_remainder_non_zero: 4}", "{prefix_at_least: 4}"},
    ),
    "fields of the document": (
        LAYERS + "no_state\n",
        {"layer_count", "global_layer_start", "rank"},
    ),
}


@pytest.mark.parametrize("place", WHOLE)
def test_yaml_completion_inserts_valid_values(yaml_editor: YamlEditor, place: str) -> None:
    start, whole = WHOLE[place]
    documents = yaml_editor.inserted(start)
    assert whole <= documents.keys()
    errors = {name: cachespec.check(documents[name], syntax="yaml").errors for name in whole}
    assert errors == dict.fromkeys(whole, 0), documents
    class_names = BUNDLE_TYPES - {"CacheLayout"}
    assert not [label for label in documents if any(label.startswith(name) for name in class_names)]


@pytest.mark.parametrize("draft", ["2020-12", "draft-07"])
def test_the_schema_for_editors_gives_the_same_verdicts(draft: str) -> None:
    asked = [vector for vector in vectors() if not read(vector).mistakes]
    departing = [
        vector["name"]
        for vector in asked
        if len({validator(vector["type"], draft, *kind).is_valid(read(vector).value) for kind in ((), ("--editor",))})
        > 1
    ]
    assert asked
    assert departing == []


@cache
def validator(name: str, draft: str, *options: str) -> jsonschema_rs.Validator:
    command = [sys.executable, "-m", "cachespec", "schema", name, "--draft", draft, *options]
    printed = subprocess.run(command, capture_output=True, check=True).stdout
    validator: jsonschema_rs.Validator = jsonschema_rs.validator_for(json.loads(printed))
    return validator


def test_yaml_editors_miss_what_the_page_says(yaml_editor: YamlEditor) -> None:
    assert not any(cachespec.check(text, syntax="yaml").ok for text in MISSED)
    assert yaml_editor.marked(*MISSED) == [[] for _ in MISSED]
    assert yaml_editor.marked(GOOD.replace("key_value:", "key_valu:")) == [[(4, 'Value must be "no_state".')]]


@dataclass(frozen=True)
class JsonEditor:
    """The JSON part of VS Code, with the settings of the page or none."""

    node_folder: Path
    workspace: Path
    associations: Sequence[Answer]

    def ask(self, path: Path, text: str, line: int = 0, character: int = 0) -> Answer:
        """The diagnostics of a document, and the hover and the completions at a place in it."""
        return self._run([{"path": str(path), "text": text, "line": line, "character": character}])[0]

    def marked(self, path: Path, *texts: str) -> list[list[int]]:
        """The lines with a diagnostic, for each of the texts that the document may have; they count from 0."""
        answers = self._run([{"path": str(path), "text": text, "line": 0, "character": 0} for text in texts])
        return [[each["range"]["start"]["line"] for each in answer["diagnostics"]] for answer in answers]

    def _run(self, documents: Sequence[Answer]) -> list[Answer]:
        request = {"workspace": str(self.workspace), "associations": self.associations, "documents": documents}
        script = str(self.node_folder / "check_json.mjs")
        result = subprocess.run(
            ["node", script], input=json.dumps(request), capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        answers: list[Answer] = json.loads(result.stdout)
        return answers


@pytest.fixture(params=["field", "settings"])
def json_case(request: pytest.FixtureRequest, node_folder: Path, workspace: Path) -> tuple[JsonEditor, Path, Answer]:
    """The editor, where a document may lie, and a good one; `$schema` or the settings name the schema."""
    if request.param == "field":
        return JsonEditor(node_folder, workspace, []), workspace / "a.cachespec.json", JSON_DOCUMENT
    document = {field: value for field, value in JSON_DOCUMENT.items() if field != "$schema"}
    path = workspace / "some" / "where" / "a.cachespec.json"
    return JsonEditor(node_folder, workspace, SETTINGS["json.schemas"]), path, document


def test_good_json_is_not_marked_and_bad_json_in_its_line(json_case: tuple[JsonEditor, Path, Answer]) -> None:
    editor, path, document = json_case
    good = json.dumps({**document, "layers": yaml.safe_load(GOOD)["layers"]}, indent=1)
    mistakes = [('"no_state"', '"no_stat"'), ('"head_dim": 128', '"head_dim": 0'), ('"full"', '"ful"')]
    found = editor.marked(path, good, *(good.replace(*mistake) for mistake in mistakes))
    assert found == [[], *([_line(good, right)] for right, _ in mistakes)]
    # A misspelt variant is marked where its layer begins.
    assert editor.marked(path, good.replace('"key_value"', '"key_valu"')) == [[_line(good, '"key_value"') - 1]]


def test_json_shows_what_a_field_means_and_completes_variants(json_case: tuple[JsonEditor, Path, Answer]) -> None:
    editor, path, document = json_case
    text = json.dumps({**document, "layers": [{"": 0}]})
    column = text.index("layers")
    assert editor.ask(path, text, 0, column)["hover"] == SCHEMA["properties"]["layers"]["description"]
    completions = editor.ask(path, text, 0, text.index('""') + 1)["completions"]
    assert completions == [variant for variant in VARIANTS if variant != "no_state"]


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.name.partition(".")[0])
def test_good_json_that_names_its_schema_is_not_marked(node_folder: Path, example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert "$schema" in json.loads(text)
    good, bad = JsonEditor(node_folder, ROOT, []).marked(example, text, text.replace('"head_dim": ', '"head_dims": '))
    assert good == []
    assert bad != []


def test_the_documents_of_the_page_are_good() -> None:
    assert cachespec.check(YAML_DOCUMENT, syntax="yaml").findings == ()
    assert cachespec.check(json.dumps(JSON_DOCUMENT)).findings == ()


def test_the_readme_gives_the_same_modeline() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^# yaml-language-server:.*\n", readme, re.MULTILINE)) == {MODELINE}


def _line(text: str, words: str) -> int:
    """The only line with some words; the first is line 0."""
    (line,) = (number for number, each in enumerate(text.splitlines()) if words in each)
    return line
