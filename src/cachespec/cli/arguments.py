"""What the commands share: the statuses they end with, and the kinds of values that their arguments take."""

from argparse import ArgumentTypeError

OK, ERRORS, CANNOT_RUN = 0, 1, 2


def count(text: str) -> int:
    """A number of things; the largest has as many digits as 2**64."""
    if not text.isascii() or not text.isdigit() or len(text) > 20:
        raise ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)
