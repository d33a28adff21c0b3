"""What is wrong with an event by itself, in the words of a command: msgspec says "Expected `int`, got `str` - at `$.op`".

fault    'op is no integer'
"""

import re
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from minitape.trace.events import KINDS

_NAMES = {
    "int": "integer",
    "float": "number",
    "str": "string",
    "bool": "boolean",
}

# How a message of msgspec begins, and what we say: each takes the groups that were found.
_WORDS: tuple[tuple[str, Callable[..., str]], ...] = (
    (r"Expected `array` of length (\d+)", "is not {} entries long".format),
    (r"Expected `array` of length >= (\d+)", "has fewer than {} entries".format),
    (r"Expected `array` of length <= (\d+)", "has more than {} entries".format),
    (r"Expected `int` >= (-?\d+)", "is below {}".format),
    (r"Expected `([^`]*)`.*", lambda types: f"is no {_named(types)}"),
    (r"Object missing required field `(.*)`", "has no {}".format),
    (r"Integer value out of range", "is out of range".format),
)


def fault(kind: str, error: msgspec.ValidationError) -> str:
    """Where an event is not as its kind has to be, and how.

    >>> fault("end", msgspec.ValidationError("Expected `int` >= 0 - at `$.dropped`"))
    'dropped is below 0'
    """
    said, _, path = str(error).partition(" - at ")
    where = path.replace("`", "").replace("key in ", "a key in ").replace("$.", "")
    if said.startswith("Invalid enum value"):
        choices = _choices(kind, where)
        what = f"is none of {', '.join(choices)}" if choices else "is no number"
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
    """The texts that may stand at some place of an event, as declared; none where a number may stand as well."""
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
