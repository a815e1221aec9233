"""`cachespec schema`: the published schema, whole or one type alone, and as an editor takes it best."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from cachespec.cli.arguments import CANNOT_RUN, OK
from cachespec.cli.output.printing import say
from cachespec.schema import DOCUMENT_TYPE, definitions, schema_of, schema_text

EXAMPLE = "cachespec schema LayerCachePolicy"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "type", nargs="?", default=DOCUMENT_TYPE, metavar="TYPE", help=f"one type alone ({DOCUMENT_TYPE})"
    )
    parser.add_argument("--draft", choices=("2020-12", "draft-07"), default="2020-12", help="(2020-12)")
    parser.add_argument(
        "--editor", action="store_true", help="for the YAML language server: with snippets that insert whole layers"
    )


def run(options: Namespace) -> int:
    if options.type not in definitions():
        say(f"no type {options.type}; the types are {', '.join(sorted(definitions()))}")
        return CANNOT_RUN
    if options.editor:
        from cachespec.cli.output.editor_schema import editor_schema

        print(json.dumps(editor_schema(schema_of(options.type, options.draft)), indent=2, ensure_ascii=False))
    elif options.type == DOCUMENT_TYPE:
        print(schema_text(options.draft), end="")
    else:
        print(json.dumps(schema_of(options.type, options.draft), indent=2, ensure_ascii=False))
    return OK
