"""For tools of your own: hear what a program does on its tapes, and leave remarks in what is heard.

with tf.debug.observe(print):        # any function of one argument; it is given each event as a dict
    ...
    tf.debug.note("epoch 2 begins")  # an event too
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from minitape.core import listeners
from minitape.listen.tracer import Tracer
from minitape.trace.writing import EventDict


@contextmanager
def observe(fn: Callable[[EventDict], None]) -> Iterator[None]:
    """Pass each trace event to `fn` as it happens, until the block ends; docs/trace-format.md lists kinds and fields.

    The first is the `header`, the last the `end`. An op is told when the program goes on to the next one, for only then is it
    known what its value is called. Nothing is kept, so a program may run for as long as it likes; events are not to be changed.
    If `fn` raises, it is called no more, the program goes on undisturbed, and the exception comes up when the block ends.

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

    with Tracer(tell, version=version, max_events=sys.maxsize, keep=False):
        yield
    if raised:
        raise raised[0]


def note(text: str) -> None:
    """Leave a remark in every trace that is being written; with nobody listening, nothing happens.

    `minitape trace` shows it in its place, with its line.
    """
    for listener in listeners.active:
        if isinstance(listener, Tracer):
            listener.note(text)
