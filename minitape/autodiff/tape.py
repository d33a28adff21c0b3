"""A Tape contains the list of recorded ops, the ids that it watches, and the variables that it has seen.

A tape contains ids, not tensors: a record keeps only the values that its rules read. Ids are never reused, so a watched id always
refers to the same tensor.
"""

from minitape.core import events, listeners
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.recorders import Record
from minitape.core.variable import Variable


class Tape:
    """The records of one `with GradientTape()` block.

    `watched` contains the ids of the sources and of all values computed from them on this tape; an op is recorded if one of its
    inputs is in it. `number` identifies the tape in a trace.
    """

    __slots__ = (
        "__weakref__",  # so that objects that belong to a tape can be deleted with it
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
        """Watch a trainable variable that is read while the tape records."""
        if variable._id not in self.variables:
            self.watch_variable(variable, explicitly=False)

    def watch_variable(self, variable: Variable, *, explicitly: bool) -> None:
        """Watch a variable; `explicitly` if the user called `watch`."""
        identity = variable._id
        if variable._array.dtype.kind in DIFFERENTIABLE_KINDS:
            self.watched.add(identity)
        self.variables[identity] = variable
        if listeners.active:
            listeners.emit(events.Watched(self.number, variable, explicitly))
