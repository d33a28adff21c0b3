"""Who writes down what happens: one record per op, for each tape that watches one of its inputs.

Tapes belong to the thread that opened them. Several may be open at once; `active` holds those that are recording now, the
outermost first. A tuple, replaced and never changed, so that a loop over it may open and close tapes.
"""

import threading
from typing import TYPE_CHECKING, Any, Protocol

from minitape.core.values import Ints, Value

if TYPE_CHECKING:
    from minitape.core.primitive import Primitive
    from minitape.core.variable import Variable


class Record:
    """One op as a tape remembers it.

    `inputs` are the ids of its inputs (0 for a plain number or array, which nobody can ask about), `outputs` those of its
    outputs. `kept` has one entry for each input: the tensor if a rule reads its numbers, else its Outline; `result` is
    the same for the output.
    """

    __slots__ = ("inputs", "kept", "outputs", "primitive", "result", "settings")

    def __init__(
        self,
        primitive: "Primitive",
        inputs: Ints,
        outputs: Ints,
        kept: tuple[Value, ...],
        result: Value,
        settings: dict[str, Any],
    ) -> None:
        self.primitive = primitive
        self.inputs = inputs
        self.outputs = outputs
        self.kept = kept
        self.result = result
        self.settings = settings


class Recorder(Protocol):
    """What `Primitive` and `Variable` need to know of a tape."""

    watched: set[int]
    records: list[Record]
    watches_variables: bool

    def see(self, variable: "Variable") -> None:
        """A trainable variable is being read."""


class _Thread(threading.local):
    active: tuple[Any, ...] = ()


thread = _Thread()


def start(recorder: Recorder) -> None:
    thread.active = (*thread.active, recorder)


def stop(recorder: Recorder) -> None:
    thread.active = tuple(other for other in thread.active if other is not recorder)


def is_active(recorder: Recorder) -> bool:
    return any(other is recorder for other in thread.active)
