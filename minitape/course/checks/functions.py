"""Checks of functions that a student wrote: they are called at points that are drawn for each run.

value    the result of a function, compared with a reference
slope    a gradient, compared with finite differences in float64
cost     what a call of a function records
taped    whether a function requests its gradients from a tape
holds    anything else, as a function in checks.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minitape.core import listeners, nest
from minitape.core.primitive import OpRan
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.course import messages
from minitape.course.checks.check import InProgram
from minitape.course.checks.finite_differences import slopes
from minitape.course.failing import Failed
from minitape.course.messages import counted
from minitape.course.student import Draw, Point, Student, called, in_short, listed

_POINTS = 5
_RELATIVE, _ABSOLUTE = 2e-3, 1e-4  # the rounding of float32, for numbers near 1


class Value(InProgram, frozen=True, tag="value"):
    """The student's `function` returns what `reference`, a function in checks.py, returns."""

    function: str
    reference: str
    at: tuple[Point, ...] = ()

    def examine(self, student: Student, draw: Draw) -> str:
        reference = _of_author(student, self.reference)
        for _ in range(_POINTS):
            args = [draw.point(each) for each in self.at]
            came = called(getattr(student, self.function), self.function, args)
            call = f"{self.function}({listed(args)})"
            _compare(came, reference(*args), call, messages.RIGHT_RESULT, "value")
        return messages.VALUE_RIGHT.format(function=self.function, points=_POINTS)


class Slope(InProgram, frozen=True, tag="slope"):
    """The student's `function` returns the gradient of `of`; with several arguments, a list of gradients.

    `of` is a name in checks.py or in the student's file. If it returns several numbers, the gradient of their sum is meant. An
    `order` above 1 needs a single argument. For a scalar it is the order of the derivative; for an array, order 2 is the Hessian.
    """

    function: str
    of: str
    at: tuple[Point, ...]
    order: int = 1

    def examine(self, student: Student, draw: Draw) -> str:
        of = student.checks.get(self.of) or getattr(student, self.of)
        for _ in range(_POINTS):
            args = [draw.point(each) for each in self.at]
            came = called(getattr(student, self.function), self.function, args)
            call = f"{self.function}({listed(args)})"
            right = slopes(lambda *each: called(of, self.of, each), args, self.order)
            for position, (one, slope) in enumerate(self._pairs(came, right, call), start=1):
                number = position if len(args) > 1 else None
                if one is None:
                    said = (
                        messages.DERIVATIVE_NONE if number is None else messages.DERIVATIVE_NONE_FOR
                    )
                    raise Failed(
                        said.format(call=call, of=self.of, number=number),
                        messages.ASK_EXPLAIN.format(function=self.function),
                    )
                _compare(one, slope, call, self._wanted(number), "shape")
        return messages.DERIVATIVE_RIGHT.format(function=self.function, of=self.of, points=_POINTS)

    def _wanted(self, number: int | None) -> str:
        """Return a phrase for the expected result; with several arguments, it includes the number of the argument."""
        if self.order > 1:
            return messages.THE_DERIVATIVE.format(order=self.order, of=self.of)
        said = messages.THE_GRADIENT if number is None else messages.THE_GRADIENT_FOR
        return said.format(of=self.of, number=number)

    def _pairs(self, came: Any, right: Sequence[Array], call: str) -> list[tuple[Any, Array]]:
        if len(right) == 1:
            one = came[0] if isinstance(came, list | tuple) and len(came) == 1 else came
            return [(one, right[0])]
        if isinstance(came, dict):
            came = list(came.values())
        if not isinstance(came, list | tuple) or len(came) != len(right):
            raise Failed(
                messages.GRADIENT_COUNT.format(call=call, value=in_short(came), count=len(right)),
                messages.LIST_OF_SOURCES,
            )
        return list(zip(came, right, strict=True))


class Cost(InProgram, frozen=True, tag="cost"):
    """A call of the student's `function` may record at most `most_ops` ops, keep `most_bytes` bytes, and run `most_run` ops."""

    function: str
    at: tuple[Point, ...] = ()
    most_ops: int | None = None
    most_bytes: int | None = None
    most_run: int | None = None

    def examine(self, student: Student, draw: Draw) -> str:
        args = [draw.point(each) for each in self.at]
        counts = _Counted()
        with listeners.listen(counts):
            called(getattr(student, self.function), self.function, args)
        for most, came, noun in (
            (self.most_ops, counts.recorded, messages.RECORDED_OPS),
            (self.most_bytes, counts.bytes, messages.KEPT_BYTES),
            (self.most_run, counts.ran, messages.OPS_RUN),
        ):
            if most is not None and came > most:
                cost = counted(came, noun)
                raise Failed(
                    messages.COST_TOO_HIGH.format(function=self.function, cost=cost, most=most),
                    messages.FIND_THE_COST,
                )
        return messages.COST_OF.format(
            function=self.function,
            ops=counted(counts.recorded, "op"),
            size=counted(counts.bytes, "byte"),
        )


class Taped(InProgram, frozen=True, tag="taped"):
    """A call of the student's `function` requests at least `least` and at most `most` gradients from a tape."""

    function: str
    at: tuple[Point, ...] = ()
    least: int = 1
    most: int | None = None

    def examine(self, student: Student, draw: Draw) -> str:
        from minitape.debug.queries import record
        from minitape.trace import events

        args = [draw.point(each) for each in self.at]
        with record() as recording:
            called(getattr(student, self.function), self.function, args)
        requested = recording.trace.of(events.GradientEvent)
        asked = sum(
            len(each.sources) * len(each.targets) for each in requested if each.inside is None
        )
        if asked < self.least:
            said = messages.NOT_TAPED if asked == 0 else messages.TOO_FEW_TAPED
            gradients = counted(asked, "gradient")
            raise Failed(
                said.format(function=self.function, gradients=gradients), messages.LET_A_TAPE
            )
        if self.most is not None and len(requested) > self.most:
            calls = counted(len(requested), "gradient call")
            raise Failed(
                messages.TOO_MUCH_TAPED.format(function=self.function, calls=calls, most=self.most),
                messages.FIND_THE_COST,
            )
        return messages.TAPED.format(function=self.function)


class Holds(InProgram, frozen=True, tag="holds"):
    """`function` in checks.py, called with the student's program and a source of random numbers, raises no `Failed`."""

    function: str

    def examine(self, student: Student, draw: Draw) -> str:
        judge = _of_author(student, self.function)
        judge(student, draw)
        return (
            (judge.__doc__ or self.function.replace("_", " ")).strip().splitlines()[0].rstrip(".")
        )


class _Counted:
    """Counts the ops that run, the ops that a tape records, and the bytes that tapes keep for them."""

    def __init__(self) -> None:
        self.ran = self.recorded = 0
        self._saved_bytes: dict[int, int] = {}

    @property
    def bytes(self) -> int:
        return sum(self._saved_bytes.values())

    def emit(self, event: Any) -> None:
        if isinstance(event, OpRan):
            self.ran += 1
            if event.recorded_by:
                self.recorded += 1
                for each in event.saved:
                    if isinstance(each, Tensor):
                        self._saved_bytes[each._id] = each._array.nbytes

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product


def _of_author(student: Student, name: str) -> Callable[..., Any]:
    """Return the function with this name in checks.py."""
    if name not in student.checks:
        raise LookupError(f"checks.py does not define {name}")
    found: Callable[..., Any] = student.checks[name]
    return found


def _compare(came: Any, right: Any, call: str, what: str, kind: str) -> None:
    """Compare the result of a function with the right result, leaf by leaf.

    Args:
        came: The result; a tensor, or a structure of tensors.
        right: The right result.
        call: The call, as Python writes it.
        what: A phrase for the right result.
        kind: `shape` if the result is a gradient.

    Raises:
        Failed: the two results differ.
    """
    ours, theirs = nest.flatten(came), nest.flatten(right)
    if len(ours) != len(theirs):
        values = counted(len(ours), "value")
        raise Failed(
            messages.VALUE_COUNT.format(call=call, came=values, right=len(theirs)),
            messages.VALUES_IN_ORDER,
        )
    said = {"call": call, "what": what}
    for one, other in zip(ours, theirs, strict=True):
        if one is None or other is None:
            if one is not other:
                pair = {"came": in_short(one), "right": in_short(other)}
                raise Failed(messages.VALUE_NONE.format(**said, **pair), messages.TRACE_BY_HAND)
            continue
        a, b = _array(one, call), _array(other, call)
        if a.shape != b.shape:
            shapes = {"came": _shape(a), "right": _shape(b)}
            raise Failed(
                messages.VALUE_SHAPE.format(**said, **shapes),
                messages.SHAPE_OF_SOURCE if kind == "shape" else messages.SHAPE_OF_STEPS,
            )
        if not np.allclose(a, b, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True):
            differs = ~np.isclose(a, b, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True)
            index = tuple(int(i) for i in np.argwhere(differs)[0])
            numbers = {"came": f"{a[index]:.6g}", "right": f"{b[index]:.6g}"}
            text = messages.VALUE_WRONG_AT if index else messages.VALUE_WRONG
            raise Failed(
                text.format(**said, **numbers, index=list(index)), messages.COMPUTE_BY_HAND
            )


def _array(value: Any, call: str) -> Array:
    if isinstance(value, Tensor | Variable):
        value = value.numpy()
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise Failed(
            messages.NOT_A_NUMBER.format(call=call, value=in_short(value)),
            messages.RETURN_A_TENSOR,
        ) from None


def _shape(array: Array) -> str:
    return str(tuple(array.shape))
