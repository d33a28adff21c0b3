"""The interface between the tracer and an engine.

    minitape.py         minitape's engine
    tensorflow/         TensorFlow

An engine emits events (`minitape.core.events`) that hold its own tensors, variables and tapes. This interface reads them. The
rest of this package does not depend on an engine.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from minitape.core.events import GradientCalled
from minitape.tracer.accumulation import SparseRows


class EventSink(Protocol):
    """Receives events: the Tracer."""

    def emit(self, event: Any) -> None:
        """Receive an event. Receivers must not change any value."""

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        """Record that `product`, which was computed from `tensors`, leaves the engine; return it or an equal copy."""

    def disable(self, fault: Exception) -> None:
        """Stop tracing, because the tracing of an engine other than minitape's has failed."""


class Engine(Protocol):
    """An engine as the tracer sees it."""

    @property
    def header(self) -> dict[str, Any]:
        """The fields about the engine in the first line of a trace."""

    @property
    def notes(self) -> Sequence[str]:
        """Notes about how the program is traced and what is not traced; notes may be added later."""

    def connected(self, sink: EventSink) -> AbstractContextManager[Any]:
        """Send all events, of all threads, to `sink` until the block ends."""

    def untraced(self, end: Callable[[], None]) -> AbstractContextManager[Any]:
        """End the tracing with `end`; until the block ends, the program runs on as it ran while it was traced."""

    def is_own(self, filename: str) -> bool:
        """Whether a file contains functions of the engine, whose arguments are the values they compute with."""

    # --- values ---

    def is_value(self, thing: Any) -> bool:
        """Whether this is a tensor or a variable of the engine."""

    def is_variable(self, thing: Any) -> bool: ...

    def id_of(self, value: Any) -> int:
        """Return the engine's own number for a tensor or variable, which is unique while the program runs."""

    def numbers_of(self, value: Any) -> Any:
        """Return the array of a tensor, a variable, slices or a stack; an array is returned unchanged."""

    def rows_of(self, amount: Any) -> SparseRows | None:
        """Return the IndexedSlices among the values of a backward pass; None for other objects."""

    def dtype_of(self, numbers: Any) -> str:
        """Return the engine's name for the dtype of these values."""

    def leaves_of(self, structure: Any) -> Sequence[Any]:
        """Return the values in nested lists, tuples and dicts, in the engine's order."""

    def is_whole(self, value: Any) -> bool:
        """Whether the value contains integers or booleans, which are not differentiable."""

    def put(self, value: Any, numbers: Any) -> None:
        """Replace the values of a tensor or variable that was just created, without a tape or the tracer noticing."""

    # --- variables ---

    def path_of(self, variable: Any) -> str:
        """Return the name of the variable, without `:0`."""

    def is_trainable(self, variable: Any) -> bool: ...

    def origin_of(self, variable: Any) -> Any:
        """Return the variable whose value this is, for the result of `assign`; else None."""

    def is_made_by_user(self) -> bool:
        """Whether the variable of the current event was created by a call in the user's own file."""

    # --- tapes ---

    def is_tape(self, thing: Any) -> bool: ...

    def number_of(self, tape: Any) -> int:
        """Return the number of this tape in the engine's events."""

    def left_as_it_is(self, tape: Any) -> AbstractContextManager[Any]:
        """Return a context in which a gradient call does not consume the tape and is not recorded by other tapes."""

    def watching(self, value: Any) -> list[int]:
        """Return the numbers of the tapes that are recording in this thread and watch `value`."""

    def recording(self) -> list[int]:
        """Return the numbers of the tapes that are recording in this thread."""

    def refusal(self, error: BaseException, call: GradientCalled) -> str | None:
        """Return why the engine refused a gradient call (`Error.refused` in the format); None if the reason is unknown."""
