"""Text as a stranger may write it, and what of it must not come out as itself."""

import re
import unicodedata

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
