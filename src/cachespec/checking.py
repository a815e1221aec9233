"""One text through all stages: reader, structure, rules; and the findings with their places."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cachespec.findings import CachePolicyError, Finding, Mistake
from cachespec.reading import reader
from cachespec.reading.document import (
    MAX_BYTES,
    Document,
    Syntax,
    Value,
    is_refused,
    is_syntax,
    syntax_of,
    syntax_of_text,
)
from cachespec.schema import DOCUMENT_TYPE, FORMAT_MAJOR
from cachespec.validation import rules, structure
from cachespec_types.draft_4 import TYPES

if TYPE_CHECKING:
    from cachespec.reading.positions import Places
    from cachespec_types.models import CacheLayout
    from cachespec_types.overloads import Check

__all__ = ["CheckReport", "check", "load", "loads"]

Model = TypeVar("Model")

MAX_FINDINGS = 100
_MOST_NAMED = 4


class CheckReport(Generic[Model]):
    """What a check found in one document; true when there are no errors.

    `findings` are in the order of the text, at most 100; `more` counts those beyond. `errors` and `warnings` count
    all. `value` is the model that the text says, or None when there are errors.
    """

    __slots__ = ("_plain", "_value", "errors", "findings", "more", "type", "warnings")

    def __init__(
        self,
        type: str,  # noqa: A002
        findings: tuple[Finding, ...] = (),
        errors: int = 0,
        warnings: int = 0,
        more: int = 0,
        plain: Value = None,
    ) -> None:
        self.type = type
        self.findings = findings
        self.errors = errors
        self.warnings = warnings
        self.more = more
        self._plain = plain
        self._value: Model | None = None

    def __bool__(self) -> bool:
        return self.ok

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CheckReport):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__ if name != "_value")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        # Without the value, which is as large as the document.
        counts = f"errors={self.errors}, warnings={self.warnings}, more={self.more}"
        return f"CheckReport(type={self.type!r}, findings={self.findings!r}, {counts})"

    @property
    def ok(self) -> bool:
        """Whether there are no errors; warnings may be there."""
        return self.errors == 0

    @property
    def value(self) -> Model | None:
        """The model that the text says, built when it is first asked for; None when there are errors."""
        if self.ok and self._value is None:
            from cachespec.layouts.models import model_of

            self._value = model_of(self.type, self._plain)
        return self._value


def _typed(function: Callable[..., Any]) -> "Check":
    """The function as type checkers see it: the name of a type decides what the report holds."""
    return function


@_typed
def check(
    source: object,
    type: str = DOCUMENT_TYPE,  # noqa: A002
    syntax: str | None = None,
    major: int | None = None,
) -> CheckReport[Any]:
    """Checks one text as a value of the type named; never raises for a bad text.

    `source` is the text (str or bytes), the path of a file (os.PathLike), or a value: dicts and lists, or a model.
    `syntax` is "json" or "yaml". Without it the suffix of a path decides (`.json` is JSON), and text is JSON when
    its first character is `{`, `[` or `"`, else YAML. `major` is the format major: 1, or None for any that is known.

    Raises ValueError for a type, a syntax or a major that does not exist, OSError for a path to what is no regular
    file or cannot be read.
    """
    if type not in TYPES:
        raise ValueError(f"no type {type!r}; the types are {', '.join(TYPES)}")
    if syntax is not None and not is_syntax(syntax):
        raise ValueError(f"no syntax {syntax!r}; write 'json' or 'yaml'")
    if major not in (None, FORMAT_MAJOR):
        raise ValueError(f"no format major {major!r}; this version of cachespec reads {FORMAT_MAJOR}")
    if isinstance(source, (str, bytes)):
        return _check_text(source, type, syntax or syntax_of_text(source))
    if isinstance(source, os.PathLike):
        return _check_file(source, type, syntax)
    return _check_value(source, type)


def _check_text(text: str | bytes, name: str, syntax: Syntax) -> CheckReport[Any]:
    document = reader.read(text, syntax)
    accepted = not document.mistakes and structure.accepts(name, document.value)
    mistakes = list(rules.judge(name, document.value)) if accepted else []
    if accepted and not mistakes:
        return CheckReport(name, plain=document.value)
    if not accepted:
        document = _with_other_syntax(reader.settled(document))
        mistakes = [*document.mistakes, *_explained(name, document)]
    return placed_report(name, document, mistakes)


def _check_file(path: str | os.PathLike[str], name: str, syntax: Syntax | None) -> CheckReport[Any]:
    # Nobody but who loads or writes files needs it.
    from cachespec.files import read_file

    report = _check_text(read_file(path, MAX_BYTES + 1), name, syntax or syntax_of(path))
    file = os.fsdecode(path)
    report.findings = tuple(finding._replace(file=file) for finding in report.findings)
    return report


def _check_value(source: object, name: str) -> CheckReport[Any]:
    from cachespec.validation.python_values import NotPlain, plain

    try:
        value = plain(source)
    except NotPlain as stop:
        return CheckReport(name, (stop.mistake.finding(),), errors=1)
    if structure.accepts(name, value):
        mistakes = list(rules.judge(name, value))
    else:
        mistakes = _explained(name, Document("", "json", value))
    return _report(name, [mistake.finding() for mistake in mistakes[:MAX_FINDINGS]], mistakes, value)


def _with_other_syntax(document: Document) -> Document:
    """The document, where text that is no JSON and may be YAML says that it was read as JSON."""
    if document.syntax == "yaml" or document.complete or [found.code for found in document.mistakes] != ["syntax"]:
        return document
    if not reader.read(document.text, "yaml").complete:
        return document
    (mistake,) = document.mistakes
    tried = "the text was read as JSON; if it is YAML, choose the syntax `yaml`"
    return document._replace(mistakes=(mistake._replace(hint=f"{mistake.hint}; {tried}" if mistake.hint else tried),))


def loads(text: str | bytes, syntax: str | None = None) -> "CacheLayout":
    """The layout that a text says; `syntax` as in `check`. Raises CachePolicyError for a text with errors."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"loads takes str or bytes, not {text.__class__.__name__}; for a file there is `load`")
    return _layout_of(check(text, syntax=syntax))


def load(path: str | os.PathLike[str]) -> "CacheLayout":
    """The layout in a file: JSON when the name ends in `.json`, otherwise YAML.

    Raises CachePolicyError for a document with errors, OSError for what is no regular file or cannot be read.
    """
    return _layout_of(_check_file(path, DOCUMENT_TYPE, None))


def _layout_of(report: "CheckReport[CacheLayout]") -> "CacheLayout":
    if report.value is None:
        raise CachePolicyError(report.findings)
    return report.value


def read_configuration(path: str | os.PathLike[str]) -> tuple[str, Value]:
    """The text of a config.json and its value. Raises CachePolicyError for what is no JSON, OSError as `load` does."""
    import json

    from cachespec.files import read_file

    document = reader.settled(reader.read(read_file(path, MAX_BYTES + 1), "json"))
    # Configurations are written by Python, whose NaN and Infinity are no JSON and yet all over the hubs.
    if mistakes := [mistake for mistake in document.mistakes if mistake.code != "not-finite"]:
        report = placed_report(DOCUMENT_TYPE, document, mistakes)
        raise CachePolicyError(finding._replace(file=os.fsdecode(path)) for finding in report.findings)
    return document.text, json.loads(document.text)


def at_fields(text: str, path: str | os.PathLike[str], findings: Iterable[Finding]) -> list[Finding]:
    """The findings in a config.json, each at its field or at the object that lacks it."""
    from cachespec.reading.positions import Lines, Places

    lines, places, file = Lines(text), Places(text, "json"), os.fsdecode(path)
    placed = []
    for finding in findings:
        line, column = lines.position(places.nearest(finding.path))
        placed.append(finding._replace(line=line, column=column, file=file))
    return placed


def _explained(name: str, document: Document) -> list[Mistake]:
    """The mistakes of structure and rules, as far as the reader has left something to judge."""
    value = document.value
    if not document.complete or is_refused(value):
        return []
    from cachespec.validation.documents import unknown_document

    if name == DOCUMENT_TYPE and (unknown := unknown_document(value)):
        return [unknown]
    # jsonschema takes longer to import than most checks take; valid documents never need it.
    from cachespec.validation.explanation import explain, refuse

    found = list(explain(name, value))
    return [*found, *rules.judge(name, refuse(value, found))]


def placed_report(name: str, document: Document, mistakes: list[Mistake]) -> CheckReport[Any]:
    """The report of a text that has these mistakes, each at its place."""
    from cachespec.reading.positions import Lines

    placed = _placed(document, mistakes)
    lines = Lines(document.text)
    findings = [mistake.finding(*lines.position(offset)) for offset, mistake in placed[:MAX_FINDINGS]]
    return _report(name, findings, [mistake for _, mistake in placed], document.value)


def _report(name: str, findings: list[Finding], mistakes: list[Mistake], value: Value) -> CheckReport[Any]:
    errors = sum(mistake.times for mistake in mistakes if mistake.level == "error")
    warnings = sum(mistake.times for mistake in mistakes if mistake.level == "warning")
    return CheckReport(name, tuple(findings), errors, warnings, errors + warnings - len(findings), value)


def _placed(document: Document, mistakes: Iterable[Mistake]) -> list[tuple[int, Mistake]]:
    """The mistakes with their offsets, in the order of the text; what several aliases repeat stands once."""
    from cachespec.reading.positions import Places

    places: Places | None = None
    placed: dict[tuple[int, str, str], tuple[int, Mistake]] = {}
    for mistake in mistakes:
        offset = mistake.offset
        if offset is None:
            places = places or Places(document.text, document.syntax)
            offset = places.offset(mistake)
        key = (offset, mistake.code, mistake.message)
        if key not in placed:
            placed[key] = (offset, _with_aliases(mistake, places) if places else mistake)
    # What only counts is not listed, so it goes last.
    return sorted(placed.values(), key=lambda found: (found[1].times > 1, found[0]))


def _with_aliases(mistake: Mistake, places: "Places") -> Mistake:
    """The mistake with the layers that share it, by their index in the document, the first few of many."""
    layers = [layer for layer in places.layers_by_alias(mistake.path) if layer not in mistake.path[1:2]]
    if not layers:
        return mistake
    noun = "layer" if len(layers) == 1 else "layers"
    more = f" and {len(layers) - _MOST_NAMED} more" if len(layers) > _MOST_NAMED else ""
    shared = f"also used by {noun} {', '.join(map(str, layers[:_MOST_NAMED]))}{more}"
    return mistake._replace(message=f"{mistake.message} ({shared})")
