"""Tape: the list of what happened, the ids it watches, the variables it has seen.

A tape holds ids, not tensors: a record keeps only the numbers that its rules read. Ids are never given twice, so an id that is
watched stays the id of the tensor that was meant.
"""

from minitape.core import events, listeners
from minitape.core.declaration import SMOOTH
from minitape.core.recorders import Record
from minitape.core.variable import Variable


class Tape:
    """What one `with GradientTape()` writes down.

    `watched` holds the ids of sources and of everything computed from them on this tape; an op is recorded when one of its
    inputs is in it. `number` tells tapes apart in a trace.
    """

    __slots__ = (
        "__weakref__",  # what is kept about a tape goes with it
        "number",
        "records",
        "variables",
        "watched",
        "watches_variables",
    )

    def __init__(self, number: int, watches_variables: bool) -> None:
        self.number = number
        self.watches_variables = watches_variables
        self.watched: set[int] = set()
        self.records: list[Record] = []
        self.variables: dict[int, Variable] = {}

    def see(self, variable: Variable) -> None:
        """A trainable variable is read while the tape records: watch it."""
        if variable._id not in self.variables:
            self.watch_variable(variable, explicitly=False)

    def watch_variable(self, variable: Variable, *, explicitly: bool) -> None:
        identity = variable._id
        if variable._array.dtype.kind in SMOOTH:
            self.watched.add(identity)
        self.variables[identity] = variable
        if listeners.active:
            listeners.tell(events.Watched(self.number, variable, explicitly))
