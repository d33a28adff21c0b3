"""Connects a script's standard streams to those of the command, directly if possible.

A stream of the operating system is passed to the process as it is, so that the script sees the same terminal, file or pipe, and
output is not copied. Other streams (in tests, or for a progress line that must disappear) are fed from a pipe, or from a
pseudo-terminal if the script should see a terminal.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

if TYPE_CHECKING:
    from minitape.run.child.copies import Copy

_P = TypeVar("_P", bound="subprocess.Popen[bytes] | Copy")
_PIECE = 1 << 16


class Streams:
    """The three standard streams of one process.

    Args:
        out: Where its standard output goes.
        err: Where its standard error goes.
        in_step: Whether `pass_on` will be called for its output, so that the command can print in between.
        reads_stdin: Whether it inherits this process's standard input; else its input is empty.
    """

    def __init__(
        self, out: TextIO, err: TextIO, *, in_step: bool = False, reads_stdin: bool = True
    ) -> None:
        self._out, self._err = out, err
        self._in_step = in_step
        self._reads_stdin = reads_stdin
        self._stepped: _Flow | None = None
        self._pumps: list[threading.Thread] = []
        self._flows: list[_Flow] = []

    @property
    def passed_on(self) -> int:
        """How many bytes were passed on here."""
        return sum(flow.moved for flow in self._flows)

    def started(self, start: Callable[..., _P]) -> _P:
        """Start a process with these streams, which `start` receives as `stdin`, `stdout` and `stderr`.

        Raises:
            OSError: the process cannot be started.
        """
        for stream in (self._out, self._err):
            stream.flush()  # output from before the start must appear first
        given = _number_of(sys.stdin) if self._reads_stdin else subprocess.DEVNULL
        out, err = self._end_for(self._out, self._in_step), self._end_for(self._err)
        try:
            process = start(
                stdin=subprocess.PIPE if given is None else given,
                stdout=out[0],
                stderr=err[0],
            )
        finally:
            for number, source in (out, err):
                if source is not None:
                    os.close(number)
        if process.stdin is not None:
            self._pump(_feed, process.stdin, _left_to_read())
        for (_, source), goal in ((out, self._out), (err, self._err)):
            if source is not None and goal is self._out and self._in_step:
                self._stepped = self._flow(source, goal)
            elif source is not None:
                self._pump(_drain, self._flow(source, goal))
        return process

    def pass_on(self, seconds: float, before: Callable[[], None]) -> None:
        """Wait at most this long for output of the script, and pass it on after calling `before`."""
        if self._stepped is None or self._stepped.is_over:
            time.sleep(seconds)
        elif select.select([self._stepped.source], [], [], seconds)[0]:
            before()
            self._stepped.move()

    def end(self) -> None:
        """Wait until all output has arrived."""
        while self._stepped is not None and not self._stepped.is_over:
            self._stepped.move()
        for pump in self._pumps:
            pump.join()

    def _flow(self, source: int, goal: TextIO) -> _Flow:
        self._flows.append(_Flow(source, goal))
        return self._flows[-1]

    def _pump(self, work: Any, *args: Any) -> None:
        pump = threading.Thread(target=work, args=args, daemon=True)
        pump.start()
        if work is _drain:
            self._pumps.append(pump)

    @staticmethod
    def _end_for(stream: TextIO, in_step: bool = False) -> tuple[int, int | None]:
        """Return the end that the process writes to, and the end that is read here, if there is one."""
        number = _number_of(stream)
        if number is not None and not hasattr(stream, "gives_way") and not in_step:
            return number, None
        if number is not None and os.name == "posix" and stream.isatty():
            return _terminal_like(number)
        source, goal = os.pipe()
        return goal, source


def _number_of(stream: Any) -> int | None:
    """Return the file descriptor of a stream; None for a stream that exists only in Python."""
    try:
        number: int = stream.fileno()
        os.fstat(number)
    except (AttributeError, OSError, ValueError):
        return None
    return number


def _left_to_read() -> bytes:
    """Return the unread rest of a Python stream that replaces stdin."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        data: bytes = sys.stdin.buffer.read()
        return data
    return b""


def _feed(goal: Any, data: bytes) -> None:
    with contextlib.suppress(OSError), goal:
        goal.write(data)


class _Flow:
    """Passes on the output of the process, unchanged if the stream accepts bytes."""

    def __init__(self, source: int, goal: TextIO) -> None:
        self.source = source
        self.is_over = False
        self.moved = 0  # bytes
        self._goal = goal
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def move(self) -> None:
        """Read the available output, or wait for it, and pass it on."""
        try:
            piece = os.read(self.source, _PIECE)
        except OSError:  # a terminal whose other end was closed raises this
            piece = b""
        self.moved += len(piece)
        if not piece:
            self.is_over = True
            os.close(self.source)
        elif hasattr(self._goal, "buffer") and not hasattr(self._goal, "gives_way"):
            self._goal.buffer.write(piece)
        else:
            self._goal.write(self._decoder.decode(piece))
        self._goal.flush()


def _drain(flow: _Flow) -> None:
    """Pass on all output of the process."""
    while not flow.is_over:
        flow.move()


def _terminal_like(number: int) -> tuple[int, int]:
    """Return a pseudo-terminal of the same size as another terminal: the end to write to, and the end to read from."""
    import fcntl
    import pty
    import termios

    source, goal = pty.openpty()
    size = fcntl.ioctl(number, termios.TIOCGWINSZ, b"\0" * 8)
    fcntl.ioctl(goal, termios.TIOCSWINSZ, size)
    settings = termios.tcgetattr(goal)
    settings[1] &= ~termios.OPOST  # the original terminal converts line breaks
    termios.tcsetattr(goal, termios.TCSANOW, settings)
    return goal, source
