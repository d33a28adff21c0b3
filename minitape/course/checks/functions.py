"""Checks of the functions that a student wrote: called at points that are drawn anew in each run.

value    what a function gives, beside a reference
slope    a gradient, beside differences in float64
cost     what calling a function records
holds    anything else, by a function in checks.py
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
from minitape.course.checks.check import InProgram
from minitape.course.checks.slopes import slopes
from minitape.course.failing import Failed
from minitape.course.student import Draw, Point, Student, called, in_short, listed

_POINTS = 5
_RELATIVE, _ABSOLUTE = 2e-3, 1e-4  # what float32 costs, for numbers of the size of 1


class Value(InProgram, frozen=True, tag="value"):
    """The student's `function` gives what `reference`, a name in checks.py, gives."""

    function: str
    reference: str
    at: tuple[Point, ...] = ()

    def examine(self, student: Student, draw: Draw) -> str:
        reference = _of_author(student, self.reference)
        for _ in range(_POINTS):
            args = [draw.point(each) for each in self.at]
            came = called(getattr(student, self.function), self.function, args)
            _compare(came, reference(*args), f"{self.function}({listed(args)})", "right", "value")
        return f"{self.function} is right at {_POINTS} points"


class Slope(InProgram, frozen=True, tag="slope"):
    """The student's `function` returns the gradient of `of`: one for each argument, or the one of a single argument.

    `of` is a name in checks.py, or one in the student's file. If it gives several numbers, their sum is meant. An `order` above
    1 is meant for one argument: of a scalar the higher derivative, of an array the gradient of the gradient (shape twice).
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
            said = f"{self.function}({listed(args)})"
            right = slopes(lambda *each: called(of, self.of, each), args, self.order)
            for position, (one, slope) in enumerate(self._pairs(came, right, said)):
                which = f"for argument {position + 1}" if len(args) > 1 else ""
                if one is None:
                    raise Failed(
                        f"{said} gave None {which}".rstrip() + f"; {self.of} does depend on it.",
                        f"minitape explain points at the line that lost it, if your file calls {self.function}",
                    )
                _compare(
                    one,
                    slope,
                    said,
                    f"{_derivative(self.order)} of {self.of} {which}".rstrip(),
                    "shape",
                )
        return f"{self.function} agrees with differences of {self.of} at {_POINTS} points"

    def _pairs(self, came: Any, right: Sequence[Array], said: str) -> list[tuple[Any, Array]]:
        if len(right) == 1:
            one = came[0] if isinstance(came, list | tuple) and len(came) == 1 else came
            return [(one, right[0])]
        if isinstance(came, dict):
            came = list(came.values())
        if not isinstance(came, list | tuple) or len(came) != len(right):
            raise Failed(
                f"{said} gave {in_short(came)}; it has {len(right)} arguments, so {len(right)} gradients are asked for.",
                "tape.gradient(y, [a, b]) gives a list, one for each source",
            )
        return list(zip(came, right, strict=True))


class Cost(InProgram, frozen=True, tag="cost"):
    """Calling the student's `function` makes tapes record no more than that; or runs no more ops, recorded or not."""

    function: str
    at: tuple[Point, ...] = ()
    most_ops: int | None = None
    most_bytes: int | None = None
    most_run: int | None = None

    def examine(self, student: Student, draw: Draw) -> str:
        args = [draw.point(each) for each in self.at]
        counted = _Counted()
        with listeners.listen(counted):
            called(getattr(student, self.function), self.function, args)
        for most, came, noun in (
            (self.most_ops, counted.recorded, "recorded ops"),
            (self.most_bytes, counted.bytes, "bytes kept by tapes"),
            (self.most_run, counted.ran, "ops run"),
        ):
            if most is not None and came > most:
                raise Failed(
                    f"calling {self.function} costs {came} {noun}; {most} are enough.",
                    "minitape trace shows them one by one: which are not needed?",
                )
        return f"calling {self.function} records {counted.recorded} ops, {counted.bytes} bytes"


class Holds(InProgram, frozen=True, tag="holds"):
    """`function` in checks.py, given the student and numbers to be drawn, has nothing to object."""

    function: str

    def examine(self, student: Student, draw: Draw) -> str:
        judge = _of_author(student, self.function)
        judge(student, draw)
        return (
            (judge.__doc__ or self.function.replace("_", " ")).strip().splitlines()[0].rstrip(".")
        )


class _Counted:
    """Listens: what runs, what is recorded, and what that keeps."""

    def __init__(self) -> None:
        self.ran = self.recorded = 0
        self._kept: dict[int, int] = {}

    @property
    def bytes(self) -> int:
        return sum(self._kept.values())

    def tell(self, event: Any) -> None:
        if isinstance(event, OpRan):
            self.ran += 1
            if event.recorded_by:
                self.recorded += 1
                for each in event.kept:
                    if isinstance(each, Tensor):
                        self._kept[each._id] = each._array.nbytes

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product


def _of_author(student: Student, name: str) -> Callable[..., Any]:
    """A function in checks.py."""
    if name not in student.checks:
        raise LookupError(f"checks.py has no {name}")
    found: Callable[..., Any] = student.checks[name]
    return found


def _compare(came: Any, right: Any, said: str, what: str, kind: str) -> None:
    """Hold what a function gave beside what is right, leaf by leaf.

    Raises:
        Failed: they differ.
    """
    ours, theirs = nest.flatten(came), nest.flatten(right)
    if len(ours) != len(theirs):
        raise Failed(
            f"{said} gave {len(ours)} values; {len(theirs)} are asked for.",
            "return them in the order that the task names",
        )
    for one, other in zip(ours, theirs, strict=True):
        if one is None or other is None:
            if one is not other:
                raise Failed(
                    f"{said} gave {in_short(one)}; {in_short(other)} is {what}.", "trace it by hand"
                )
            continue
        a, b = _array(one, said), _array(other, said)
        if a.shape != b.shape:
            raise Failed(
                f"{said} has shape {_shape(a)}; {_shape(b)} is the shape of {what}.",
                "a gradient has the shape of its source"
                if kind == "shape"
                else "look at the shape of each step",
            )
        if not np.allclose(a, b, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True):
            differs = ~np.isclose(a, b, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True)
            index = tuple(int(i) for i in np.argwhere(differs)[0])
            where = f" at {list(index)}" if index else ""
            raise Failed(
                f"{said}{where} gave {a[index]:.6g}; {b[index]:.6g} is {what}.",
                "compute it by hand at this point, step by step",
            )


def _derivative(order: int) -> str:
    return "the slope" if order == 1 else f"the derivative of order {order}"


def _array(value: Any, said: str) -> Array:
    if isinstance(value, Tensor | Variable):
        value = value.numpy()
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise Failed(
            f"{said} gave {in_short(value)}, which is no number.", "return a tensor"
        ) from None


def _shape(array: Array) -> str:
    return str(tuple(array.shape))
