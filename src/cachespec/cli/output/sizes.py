"""The sizes of one layout or of two, as people and as programs read them."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cachespec.cli.output import tables
from cachespec.cli.output.printing import name_in_json, named, write_json_value
from cachespec.layouts.labels import groups, in_units, kept, layer_numbers, per_token, title
from cachespec.layouts.sizing import Amounts, Rate, Size
from cachespec.wording import counted
from cachespec_types.models import CacheLayout

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True, slots=True)
class Sized:
    """One layout of the command line, and its size."""

    path: str
    layout: CacheLayout
    size: Size

    @property
    def title(self) -> str:
        return title(self.layout)


# Whether a part of a layout is a component, a residency class, a layer or the total; its name; its bytes.
Part: TypeAlias = tuple[str, str, Amounts]
_Number = TypeVar("_Number", int, Rate)

_FIELDS = tuple(field.name for field in fields(Amounts))
_NOTHING = Amounts()

# What two layouts are compared by: fields of Amounts.
_MEASURES = {"total_bytes": "all tokens", "resume_bytes": "needed to resume"}
_HEADINGS = ("all tokens", "needed to resume", "of it fixed", "per further token")
_NARROW = 140


def _write_table(sized: Sequence[Sized]) -> None:
    console = tables.output()
    marks = ("",) if len(sized) == 1 else ("A: ", "B: ")
    for mark, one in zip(marks, sized, strict=True):
        console.print(f"{mark}{named(one.title)}", style="bold")
    console.print(_conditions(sized[0].size))
    narrow = console.width < _NARROW
    if len(sized) == 1:
        tables.write(_table_of_one(sized[0], narrow), console)
    else:
        for table in _tables_of_two(sized[0].size, sized[1].size, narrow):
            tables.write(table, console)
    for mark, one in zip(marks, sized, strict=True):
        if one.size.optional_bytes:
            names = ", ".join(name for name, part in one.size.by_component.items() if part.optional_bytes)
            console.print(f"{mark}not counted, since optional: {in_units(one.size.optional_bytes)} of {names}")


def _conditions(size: Size) -> str:
    batch, tokens = counted(size.batch_size, "sequence"), counted(size.prefix_tokens, "token")
    return f"{batch} with a prefix of {tokens}, floating tensors as {size.dtype}"


def _table_of_one(one: Sized, narrow: bool) -> Table:
    """A column for the numbers of the layers where there is room, else they stand with the names."""
    table = _table("", *([] if narrow else ["layers"]), *_HEADINGS, narrow=narrow)

    def add(name: str, numbers: str, amounts: Amounts, style: str = "") -> None:
        names = [f"{name}: {numbers}" if numbers else name] if narrow else [name, numbers]
        table.add_row(*names, *_cells(amounts), style=style)

    for name, numbers, amounts in _alike(one):
        add(name, numbers, amounts)
    for parts in (one.size.by_component, one.size.by_residency):
        table.add_section()
        for part, amounts in parts.items():
            add(part, "", amounts)
    table.add_section()
    add("total", counted(len(one.size.by_layer), "layer"), one.size, "bold")
    return table


def _alike(one: Sized) -> Iterator[tuple[str, str, Amounts]]:
    """The layers that are alike, together: what they keep, which they are, and their bytes."""
    start = one.size.by_layer[0].layer
    for group in groups(one.layout):
        # Layers that are alike have the same bytes, so one of them stands for all.
        first, count = one.size.by_layer[group.layers[0] - start], len(group.layers)
        together = Amounts(**{name: getattr(first, name) * count for name in _FIELDS})
        yield f"{count} x {kept(group.policy, group.offset)}", layer_numbers(group.layers), together


def _cells(amounts: Amounts) -> list[str]:
    counted = (amounts.total_bytes, amounts.resume_bytes, amounts.fixed_bytes)
    return [*map(in_units, counted), per_token(amounts.bytes_per_token)]


def _tables_of_two(a: Size, b: Size, narrow: bool) -> Iterator[Table]:
    """One table where there is room, else one for each measure."""
    if narrow:
        yield from (_table_of_two(a, b, {field: words}, narrow) for field, words in _MEASURES.items())
    else:
        yield _table_of_two(a, b, _MEASURES, narrow)


def _table_of_two(a: Size, b: Size, measures: Mapping[str, str], narrow: bool) -> Table:
    headings = (f"{words}\n{column}" for words in measures.values() for column in ("A", "B", "B\u00a0-\u00a0A"))
    table = _table("", *headings, narrow=narrow)

    def add(name: str, x: Amounts, y: Amounts, style: str = "") -> None:
        cells = [cell for field in measures for cell in _compared(in_units, getattr(x, field), getattr(y, field))]
        table.add_row(name, *cells, style=style)

    for first, second in ((a.by_component, b.by_component), (a.by_residency, b.by_residency)):
        for name in _union(first, second):
            add(name, first.get(name, _NOTHING), second.get(name, _NOTHING))
        table.add_section()
    add("total", a, b, "bold")
    if "resume_bytes" in measures:
        blank = [""] * 3 * (len(measures) - 1)
        table.add_row("of it fixed", *blank, *_compared(in_units, a.fixed_bytes, b.fixed_bytes))
        table.add_row("per further token", *blank, *_compared(per_token, a.bytes_per_token, b.bytes_per_token))
    return table


def _compared(words: Callable[[_Number], str], a: _Number, b: _Number) -> tuple[str, str, str]:
    return words(a), words(b), ("+" if b > a else "") + words(b - a)


def _union(first: Iterable[str], second: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))


def _table(*headings: str, narrow: bool) -> Table:
    table = tables.table()
    for heading in headings:
        # A long heading must not take the room that the names need.
        lines = heading.replace(" ", "\n") if narrow else heading
        table.add_column(lines, justify="left" if heading in ("", "layers") else "right", overflow="fold")
    return table


def _write_json(sized: Sequence[Sized]) -> None:
    """One object for one layout; for two, `layouts` and `difference`, which is the second less the first."""
    objects = [_object(one) for one in sized]
    if len(objects) == 1:
        write_json_value(objects[0])
        return
    difference: dict[str, Any] = {}
    for group, name, amounts in _differences(sized[0].size, sized[1].size):
        numbers = {"name": name, **_numbers(amounts)}
        if group == "total":
            difference |= _numbers(amounts)
        else:
            difference.setdefault(group, []).append(numbers)
    write_json_value({"layouts": objects, "difference": difference})


def _object(one: Sized) -> dict[str, Any]:
    return {
        "file": name_in_json(one.path),
        "name": one.layout.name,
        "model_type": one.layout.model_type,
        "runtime": one.layout.runtime,
        "batch_size": one.size.batch_size,
        "prefix_tokens": one.size.prefix_tokens,
        "dtype": one.size.dtype,
        **_numbers(one.size),
        "layers": [{"layer": layer.layer, **_numbers(layer)} for layer in one.size.by_layer],
        "components": [{"name": name, **_numbers(part)} for name, part in one.size.by_component.items()],
        "residency": [{"name": name, **_numbers(part)} for name, part in one.size.by_residency.items()],
    }


def _write_csv(sized: Sequence[Sized]) -> None:
    """A row for each layer, component, residency class and total of each file; for two files, the difference too."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["file", "part", "name", *_FIELDS])
    for one in sized:
        writer.writerows(
            [named(one.path), part, name, *_numbers(amounts).values()] for part, name, amounts in _parts(one.size)
        )
    if len(sized) == 2:
        differences = _differences(sized[0].size, sized[1].size)
        writer.writerows(["difference", part, name, *_numbers(amounts).values()] for part, name, amounts in differences)


def _numbers(amounts: Amounts) -> dict[str, int | float]:
    """Exact bytes; bytes per token that are not whole as the nearest float."""
    numbers = {name: getattr(amounts, name) for name in _FIELDS}
    return {name: float(number) if isinstance(number, Fraction) else number for name, number in numbers.items()}


def _parts(size: Size) -> Iterator[Part]:
    yield from (("layers", str(layer.layer), layer) for layer in size.by_layer)
    yield from (("components", name, part) for name, part in size.by_component.items())
    yield from (("residency", name, part) for name, part in size.by_residency.items())
    yield "total", "", size


def _differences(a: Size, b: Size) -> Iterator[Part]:
    """What the second layout takes more than the first; layers are not compared, since they need not correspond."""
    pairs: tuple[tuple[str, Mapping[str, Amounts], Mapping[str, Amounts]], ...] = (
        ("components", a.by_component, b.by_component),
        ("residency", a.by_residency, b.by_residency),
        ("total", {"": a}, {"": b}),
    )
    for group, first, second in pairs:
        for name in _union(first, second):
            x, y = first.get(name, _NOTHING), second.get(name, _NOTHING)
            yield group, name, Amounts(**{field: getattr(y, field) - getattr(x, field) for field in _FIELDS})


WRITERS = {"table": _write_table, "json": _write_json, "csv": _write_csv}
