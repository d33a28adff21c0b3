"""Error messages for a malformed event, derived from msgspec's messages such as "Expected `int`, got `str` - at `$.op`".

fault    'op is not an integer'
"""

import re
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from minitape.trace.events import KINDS

_NAMES = {
    "int": "an integer",
    "float": "a number",
    "str": "a string",
    "bool": "a boolean",
    "array": "an array",
    "object": "an object",
}

# The start of a message of msgspec, and the function that makes our message from its groups.
_WORDS: tuple[tuple[str, Callable[..., str]], ...] = (
    (r"Expected `array` of length (\d+)", "does not have {} entries".format),
    (r"Expected `array` of length >= (\d+)", "has fewer than {} entries".format),
    (r"Expected `array` of length <= (\d+)", "has more than {} entries".format),
    (r"Expected `int` >= (-?\d+)", "is below {}".format),
    (r"Expected `([^`]*)`.*", lambda types: f"is not {_named(types)}"),
    (r"Object missing required field `(.*)`", "lacks {}".format),
    (r"Integer value out of range", "is out of range".format),
)


def fault(kind: str, error: msgspec.ValidationError) -> str:
    """Return which field of an event is malformed, and how.

    Args:
        kind: The kind of the event.
        error: The error of msgspec.

    >>> fault("end", msgspec.ValidationError("Expected `int` >= 0 - at `$.dropped`"))
    'dropped is below 0'
    """
    said, _, path = str(error).partition(" - at ")
    where = path.replace("`", "").replace("key in ", "a key in ").replace("$.", "")
    if said.startswith("Invalid enum value"):
        choices = _choices(kind, where)
        what = f"is not one of {', '.join(choices)}" if choices else "is not a number"
    else:
        what = next(
            (say(*found.groups()) for form, say in _WORDS if (found := re.fullmatch(form, said))),
            f"is wrong ({said})",
        )
    if where.endswith("[...]"):
        where = f"an entry of {where.removesuffix('[...]')}"
    return f"{where} {what}".strip()


def _named(types: str) -> str:
    return " or ".join(_NAMES.get(each, each) for each in types.split(" | "))


def _choices(kind: str, where: str) -> tuple[str, ...]:
    """Return the strings that are allowed in a field; empty if a number is allowed as well."""
    hint: Any = KINDS[kind]
    for step in re.findall(r"[A-Za-z_]\w*|\[", where):
        if step == "[":  # into a list or an object
            hint = get_args(hint)[-1]
        else:
            (name,) = (
                each.name for each in msgspec.structs.fields(hint) if each.encode_name == step
            )
            hint = get_type_hints(hint)[name]
        if isinstance(hint, UnionType):
            hint = get_args(hint)[0]
    return tuple(map(str, get_args(hint))) if get_origin(hint) is Literal else ()
