"""What is wrong with a text that a parser refuses."""

from __future__ import annotations

import re

from yaml.error import MarkedYAMLError, YAMLError

from cachespec.findings import Mistake
from cachespec.reading.document import MAX_DEPTH
from cachespec.reading.json_events import JsonSyntaxError

NO_YAML = re.compile("[^\t\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# What libyaml says, and what to do about it.
_YAML_HINTS = {
    "mapping values are not allowed": "put a value that contains `: ` in quotes, or check the indentation",
    "found character that cannot start": "put text that starts with a special character in quotes",
    "tab character": "indent with spaces",
    "did not find expected key": "check the indentation of this line and of the line before",
    "did not find expected '-'": "check the indentation of this line and of the line before",
    "did not find expected ',' or ']'": "separate entries with a comma and close the list with `]`",
    "did not find expected ',' or '}'": "separate fields with a comma and close the object with `}`",
    "could not find expected ':'": "write `key: value`, with a space after the colon",
    "unexpected end of stream": "close the quotes",
    "unknown escape": "write a backslash in double quotes as `\\\\`",
}

TOO_DEEP = ("too-deep", f"more than {MAX_DEPTH} levels of nesting", (), "no cachespec document needs so many")


def not_in_yaml(found: re.Match[str]) -> Mistake:
    """The mistake of a character that YAML does not have."""
    message = f"the control character U+{ord(found[0]):04X} is not allowed in YAML"
    return Mistake("encoding", message, (), "remove it", offset=found.start())


def comment_mistake(at: int) -> Mistake:
    """The mistake of a comment that begins right behind the `|` or `>` of a text."""
    return Mistake("syntax", "a comment begins without a blank before it", (), "put a blank before the `#`", offset=at)


def syntax_mistake(error: YAMLError, text: str) -> Mistake:
    """What a parser's error says, as a mistake."""
    if not isinstance(error, MarkedYAMLError):
        # The characters have been looked at before; a parser that knows more than we do does not say where.
        return Mistake("encoding", "a character is not allowed in YAML", (), "remove it", offset=0)
    problem = error.problem or error.context or "the text cannot be read"
    mark = error.problem_mark or error.context_mark
    at = mark.index if mark else len(text)
    if isinstance(error, JsonSyntaxError):
        return Mistake("syntax", problem, (), error.note, offset=at)
    if text[at : at + 1] == "#" and "chomping" in problem:
        return comment_mistake(at)
    if text[at : at + 1] == "\t" and "cannot start" in problem:
        problem = "found a tab character that violates indentation"
    if "Unicode character escape" in problem:
        message = "an escape stands for half a character (a surrogate) or for none"
        return Mistake("encoding", message, (), "write the character itself", offset=at)
    if "nesting depth" in problem:
        return Mistake(*TOO_DEEP, offset=at)
    hint = next((hint for part, hint in _YAML_HINTS.items() if part in problem), None)
    return Mistake("syntax", problem, (), hint, offset=at)
