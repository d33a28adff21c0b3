"""A trace as text: what whoever listens needs in order to write one. Python's standard library and nothing else, from 3.10 on.

A writer hands on one dict for each event, `{"i": 7, "k": "note", …}`, with the names and in the order of docs/trace-format.md
(events.py declares them; it is not imported here, for the Python that runs a user's program may not have what it takes).

FORMAT, VERSION  what the header says
ITEM_SIZES       the dtypes whose elements can be packed
encode           one event as one line of text, the same bytes each time
strict           the numbers that JSON lacks as strings
seldom_searched  for the time in which a trace is made or read
never_searched   for the time in which a page is made of one
"""

import gc
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minitape.printable import escaped

FORMAT = "minitape-trace"
VERSION = 1

# How many bytes an element has in `packed`.
ITEM_SIZES = {
    "bool": 1,
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "uint16": 2,
    "float16": 2,
    "bfloat16": 2,
    "int32": 4,
    "uint32": 4,
    "float32": 4,
    "int64": 8,
    "uint64": 8,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}

EventDict = dict[str, Any]  # an event under the names of the format


def encode(event: EventDict) -> str:
    """One event as one line of JSON, without the line break; what would steer a terminal is written as an escape.

    >>> encode({"i": 4, "k": "note", "text": "½", "mean": math.inf})
    '{"i": 4, "k": "note", "text": "½", "mean": "Infinity"}'
    """
    try:
        text = json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    except ValueError:
        text = json.dumps(strict(event), ensure_ascii=False, separators=(", ", ": "))
    return escaped(text)


def strict(value: Any) -> Any:
    """The same value with the numbers that JSON lacks as strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    return value


_SELDOM = 1000  # searches of the young objects to one of all; Python's own number is 10


@contextmanager
def seldom_searched() -> Iterator[None]:
    """Let Python look for garbage among young objects as ever, and seldom among all.

    A trace and its graph are large, live long and hold no cycles: to look through all of them again and again, while they grow,
    takes longer than to write them.
    """
    before = gc.get_threshold()
    if (
        before[2] >= _SELDOM
    ):  # within another; and recordings may end in any order, so that one must not undo the other
        yield
        return
    gc.set_threshold(before[0], before[1], _SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def never_searched() -> Iterator[None]:
    """Let Python not look for garbage at all, while for a few seconds much is made and nothing of it goes round in cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                # What is left counts as old: else all of it would be searched at once, now.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
