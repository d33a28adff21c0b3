"""Writes a trace as text, for a tracer; it needs only Python's standard library, from 3.10 on.

A tracer emits one dict for each event, `{"i": 7, "k": "note", …}`, with the names and in the order of docs/trace-format.md
(events.py declares them; it is not imported here, because the Python that runs a user's program may lack its dependencies).

FORMAT, VERSION  the format in the header
ITEM_SIZES       the dtypes whose elements can be packed
encode           one event as one line of text, always as the same bytes
strict           replaces numbers that JSON lacks with strings
seldom_searched  a context for creating or reading a trace
never_searched   a context for creating a page from one
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

# The number of bytes of an element in `packed`.
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

EventDict = dict[str, Any]  # an event with the names of the format


def encode(event: EventDict) -> str:
    """Return one event as one line of JSON, without the line break; characters that could control a terminal are escaped.

    >>> encode({"i": 4, "k": "note", "text": "½", "mean": math.inf})
    '{"i": 4, "k": "note", "text": "½", "mean": "Infinity"}'
    """
    try:
        text = json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    except ValueError:
        text = json.dumps(strict(event), ensure_ascii=False, separators=(", ", ": "))
    return escaped(text)


def strict(value: Any) -> Any:
    """Return the same value with the numbers that JSON lacks replaced with strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    return value


_SELDOM = 1000  # collections of young objects per full collection; Python's default is 10


@contextmanager
def seldom_searched() -> Iterator[None]:
    """Return a context with normal garbage collection of young objects, but rare full collections.

    A trace and its graph are large, live long and contain no cycles, so scanning all their objects repeatedly while they grow
    would take longer than writing them.
    """
    before = gc.get_threshold()
    if (
        before[2] >= _SELDOM
    ):  # nested recordings may end in any order, so one must not undo the setting of another
        yield
        return
    gc.set_threshold(before[0], before[1], _SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


# Python 3.12 itself freezes a few hundred objects at startup; a larger number means that the program has frozen its own objects.
_FROZEN_BY_PYTHON = 1_000


@contextmanager
def never_searched() -> Iterator[None]:
    """Return a context without garbage collection, for a few seconds in which many objects without cycles are created."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_freeze_count() <= _FROZEN_BY_PYTHON:
                # Mark the remaining objects as old; otherwise, all of them would be scanned now.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
