"""Safe display of untrusted text: source lines, names, messages and traces may contain characters that control a terminal.

printable         one line of text
printable_lines   text of several lines
escaped           JSON text with the same data

A control character can move the cursor or write to the clipboard, a bidirectional one can show a line in a different order than
Python reads it, and an invisible one can hide text. All output of minitape passes through here; a script's own output does not.
"""

import re

# Control characters (C0, DEL, C1), line and paragraph separators, surrogates, code points that are never characters, and
# format characters: bidirectional, invisible, annotations, tags. Joiners (U+200C, U+200D) are allowed, because emoji and
# several scripts need them.
_STEERING = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f"
)
_IN_LINES = re.compile(f"[{_STEERING}]")
_IN_A_LINE = re.compile(rf"[\t\n{_STEERING}]")
_INSTEAD = "·"


def printable(text: str) -> str:
    """Return one line of text, with a dot for each character that could control the display.

    Args:
        text: Any text; line breaks and tabs become dots too.

    Returns:
        A string of the same length, so that columns stay the same.

    >>> printable("loss\\x1b[2J")
    'loss·[2J'
    """
    # Nearly all text is printable, which Python can test without a search for each character.
    return text if text.isprintable() else _IN_A_LINE.sub(_INSTEAD, text)


def printable_lines(text: str) -> str:
    """Return text of several lines, with a dot for each character that could control the display; keep line breaks and tabs.

    Args:
        text: Any text. A line ends with a line feed, or with a carriage return before it.

    Returns:
        The same lines, each of the same length.

    >>> printable_lines("a\\tb\\r\\nc\\x07")
    'a\\tb\\nc·'
    """
    if text.isprintable():
        return text
    return _IN_LINES.sub(_INSTEAD, text.replace("\r\n", "\n"))


def escaped(json: str) -> str:
    r"""Return JSON text in which such characters are written as `\u…`, so that the data are the same and printing them is
    harmless.

    Args:
        json: JSON text in which the encoder has already escaped the control characters below U+0020.

    Returns:
        The same JSON; half of a surrogate pair, which a file name may contain, becomes U+FFFD.

    >>> escaped('{"name": "a\x7fb\u202ec"}')
    '{"name": "a\\u007fb\\u202ec"}'
    """
    if json.isascii() and "\x7f" not in json:  # nearly always true, and fast
        return json
    return _IN_LINES.sub(_as_escape, json)


def _as_escape(match: re.Match[str]) -> str:
    """JSON writes a character above U+FFFF as a pair of escapes.

    One half of a surrogate pair is not valid text for JSON readers.
    """
    if "\ud800" <= match.group() <= "\udfff":
        return r"\ufffd"
    units = match.group().encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
