"""What an ear has to know of the engine that it hears: the one face that each engine shows.

    minitape.py         minitape's own
    tensorflow/         TensorFlow's

An engine tells events (`minitape.core.events`), and what it tells holds its own tensors, variables and tapes. What these are, and
how to read them, is asked here. Nothing else in this room knows an engine.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from minitape.core.events import GradientCalled
from minitape.listen.accumulation import Rows


class Hearer(Protocol):
    """Who is told: the Tracer."""

    def tell(self, event: Any) -> None:
        """Take notice of an event; must not change anything."""

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        """`product`, made from `tensors`, leaves the engine: return it or an equal twin."""

    def go_deaf(self, fault: Exception) -> None:
        """An engine that is not ours could not be followed: nothing more is told."""


class Engine(Protocol):
    """An engine as an ear sees it."""

    @property
    def header(self) -> dict[str, Any]:
        """What a trace says of it in its first line."""

    @property
    def remarks(self) -> Sequence[str]:
        """What is to be said of how it is heard, and what of it is not; may grow meanwhile."""

    def hearing(self, hearer: Hearer) -> AbstractContextManager[Any]:
        """Let `hearer` be told everything, of all threads, until the block ends."""

    def is_own(self, filename: str) -> bool:
        """Whether a file holds functions of the engine: what they are given is what they compute with."""

    # --- values ---

    def is_value(self, thing: Any) -> bool:
        """Whether this is a tensor or a variable of the engine."""

    def is_variable(self, thing: Any) -> bool: ...

    def id_of(self, value: Any) -> int:
        """The engine's own number of a tensor or variable, which no other gets while a program runs."""

    def numbers_of(self, value: Any) -> Any:
        """The array of whatever may flow: of a tensor, a variable, slices, a stack; an array is its own."""

    def rows_of(self, amount: Any) -> Rows | None:
        """What flows, if it is slices."""

    def dtype_of(self, numbers: Any) -> str:
        """What the engine calls the dtype of these numbers."""

    def leaves_of(self, structure: Any) -> Sequence[Any]:
        """What stands in lists, tuples and dicts, in the engine's order."""

    def is_whole(self, value: Any) -> bool:
        """Whether it is of whole numbers or truth values, which have no slope."""

    def put(self, value: Any, numbers: Any) -> None:
        """Let a tensor or variable that was made just now have other numbers; nobody takes notice."""

    # --- variables ---

    def path_of(self, variable: Any) -> str:
        """The variable's name, without the `:0`."""

    def is_trainable(self, variable: Any) -> bool: ...

    def origin_of(self, variable: Any) -> Any:
        """The variable for which this one stands, as what `assign` returns does; else None."""

    def is_made_by_user(self) -> bool:
        """Whether the variable that is being told of was made by a call in the user's own file."""

    # --- tapes ---

    def is_tape(self, thing: Any) -> bool: ...

    def number_of(self, tape: Any) -> int:
        """By which number the engine's events name this tape."""

    def left_as_it_is(self, tape: Any) -> AbstractContextManager[Any]:
        """A question to the tape in this block does not spend it, and no tape records it."""

    def watching(self, value: Any) -> list[int]:
        """The numbers of the tapes that record now, in this thread, and watch `value`."""

    def recording(self) -> list[int]:
        """The numbers of the tapes that record now, in this thread."""

    def refusal(self, error: BaseException, call: GradientCalled) -> str | None:
        """Why the engine refused a gradient call (`Error.refused` of the format); None where it says no more than the error."""
