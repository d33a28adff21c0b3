"""The recorded ops of a tape, as a function that can run again, at another point and in float64.

    ReplayStep    one op that ran: the ids and the values of its inputs, the ids of its outputs
    ReplayedTape  the steps from some sources to some targets; a run returns the values of the targets

Only values that the tape recorded change. Everything else (values from outside, branches, random numbers) stays the same.
The gradient that the tape returns is the gradient of this function.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from minitape.autodiff.rulecheck import as_computed_with, doubled, has_own_rule
from minitape.core.primitive import OpRan, Primitive
from minitape.core.tensor import TensorLike
from minitape.core.values import Array, Ints


@dataclass(frozen=True)
class ReplayStep:
    """One op as it ran; an input with the id 0 is a plain number."""

    primitive: Primitive
    settings: dict[str, Any]
    inputs: Ints
    arrays: tuple[Array, ...]
    outputs: Ints
    made: tuple[Array, ...]

    @classmethod
    def of(cls, event: OpRan) -> "ReplayStep":
        return cls(
            event.primitive,
            event.settings,
            tuple(each._id if isinstance(each, TensorLike) else 0 for each in event.given),
            as_computed_with(event.primitive, event.given),
            tuple(each._id for each in event.outputs),
            tuple(each._array for each in event.outputs),
        )

    @property
    def is_users(self) -> bool:
        """Whether the user defined its rule with `custom_gradient`."""
        return has_own_rule(self.primitive)


class ReplayedTape:
    """The steps that lead to `targets`, in order.

    A function with its own gradient rule is recorded as one op, in addition to the ops inside it that computed its outputs.
    This class follows the path through the ops inside.
    """

    def __init__(self, steps: Sequence[ReplayStep], targets: Sequence[tuple[int, Array]]) -> None:
        self._targets = targets
        self._inside: dict[int, int] = {}  # output of a user's own op → the output inside
        self.steps = self._needed(steps)

    def _needed(self, steps: Sequence[ReplayStep]) -> list[ReplayStep]:
        maker_of: dict[int, int] = {}  # by object: both tensors share an array
        for step in steps:
            for identity, array in zip(step.outputs, step.made, strict=True):
                if step.is_users and id(array) in maker_of:
                    self._inside[identity] = maker_of[id(array)]
                else:
                    maker_of[id(array)] = identity
        wanted = {identity for identity, _ in self._targets}
        needed = []
        for step in reversed(steps):
            if wanted.isdisjoint(step.outputs):
                continue
            needed.append(step)
            wanted.update(self._inside.get(each, 0) for each in step.outputs)
            if not step.is_users:
                wanted.update(each for _, each in _followed(step))
        return needed[::-1]

    @property
    def own_rules(self) -> list[str]:
        """The names of the functions on the path that define their own gradient rules."""
        return list(dict.fromkeys(step.primitive.name for step in self.steps if step.is_users))

    def run(self, perturbed: Mapping[int, Any]) -> list[Any]:
        """Return the targets in float64, with `perturbed[id]` added to each value of that id.

        Arrays produce arrays. If one of them is a tensor, the results are tensors, so that a tape can record the run.
        """
        values: dict[int, Any] = {}

        def read(identity: int, array: Array) -> Any:
            if identity in values:
                return values[identity]
            return _plus(doubled(array), perturbed.get(identity))

        for step in self.steps:
            for identity, result in zip(step.outputs, self._results(step, read), strict=True):
                values[identity] = _plus(result, perturbed.get(identity))
        return [read(*target) for target in self._targets]

    def _results(self, step: ReplayStep, read: Any) -> Iterable[Any]:
        if step.is_users:
            pairs = zip(step.outputs, step.made, strict=True)
            return [read(self._inside.get(identity, 0), array) for identity, array in pairs]
        given = [doubled(array) for array in step.arrays]
        for position, identity in _followed(step):
            given[position] = read(identity, step.arrays[position])
        settings = {name: doubled(value) for name, value in step.settings.items()}
        result = step.primitive(*given, **settings)
        return result if isinstance(result, tuple) else (result,)


def _followed(step: ReplayStep) -> list[tuple[int, int]]:
    """Return the inputs to which a gradient flows, as position and id; changes to the other inputs have no effect."""
    rules = step.primitive.rules
    return [
        (position, identity)
        for position, identity in enumerate(step.inputs)
        if identity and rules and rules[position] is not None
    ]


def _plus(value: Any, change: Any) -> Any:
    return value if change is None else value + change
