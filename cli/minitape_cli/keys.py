"""Single keys from a terminal, by name: `right`, `shift-left`, `enter`, or the letter itself.

names       the keys in a string that a terminal sent
Keyboard    returns each key when it is pressed, and restores the terminal's settings at the end
"""

import codecs
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

_NAMES = {
    "\r": "enter",
    "\n": "enter",
    "\x1b": "escape",
    "\x08": "backspace",
    "\x7f": "backspace",
    "\x03": "ctrl-c",
    "\x04": "ctrl-d",
}

# The text after ESC [ or ESC O; Shift adds `1;2` before the letter.
_ESCAPED = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "1~": "home",
    "7~": "home",
    "4~": "end",
    "8~": "end",
    "5~": "pageup",
    "6~": "pagedown",
}

# The second character of a special key on Windows.
_ON_WINDOWS = {
    "H": "up",
    "P": "down",
    "M": "right",
    "K": "left",
    "G": "home",
    "O": "end",
    "I": "pageup",
    "Q": "pagedown",
}

_GLANCE = 0.05  # seconds between two checks for a key on Windows

_KEY = re.compile(
    r"\x1b[\[O](?P<shift>1;2)?(?P<code>[0-9;]*[A-Za-z~])|[\x00\xe0](?P<windows>.)|.", re.DOTALL
)
_BEGUN = re.compile(r"\x1b([\[O][0-9;]*)?$")


def names(sent: str) -> list[str]:
    """Return the keys in a string that a terminal sent; unknown keys are ignored."""
    found = []
    for match in _KEY.finditer(sent):
        if match["code"] is not None:
            name = _ESCAPED.get(match["code"], "")
            found.append(f"shift-{name}" if match["shift"] and name else name)
        elif match["windows"] is not None:
            found.append(_ON_WINDOWS.get(match["windows"], ""))
        else:
            letter = match[0]
            found.append(_NAMES.get(letter, letter if letter.isprintable() else ""))
    return [name for name in found if name]


if sys.platform == "win32":

    class Keyboard:
        """The keys of a console, one by one."""

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def read(self, within: float | None = None) -> list[str]:
            """Wait for a key, at most `within` seconds; return several keys if they arrived together, and none if the time has
            expired.
            """
            import msvcrt

            import typer

            until = float("inf") if within is None else time.monotonic() + within
            while within is not None and not msvcrt.kbhit():
                if time.monotonic() > until:
                    return []
                time.sleep(_GLANCE)
            try:
                return names(typer.getchar())
            except EOFError:
                return ["ctrl-d"]

        def forget(self) -> None:
            """Discard keys that were typed but not yet read."""
            import msvcrt

            while msvcrt.kbhit():
                msvcrt.getwch()

        @contextmanager
        def suspended(self) -> Iterator[None]:
            """Return a context in which another program reads the keys."""
            yield

else:

    class Keyboard:
        """The keys of a terminal, one by one.

        While it is open, the terminal does not wait for Enter and does not echo. The mode is set once and not for each key,
        because
        setting it discards the keys typed ahead, so that a held arrow key would skip.
        """

        def __init__(self) -> None:
            self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

        def __enter__(self) -> Self:
            import termios
            import tty

            # The script may have been read from stdin; the keys still come from the terminal.
            self._own = not sys.stdin.isatty()
            self._from = os.open("/dev/tty", os.O_RDONLY) if self._own else sys.stdin.fileno()
            self._before = termios.tcgetattr(self._from)
            tty.setcbreak(self._from)
            return self

        def __exit__(
            self,
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
        ) -> None:
            import termios

            termios.tcsetattr(self._from, termios.TCSADRAIN, self._before)
            if self._own:
                os.close(self._from)

        def read(self, within: float | None = None) -> list[str]:
            """Wait for a key; returns several keys if they arrived together, `ctrl-d` at the end of the input.

            It waits at most `within` seconds; the list is empty if there was no key.
            """
            if within is not None and not self._has_more(within):
                return []
            sent = os.read(self._from, 64)
            if not sent:
                return ["ctrl-d"]
            text = self._decoder.decode(sent)
            while _BEGUN.search(text) and self._has_more():
                text += self._decoder.decode(os.read(self._from, 64))
            return names(text)

        def forget(self) -> None:
            """Discard keys that were typed but not yet read."""
            import termios

            termios.tcflush(self._from, termios.TCIFLUSH)

        @contextmanager
        def suspended(self) -> Iterator[None]:
            """Return a context in which another program reads the keys, with the terminal's original settings."""
            self.__exit__(None, None, None)
            try:
                yield
            finally:
                self.__enter__()

        def _has_more(self, within: float = 0.05) -> bool:
            """Whether more of a key sequence follows; after the Escape key alone, nothing follows."""
            import select

            return bool(select.select([self._from], [], [], within)[0])
