"""What a plain scalar means: the part on which YAML 1.1 and YAML 1.2 readers agree, and JSON's numbers."""

from __future__ import annotations

import re
from functools import cache
from math import isfinite
from typing import TypeAlias

Scalar: TypeAlias = bool | int | float | str | None

_WORDS: dict[str, Scalar] = {"": None, "null": None, "true": True, "false": False}
_OTHERWISE_WORDS = frozenset(
    [
        "~",
        "Null",
        "NULL",
        "True",
        "TRUE",
        "False",
        "FALSE",
        "<<",
        "=",
        "y",
        "Y",
        "n",
        "N",
        "yes",
        "Yes",
        "YES",
        "no",
        "No",
        "NO",
        "on",
        "On",
        "ON",
        "off",
        "Off",
        "OFF",
    ]
)
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")

# What one of the two versions reads as something else than text. Sources: the type repository of YAML 1.1 (bool,
# null, int, float, timestamp, merge, value) and the core schema of YAML 1.2.2, section 10.3.2.
_OTHERWISE = r"""
      [-+]? 0b [01_]+ | [-+]? 0o? [0-7_]+ | [-+]? 0x [0-9a-fA-F_]+
    | [-+]? [0-9]+ | [-+]? [1-9] [0-9_]*
    | [-+]? [1-9] [0-9_]* (?: : [0-5]?[0-9] )+
    | [-+]? [0-9] [0-9_]* (?: : [0-5]?[0-9] )+ \. [0-9_]*
    | [-+]? [0-9] [0-9_]* \. [0-9_]* (?: [eE] [-+] [0-9]+ )?
    | [-+]? \. [0-9] [0-9_]* (?: [eE] [-+] [0-9]+ )?
    | [-+]? (?: \. [0-9]+ | [0-9]+ (?: \. [0-9]* )? ) (?: [eE] [-+]? [0-9]+ )?
    | [-+]? \. (?: inf | Inf | INF ) | \. (?: nan | NaN | NAN )
    | [0-9]{4} - [0-9]{2} - [0-9]{2}
    | [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} (?: [Tt] | [ \t]+ ) [0-9]{1,2} : [0-9]{2} : [0-9]{2} (?: \. [0-9]* )?
      (?: [ \t]* (?: Z | [-+] [0-9]{1,2} (?: : [0-9]{2} )? ) )?
    """
_FIRST_OF_NUMBERS = frozenset("+-.0123456789")

_MEANINGS = {
    **dict.fromkeys(("~", "null"), "null"),
    **dict.fromkeys(("y", "yes", "on", "true"), "true"),
    **dict.fromkeys(("n", "no", "off", "false"), "false"),
}

# Python refuses to convert integers beyond 4,300 digits. Every integer here has a range of at most 20 digits, so the
# leading digits of a longer one decide the same.
_LEADING_DIGITS = 400


class Ambiguous(ValueError):
    """A plain scalar that readers do not agree on; `args[0]` is the spelling to use."""


class NotFinite(ValueError):
    """A number that is infinite, not a number, or too large for a double."""


@cache
def _otherwise() -> re.Pattern[str]:
    # Compiling it takes longer than reading a document, and most documents have no such scalar.
    return re.compile(_OTHERWISE, re.VERBOSE)


def yaml_scalar(text: str) -> Scalar:
    """The value of a plain YAML scalar.

    Raises Ambiguous where YAML 1.1 or 1.2 reads something else than text or the forms that both agree on, NotFinite
    for a number beyond a double.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text in _OTHERWISE_WORDS:
        raise Ambiguous(_spelling(text))
    if text[0] not in _FIRST_OF_NUMBERS:
        return text
    if _INTEGER.fullmatch(text):
        return integer(text)
    if _DECIMAL.fullmatch(text):
        return _finite(text)
    if _otherwise().fullmatch(text):
        raise Ambiguous(_spelling(text))
    return text


def json_scalar(text: str) -> Scalar:
    """The value of a JSON literal or number. Raises NotFinite for NaN, Infinity and numbers beyond a double."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return integer(text)
    return _finite(text)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise NotFinite(text)
    return number


def integer(text: str) -> int | float:
    """An integer in plain decimal; `-0` is a float, as it is no canonical integer."""
    if text == "-0":
        return -0.0
    return int(text if len(text) <= _LEADING_DIGITS else text[:_LEADING_DIGITS])


def _spelling(text: str) -> str:
    word = text.lower()
    plain = re.fullmatch(r"\+?([1-9][0-9_]*)", text)
    meant = plain[1].replace("_", "") if plain else _MEANINGS.get(word)
    if meant:
        return f'write {meant}, or "{text}" if it is text'
    if word[0] in "+-.0123456789":
        return f'write "{text}" if it is text, or a plain decimal integer'
    return f'write "{text}" if it is text'
