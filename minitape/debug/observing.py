"""For tools of your own: hear what a program does on its tapes, and leave remarks in what is heard.

with debug.observe(print):        # any function of one argument; it is given each event as a dict
    ...
    debug.note("epoch 2 begins")  # an event too
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from minitape.debug.engines import engine_for
from minitape.listen import tracer as ear
from minitape.listen.tracer import Tracer
from minitape.trace.writing import EventDict


@contextmanager
def observe(fn: Callable[[EventDict], None], on: str | None = None) -> Iterator[None]:
    """Pass each trace event to `fn` as it happens, until the block ends; docs/trace-format.md lists kinds and fields.

    The first is the `header`, the last the `end`. An op is told when the program goes on to the next one, for only then is it
    known what its value is called. Nothing is kept, so a program may run for as long as it likes; events are not to be changed.
    If `fn` raises, it is called no more, the program goes on undisturbed, and the exception comes up when the block ends.

    Args:
        fn: Takes an event.
        on: What to listen to, as for `minitape.debug.record`.

    Raises:
        RuntimeError: TensorFlow is to be listened to, and is not there or cannot be heard.
        ValueError: there is no such engine.

    >>> import minitape as tf
    >>> ops = []
    >>> with observe(lambda event: ops.append(event["name"]) if event["k"] == "op" else None):
    ...     _ = tf.exp(2.0) * 3.0
    >>> ops
    ['Exp', 'Mul']
    """
    version = str(importlib.import_module("minitape").__version__)
    raised: list[Exception] = []

    def tell(event: EventDict) -> None:
        if not raised:
            try:
                fn(event)
            except Exception as error:  # in the middle of an op it would leave a tape half told
                raised.append(error)

    engine = engine_for(on)
    with Tracer(
        tell,
        version=version,
        max_events=sys.maxsize,
        keep=False,
        forgiving=bool(
            engine.header
        ),  # a fault in hearing an engine of others is no concern of the program's
        engine=engine,
    ) as tracer:
        yield
    if tracer.deaf is not None:
        said = f"Recording stopped early ({tracer.deaf}); later events are missing."
        warnings.warn(said, RuntimeWarning, stacklevel=3)
    if raised:
        raise raised[0]


def note(text: str) -> None:
    """Leave a remark in every trace that is being written; with nobody listening, nothing happens.

    `minitape trace` shows it in its place, with its line.
    """
    for each in ear.listening:
        each.note(text)
