"""Stops a script at its limits, from inside its own process.

    Guard         watches time, ops, gradient calls and Ctrl-C, as the tracer's sink and with a system timer
    LimitReached  the exception that it raises in the script

A script that cannot be stopped this way is killed from outside a second later (`process.py`).
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from minitape.run.ending import Limit
from minitape.trace.writing import EventDict
from minitape.tracer import source
from minitape.tracer.tracer import Tracer


class LimitReached(BaseException):
    """A limit was reached. It is not an `Exception`, so a script's `except Exception` does not catch it."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit


_TICK = 0.05  # seconds until a stop at an unsuitable moment is tried again
_LINES = 13  # a stop that was caught is tried again after at most this many lines
_FORGIVEN = 60.0  # the maximum number of seconds that can be excluded at a time


def _is_dropped(running: CodeType) -> bool:
    """Whether the current code is the garbage collector's callback for an import lock, where Python drops exceptions."""
    return running.co_name == "cb" and running.co_filename == "<frozen importlib._bootstrap>"


class Guard:
    """Stops the script at its limits. Ctrl-C is delayed while an event is being written, so that no event is incomplete.

    Args:
        timeout: Seconds; 0 for no limit.
        max_ops: The number of ops; 0 for no limit.
        max_calls: The number of gradient calls; None for no limit.
        runs_on: Whether a limit stops the tracer instead of the script; `unwatched` is then that limit.
        sink: Called with each event before it is counted.
        received: Called at each Ctrl-C.
        forgiven: Called with a number of seconds that do not count, or count again.
    """

    tracer: Tracer

    def __init__(
        self,
        timeout: float,
        max_ops: int,
        max_calls: int | None = None,
        *,
        runs_on: bool = False,
        sink: Callable[[EventDict], None] | None = None,
        received: Callable[[], None] = lambda: None,
        forgiven: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.unwatched: Limit | None = None
        self._timeout = timeout
        self._max_ops = max_ops
        self._max_calls = float("inf") if max_calls is None else max_calls
        self._runs_on = runs_on
        self._sink = sink
        self._received = received
        self._forgiven = forgiven
        self._deadline: float | None = None
        self._before: Any = None
        self._stops = 0
        self._tracing: Any = None
        is_main = threading.current_thread() is threading.main_thread()
        self._has_alarm = timeout > 0 and not runs_on and hasattr(signal, "setitimer") and is_main
        self._has_keyboard = (
            is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        # The code in which a stop would leave an incomplete event in the trace, or an active timer.
        reported = Tracer.emit, Tracer.hand_out, Tracer.note, Tracer.fail, Guard.__exit__
        self._not_now = {each.__code__ for each in reported}

    def __enter__(self) -> None:
        self._tracing = sys.gettrace()
        if self._timeout > 0:
            self._deadline = time.monotonic() + self._timeout
        if self._has_alarm:
            self._before = signal.signal(signal.SIGALRM, self._rang)
            signal.setitimer(signal.ITIMER_REAL, self._timeout, _TICK)
        if self._has_keyboard:
            signal.signal(signal.SIGINT, self.interrupted)

    def __exit__(self, *_: object) -> None:
        self._deadline = None
        if self._has_alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
        if self._has_keyboard and signal.getsignal(signal.SIGINT) == self.interrupted:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._stops > 1:
            sys.settrace(self._tracing)

    def __call__(self, event: EventDict) -> None:
        if self._sink is not None:
            self._sink(event)
        if event["k"] == "op" and 0 < self._max_ops < self.tracer.ops:
            self._reached(Limit.OPS)
        if self._deadline is not None and time.monotonic() > self._deadline:
            self._reached(Limit.TIME)

    def called(self, calls: int) -> None:
        """Record the number of gradient calls so far."""
        if calls >= self._max_calls:
            self._reached(Limit.CALLS)

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """Return a context whose time does not count for the script."""
        began, deadline, self._deadline = time.monotonic(), self._deadline, None
        left = signal.setitimer(signal.ITIMER_REAL, 0)[0] if self._has_alarm else 0
        self._forgiven(_FORGIVEN)
        try:
            yield
        finally:
            took = time.monotonic() - began
            self._forgiven(min(took - _FORGIVEN, 0))
            self._deadline = None if deadline is None else deadline + took
            if left:
                signal.setitimer(signal.ITIMER_REAL, left, _TICK)

    def _reached(self, limit: Limit) -> None:
        if not self._runs_on:
            raise self._stop(limit, sys._getframe(1))
        self.unwatched = self.unwatched or limit
        self.tracer.stop_soon()

    def _rang(self, _: int, running: FrameType | None) -> None:
        if not self._has_to_wait(running):  # otherwise, the timer would fire again immediately
            raise self._stop(Limit.TIME, running)

    def interrupted(self, _: int, running: FrameType | None) -> None:
        """Handle Ctrl-C."""
        if not self._has_to_wait(running):
            self._received()
            raise KeyboardInterrupt
        again = threading.Timer(_TICK, _thread.interrupt_main)
        again.daemon = True
        again.start()

    def _has_to_wait(self, frame: FrameType | None) -> bool:
        """Whether an event is being written, the guard is about to end, or Python would drop an exception raised here."""
        if frame is not None and _is_dropped(frame.f_code):
            return True
        while frame is not None:
            if frame.f_code in self._not_now:
                return True
            frame = frame.f_back
        return False

    def _stop(self, limit: Limit, frame: FrameType | None) -> LimitReached:
        """Return the exception to raise, because the script has caught the previous one."""
        self._stops += 1
        if self._stops > 1:
            self._insist(limit, frame)
        return LimitReached(limit)

    def _insist(self, limit: Limit, frame: FrameType | None) -> None:
        """Raise the exception again after a few lines, each time after more lines, until no `try` of the script catches it."""
        wait = self._stops % _LINES

        def trace(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal wait
            if not source.is_users(frame.f_code.co_filename):
                return None
            wait -= event == "line"
            if wait < 0:
                raise LimitReached(limit)
            return trace

        sys.settrace(trace)
        while frame is not None:
            if source.is_users(frame.f_code.co_filename):
                frame.f_trace = trace
            frame = frame.f_back
