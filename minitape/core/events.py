"""The events that the engine sends to listeners (listeners.py).

The event of an op or a variable is defined in its module: `OpRan` in primitive.py, `VariableMade` and `Assigned` in
variable.py. All others are here, in the order in which a program causes them.

Events are named tuples and not dataclasses, because creating the dataclasses would add 5 ms to `import minitape`.
"""

from typing import Any, NamedTuple

from minitape.core.tensor import Tensor
from minitape.core.values import Value


class Entered(NamedTuple):
    """A Python or NumPy object, or the value of a variable, became a tensor; `how` is the function that converted it."""

    tensor: Tensor
    given: Any
    how: str


class TapeOpened(NamedTuple):
    """A tape started recording. Events name a tape by its number."""

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
    """A gradient was requested; `api` is gradient, jacobian or batch_jacobian; targets and sources are flat lists.

    If the call is refused, the targets and sources can be any objects.
    """

    tape: Any
    api: str
    targets: tuple[Any, ...]
    sources: tuple[Any, ...]
    output_gradients: tuple[Any, ...] | None
    unconnected: str


class BackwardBegan(NamedTuple):
    """A backward pass starts. `plan` lists the output ids and input ids of each op between target and source, last op first."""

    plan: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    rows: int | None


class Seeded(NamedTuple):
    target: int
    cotangent: Value


class BackwardStepped(NamedTuple):
    """One op of the backward pass, with the cotangent it received, its contribution to each input id, and why it skips other
    inputs.

    For an op with several outputs, the cotangent is that of the first output that has one.
    """

    outputs: tuple[int, ...]
    arrived_for: int
    arrived: Value
    sent: tuple[
        tuple[int, Value, tuple[int, ...], bool], ...
    ]  # input id, contribution, ids read, output read?
    skipped: tuple[tuple[int, str], ...]


class GradientReturned(NamedTuple):
    results: tuple[Any, ...]


class GradientFailed(NamedTuple):
    error: BaseException
