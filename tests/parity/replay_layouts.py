"""Replay TensorFlow's recorded cases with different memory layouts of arrays: `python tests/parity/replay_layouts.py`.

    outside     the program's own NumPy creates its arrays in the layout
    inside      the engine stores each constant and variable in the layout, as it stores a transposed tensor

The script prints each case whose result differs from TensorFlow's record. `test_layouts.py` runs a sample of the cases.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))

from layouts import LAYOUTS
from outcomes import observe
from programs import PAGES, cases
from test_replay import differences, recorded

# These programs write to an array that they created, which fails for a read-only array.
WRITES = {"an_array_changed_later_does_not_change_the_tensor", "elements_after_the_array_changed"}
# The engine owns its arrays: they are in this machine's byte order and writable.
INSIDE = [layout for layout in LAYOUTS if layout not in ("big-endian", "read-only")]


class OddNumpy:
    """NumPy, except for the layout of the arrays that its functions return."""

    def __init__(self, stored: Callable[[Any], Any]) -> None:
        self._stored = stored

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if not callable(found) or isinstance(found, type):
            return found
        return lambda *args, **settings: _odd(found(*args, **settings), self._stored)


def _odd(value: Any, stored: Callable[[Any], Any]) -> Any:
    is_array = type(value) is np.ndarray and value.dtype.kind in "fciub" and value.ndim
    return stored(value) if is_array else value


@contextmanager
def kept_as(stored: Callable[[Any], Any]) -> Iterator[None]:
    """The engine stores its inputs in this layout."""
    from minitape.core import convert

    enters = convert.as_array, convert.beside
    odd = [_stored_by(enter, stored) for enter in enters]
    places = [
        (module, name, enters.index(value))
        for module in list(sys.modules.values())
        if isinstance(module, ModuleType) and module.__name__.startswith("minitape")
        for name, value in list(vars(module).items())
        if value in enters
    ]
    for module, name, which in places:
        setattr(module, name, odd[which])
    try:
        yield
    finally:
        for module, name, which in places:
            setattr(module, name, enters[which])


def _stored_by(enter: Callable[..., Any], stored: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda *args, **settings: _odd(enter(*args, **settings), stored)


def wrong(layout: str, *, inside: bool, step: int = 1) -> tuple[int, list[str]]:
    """Replay every `step`-th case in a layout; return the number of cases, and a sentence for each that differs."""
    import minitape as tf

    stored = LAYOUTS[layout]
    found = [
        (page, name, record)
        for page in dict.fromkeys(PAGES)
        for name, record in recorded(page).items()
        if not (layout == "read-only" and name in WRITES)
    ][::step]
    said = []
    with kept_as(stored) if inside else nullcontext():
        for page, name, record in found:
            case = played = cases(page)[name]
            if not inside:
                odd = OddNumpy(stored)
                played = replace(case, program=lambda tf, _, case=case, odd=odd: case(tf, odd))
            outcome = observe(played, tf)
            said += [f"{page}: {name}: {each}" for each in differences(case, outcome, record)]
    return len(found), said


def main() -> None:
    for layout in LAYOUTS:
        for inside in (False, True) if layout in INSIDE else (False,):
            count, said = wrong(layout, inside=inside)
            print(*said, sep="\n", end="\n" if said else "")
            where = "inside" if inside else "outside"
            print(f"{layout}, {where}: {count} cases, {len(said)} differ", flush=True)


if __name__ == "__main__":
    main()
