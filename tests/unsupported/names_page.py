"""Writes docs/names.md: TensorFlow's public names, room by room; which are here, which with a difference, which not.

`python -m pytest tests/unsupported --update` writes it anew.
"""

import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from minitape.unsupported import advice, table
from minitape.unsupported.messages import is_here

PAGE = Path(__file__).parents[2] / "docs" / "names.md"

_INTRO = """# TensorFlow's names

Which of TensorFlow {version}'s public names minitape has: {here} of {all}; {rooms} rooms are not here as a whole.
A program with a name that is not here can be explained on TensorFlow itself: `minitape explain --on tensorflow SCRIPT`.

What `tf` has under a shorter name too (`tf.abs`, `tf.math.abs`) is counted twice, as TensorFlow lists it. `tf.losses`,
`tf.metrics`, `tf.optimizers` and `tf.initializers` are those of `tf.keras`. This page is written by
`python -m pytest tests/unsupported --update`, from the table of names that was recorded and from what is there.
"""

# tf.losses is tf.keras.losses, and so on; what is inside raw_ops and compat is not recorded.
_TWICE = ("tf.initializers", "tf.losses", "tf.metrics", "tf.optimizers", "tf.compat", "tf.raw_ops")


def page() -> str:
    """The whole page."""
    rooms = _rooms()
    absent = [room for room in rooms if not any(map(is_here, _below(room, rooms)))]
    tops = [room for room in absent if not any(room.startswith(f"{each}.") for each in absent)]
    present = [room for room in rooms if room not in absent]
    names = [name for room in rooms for name in rooms[room]]
    intro = _INTRO.format(
        version=table.version(), here=sum(map(is_here, names)), all=len(names), rooms=len(tops)
    )
    parts = [intro, *(_section(room, rooms[room]) for room in present), _absent(tops, rooms)]
    return "\n".join(parts)


def _rooms() -> dict[str, list[str]]:
    """The names in each room, without the rooms in it."""
    rooms = defaultdict(list)
    for entry in table.each():
        if entry.kind in ("class", "function", "value"):
            room = entry.name.rpartition(".")[0]
            if not f"{room}.".startswith(tuple(f"{each}." for each in _TWICE)):
                rooms[room].append(entry.name)
    return dict(sorted(rooms.items()))


def _below(room: str, rooms: dict[str, list[str]]) -> Iterator[str]:
    for each, names in rooms.items():
        if each == room or each.startswith(f"{room}."):
            yield from names


def _section(room: str, names: Sequence[str]) -> str:
    here = [name for name in names if is_here(name)]
    lines = [f"## {room}\n"]
    if here:
        lines.append(f"Here: {_listed(here)}\n")
    differing = [f"- `{_last(name)}`: {said}" for name in here for said in _differences(name)]
    if differing:
        lines += ["Here with a difference:\n", *differing, ""]
    for why, absent in _by_reason([name for name in names if name not in here]).items():
        lines.append(f"{why}: {_listed(absent)}\n")
    return "\n".join(lines)


def _by_reason(names: Sequence[str]) -> dict[str, list[str]]:
    reasons = defaultdict(list)
    for name in names:
        reported = advice.of_namespace(name)
        why = "Not here yet" if reported is None else f"Not here. {_sentence(reported)}"
        reasons[why.rstrip(".:")].append(name)
    return reasons


def _sentence(reported: advice.Advice) -> str:
    return f"{reported.why} Instead: `{reported.instead}`" if reported.instead else reported.why


def _differences(name: str) -> list[str]:
    """What a docstring says after "Unlike TensorFlow"."""
    room, _, last = name.rpartition(".")
    path = f"minitape{room.removeprefix('tf')}"
    thing: Any = getattr(importlib.import_module(path), last)
    text = inspect.getdoc(thing) or "" if callable(thing) else ""
    return [
        " ".join(said.split()).removeprefix(", ").removeprefix(": ") + "."
        for said in re.findall(r"Unlike TensorFlow(.*?)(?:\.(?=\s)|\.?$|\n\n)", text, re.DOTALL)
    ]


def _absent(tops: Sequence[str], rooms: dict[str, list[str]]) -> str:
    rows = [
        "## Rooms that are not here\n",
        "| room | names | why | instead |",
        "| --- | --- | --- | --- |",
    ]
    for room in tops:
        reported = advice.of_namespace(room) or advice.Advice("Not here yet.")
        instead = f"`{reported.instead}`" if reported.instead else ""
        rows.append(f"| `{room}` | {len(list(_below(room, rooms)))} | {reported.why} | {instead} |")
    return "\n".join(rows) + "\n"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{_last(name)}`" for name in names)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
