"""The listeners of the engine, such as the tracer.

The engine sends events and does not know its listeners. Without a listener, no event is created:

    if listeners.active:
        listeners.emit(events.Watched(...))

A listener does not change any result: with and without a listener, all values are bitwise equal. A listener may only
replace a value that leaves the engine (`hand_out`) by an equal object that remembers its origin.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from minitape.errors import TapeRuntimeError


class Listener(Protocol):
    """The interface of a listener."""

    def emit(self, event: Any) -> None:
        """Receive an event; the method must not change anything."""

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        """Return `product`, which was made from `tensors` and leaves the engine, or an equal object in its place."""


class Explainer(Protocol):
    """An object that explains gradients from the recorded events; the listener's `explainer()` returns it."""

    def explain(self, tape: Any, target: Any, sources: Any, given: Any = None) -> Any:
        """Return the explanation of `tape.gradient(target, sources, given)`.

        The tape stays unchanged, even if this call computes a gradient.
        """

    def graph(self, tape: Any, target: Any = None, sources: Any = None, **looks: Any) -> Any:
        """Return the picture of this gradient; without a target, of the gradients that the tape has computed."""

    def shown(self, tape: Any) -> Any:
        """Return what a notebook displays for a tape."""


NO_ONE = "The program was not traced, so operations that the tape did not record are unknown."

# This tuple is replaced and never changed, so that listeners may be added and removed during a loop over it.
active: tuple[Listener, ...] = ()


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Send all events of all threads to `listener` until the block ends."""
    global active
    active = (*active, listener)
    try:
        yield
    finally:
        active = tuple(other for other in active if other is not listener)


def emit(event: Any) -> None:
    """Send an event to all listeners."""
    for listener in active:
        listener.emit(event)


def hand_out(tensors: tuple[Any, ...], via: str, product: Any) -> Any:
    """Return the object that the user gets when a value leaves the engine."""
    for listener in active:
        product = listener.hand_out(tensors, via, product)
    return product


def explainer() -> Any:
    """Return the `Explainer` of the latest listener that has one.

    Raises:
        RuntimeError: no listener has one.
    """
    for listener in reversed(active):
        found = getattr(listener, "explainer", lambda: None)()
        if found is not None:
            return found
    raise TapeRuntimeError(
        NO_ONE,
        fix="call `tf.debug.record()` at the top of the program and run the program again, or run `minitape explain SCRIPT`",
    )
