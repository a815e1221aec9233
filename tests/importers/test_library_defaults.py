"""Missing fields, filled in by the library where the version of it is the one that is known."""

from __future__ import annotations

import importlib.machinery
import importlib.metadata
import json
import logging
import sys
import warnings
from types import ModuleType
from typing import Any

import pytest

import cachespec
from tests.importers.cases import SMALL, Config

GEMMA: Config = {"model_type": "gemma", **SMALL, "head_dim": ...}
LACKING = {name: value for name, value in GEMMA.items() if value is not ...}


class Library:
    """As much of the library as is asked; what it fills in is a width of 32."""

    refuses: Exception | None = None

    @classmethod
    def from_dict(cls, config: Config) -> Library:
        warnings.warn("the library warns", UserWarning, stacklevel=1)
        logging.getLogger("library").critical("the library warns")
        if cls.refuses is not None:
            raise cls.refuses
        read = cls()
        read.config = config
        config["head_dim"] = 32
        return read

    def to_json_string(self, *, use_diff: bool) -> str:
        assert use_diff is False
        return json.dumps(self.config)

    config: Config


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> type[Library]:
    """A library in place of the installed one, so that these tests need none."""

    class Own(Library):
        pass

    module = ModuleType("transformers")
    module.__spec__ = importlib.machinery.ModuleSpec("transformers", None)
    module.__dict__["CONFIG_MAPPING"] = {"gemma": Own, "llava": Own}
    monkeypatch.setitem(sys.modules, "transformers", module)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "5.24.0")
    return Own


def refused(config: Any) -> tuple[str, str, str, str | None]:
    with pytest.raises(cachespec.CachePolicyError) as caught:
        cachespec.import_config(config)
    (finding,) = caught.value.findings
    return finding.code, finding.path, finding.message, finding.hint


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("version", ["5.24", "5.24.0", "5.24.3"])
def test_the_known_version_is_asked(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    layout = cachespec.import_config(LACKING)
    assert layout.annotations is not None
    assert layout.annotations["head_dim"] == "head_dim (filled in by transformers)"
    assert layout.annotations["num_key_value_heads"] == "num_key_value_heads"
    assert {layer.key_value.head_dim for layer in layout.layers} == {32}  # type: ignore[union-attr]
    assert "head_dim" not in LACKING


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("version", ["5.23.9", "5.240", "5.2", "4.57.6"])
def test_another_version_is_not(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    hint = f"state it: defaults are taken from transformers 5.24 only, but {version} is installed"
    assert refused(LACKING) == ("missing-config-field", "/head_dim", "layer 0: head_dim is missing", hint)


@pytest.mark.usefixtures("library")
def test_a_library_without_a_version_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    hint = "state it: defaults are taken from transformers 5.24 only, but another version is installed"
    assert refused(LACKING)[3] == hint


@pytest.mark.usefixtures("library")
def test_a_field_that_the_library_leaves_out_must_be_stated() -> None:
    lacking = {name: value for name, value in LACKING.items() if name != "num_key_value_heads"}
    expected = ("missing-config-field", "/num_key_value_heads", "layer 0: num_key_value_heads is missing", "state it")
    assert refused(lacking) == expected


@pytest.mark.usefixtures("library")
def test_without_a_model_type_the_library_is_not_asked() -> None:
    for model_type in (None, ...):
        config = {name: value for name, value in {**LACKING, "model_type": model_type}.items() if value is not ...}
        assert refused(config)[:2] == ("missing-config-field", "/model_type")
        assert refused(config)[3] == "name the model type"


@pytest.mark.usefixtures("library")
def test_only_what_is_missing_is_asked_for() -> None:
    assert refused({**LACKING, "num_hidden_layers": 0})[0] == "invalid-config-value"


@pytest.mark.usefixtures("library")
def test_a_model_type_that_the_library_does_not_know() -> None:
    config = {**LACKING, "model_type": "minimax_m2"}
    assert refused(config) == (
        "unknown-model-type",
        "/model_type",
        "transformers does not know the model type",
        None,
    )


@pytest.mark.parametrize(
    ("error", "path", "reason"),
    [
        (ValueError("Validation error for field 'head_dim':\n  wrong"), "/head_dim", "for field 'head_dim': wrong"),
        (ZeroDivisionError("division by zero"), "", "ZeroDivisionError: division by zero"),
        (ValueError("x" * 300), "", f"ValueError: {'x' * 200}"),
    ],
)
def test_what_the_library_refuses(library: type[Library], error: Exception, path: str, reason: str) -> None:
    library.refuses = error
    code, at, message, _ = refused(LACKING)
    assert (code, at) == ("invalid-config-value", path)
    assert message.startswith("transformers 5.24 refuses the configuration: ")
    assert message.endswith(reason)


@pytest.mark.usefixtures("library")
def test_the_library_is_silenced_while_it_is_asked_and_no_longer(caplog: pytest.LogCaptureFixture) -> None:
    logging.disable(logging.DEBUG)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cachespec.import_config(LACKING)
            assert caught == []
            warnings.warn("after", UserWarning, stacklevel=1)
            assert len(caught) == 1
        assert caplog.messages == []
        assert logging.root.manager.disable == logging.DEBUG
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("library")
def test_defaults_inside_a_wrapper_are_marked() -> None:
    class Wrapped(Library):
        @classmethod
        def from_dict(cls, config: Config) -> Library:
            read = cls()
            read.config = {**config, "text_config": {**LACKING, **config.get("text_config", {}), "head_dim": 32}}
            return read

    sys.modules["transformers"].__dict__["CONFIG_MAPPING"]["llava"] = Wrapped
    for text in ({"model_type": "gemma", "hidden_size": 72}, None):
        stated: Config = {"model_type": "llava"} if text is None else {"model_type": "llava", "text_config": text}
        annotations = cachespec.import_config(stated).annotations or {}
        assert annotations["head_dim"] == "text_config.head_dim (filled in by transformers)"
        assert annotations["num_hidden_layers"] == "text_config.num_hidden_layers (filled in by transformers)"


def test_a_stated_field_inside_a_wrapper_is_not_marked(library: type[Library]) -> None:
    annotations = cachespec.import_config({"model_type": "llava", "text_config": GEMMA | {"head_dim": 8}}).annotations
    assert (annotations or {})["head_dim"] == "text_config.head_dim"
