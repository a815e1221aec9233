"""What is wrong with a value of a tagged union, seen through the branch that its tag names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cachespec.findings import Mistake
from cachespec.reading.document import REFUSED_KEY, Value, is_refused
from cachespec.schema import Schema, definitions, referenced
from cachespec.wording import described, listed, nearest, number, shown

# Dtypes that people write by their own name, and the family that takes them.
_FAMILIES = dict.fromkeys(("float16", "bfloat16", "float64", "half", "bf16", "fp16"), "floating")

# So many keys of an object without a known tag are compared with the tags.
_COMPARED = 100


@dataclass(frozen=True, slots=True)
class Payload:
    """What a tagged value holds, to be judged by the schema of the branch."""

    tag: str
    schema: Schema


def union_mistakes(instance: Value, branches: list[Schema]) -> Iterator[Mistake | Payload]:
    """The mistakes of a value in the form of its union, and the payload still to be judged, if a tag names one."""
    units = [branch["const"] for branch in branches if "const" in branch]
    payloads = {tag: schema for branch in branches for tag, schema in branch.get("properties", {}).items()}
    tags = [*units, *payloads]
    if isinstance(instance, dict):
        yield from _tagged(instance, units, payloads)
    elif not isinstance(instance, str):
        message = f"expected one of {listed(tags)}, found {described(instance)}"
        # A bare number among dimensions is meant as the size that it is.
        sized = "fixed" in payloads and isinstance(instance, int) and not isinstance(instance, bool) and instance > 0
        hint = f"write {{fixed: {number(instance)}}}" if sized else _form(units, payloads)
        yield Mistake("wrong-type", message, (), hint)
    elif instance in payloads:
        hint = f"write {_written(instance, payloads[instance])}"
        yield Mistake("wrong-type", f"`{instance}` alone is not enough", (), hint)
    elif instance not in units:
        yield _unknown(instance, tags, payloads, ())


def _tagged(
    instance: Mapping[str, Value], units: list[str], payloads: Mapping[str, Schema]
) -> Iterator[Mistake | Payload]:
    tags = [*units, *payloads]
    named = [key for key in instance if key in tags]
    others = [key for key in instance if key not in tags]
    if len(named) > 1:
        message = f"several variants in one object: {listed(named)}"
        yield Mistake("several-variants", message, (), "keep one of them")
    elif named:
        yield from _one_tag(named[0], others, instance, units, payloads)
    elif any(instance[key] is REFUSED_KEY for key in others):
        return
    elif variant := _variant_with(others, payloads):
        message = f"expected one of {listed(tags)}, found fields without the name of their variant"
        yield Mistake("unknown-variant", message, (), f"put {listed(others)} below `{variant}:`")
    elif len(others) == 1:
        yield _unknown(others[0], tags, payloads, (others[0],))
    elif misspelt := next((key for key in others[:_COMPARED] if nearest(key, tags)), None):
        yield _unknown(misspelt, tags, payloads, (misspelt,))
    else:
        message = f"expected one of {listed(tags)}, found {described(instance)}"
        yield Mistake("unknown-variant", message, (), _form(units, payloads))


def _one_tag(
    tag: str,
    others: list[str],
    instance: Mapping[str, Value],
    units: list[str],
    payloads: Mapping[str, Schema],
) -> Iterator[Mistake | Payload]:
    if tag in units:
        yield Mistake("non-canonical", f"`{tag}` is written as an object", (), f'write "{tag}" alone')
        return
    fields = _fields(payloads[tag])
    payload = {} if instance[tag] is None else instance[tag]
    if others and isinstance(payload, dict) and all(key in fields and key not in payload for key in others):
        # The commonest slip in YAML: fields of the variant stand at the indentation of its name.
        message = f"{listed(others)} stand beside `{tag}`, not inside it"
        code = "wrong-type" if instance[tag] is None else "unknown-field"
        place = tag if instance[tag] is None else others[0]
        yield Mistake(code, message, (place,), f"indent {listed(others)} below `{tag}:`", at_key=True)
        return
    for key in others:
        if instance[key] is not REFUSED_KEY:
            hint = f"move it into `{tag}`" if key in fields else f"an object with `{tag}` has no other field"
            yield Mistake("unknown-field", f"unknown field {shown(key)} beside `{tag}`", (key,), hint, at_key=True)
    if not is_refused(instance[tag]):
        yield Payload(tag, payloads[tag])


def _unknown(word: str, tags: list[str], payloads: Mapping[str, Schema], path: tuple[str, ...]) -> Mistake:
    message = f"unknown variant {shown(word)}, expected one of {listed(tags)}"
    family = _FAMILIES.get(word.lower())
    meant = family if family in tags else nearest(word, tags)
    hint = None
    if meant:
        hint = (
            f"did you mean `{meant}`?" if path or meant not in payloads else f"write {_written(meant, payloads[meant])}"
        )
    return Mistake("unknown-variant", message, path, hint, at_key=bool(path))


def _variant_with(keys: list[str], payloads: Mapping[str, Schema]) -> str | None:
    return next((tag for tag, payload in payloads.items() if keys and set(keys) <= set(_fields(payload))), None)


def _fields(payload: Schema) -> list[str]:
    resolved = definitions()[referenced(payload["$ref"])] if "$ref" in payload else payload
    return list(resolved.get("properties", ()))


def _form(units: list[str], payloads: Mapping[str, Schema]) -> str:
    if units:
        return f'write for example "{units[0]}"'
    tag, payload = next(iter(payloads.items()))
    return f"write for example {_written(tag, payload)}"


def _written(tag: str, payload: Schema) -> str:
    """A tagged value as people write it, with the names of its fields."""
    if payload.get("type") == "integer":
        return f"{{{tag}: {max(payload['minimum'], 1)}}}"
    fields = _fields(payload)
    return f"{{{tag}: {{{', '.join(f'{field}: ...' for field in fields)}}}}}" if fields else f"{{{tag}: ...}}"
