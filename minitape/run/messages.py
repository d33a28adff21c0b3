"""Encodes the messages of the channel as bytes: an event of the trace, or a message about the run.

    of_event, of_word   for the script's process, which may be a Python without msgspec
    is_event, word      for the command; `minitape.trace.reading.decode` reads an event

An event is its JSON, which begins with a brace. A message about the run begins with an exclamation mark and is written with
`marshal`, which is written in C, so that a script cannot change it. Both ends are in this module.
"""

from __future__ import annotations

import marshal
from typing import Any

from minitape.trace.writing import EventDict, encode

try:
    from msgspec.json import Encoder
except ImportError:  # the user's Python may have only NumPy
    _quick = None
else:
    _quick = Encoder().encode  # this is five times as fast as `encode`

_write, _read = (
    marshal.dumps,
    marshal.loads,
)  # saved here, because a script may replace them
_VERSION = 4  # the version of `marshal` that every Python from 3.4 on can read

_ORDINARY, _COUNTED = b'"nan":0,"inf":0', b'"nan":'
_FIRST, _LATER = b"[null", b",null"  # null in a list


def of_event(event: EventDict) -> bytes:
    """Return an event as bytes."""
    if _quick is not None:
        try:
            data = _quick(event)
        except (TypeError, UnicodeEncodeError):  # a NumPy number, or half of a surrogate pair
            return encode(event).encode()
        # msgspec writes null for numbers that JSON lacks; the trace format has strings for these numbers.
        is_finite = data.count(_ORDINARY) == data.count(_COUNTED)
        if is_finite and _FIRST not in data and _LATER not in data:
            return data
    return encode(event).encode()


def of_word(**word: Any) -> bytes:
    """Return a message about the run, in simple Python types."""
    return b"!" + _write(word, _VERSION)


def is_event(message: bytes) -> bool:
    return message[:1] == b"{"


def word(message: bytes) -> dict[str, Any]:
    """Return the arguments of `of_word`."""
    said: dict[str, Any] = _read(message[1:])
    return said
