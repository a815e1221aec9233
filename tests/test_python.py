"""The Python interface: loading, the public names, and what an import costs."""

from __future__ import annotations

import gc
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cachespec
import cachespec_types.models
from tests.refusals import codes

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "schema" / "v1" / "examples"


def test_load_chooses_the_syntax_by_the_suffix(tmp_path: Path) -> None:
    yaml, json = tmp_path / "a.cachespec.yaml", tmp_path / "a.cachespec.json"
    yaml.write_text("cachespec: 1\nlayers: [no_state]\n", encoding="utf-8")
    json.write_text('{"cachespec": 1, "layers": ["no_state"]}', encoding="utf-8")
    assert cachespec.load(yaml) == cachespec.load(str(json))
    json.write_text('{"cachespec": 1, "layers": []}', encoding="utf-8")
    assert codes(lambda: cachespec.load(json)) == [("too-few-items", "/layers")]
    with pytest.raises(FileNotFoundError):
        cachespec.load(tmp_path / "missing.cachespec.yaml")


def test_the_library_leaves_the_collector_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other threads would see it off, and a caller who has turned it off would find it on."""

    def touched(*_: object) -> None:
        raise AssertionError

    for name in ("collect", "disable", "enable", "freeze", "set_threshold"):
        monkeypatch.setattr(gc, name, touched)
    assert not cachespec.check("cachespec: 1\nlayers: [no_stat]\n", syntax="yaml").ok
    layout = cachespec.load(EXAMPLES / "deepseek-v4.cachespec.yaml")
    assert cachespec.size(layout, 1, 1).total_bytes > 0
    assert cachespec.expand(layout, 1, 1)


def test_a_value_is_built_once_when_it_is_asked_for() -> None:
    report = cachespec.check("cachespec: 1\nlayers: [no_state]\n", syntax="yaml")
    assert report.value is report.value
    assert report == cachespec.check("cachespec: 1\nlayers: [no_state]\n", syntax="yaml")
    assert report != cachespec.check("cachespec: 1\nlayers: [no_state, no_state]\n", syntax="yaml")


def test_check_refuses_names_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="no type 'Layer'"):
        cachespec.check("{}", type="Layer")
    with pytest.raises(ValueError, match="no syntax 'toml'"):
        cachespec.check("{}", syntax="toml")


def test_the_public_names_are_those_of_the_modules_and_the_models() -> None:
    assert set(cachespec_types.models.__all__) <= set(cachespec.__all__)
    for name in cachespec.__all__:
        assert getattr(cachespec, name) is not None
    for name in ("no_such_name", "Field", "BaseModel", "TypeAliasType", "reader"):
        assert not hasattr(cachespec, name)
    # Type checkers see what the modules say of themselves; the two lists are one.
    homes = {name: getattr(getattr(cachespec, name), "__module__", "builtins") for name in cachespec.__all__}
    for module in {home for home in homes.values() if home.startswith("cachespec")}:
        assert {name for name, home in homes.items() if home == module} == set(sys.modules[module].__all__)


def test_a_public_name_is_looked_up_once() -> None:
    script = "import cachespec; first = cachespec.full; assert vars(cachespec)['full'] is first"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_dir_and_help_list_the_public_names() -> None:
    assert dir(cachespec) == cachespec.__all__ == sorted(cachespec.__all__)
    described = re.findall(r"^  (\w+): \S.*$", str(cachespec.__doc__), re.MULTILINE)
    assert described == cachespec.__all__
    description = pydoc.plain(pydoc.render_doc(cachespec)).partition("PACKAGE CONTENTS")[0]
    assert "check: Checks one text as a value of the type named; never raises for a bad text." in description
    assert "LayerCachePolicy: What one decoder layer must remember between tokens" in description


def test_no_module_at_the_top_bears_the_name_of_a_public_name() -> None:
    modules = {path.stem for path in (ROOT / "src" / "cachespec").iterdir()}
    assert not modules & set(cachespec.__all__)


def loaded_by(statement: str) -> set[str]:
    script = f"import sys; {statement}; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def test_an_import_and_a_good_check_load_no_more_than_they_need() -> None:
    assert not {"yaml", "jsonschema", "jsonschema_rs", "pydantic", "rich"} & loaded_by("import cachespec")
    good = loaded_by("""import cachespec; cachespec.check('{"cachespec": 1, "layers": ["no_state"]}')""")
    assert not {"yaml", "jsonschema", "pydantic", "rich"} & good
    bad = loaded_by("""import cachespec; cachespec.check('{"cachespec": 1, "layers": ["x"]}')""")
    assert "jsonschema" in bad
    assert not {"pydantic", "rich"} & bad
    example = EXAMPLES / "mistral.cachespec.yaml"
    command = loaded_by(f"from cachespec.cli import main; main(['check', {str(example)!r}])")
    # The first three for what they do, the others because importing them takes longer than reading a layout.
    slow = {"dataclasses", "inspect", "importlib.resources", "pathlib", "tempfile"}
    assert not {"jsonschema", "pydantic", "rich", *slow} & command
