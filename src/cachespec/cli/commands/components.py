"""`cachespec components`: every tensor of a layout, as a table, JSON or CSV."""

from __future__ import annotations

import csv
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any, TypeAlias

from cachespec.cli.arguments import CANNOT_RUN, ERRORS, OK, add_import_options, count, tokens
from cachespec.cli.configurations import checked_layout
from cachespec.cli.documents import CannotRead
from cachespec.cli.output import tables
from cachespec.cli.output.printing import remark, say
from cachespec.findings import CachePolicyError
from cachespec.layouts.expansion import components, expand, layers
from cachespec.layouts.models import plain_value
from cachespec_types.models import CacheLayout, StateComponentPolicy

Row: TypeAlias = dict[str, Any]

EXAMPLE = "cachespec components model.cachespec.yaml --batch-size 1 --prefix-tokens 4096 --layer 3"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="LAYOUT", help="a layout, a config.json, or - for standard input")
    parser.add_argument("--batch-size", type=count, metavar="B", help="sequences in the batch")
    parser.add_argument("--prefix-tokens", type=tokens, metavar="N", help="tokens in the prefix")
    parser.add_argument("--layer", type=count, metavar="I", help="only the layer with this global index")
    parser.add_argument("--syntax", choices=("json", "yaml"), help="read the file so, whatever its name says")
    parser.add_argument("--format", choices=tuple(_WRITERS), default="table", help="(table)")
    add_import_options(parser)


def run(options: Namespace) -> int:
    if (options.batch_size is None) != (options.prefix_tokens is None):
        say("--batch-size and --prefix-tokens go together")
        return CANNOT_RUN
    try:
        one = checked_layout(options.path, options)
    except CannotRead as error:
        say(str(error))
        return CANNOT_RUN
    except ValueError as error:
        say(f"{options.path}: {error}")
        return CANNOT_RUN
    if one.report.value is None:
        from cachespec.cli.output.findings import write_text

        write_text(1, [one])
        return ERRORS
    layout = one.report.value
    if options.layer is not None and (problem := _no_layer(layout, options.layer)):
        say(f"{options.path}: {problem}")
        return CANNOT_RUN
    try:
        rows = list(_rows(layout, options.batch_size, options.prefix_tokens))
    except CachePolicyError as error:
        say(str(error))
        return ERRORS
    if options.layer is not None:
        rows = [row for row in rows if row["layer"] == options.layer]
    _WRITERS[options.format](rows)
    return OK


def _no_layer(layout: CacheLayout, layer: int) -> str | None:
    first = layout.global_layer_start or 0
    last = first + len(layout.layers) - 1
    if first <= layer <= last:
        return None
    here = f"layers {first} to {last}" if last > first else f"layer {first} alone"
    return f"no layer {layer}; the layout has {here}"


def _rows(layout: CacheLayout, batch_size: int | None, prefix_tokens: int | None) -> Iterator[Row]:
    if batch_size is None or prefix_tokens is None:
        for layer in layers(layout):
            for component in components(layer.policy):
                yield _row(layer.component_name(component.role), layer.index, component)
    else:
        for named in expand(layout, batch_size, prefix_tokens):
            row = _row(named.name, named.layer, named.policy)
            yield {**row, "resolved_shape": list(named.shape), "required": named.required}


def _row(name: str, layer: int, component: StateComponentPolicy) -> Row:
    fields = plain_value(component)
    return {
        "name": name,
        "layer": layer,
        "shape": fields["shape"],
        "dtype": fields["dtype"],
        "residency": fields["residency"],
        "presence": fields["presence"],
    }


def _write_table(rows: list[Row]) -> None:
    resolved = bool(rows) and "required" in rows[0]
    table = tables.table()
    for heading in ("component", "shape", "dtype", "residency", "must be there" if resolved else "presence"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        shape = row["resolved_shape"] if resolved else [_in_words(dimension) for dimension in row["shape"]]
        there = ("yes" if row["required"] else "no") if resolved else _in_words(row["presence"])
        table.add_row(row["name"], f"[{', '.join(map(str, shape))}]", row["dtype"], row["residency"], there)
    tables.write(table)
    remark(f"{len(rows):,} components")


def _write_json(rows: list[Row]) -> None:
    print(json.dumps(rows, indent=2))


def _write_csv(rows: list[Row]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if rows:
        writer.writerow(rows[0])
    for row in rows:
        writer.writerow([_cell(value) for value in row.values()])


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " x ".join(_in_words(dimension) for dimension in value)
    return _in_words(value)


def _in_words(value: Any) -> str:
    """A dimension or a presence on one line: its name, and the number it holds."""
    if isinstance(value, dict):
        ((tag, number),) = value.items()
        return str(number) if tag == "fixed" else f"{tag} {number}"
    return str(value)


_WRITERS = {"table": _write_table, "json": _write_json, "csv": _write_csv}
