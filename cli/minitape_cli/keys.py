"""Single keys from a terminal, by name: `right`, `shift-left`, `enter`, or the letter itself.

names       the keys in what a terminal sent
Keyboard    hands over each key as it is pressed, and gives the terminal back as it was
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

# What stands after the letters ESC [ or ESC O; a Shift comes as `1;2` in between.
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

# The second letter of a special key on Windows.
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

_GLANCE = 0.05  # seconds between two looks for a key on Windows

_KEY = re.compile(
    r"\x1b[\[O](?P<shift>1;2)?(?P<code>[0-9;]*[A-Za-z~])|[\x00\xe0](?P<windows>.)|.", re.DOTALL
)
_BEGUN = re.compile(r"\x1b([\[O][0-9;]*)?$")


def names(sent: str) -> list[str]:
    """The keys in the letters that a terminal sent; what no one knows is left out."""
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
            """Wait for a key; more than one if they came at once, none if there is none `within` so many seconds."""
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
            """Let go of what was typed and not yet read."""
            import msvcrt

            while msvcrt.kbhit():
                msvcrt.getwch()

        @contextmanager
        def lent(self) -> Iterator[None]:
            """A block in which another program has the keys."""
            yield

else:

    class Keyboard:
        """The keys of a terminal, one by one.

        While it is open the terminal waits for no Enter and writes nothing of what is typed. It is set once and not for each
        key: setting it throws away what was typed ahead, and a held arrow key would stumble.
        """

        def __init__(self) -> None:
            self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

        def __enter__(self) -> Self:
            import termios
            import tty

            # A script may have come from stdin: the keys come from the terminal all the same.
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
            """Wait for a key; more than one if they came at once, `ctrl-d` at the end of the input.

            None if there is none `within` so many seconds.
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
            """Let go of what was typed and not yet read."""
            import termios

            termios.tcflush(self._from, termios.TCIFLUSH)

        @contextmanager
        def lent(self) -> Iterator[None]:
            """A block in which another program has the keys, and the terminal as it was."""
            self.__exit__(None, None, None)
            try:
                yield
            finally:
                self.__enter__()

        def _has_more(self, within: float = 0.05) -> bool:
            """Whether the rest of a key is on its way: Escape alone is a key too, and nothing follows it."""
            import select

            return bool(select.select([self._from], [], [], within)[0])
