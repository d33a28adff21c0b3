"""Shows the progress of a long run in one line on stderr, which disappears when the script prints."""

import time
from typing import Any, TextIO

from minitape.trace import events

_AFTER = 1.0  # seconds; shorter runs show no progress
_EVERY = 0.2


class ProgressLine:
    """Takes the place of the terminal: the script writes through it, and between writes a line shows how much was traced.

    Args:
        stream: The terminal that the script writes to.
    """

    gives_way = True  # the script must not write directly to the terminal

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._began = self._shown_at = time.monotonic()
        self._ops = self._calls = 0
        self._is_shown = False
        # Whether the output is at the start of a line. A line that the script has begun must not be overwritten.
        self._is_at_start = True

    def received(self, event: events.Event) -> None:
        """Count an event, and update the line from time to time."""
        self._ops += isinstance(event, events.OpEvent)
        self._calls += isinstance(event, events.GradientEvent)
        now = time.monotonic()
        if now - self._began > _AFTER and now - self._shown_at > _EVERY and self._is_at_start:
            self._shown_at = now
            self._is_shown = True
            said = f"{now - self._began:.0f} s   {self._ops:,} ops   {self._calls:,} gradient calls"
            self._stream.write(f"\r\x1b[K{said}")
            self._stream.flush()

    def clear(self) -> None:
        """Remove the line."""
        if self._is_shown:
            self._is_shown = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def write(self, text: str) -> int:
        """Write the script's output to the terminal."""
        self.clear()
        if text:
            self._is_at_start = text.endswith("\n")
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
