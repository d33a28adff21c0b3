"""Documents the trace format from the declarations in events.py: as JSON Schema and as a reference page.

schema           JSON Schema (draft 2020-12) of one event
schema_text      the same as the text of `trace.schema.json`
reference_page   the reference in docs/trace-format.md: the fields of each kind

A test checks both files; `pytest tests/trace --update` generates them again.
"""

import json
from collections.abc import Iterator
from inspect import cleandoc
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, inspect

from minitape.trace.events import KINDS, Column, Count, Id, Numbers, Placed

# --- JSON Schema ---


def schema() -> dict[str, Any]:
    """Return the JSON Schema of one event. Unknown kinds are valid, because a later version may have them.

    >>> schema()["$defs"]["EndEvent"]["required"]
    ['k', 'i', 'events', 'dropped']
    """
    _, parts = msgspec.json.schema_components(KINDS.values(), ref_template="#/$defs/{name}")
    for each in _records():
        properties = parts[each.__name__]["properties"]
        for field in _fields(each):
            said = _meanings(each).get(field.name)
            properties[field.encode_name] |= {"description": said} if said else {}
            if _has_numbers_for_keys(field.type):
                properties[field.encode_name]["propertyNames"] = {"pattern": "^(0|[1-9][0-9]*)$"}
    for part in parts.values():
        part["description"] = cleandoc(part["description"])
    parts["Numbers"]["properties"]["data"]["$ref"] = (
        "#/$defs/Data"  # data may be nested to any depth
    )
    parts["Data"] = {
        "anyOf": [
            {"type": ["number", "boolean", "string", "null"]},
            {"type": "array", "items": {"$ref": "#/$defs/Data"}},
        ]
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One event of a minitape trace, version 1",
        "description": "Each line of a trace file is one such object. A file may contain kinds and fields that are not listed "
        "here; ignore them. Generated from minitape/trace/events.py.",
        "type": "object",
        "required": ["i", "k"],
        "properties": {"i": {"type": "integer", "minimum": 0}, "k": {"type": "string"}},
        "allOf": [
            {
                "if": {"properties": {"k": {"const": kind}}},
                "then": {"$ref": f"#/$defs/{each.__name__}"},
            }
            for kind, each in KINDS.items()
        ],
        "$defs": parts,
    }


def schema_text() -> str:
    return _laid_out(schema(), margin=0, namespace=100) + "\n"


def _laid_out(value: Any, margin: int, namespace: int) -> str:
    """Return JSON with short values on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= namespace or not isinstance(value, dict | list):
        return line
    space, inner = " " * margin, " " * (margin + 2)
    if isinstance(value, list):
        items = [inner + _laid_out(item, margin + 2, 98 - margin) for item in value]
        return "[\n" + ",\n".join(items) + f"\n{space}]"
    keys = [f"{inner}{json.dumps(key)}: " for key in value]
    items = [
        key + _laid_out(item, margin + 2, 99 - len(key)) for key, item in zip(keys, value.values())
    ]
    return "{\n" + ",\n".join(items) + f"\n{space}}}"


# --- the reference page ---

_NAMES = {
    Id: "id",
    Count: "count",
    Column: "integer",
    int: "integer",
    float: "number",
    str: "string",
    bool: "boolean",
    NoneType: "null",
    Any: "any",
    Numbers: "[`T`](#t)",
}
_OF_ALL = ("i", "at", "stack", "outer")  # these fields are described once, before the kinds


def reference_page() -> str:
    """Return the section of docs/trace-format.md with all kinds, as Markdown."""
    sections = [
        "## Kinds",
        "An id is an integer of at least 1, and a count is an integer of at least 0. The second column is the name of the "
        "field in Python (minitape/trace/events.py), if it differs.",
        "### `T`",
        _reported(Numbers, "events.Numbers"),
    ]
    for kind, each in KINDS.items():
        sections += [f"### `{kind}`", _reported(each, f"events.{each.__name__}")]
    return "\n\n".join(sections) + "\n"


def _reported(kind: type[Struct], name: str) -> str:
    first, *others = cleandoc(kind.__doc__ or "").split("\n\n")
    rows = "\n".join(_rows(kind))
    where = ["The event also has the fields `at` and `stack`."] if issubclass(kind, Placed) else []
    table = f"| field | in Python | type | meaning |\n| --- | --- | --- | --- |\n{rows}"
    return "\n\n".join([f"{first} (`{name}`)", *others, table, *where])


def _rows(kind: type[Struct], outside: str = "", outside_there: str = "") -> Iterator[str]:
    """Yield a row of the table for each field, followed by the rows of the records that it contains."""
    hints = get_type_hints(kind, include_extras=True)
    for field in _fields(kind):
        if field.name == "i" or (field.name in _OF_ALL and issubclass(kind, Placed)):
            continue
        there, here = outside_there + field.encode_name, outside + field.name
        attribute = f"`{here}`" if here != there else ""
        said = [_meanings(kind).get(field.name, ""), "" if field.required else "may be missing"]
        meaning = "; ".join(filter(None, said))
        yield f"| `{there}` | {attribute} | {_named(hints[field.name])} | {meaning} |"
        if isinstance(field.type, inspect.ListType):
            item = field.type.item_type
            if isinstance(item, inspect.StructType) and not issubclass(item.cls, Numbers):
                yield from _rows(item.cls, f"{here}[].", f"{there}[].")


def _named(hint: Any) -> str:
    """Return a short name for a type."""
    if get_origin(hint) is Annotated:
        bare, *notes = get_args(hint)
        limits = [each for each in notes if isinstance(each, Meta)]
        if limits and limits[0].max_length == 1:
            return "[id]"
        hint = Annotated[bare, *limits] if limits and bare is int else bare
    if hint in _NAMES:
        return _NAMES[hint]
    parts = get_args(hint)
    if get_origin(hint) is Literal:
        return " or ".join(f"`{json.dumps(each)}`" for each in parts)
    if get_origin(hint) is list:
        return f"[{_named(parts[0])}, …]"
    if get_origin(hint) is dict:
        return f"{{text: {_named(parts[1])}}}"
    if parts:
        return " or ".join(map(_named, parts))
    if issubclass(hint, tuple):
        return f"`[{', '.join(name.replace('_', ' ') for name in get_type_hints(hint))}]`"
    return "object"


# --- the declarations ---


def _records() -> list[type[Struct]]:
    """Return all kinds and the records that they contain."""
    found = list(inspect.multi_type_info(KINDS.values()))
    records: dict[type[Struct], None] = {}
    while found:
        match found.pop(0):
            case inspect.StructType(cls=cls, fields=fields):
                records[cls] = None
                found += [field.type for field in fields]
            case inspect.ListType(item_type=item):
                found.append(item)
            case inspect.UnionType(types=types):
                found += types
    return list(records)


def _fields(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info.fields


def _meanings(kind: type[Struct]) -> dict[str, str]:
    """Return the meaning of each field."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: said
        for name, hint in hints.items()
        for said in getattr(hint, "__metadata__", ())
        if isinstance(said, str)
    }


def _has_numbers_for_keys(type_: inspect.Type) -> bool:
    return isinstance(type_, inspect.DictType) and isinstance(type_.key_type, inspect.IntType)
