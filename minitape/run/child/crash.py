"""Describes the exception that ended a script, without minitape's own frames.

crash    the exception as data; its text is the traceback through the user's own frames
steps    the user's own frames
"""

from __future__ import annotations

import traceback

from minitape.errors import MissingAttributeError
from minitape.run.ending import Crash
from minitape.tracer import source
from minitape.tracer.gradient_calls import message_of


def crash(error: BaseException, *, is_reported: bool = False, compiles: bool = True) -> Crash:
    """Return the exception that ended a script."""
    message = message_of(error)
    reported = traceback.TracebackException.from_exception(error, compact=True)
    if message == "<exception str() failed>":
        reported._str = message  # type: ignore[attr-defined]  # Python 3.10 has other words here
    _leave_users_frames(reported)
    frame = reported.stack[-1] if reported.stack else None
    file, line = (frame.filename, frame.lineno) if frame is not None else (None, None)
    if isinstance(error, SyntaxError) and error.filename is not None:
        file, line = error.filename, error.lineno
    text = "".join(reported.format())
    # An error whose message is created only when needed is shown as its public class.
    kind = AttributeError if isinstance(error, MissingAttributeError) else type(error)
    return Crash(kind.__name__, message, text, file, line, is_reported, compiles)


def steps(error: BaseException) -> tuple[source.StackStep, ...]:
    """Return the user's frames that an exception passed through, the outermost first."""
    found: list[source.StackStep] = []
    at = error.__traceback__
    while at is not None:
        if source.is_users(at.tb_frame.f_code.co_filename):
            found.append((at.tb_frame.f_code, at.tb_lasti))
        at = at.tb_next
    return tuple(found)


def _leave_users_frames(reported: traceback.TracebackException) -> None:
    """Remove the frames of minitape and of libraries from a traceback, and from the tracebacks of its causes."""
    waiting: list[traceback.TracebackException | None] = [reported]
    while waiting:
        each = waiting.pop()
        if each is None:
            continue
        users = [frame for frame in each.stack if source.is_users(frame.filename)]
        each.stack = traceback.StackSummary.from_list(users)
        waiting += [each.__cause__, each.__context__]
