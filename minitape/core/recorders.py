"""Who writes down what happens: one record per op, for each tape that watches one of its inputs.

Tapes belong to the thread that opened them. Several may be open at once; `active` holds those that are recording now, the
outermost first. A tuple, replaced and never changed, so that a loop over it may open and close tapes.
"""

import threading
from typing import Any, Protocol

from minitape.core.declaration import Declaration
from minitape.core.tensor import snapshot
from minitape.core.values import Array, Ints, Outline, Value


class Record:
    """One op as a tape remembers it.

    `inputs` are the ids of its inputs (0 for a plain number or array, which nobody can ask about), `outputs` those of its
    outputs. `kept` has one entry for each input: its Array if a rule reads the numbers, else its Outline; `result` is the
    same for the output, or a tuple of them.

    Arrays and not tensors, although a rule may ask for tensors (`as_tensors` makes them anew): Python's garbage collector
    passes over arrays, and must look at everything else on a long tape again and again. A record then costs it one object
    or two where it was six, which on a tape of 200 000 ops is a third of the time.
    """

    __slots__ = ("inputs", "kept", "outputs", "primitive", "result", "settings")

    def __init__(
        self,
        primitive: Declaration,
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

    def as_tensors(self) -> tuple[Value, tuple[Value, ...]]:
        """`result` and `kept` for rules that a tape records: tensors under their old ids."""
        kept = tuple(map(_as_it_was, self.kept, self.inputs))
        if type(self.result) is tuple:
            return tuple(map(_as_it_was, self.result, self.outputs)), kept
        return _as_it_was(self.result, self.outputs[0]), kept


def _as_it_was(kept: Array | Outline, identity: int) -> Value:
    """What stood beside tensors as a plain array has no id and stays one."""
    return snapshot(kept, identity) if identity and type(kept) is not Outline else kept


class Records(Protocol):
    """Where an op goes when it has run: a list keeps it, forward mode uses it up at once."""

    def append(self, record: Record, /) -> None: ...


# The number of a recorder that is no tape of the user's.
NO_TAPE = 0


class Recorder(Protocol):
    """What `Primitive` and `Variable` need to know of a tape; `number` is what listeners know it by."""

    number: int
    watched: set[int]
    watches_variables: bool

    @property
    def records(self) -> Records: ...

    def see(self, variable: Any) -> None:
        """A trainable variable is being read: a `Variable`, of which this page need not know."""


class _Thread(threading.local):
    active: tuple[Recorder, ...] = ()
    scope: str = ""  # in front of the names of variables


thread = _Thread()


def start(recorder: Recorder) -> None:
    thread.active = (*thread.active, recorder)


def stop(recorder: Recorder) -> None:
    thread.active = tuple([other for other in thread.active if other is not recorder])


def is_active(recorder: Recorder) -> bool:
    return any(other is recorder for other in thread.active)
