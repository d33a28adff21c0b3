"""What is said over the channel, in bytes: an event of the trace, or a word about the run.

    of_event, of_word   for the script's process, which may be a Python without msgspec
    is_event, word      for the command's; an event is read by `minitape.trace.reading.decode`

An event is its JSON, which begins with a brace. Before a word stands an exclamation mark; it is written by `marshal`, which is no
Python that a script could have changed, and both ends are this page.
"""

from __future__ import annotations

import marshal
from typing import Any

from minitape.trace.writing import EventDict, encode

try:
    from msgspec.json import Encoder
except ImportError:  # the Python of a user's who has only NumPy there
    _quick = None
else:
    _quick = Encoder().encode  # five times as quick as the library's

_write, _read = (
    marshal.dumps,
    marshal.loads,
)  # held here, for a script may put something else in their places
_VERSION = 4  # every Python from 3.4 on reads it

_ORDINARY, _COUNTED = b'"nan":0,"inf":0', b'"nan":'
_FIRST, _LATER = b"[null", b",null"  # in a list


def of_event(event: EventDict) -> bytes:
    """An event as the channel carries it."""
    if _quick is not None:
        try:
            data = _quick(event)
        except (TypeError, UnicodeEncodeError):  # a number of NumPy's, or half of a surrogate pair
            return encode(event).encode()
        # It writes null for what JSON has no number for: then the words of the format are needed.
        is_finite = data.count(_ORDINARY) == data.count(_COUNTED)
        if is_finite and _FIRST not in data and _LATER not in data:
            return data
    return encode(event).encode()


def of_word(**word: Any) -> bytes:
    """Something about the run, in Python's simple types."""
    return b"!" + _write(word, _VERSION)


def is_event(message: bytes) -> bool:
    return message[:1] == b"{"


def word(message: bytes) -> dict[str, Any]:
    """What `of_word` was given."""
    said: dict[str, Any] = _read(message[1:])
    return said
