"""What the engine tells to whoever listens.

The engine tells; it does not know who listens, and with no listener no event is made: a place that tells is

    if events.listeners:
        events.tell(Watched(...))

A listener changes nothing: with and without, all numbers are equal to the last bit. The one thing it may do is hand out a
twin of a value that leaves the engine (`hand_out`), equal in every number, that remembers where it came from.

Events are named tuples and not dataclasses, which would make `import minitape` wait 5 ms for classes that hardly a run needs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from minitape.core.values import Value
from minitape.errors import TapeRuntimeError

if TYPE_CHECKING:
    from minitape.core.primitive import Primitive
    from minitape.core.tensor import Tensor
    from minitape.core.variable import Variable


class Entered(NamedTuple):
    """A Python or NumPy object became a tensor, or the numbers of a variable did; `how` is the function that did it."""

    tensor: "Tensor"
    given: Any
    how: str


class OpRan(NamedTuple):
    """A primitive ran on tensors. `given` is what it was called with, before any conversion."""

    primitive: "Primitive"
    given: tuple[Any, ...]
    outputs: "tuple[Tensor, ...]"
    settings: dict[str, Any]
    recorded_by: tuple[Any, ...]
    kept: tuple[Any, ...]


class VariableMade(NamedTuple):
    variable: "Variable"
    initial: Any


class Assigned(NamedTuple):
    variable: "Variable"
    how: str
    given: Any


class TapeOpened(NamedTuple):
    tape: Any


class TapeClosed(NamedTuple):
    tape: Any


class Watched(NamedTuple):
    """`value` is a Tensor, a Variable, or None when `watch` was given an empty structure."""

    tape: Any
    value: Any
    explicitly: bool


class Paused(NamedTuple):
    tape: Any


class Resumed(NamedTuple):
    tape: Any


class WasReset(NamedTuple):
    tape: Any
    dropped: int


class GradientCalled(NamedTuple):
    """`api` is gradient, jacobian or batch_jacobian; targets and sources are flat.

    A call that is refused may have anything among them.
    """

    tape: Any
    api: str
    targets: tuple[Any, ...]
    sources: tuple[Any, ...]
    output_gradients: tuple[Any, ...] | None
    unconnected: str


class WalkBegan(NamedTuple):
    """`plan` lists, last op first, the output ids and the input ids of each op that lies between target and source."""

    plan: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    rows: int | None


class Seeded(NamedTuple):
    target: int
    cotangent: Value


class SteppedBack(NamedTuple):
    """One op of the walk: what arrived, what it sends to each input id, and why it sends nothing to the others."""

    outputs: tuple[int, ...]
    arrived: Value
    sent: tuple[
        tuple[int, Value, tuple[int, ...], bool], ...
    ]  # input id, amount, ids read, output read?
    skipped: tuple[tuple[int, str], ...]


class GradientReturned(NamedTuple):
    results: tuple[Any, ...]


class GradientFailed(NamedTuple):
    error: BaseException


class Listener(Protocol):
    """Whoever wants to watch the engine."""

    def tell(self, event: Any) -> None:
        """Take notice of an event; must not change anything."""

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        """`product`, made from `tensors`, leaves the engine: return it or an equal twin."""


class Explainer(Listener, Protocol):
    """A listener that keeps what it hears, and can say why a gradient is what it is."""

    def explain(self, tape: Any, target: Any, sources: Any, given: Any = None) -> Any:
        """What there is to say about `tape.gradient(target, sources, given)`; asks the tape if nobody has."""

    def graph(self, tape: Any, target: Any = None, sources: Any = None, **looks: Any) -> Any:
        """The picture of that; without a target, of what the tape was asked."""

    def shown(self, tape: Any) -> Any:
        """What a notebook shows of a tape."""


listeners: tuple[Listener, ...] = ()


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Let `listener` hear every event, of all threads, until the block ends."""
    global listeners
    listeners = (*listeners, listener)
    try:
        yield
    finally:
        listeners = tuple(other for other in listeners if other is not listener)


def tell(event: Any) -> None:
    for listener in listeners:
        listener.tell(event)


def hand_out(tensors: tuple[Any, ...], via: str, product: Any) -> Any:
    """What the user gets when a value leaves the engine."""
    for listener in listeners:
        product = listener.hand_out(tensors, via, product)
    return product


def explainer() -> Any:
    """The `Explainer` that began to listen last.

    Raises:
        RuntimeError: none listens.
    """
    for listener in reversed(listeners):
        if hasattr(listener, "explain"):
            return listener
    raise TapeRuntimeError(
        "No one listened: what went past the tape cannot be known afterwards.",
        fix="tf.debug.record() at the top of the program, then run it again; or minitape explain SCRIPT",
    )
