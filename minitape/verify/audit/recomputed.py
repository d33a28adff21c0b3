"""The known values and ops of a run, up to some event of its trace."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitape.core.values import Array, Ints, Value
from minitape.replay.numbers import array_of, conjugate, dtype_of, plain
from minitape.replay.reason import Reason
from minitape.replay.running import ReplayedInput, ReplayedOp, perturbed, run
from minitape.trace import events
from minitape.verify.audit.numbers import scale_of, size_of
from minitape.verify.texts import audit as texts

_DRAWS = 4
# The entry in a trace for an op whose gradient rule is defined by the program.
_OWN_RULE = "as defined by its own gradient function"
# TensorFlow's kernels find the maximum of a row first; whether NaN counts as the maximum depends on the processor's instruction.
_DIFFERENT_WITH_NAN = {"Softmax", "LogSoftmax"}


@dataclass
class RecomputedValues:
    """The values of a run by id, and its ops, each with its second run or with the reason why it could not run again.

    Args:
        is_minitape: Whether the trace is from minitape's own engine, whose backward pass does not conjugate complex cotangents.
    """

    is_minitape: bool
    arrays: dict[int, Array | Reason] = field(default_factory=dict)
    ops: dict[int, events.OpEvent] = field(default_factory=dict)
    variable_of: dict[int, int] = field(default_factory=dict)  # keyed by the value that was read
    _numbers: dict[int, events.Numbers] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)
    _operands: set[int] = field(default_factory=set)
    _again: dict[int, ReplayedOp | Reason] = field(default_factory=dict)
    _gradients: dict[str, str] = field(default_factory=dict)
    _rules: dict[str, str] = field(default_factory=dict)

    def receive(self, event: events.Event) -> None:
        """Update the state with an event, which may be any event except an op."""
        if isinstance(event, events.ConstantEvent):
            self._learn(event.numbers)
            if event.how == "operand":
                self._operands.add(event.numbers.id)
        elif isinstance(event, events.VariableEvent | events.AssignEvent):
            self._learn(event.numbers)
        elif isinstance(event, events.ReadEvent):
            self.variable_of[event.value] = event.variable
            self.arrays[event.value] = self.arrays.get(event.variable, Reason.EARLIER)
        elif isinstance(event, events.ResultEvent) and event.numbers is not None:
            self._learn(event.numbers)
        elif isinstance(event, events.PrimitiveEvent):
            self._gradients[event.name] = event.gradient
            self._rules[event.name] = event.rule

    def _learn(self, numbers: events.Numbers) -> None:
        self._numbers[numbers.id] = numbers
        self.arrays[numbers.id] = array_of(numbers)

    def ran(self, op: events.OpEvent) -> ReplayedOp | Reason:
        """Run an op again; afterwards, its outputs have the values of the trace."""
        self.ops[op.number] = op
        again = self._run(op)
        self._again[op.number] = again
        for out in op.outputs:
            self._learn(out)
        return again

    def _run(self, op: events.OpEvent) -> ReplayedOp | Reason:
        if self._rules.get(op.name) == _OWN_RULE:
            return Reason.OWN_RULE
        given = []
        for each in op.inputs:
            array = self.arrays.get(each.value, Reason.EARLIER)
            if isinstance(array, Reason):
                return array
            given.append(ReplayedInput(array, each.value in self._operands))
        is_undefined = not self.is_minitape and op.name in _DIFFERENT_WITH_NAN
        if is_undefined and any(np.isnan(each.array).any() for each in given):
            return Reason.NAN
        return run(op, given, is_minitape=self.is_minitape)

    def sent_back(
        self, op: events.OpEvent, arrived: Sequence[Value | Reason | None]
    ) -> list[Value | None] | Reason:
        """Return the contributions of an op to its inputs, in the convention of the trace."""
        again = self._again[op.number]
        if isinstance(again, Reason):
            return again
        for each in arrived:
            if isinstance(each, Reason):
                return each
        return self._sent_back(again, arrived)

    def _sent_back(
        self, again: ReplayedOp, arrived: Sequence[Value | None]
    ) -> list[Value | None] | Reason:
        if self.is_minitape:
            return again.back(arrived)
        sent = again.back([None if each is None else conjugate(each) for each in arrived])
        if isinstance(sent, Reason):
            return sent
        return [None if each is None else conjugate(each) for each in sent]

    # --- how accurate the last digits are ---

    def scale_of_output(self, op: events.OpEvent, index: int) -> float:
        """Return the magnitude of the values from which an output was computed, as far as its last digits reveal it."""
        again = self._again[op.number]
        if isinstance(again, Reason) or self.gradient_of(op) != "rule":
            return 0.0
        nearby = [again.nearby(np.random.default_rng(draw)) for draw in range(_DRAWS)]
        others = [each.arrays[index] for each in nearby if not isinstance(each, Reason)]
        largest = max((size_of(each.array) for each in again.given), default=0.0)
        return scale_of(again.arrays[index], others, largest)

    def scale_of_contribution(
        self, op: events.OpEvent, arrived: Sequence[Value | None], position: int
    ) -> float:
        """Return the magnitude of the values from which the contribution to the input at `position` was computed."""
        again = self._again[op.number]
        found = self.sent_back(op, arrived)
        if isinstance(again, Reason) or isinstance(found, Reason):
            return 0.0
        others = []
        for draw in range(_DRAWS):
            rng = np.random.default_rng(draw)
            near = again.nearby(rng)
            cotangents = [None if each is None else perturbed(each, rng) for each in arrived]
            sent = near if isinstance(near, Reason) else self._sent_back(near, cotangents)
            if not isinstance(sent, Reason) and sent[position] is not None:
                others.append(plain(sent[position]))
        largest = max(
            [size_of(each) for each in arrived if each is not None]
            + [size_of(each.array) for each in again.given]
        )
        return scale_of(plain(found[position]), others, largest)

    # --- properties of a value ---

    def named(self, value: int) -> int:
        """Return the id of a value on tapes; the value of a variable has the id of the variable."""
        return self.variable_of.get(value, value)

    def shape(self, value: int) -> Ints:
        numbers = self._numbers.get(self.named(value))
        return () if numbers is None else tuple(numbers.shape)

    def dtype(self, value: int) -> str:
        numbers = self._numbers.get(self.named(value))
        return "" if numbers is None else numbers.dtype

    def numpy_dtype(self, value: int) -> "np.dtype[Any] | Reason":
        return dtype_of(self.dtype(value))

    def is_smooth(self, value: int) -> bool:
        return self.dtype(value).startswith(SMOOTH)

    def may_be_watched(self, value: int) -> bool:
        """Whether a tape may watch the value. minitape does not watch integers; TensorFlow does, without effect."""
        return not self.is_minitape or self.is_smooth(value)

    def called(self, value: int) -> str:
        """Return the name of a value in a fault."""
        numbers = self._numbers.get(self.named(value))
        return (numbers and numbers.name) or texts.VALUE(id=value)

    def gradient_of(self, op: events.OpEvent) -> str:
        """Return the kind of gradient that an op has according to the trace."""
        return self._gradients.get(op.name, "rule")


# The first letters of the dtypes that have a gradient.
SMOOTH = ("float", "bfloat", "complex")
