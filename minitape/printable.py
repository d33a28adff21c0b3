"""Text from strangers as it may be shown: source lines, names, messages and traces may hold characters that steer a terminal.

printable         one line of text
printable_lines   text of several lines
escaped           JSON text that stays the same data

A control character moves the cursor or writes to the clipboard, a bidirectional one shows a line in another order than Python
reads it, an invisible one hides. Everything that minitape shows goes through here; what a script prints itself does not.
"""

import re

# Control characters (C0, DEL, C1), line and paragraph separators, surrogates, what is not a character, and format characters:
# bidirectional, invisible, annotations, tags. Joiners (U+200C, U+200D) stay: emoji and several scripts are written with them.
_STEERING = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f"
)
_IN_LINES = re.compile(f"[{_STEERING}]")
_IN_A_LINE = re.compile(rf"[\t\n{_STEERING}]")
_INSTEAD = "·"


def printable(text: str) -> str:
    """One line of text, with a dot for each character that would steer what shows it.

    Args:
        text: Any text; a line break or a tab in it becomes a dot too.

    Returns:
        Text of the same length, so that columns stay where they are.

    >>> printable("loss\\x1b[2J")
    'loss·[2J'
    """
    # Nearly all text is printable, which Python knows without looking for each of them.
    return text if text.isprintable() else _IN_A_LINE.sub(_INSTEAD, text)


def printable_lines(text: str) -> str:
    """Text of several lines, with a dot for each character that would steer what shows it; line breaks and tabs stay.

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
    r"""JSON text in which such characters are written as `\u…`: the same data, and harmless where it is printed.

    Args:
        json: JSON text, whose encoder has escaped the control characters below U+0020.

    Returns:
        The same JSON; half of a surrogate pair, which a file name may hold, becomes U+FFFD.

    >>> escaped('{"name": "a\x7fb\u202ec"}')
    '{"name": "a\\u007fb\\u202ec"}'
    """
    if json.isascii() and "\x7f" not in json:  # as nearly all is; this takes no time
        return json
    return _IN_LINES.sub(_as_escape, json)


def _as_escape(match: re.Match[str]) -> str:
    """JSON writes a character beyond U+FFFF as two. Half of such a pair is no text, and no reader of JSON takes it."""
    if "\ud800" <= match.group() <= "\udfff":
        return r"\ufffd"
    units = match.group().encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
