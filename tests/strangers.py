"""Hostile text, and the characters in it that must not be printed unchanged."""

import json
import re
import unicodedata
from typing import Any

# Clears the screen, sets the title, rings the bell, erases, starts a sequence with one byte, reverses a line, breaks it, is
# invisible.
HOSTILE = "\x1b[2J\x1b]0;owned\x07\x08\x7f\x9b31m\x85\u202e\u2066\u2069\u200f\u061c\u2028\u2029\ufeff\u200b"

_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_MARKS = "\u200e\u200f\u061c"


def steering(text: str) -> list[str]:
    """Return the characters of a text that control the program that displays it; line breaks and tabs are allowed."""
    found = {each for each in text if each not in "\n\t" and _steers(each)}
    return sorted(f"U+{ord(each):04X}" for each in found)


def _steers(letter: str) -> bool:
    is_control = unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp")
    return is_control or unicodedata.bidirectional(letter) in _TURNS or letter in _MARKS


def steering_bytes(data: bytes) -> list[str]:
    """Return the same for the output of a command; bytes that are not UTF-8 become lone surrogates."""
    return steering(data.decode("utf-8", "surrogateescape"))


def without_styles(text: str) -> str:
    """Return terminal output without the sequences for style and position; sequences that hostile text could contain are
    kept.
    """
    return re.sub(r"\x1b\[[0-9;?]*[mKHJlh]", "", text)


def escaped_hostile() -> str:
    """Return the hostile text for a string in Python, JSON or TOML, with each character as an escape sequence."""
    return "".join(f"\\u{ord(each):04x}" for each in HOSTILE)


_TEXTS = ("name", "text", "code", "file", "script", "message", "target_name", "op")


def hostile_trace(lines: str) -> str:
    """Return a trace as lines of JSON, with hostile text appended to each string that may come from the user."""
    events = (_hostile(json.loads(line)) for line in lines.splitlines())
    return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in events)


def _hostile(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _hostile(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_hostile(each, key) for each in value]
    return value + HOSTILE if key in _TEXTS and isinstance(value, str) else value
