"""Whether an event is as the format says: `trace.schema.json`, read once and turned into functions.

fault       what is wrong with one event, in words
schema      the schema as data

The schema is the one place that lists all kinds and fields. Of JSON Schema we read here what ours uses, and a test holds it to
a full reader. We are stricter in one thing: 1.0 is no integer, for an id is looked up.
"""

import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

Check = Callable[[Any], str | None]  # where and what, such as ".shape[0] is no integer"

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


@cache
def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of one event."""
    text = resources.files("minitape.debug").joinpath("trace.schema.json").read_text("utf-8")
    whole: dict[str, Any] = json.loads(text)
    return whole


def fault(event: dict[str, Any]) -> str | None:
    """What is wrong with an event by itself; None if it is as the format says, or of a kind that this version does not know.

    >>> fault({"i": 4, "k": "end", "events": 5, "dropped": -1})
    'dropped is below 0'
    """
    kinds = schema()["$defs"]["events"]
    if event["k"] not in kinds:
        return None
    found = _check_of(f"#/$defs/events/{event['k']}")(event)
    return None if found is None else found.lstrip(". ")


@cache
def _check_of(reference: str) -> Check:
    part: Any = schema()
    for name in reference.removeprefix("#/").split("/"):
        part = part[name]
    return _compiled(part)


def _compiled(part: dict[str, Any]) -> Check:
    """A schema as one function; a reference is followed when it is first needed, for `data` refers to itself."""
    if "$ref" in part:
        reference: str = part["$ref"]
        return lambda value: _check_of(reference)(value)
    makers = dict.fromkeys(make for word, make in _MAKERS.items() if word in part)
    checks = [make(part) for make in makers]
    if len(checks) == 1:
        return checks[0]

    def check(value: Any) -> str | None:
        for each in checks:
            found = each(value)
            if found is not None:
                return found
        return None

    return check


# --- the words of JSON Schema ---


def _type(part: dict[str, Any]) -> Check:
    names = [part["type"]] if isinstance(part["type"], str) else part["type"]
    allowed = tuple(each for name in names for each in _TYPES[name])
    said = f" is no {' or '.join(names)}"

    def check(value: Any) -> str | None:
        is_one = isinstance(value, allowed) and (
            bool in allowed or (value is not True and value is not False)
        )
        return None if is_one else said

    return check


def _enum(part: dict[str, Any]) -> Check:
    known = frozenset(part["enum"])
    said = f" is none of {', '.join(part['enum'])}"
    return lambda value: None if isinstance(value, str) and value in known else said


def _const(part: dict[str, Any]) -> Check:
    wanted = part["const"]
    said = f" is not {wanted}"
    return lambda value: None if type(value) is type(wanted) and value == wanted else said


def _minimum(part: dict[str, Any]) -> Check:
    least = part["minimum"]
    return lambda value: f" is below {least}" if value < least else None


def _length(part: dict[str, Any]) -> Check:
    least, most = part.get("minItems", 0), part.get("maxItems", float("inf"))
    return lambda value: None if least <= len(value) <= most else f" has {len(value)} entries"


def _required(part: dict[str, Any]) -> Check:
    names = part["required"]

    def check(value: Any) -> str | None:
        for name in names:
            if name not in value:
                return f" has no {name}"
        return None

    return check


def _properties(part: dict[str, Any]) -> Check:
    checks = {name: _compiled(each) for name, each in part["properties"].items()}

    def check(value: Any) -> str | None:
        for name, each in checks.items():
            if name in value:
                found = each(value[name])
                if found is not None:
                    return f".{name}{found}"
        return None

    return check


def _additional(part: dict[str, Any]) -> Check:
    each = _compiled(part["additionalProperties"])

    def check(value: Any) -> str | None:
        for name, item in value.items():
            found = each(item)
            if found is not None:
                return f".{name}{found}"
        return None

    return check


def _items(part: dict[str, Any]) -> Check:
    first = [_compiled(each) for each in part.get("prefixItems", ())]
    rest = _compiled(part["items"]) if "items" in part else None

    def check(value: Any) -> str | None:
        for i, item in enumerate(value):
            each = first[i] if i < len(first) else rest
            found = None if each is None else each(item)
            if found is not None:
                return f"[{i}]{found}"
        return None

    return check


def _any_of(part: dict[str, Any]) -> Check:
    choices = [_compiled(each) for each in part["anyOf"]]

    def check(value: Any) -> str | None:
        said = None
        for each in choices:
            found = each(value)
            if found is None:
                return None
            said = said or found
        return said

    return check


# In this order: what a later one takes for granted, an earlier one has checked.
_MAKERS: dict[str, Callable[[dict[str, Any]], Check]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _minimum,
    "maxItems": _length,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "prefixItems": _items,
    "anyOf": _any_of,
}
