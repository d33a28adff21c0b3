"""Text as a stranger may write it, and what of it must not come out as itself."""

import json
import re
import unicodedata
from typing import Any

# Clears a screen, rings, erases, starts a sequence in one byte, turns a line round, breaks it, is invisible.
HOSTILE = "\x1b[2J\x1b]0;owned\x07\x08\x7f\x9b31m\x85\u202e\u2066\u2069\u200f\u061c\u2028\u2029\ufeff\u200b"

_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_MARKS = "\u200e\u200f\u061c"


def steering(text: str) -> list[str]:
    """The characters of a text that steer what shows it; line breaks and tabs are layout."""
    found = {each for each in text if each not in "\n\t" and _steers(each)}
    return sorted(f"U+{ord(each):04X}" for each in found)


def _steers(letter: str) -> bool:
    is_control = unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp")
    return is_control or unicodedata.bidirectional(letter) in _TURNS or letter in _MARKS


def steering_bytes(data: bytes) -> list[str]:
    """The same of what a command wrote; what is not UTF-8 is a lone surrogate."""
    return steering(data.decode("utf-8", "surrogateescape"))


def without_styles(text: str) -> str:
    """What a terminal is sent without the sequences that only dress or place text; what a stranger could send stays."""
    return re.sub(r"\x1b\[[0-9;?]*[mKHJlh]", "", text)


def escaped_hostile() -> str:
    """The hostile text as it stands in a string of Python, JSON or TOML: each character as an escape."""
    return "".join(f"\\u{ord(each):04x}" for each in HOSTILE)


_TEXTS = ("name", "text", "code", "file", "script", "message", "target_name", "op")


def hostile_trace(lines: str) -> str:
    """A trace, in lines of JSON, with hostile text behind each text that is not one of a few known words."""
    events = (_hostile(json.loads(line)) for line in lines.splitlines())
    return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in events)


def _hostile(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _hostile(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_hostile(each, key) for each in value]
    return value + HOSTILE if key in _TEXTS and isinstance(value, str) else value
