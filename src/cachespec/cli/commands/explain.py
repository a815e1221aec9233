"""`cachespec explain`: what a code means, with a failing and a corrected example."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from cachespec.cli.arguments import CANNOT_RUN, OK
from cachespec.cli.output.printing import say
from cachespec.validation.codes import codes
from cachespec.wording import nearest

EXAMPLE = "cachespec explain duplicate-role"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", metavar="CODE", help="the code of a finding; all of them without it")


def run(options: Namespace) -> int:
    if options.code is None:
        width = max(map(len, codes()))
        for code in codes().values():
            print(f"{code.name:{width}}  {code.level:7}  {code.in_one_line()}")
        return OK
    page = codes().get(options.code)
    if page is None:
        meant = nearest(options.code, list(codes()))
        hint = f"; did you mean {meant}?" if meant else f"; the codes are {', '.join(codes())}"
        say(f"no code {options.code}{hint}")
        return CANNOT_RUN
    print(page.text())
    return OK
