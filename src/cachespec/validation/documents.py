"""Whether a value is a document of a format that we know."""

from __future__ import annotations

from itertools import islice

from cachespec.findings import Mistake
from cachespec.reading.document import REFUSED_KEY, Value
from cachespec.schema import DOCUMENT_TYPE, FORMAT_MAJOR, definitions
from cachespec.wording import nearest, number

_MOST_KEYS = 100


def unknown_document(value: Value) -> Mistake | None:
    """Whether a document says that it is none of ours; then nothing else in it can be judged."""
    hint = f"start with `cachespec: {FORMAT_MAJOR}`"
    if not isinstance(value, dict):
        return Mistake("unknown-document", "a cachespec document is an object with the field `cachespec`", (), hint)
    if "cachespec" not in value:
        keys = islice((key for key in value if key not in definitions()[DOCUMENT_TYPE]["properties"]), _MOST_KEYS)
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


def is_configuration(value: Value) -> bool:
    """Whether a value is a model's config.json rather than a layout that lacks a field."""
    return (
        isinstance(value, dict)
        and not value.keys() & {"cachespec", "layers"}
        and not value.keys().isdisjoint(("model_type", "architectures", "num_hidden_layers"))
    )
