"""Who listens to the engine.

The engine tells; it does not know who listens, and with no listener no event is made: a place that tells is

    if listeners.active:
        listeners.tell(events.Watched(...))

A listener changes nothing: with and without, all numbers are equal to the last bit. The one thing it may do is hand out a
twin of a value that leaves the engine (`hand_out`), equal in every number, that remembers where it came from.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from minitape.errors import TapeRuntimeError


class Listener(Protocol):
    """Whoever wants to watch the engine."""

    def tell(self, event: Any) -> None:
        """Take notice of an event; must not change anything."""

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        """`product`, made from `tensors`, leaves the engine: return it or an equal twin."""


class Explainer(Protocol):
    """Who can say, from what a listener has heard, why a gradient is what it is: what a listener's `explainer()` gives."""

    def explain(self, tape: Any, target: Any, sources: Any, given: Any = None) -> Any:
        """What there is to say about `tape.gradient(target, sources, given)`; the tape, if it has to be asked, stays as it is."""

    def graph(self, tape: Any, target: Any = None, sources: Any = None, **looks: Any) -> Any:
        """The picture of that; without a target, of what the tape was asked."""

    def shown(self, tape: Any) -> Any:
        """What a notebook shows of a tape."""


NO_ONE = "The program was not traced, so operations that the tape did not record are unknown."

# Replaced and never changed, so that a loop over it may let listeners come and go.
active: tuple[Listener, ...] = ()


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Let `listener` hear every event, of all threads, until the block ends."""
    global active
    active = (*active, listener)
    try:
        yield
    finally:
        active = tuple(other for other in active if other is not listener)


def tell(event: Any) -> None:
    """Let all who listen know; what an event is, is their affair and the teller's."""
    for listener in active:
        listener.tell(event)


def hand_out(tensors: tuple[Any, ...], via: str, product: Any) -> Any:
    """What the user gets when a value leaves the engine."""
    for listener in active:
        product = listener.hand_out(tensors, via, product)
    return product


def explainer() -> Any:
    """The `Explainer` of the listener that began last and has one.

    Raises:
        RuntimeError: none listens.
    """
    for listener in reversed(active):
        found = getattr(listener, "explainer", lambda: None)()
        if found is not None:
            return found
    raise TapeRuntimeError(
        NO_ONE,
        fix="tf.debug.record() at the top of the program, then run it again; or minitape explain SCRIPT",
    )
