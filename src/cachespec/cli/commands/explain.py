"""`cachespec explain`: what a code means, with a failing and a corrected example."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from cachespec.cli.arguments import CANNOT_RUN, OK
from cachespec.validation.codes import codes
from cachespec.wording import nearest

EXAMPLE = "cachespec explain duplicate-role"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="the code of a finding")


def run(options: Namespace) -> int:
    page = codes().get(options.code)
    if page is None:
        meant = nearest(options.code, list(codes()))
        hint = f"; did you mean {meant}?" if meant else f"; the codes are {', '.join(codes())}"
        print(f"cachespec: no code {options.code}{hint}", file=sys.stderr)
        return CANNOT_RUN
    print(page.text())
    return OK
