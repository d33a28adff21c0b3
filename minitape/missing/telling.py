"""The sentences about a name that is not here: whose it is, whether it will come, and what to write instead."""

import importlib
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cache
from typing import NamedTuple

from minitape.missing import advice, table

_ELSEWHERE = "minitape explain --on tensorflow SCRIPT"


class Told(NamedTuple):
    what: str
    fix: str


def of_name(name: str, there: Iterable[str]) -> Told:
    """What `tf.nn.relu7` is, `there` being what stands in its room."""
    room, _, last = name.rpartition(".")
    if room == "tf.compat.v1" and is_here(f"tf.{last}"):
        return Told(
            f"{name} has another meaning in TensorFlow 1, which minitape has not.", f"tf.{last}"
        )
    name = _after_compat(name)
    entry = table.find(name)
    earlier = advice.of_version_1(name)
    if earlier or (entry is not None and entry.kind == "v1"):
        return _of_version_1(name, entry, earlier)
    if entry is None and name in advice.ROOMS:
        entry = table.Entry(name, "room", "", ())
    if entry is not None:
        return _tensorflows(entry)
    return Told(
        f"Neither TensorFlow {table.version()} nor minitape has {name}.",
        _meant(name, there) or f"sorted(dir({room})), which lists what is there",
    )


def _after_compat(name: str) -> str:
    """The old names stand in the table as TensorFlow 1 had them; those of 2 need no detour."""
    for detour in ("tf.compat.v1.", "tf.compat.v2."):
        if name.startswith(detour) and table.find("tf." + name.removeprefix(detour)):
            return "tf." + name.removeprefix(detour)
    return name


@cache  # a library that asks with hasattr asks for the same name again and again
def _tensorflows(entry: table.Entry) -> Told:
    room = advice.of_room(entry.name) or advice.Advice("")
    instead = room.instead or next(iter(_here(entry.others)), "") or _of_that_ending(entry.name)
    runs = f"{_ELSEWHERE}, which explains the program as it is"
    return Told(
        f"minitape has no {spoken(entry)}. {_described(entry)} {room.why or 'It is not here yet.'}",
        f"{instead}\n  or  : {runs}" if instead else runs,
    )


def spoken(entry: table.Entry) -> str:
    """`Model.save` for an attribute; the full name for all else."""
    return ".".join(entry.name.split(".")[-2:]) if entry.kind == "attribute" else entry.name


def _described(entry: table.Entry) -> str:
    if entry.says:
        return f"In TensorFlow: {entry.says.removesuffix('.')}."
    return f"In TensorFlow it is a {entry.kind}."


def _of_version_1(name: str, entry: table.Entry | None, earlier: str) -> Told:
    later = entry.others if entry is not None else ()
    says = f" ({entry.says.removesuffix('.')})" if entry is not None and entry.says else ""
    return Told(
        f"{name if entry is None else spoken(entry)} is of TensorFlow 1{says}. "
        "TensorFlow 2 has it no more, and neither has minitape.",
        earlier
        or next(iter(later), "")
        or _of_that_ending(name)
        or "the program for TensorFlow 2; https://www.tensorflow.org/guide/migrate tells how",
    )


def later(name: str) -> str | None:
    """The name that a function of TensorFlow 1 has in TensorFlow 2, if it is here."""
    entry = table.find(name)
    if entry is None or entry.kind != "v1":
        return None
    return next(iter(_here(entry.others)), None)


def _meant(name: str, there: Iterable[str]) -> str:
    """What is here and called nearly so, or so in another room."""
    room, _, last = name.rpartition(".")
    near = nearest(last, there)
    return f"{room}.{near}" if near else _of_that_ending(name)


def _of_that_ending(name: str) -> str:
    """A function of the same last name that is here, in another room."""
    last = name.rpartition(".")[2]
    return next(iter(_here(each for each in table.same_ending(last) if each != name)), "")


def _here(names: Iterable[str]) -> list[str]:
    return [name for name in names if is_here(name)]


def is_here(name: str) -> bool:
    """Whether minitape has it, without asking for it: that would be told again."""
    room, _, last = name.rpartition(".")
    path = "minitape" + room.removeprefix("tf") if room != "tf" else "minitape.window"
    try:
        found = importlib.import_module(path)
    except ModuleNotFoundError:
        return False
    # Some come with their first use, and some of those need an optional package.
    listed = (*getattr(found, "__all__", ()), *getattr(found, "__optional__", ()))
    return last in vars(found) or last in listed


def nearest(name: str, there: Iterable[str]) -> str | None:
    """The most similar of those that are one slip away."""
    slips = [each for each in there if is_slip(name, each)]
    return max(slips, key=lambda each: SequenceMatcher(None, name, each).ratio(), default=None)


def is_slip(name: str, other: str) -> bool:
    """Whether two words are one letter apart, or have two neighbours swapped; capitals do not count."""
    a, b = sorted((name.lower(), other.lower()), key=len)
    if name == other or len(a) < 3 or len(b) - len(a) > 1:
        return False
    if len(a) < len(b):
        return any(b[:i] + b[i + 1 :] == a for i in range(len(b)))
    apart = [i for i in range(len(a)) if a[i] != b[i]]
    return len(apart) < 2 or (
        len(apart) == 2
        and apart[1] == apart[0] + 1
        and a[apart[0]] + a[apart[1]] == b[apart[1]] + b[apart[0]]
    )
