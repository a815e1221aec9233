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
        return Mistake("unknown-document", "the field `cachespec` is missing", (), hint)
    major = value["cachespec"]
    if isinstance(major, bool) or not isinstance(major, int) or major == FORMAT_MAJOR:
        return None
    message = f"format major {number(major)} is not known"
    return Mistake("unknown-document", message, ("cachespec",), f"this version of cachespec reads {FORMAT_MAJOR}")
