"""What the commands share: the statuses they end with, and the kinds of values that their arguments take."""

import re
from argparse import ArgumentParser, ArgumentTypeError

OK, ERRORS, CANNOT_RUN, INTERRUPTED = 0, 1, 2, 130

# The largest number has as many digits as 2**64.
_MOST_DIGITS = 20
# People say 128k of a model that takes 131,072 tokens.
_THOUSANDS = {"": 1, "k": 2**10, "m": 2**20}


def count(text: str) -> int:
    """A number of things, with separators between thousands or without."""
    return _count(text, text)


def tokens(text: str) -> int:
    """A number of tokens: as `count`, or in units of 1,024, such as 128k, or of 1,048,576, such as 1M."""
    unit = text[-1:].lower()
    return _count(text[:-1], text) * _THOUSANDS[unit] if unit in ("k", "m") else _count(text, text)


def _count(digits: str, text: str) -> int:
    plain = re.sub("[,_]", "", digits) if re.fullmatch("[0-9]{1,3}([,_][0-9]{3})+", digits) else digits
    if not plain.isascii() or not plain.isdigit() or len(plain) > _MOST_DIGITS:
        raise ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(plain)


def stage(text: str) -> tuple[int, int]:
    """The layers of a pipeline stage: the first, and the one after the last."""
    first, _, end = text.partition(":")
    return count(first), count(end)


def add_import_options(parser: ArgumentParser) -> None:
    """What the import of a configuration is told."""
    parser.add_argument("--runtime", choices=("transformers", "eredu"), default="transformers", help="(transformers)")
    parser.add_argument("--tensor-parallel", type=count, default=1, metavar="SIZE", help="ranks that share a layer")
    parser.add_argument("--rank", type=count, default=0, metavar="R", help="the rank to describe, from 0")
    parser.add_argument("--layers", type=stage, metavar="A:B", help="a pipeline stage: layers A to B - 1")
