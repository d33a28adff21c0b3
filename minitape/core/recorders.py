"""The records of ops, and the recorders that keep them. Each op has one record, shared by all tapes that watch one of its inputs.

Tapes belong to the thread that opened them. Several may be open at once; `active` contains those that are recording, the
outermost first. This tuple is replaced and never changed, so a loop over it may open and close tapes.
"""

import threading
from typing import Any, Protocol

from minitape.core.declaration import Declaration
from minitape.core.tensor import snapshot
from minitape.core.values import Array, Ints, ShapeDtype, Value

# Replaces the id in `Record.inputs` if the input is a plain number or array instead of a tensor.
NO_ID = 0


class Record:
    """One op on a tape.

    `inputs` are the ids of its inputs (NO_ID for a plain number or array), `outputs` those of its outputs. `saved` has one
    entry for each input: its Array if a rule reads the values, otherwise its ShapeDtype; `result` is the same for the output, or
    a tuple of them.

    Records keep arrays and not tensors, although a rule may need tensors (`as_tensors` re-creates them): Python's garbage
    collector skips arrays, but examines all other objects of a long tape repeatedly. A record then costs the collector
    one or two objects instead of six, which saves a third of the time on a tape of 200,000 ops.
    """

    __slots__ = ("inputs", "outputs", "primitive", "result", "saved", "settings")

    def __init__(
        self,
        primitive: Declaration,
        inputs: Ints,
        outputs: Ints,
        saved: tuple[Value, ...],
        result: Value,
        settings: dict[str, Any],
    ) -> None:
        self.primitive = primitive
        self.inputs = inputs
        self.outputs = outputs
        self.saved = saved
        self.result = result
        self.settings = settings

    def as_tensors(self) -> tuple[Value, tuple[Value, ...]]:
        """Return `result` and `saved` as tensors with their old ids, for rules that a tape records."""
        saved = tuple(map(_with_id, self.saved, self.inputs))
        if type(self.result) is tuple:
            return tuple(map(_with_id, self.result, self.outputs)), saved
        return _with_id(self.result, self.outputs[0]), saved


def _with_id(saved: Array | ShapeDtype, identity: int) -> Value:
    """Return a kept value as a tensor with its id; a plain array has no id and is returned unchanged."""
    return snapshot(saved, identity) if identity and type(saved) is not ShapeDtype else saved


class Records(Protocol):
    """The destination of records. A list keeps them; forward mode processes each record immediately."""

    def append(self, record: Record, /) -> None: ...


# The number of a recorder that is not one of the user's tapes.
NO_TAPE = 0


class Recorder(Protocol):
    """The interface of a tape for `Primitive` and `Variable`; listeners know a tape by its `number`."""

    number: int
    watched: set[int]
    watches_variables: bool

    @property
    def records(self) -> Records: ...

    def see(self, variable: Any) -> None:
        """Handle the reading of a trainable `Variable`."""


class _RecorderState(threading.local):
    active: tuple[Recorder, ...] = ()
    scope: str = ""  # the prefix of the names of variables


thread = _RecorderState()


def start(recorder: Recorder) -> None:
    thread.active = (*thread.active, recorder)


def stop(recorder: Recorder) -> None:
    thread.active = tuple([other for other in thread.active if other is not recorder])


def is_active(recorder: Recorder) -> bool:
    return any(other is recorder for other in thread.active)
