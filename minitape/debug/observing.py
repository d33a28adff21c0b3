"""Lets your own tools observe the events of a program, and add notes to its trace.

with debug.observe(print):        # any function of one argument, which is called with each event as a dict
    ...
    debug.note("epoch 2 begins")  # is an event too
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from minitape.debug.engines import engine_for
from minitape.trace.writing import EventDict
from minitape.tracer import tracer as engine_tracer
from minitape.tracer.tracer import Tracer


@contextmanager
def observe(fn: Callable[[EventDict], None], on: str | None = None) -> Iterator[None]:
    """Call `fn` with each trace event as it happens, until the block ends; docs/trace-format.md lists kinds and fields.

    The first event is the `header`, the last the `end`. An op is reported when the program starts the next op, because only then
    is the name of its value known. Events are not stored, so a program may run for any length of time. Do not change them. If
    `fn` raises, it is not called again, the program continues undisturbed, and the exception is raised when the block ends.

    Args:
        fn: Takes an event.
        on: The engine to record, as for `minitape.debug.record`.

    Raises:
        RuntimeError: TensorFlow is not installed, or this version cannot be recorded.
        ValueError: `on` is not an engine.

    >>> import minitape as tf
    >>> ops = []
    >>> with observe(lambda event: ops.append(event["name"]) if event["k"] == "op" else None):
    ...     _ = tf.exp(2.0) * 3.0
    >>> ops
    ['Exp', 'Mul']
    """
    version = str(importlib.import_module("minitape").__version__)
    raised: list[Exception] = []

    def emit(event: EventDict) -> None:
        if not raised:
            try:
                fn(event)
            except Exception as error:
                # an exception in the middle of an op would leave an incomplete event
                raised.append(error)

    engine = engine_for(on)
    with Tracer(
        emit,
        version=version,
        max_events=sys.maxsize,
        keep=False,
        forgiving=bool(
            engine.header
        ),  # an error while tracing TensorFlow must not reach the program
        engine=engine,
    ) as tracer:
        yield
    if tracer.failure is not None:
        said = f"Recording stopped early ({tracer.failure}); later events are missing."
        warnings.warn(said, RuntimeWarning, stacklevel=3)
    if raised:
        raise raised[0]


def note(text: str) -> None:
    """Add a note to every trace that is being recorded; do nothing if there is none.

    `minitape trace` shows the note at its position among the events, with its line.
    """
    for each in engine_tracer.tracing:
        each.note(text)
