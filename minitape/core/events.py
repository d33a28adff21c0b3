"""What the engine tells to whoever listens (listeners.py).

An event that speaks of an op or a variable stands on their page: `OpRan` in primitive.py, `VariableMade` and `Assigned` in
variable.py. All others are here, in the order in which a program meets them.

Events are named tuples and not dataclasses, which would make `import minitape` wait 5 ms for classes that hardly a run needs.
"""

from typing import Any, NamedTuple

from minitape.core.tensor import Tensor
from minitape.core.values import Value


class Entered(NamedTuple):
    """A Python or NumPy object became a tensor, or the numbers of a variable did; `how` is the function that did it."""

    tensor: Tensor
    given: Any
    how: str


class TapeOpened(NamedTuple):
    """Listeners know a tape by its number, here and below."""

    tape: int
    persistent: bool
    watches_variables: bool


class TapeClosed(NamedTuple):
    tape: int
    ops: int


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
    """One op of the walk: what arrived, what it sends to each input id, and why it sends nothing to the others.

    Of several outputs it is the cotangent of one: the first that has any.
    """

    outputs: tuple[int, ...]
    arrived_for: int
    arrived: Value
    sent: tuple[
        tuple[int, Value, tuple[int, ...], bool], ...
    ]  # input id, amount, ids read, output read?
    skipped: tuple[tuple[int, str], ...]


class GradientReturned(NamedTuple):
    results: tuple[Any, ...]


class GradientFailed(NamedTuple):
    error: BaseException
