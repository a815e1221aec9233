"""One text through all stages: reader, structure, rules; and the findings with their places."""

import os
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from cachespec.findings import CachePolicyError, Finding, Mistake
from cachespec.reading import reader
from cachespec.reading.document import MAX_BYTES, REFUSED_KEY, Document, Value, is_refused, is_syntax, syntax_of
from cachespec.schema import DOCUMENT_TYPE, definitions
from cachespec.validation import rules, structure
from cachespec_types.draft_4 import TYPES

if TYPE_CHECKING:
    from cachespec.reading.positions import Places
    from cachespec_types.models import CacheLayout

__all__ = ["CheckReport", "check", "load"]

MAX_FINDINGS = 100
FORMAT_MAJOR = 1
_MOST_NAMED = 4


class CheckReport:
    """What a check found in one text.

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
        self._value: Any = None

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
    def value(self) -> Any:
        """The model that the text says, built when it is first asked for; None when there are errors."""
        if self.ok and self._value is None:
            from cachespec.layouts.models import model_of

            self._value = model_of(self.type, self._plain)
        return self._value


def check(text: str | bytes, type: str = DOCUMENT_TYPE, syntax: str = "json") -> CheckReport:  # noqa: A002
    """Checks one text as a value of the type named; never raises for a bad text.

    `syntax` is "json" or "yaml". Raises ValueError for a type or a syntax that does not exist.
    """
    if type not in TYPES:
        raise ValueError(f"no type {type!r}; the types are {', '.join(TYPES)}")
    if not is_syntax(syntax):
        raise ValueError(f"no syntax {syntax!r}; write 'json' or 'yaml'")
    document = reader.read(text, syntax)
    accepted = not document.mistakes and structure.accepts(type, document.value)
    mistakes = list(rules.judge(type, document.value)) if accepted else []
    if accepted and not mistakes:
        return CheckReport(type, plain=document.value)
    if not accepted:
        document = reader.settled(document)
        mistakes = [*document.mistakes, *_explained(type, document)]
    return placed_report(type, document, mistakes)


def load(path: str | os.PathLike[str]) -> "CacheLayout":
    """The layout in a file: JSON when the name ends in `.json`, otherwise YAML.

    Raises CachePolicyError for a document with errors, OSError for what is no regular file or cannot be read.
    """
    # Nobody but who loads or writes files needs it.
    from cachespec.files import read_file

    report = check(read_file(path, MAX_BYTES + 1), syntax=syntax_of(path))
    if not report.ok:
        raise CachePolicyError(report.findings)
    layout: CacheLayout = report.value
    return layout


def _explained(name: str, document: Document) -> list[Mistake]:
    """The mistakes of structure and rules, as far as the reader has left something to judge."""
    value = document.value
    if not document.complete or is_refused(value):
        return []
    if name == DOCUMENT_TYPE and (unknown := _unknown_document(value)):
        return [unknown]
    # jsonschema takes longer to import than most checks take; valid documents never need it.
    from cachespec.validation.explanation import explain, refuse

    found = list(explain(name, value))
    return [*found, *rules.judge(name, refuse(value, found))]


def is_configuration(value: Value) -> bool:
    """Whether a value is a model's config.json rather than a layout that lacks a field."""
    return (
        isinstance(value, dict)
        and not value.keys() & {"cachespec", "layers"}
        and not value.keys().isdisjoint(("model_type", "architectures", "num_hidden_layers"))
    )


def _unknown_document(value: Value) -> Mistake | None:
    """Whether a document says that it is none of ours; then nothing else in it can be judged."""
    from cachespec.wording import nearest, number

    hint = f"start with `cachespec: {FORMAT_MAJOR}`"
    if not isinstance(value, dict):
        return Mistake("unknown-document", "a cachespec document is an object with the field `cachespec`", (), hint)
    if "cachespec" not in value:
        keys = islice((key for key in value if key not in definitions()[DOCUMENT_TYPE]["properties"]), MAX_FINDINGS)
        if any(value[key] is REFUSED_KEY or nearest(key, ["cachespec"]) for key in keys):
            return None
        if is_configuration(value):
            hint = "this looks like a model's configuration: `cachespec import` makes a layout of it"
        return Mistake("unknown-document", "the field `cachespec` is missing", (), hint)
    major = value["cachespec"]
    if isinstance(major, bool) or not isinstance(major, int) or major == FORMAT_MAJOR:
        return None
    message = f"format major {number(major)} is not known"
    return Mistake("unknown-document", message, ("cachespec",), f"this version of cachespec reads {FORMAT_MAJOR}")


def placed_report(name: str, document: Document, mistakes: list[Mistake]) -> CheckReport:
    """The report of a text that has these mistakes, each at its place."""
    from cachespec.reading.positions import Lines

    placed = _placed(document, mistakes)
    lines = Lines(document.text)
    findings = tuple(mistake.finding(*lines.position(offset)) for offset, mistake in placed[:MAX_FINDINGS])
    errors = sum(mistake.times for _, mistake in placed if mistake.level == "error")
    warnings = sum(mistake.times for _, mistake in placed if mistake.level == "warning")
    more = errors + warnings - len(findings)
    return CheckReport(name, findings, errors, warnings, more, document.value)


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
