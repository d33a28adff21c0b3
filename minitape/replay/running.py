"""Runs a recorded op again, forward and backward, with minitape's own kernels and gradient rules.

ReplayedOp  an op that ran again, with its outputs, and its contributions for a cotangent
run         an op of a trace with its inputs → ReplayedOp, or the reason why it cannot be run
perturbed   returns values perturbed in their last digit
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

import minitape.ops.all_ops  # noqa: F401  (declares the ops of modules that are not imported yet)
from minitape.autodiff.backward import run_backward
from minitape.autodiff.forward import Tangents
from minitape.autodiff.tape import Tape
from minitape.core import recorders
from minitape.core.batched import Batched
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.dtypes import as_dtype, kind_of, limits_of
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import Array, ShapeDtype, Value
from minitape.errors import NoGradientError, Teaching
from minitape.replay import tensorflow
from minitape.replay.reason import Reason
from minitape.replay.settings import settings_of
from minitape.trace import events

_RANDOM = ("Random", "Multinomial", "TruncatedNormal")  # parts of their names
# What a kernel or a rule raises for unexpected settings and inputs, which a modified trace may contain.
_REFUSALS = (
    Teaching, ArithmeticError, AttributeError, ImportError, LookupError, MemoryError, TypeError, ValueError
)  # fmt: skip


@dataclass(frozen=True)
class ReplayedInput:
    """An input of an op, with its values, and whether it was a plain number or array beside tensors."""

    array: Array
    is_operand: bool


@dataclass(frozen=True)
class ReplayedOp:
    """An op that ran again on a tape of its own; `inputs` has a tensor for each input, or None for a plain number.

    `of` runs it again with other inputs.
    """

    of: "Callable[[Sequence[ReplayedInput]], ReplayedOp | Reason]"
    given: tuple[ReplayedInput, ...]
    tape: Tape
    inputs: tuple[Tensor | None, ...]
    outputs: tuple[Tensor, ...]

    def nearby(self, rng: np.random.Generator) -> "ReplayedOp | Reason":
        """Return the same op on inputs that are perturbed in their last digit."""
        return self.of([replace(each, array=perturbed(each.array, rng)) for each in self.given])

    @property
    def arrays(self) -> list[Array]:
        """The outputs of the op."""
        return [each._array for each in self.outputs]

    def take_outputs(self, arrays: Sequence[Array]) -> None:
        """Let gradient rules read these outputs, which may differ from the recomputed outputs in their last digits."""
        reported = dict(zip((each._id for each in self.outputs), arrays, strict=True))
        for record in self.tape.records:
            if (
                len(record.outputs) == 1
                and record.outputs[0] in reported
                and type(record.result) is not ShapeDtype
            ):
                residual = record.primitive.output_residual or (lambda y: y)
                record.result = residual(reported[record.outputs[0]])

    def back(self, cotangents: Sequence[Value | None]) -> list[Value | None] | Reason:
        """Return the gradients that the op's rule sends to each input; None for an input without one.

        Args:
            cotangents: The cotangent of each output, in minitape's convention; None for an unused one. A `Batched` contains the
                cotangents of many rows.
        """
        seeds = [
            (out._id, cotangent)
            for out, cotangent in zip(self.outputs, cotangents, strict=True)
            if cotangent is not None
        ]
        ids = [0 if each is None else each._id for each in self.inputs]
        try:
            found = run_backward(
                self.tape.records,
                self.tape.watched,
                seeds,
                [each for each in ids if each],
                on_arrays=True,
                consume=False,
                reported=False,
            )
        except NoGradientError:
            return Reason.NO_RULE
        except _REFUSALS:
            return Reason.REFUSED
        return [found.get(each) if each else None for each in ids]

    def pushed(self, position: int, tangent: Array) -> list[Array | None] | Reason:
        """Return the forward derivative of each output along `tangent` of the input at `position`; None if there is none."""
        tensor = self.inputs[position]
        if tensor is None or not tensor.dtype.is_differentiable:
            return Reason.NO_RULE
        tangents = Tangents()
        tangents.give(tensor._id, Tensor(tangent))
        recorders.start(tangents)
        try:
            for record in self.tape.records:
                tangents.append(record)
        except NoGradientError:
            return Reason.NO_RULE
        except _REFUSALS:
            return Reason.REFUSED
        finally:
            recorders.stop(tangents)
        found = [tangents.by_id.get(each._id) for each in self.outputs]
        return [None if each is None else each._array for each in found]


def run(
    op: events.OpEvent, given: Sequence[ReplayedInput], *, is_minitape: bool = True
) -> ReplayedOp | Reason:
    """Run the op again with the inputs of the trace.

    Args:
        op: The op in the trace.
        given: Its inputs.
        is_minitape: Whether its attributes are those of minitape's primitive; otherwise they are TensorFlow's.
    """
    if any(each in op.name for each in _RANDOM):
        return Reason.RANDOM
    if op.name == "PyFunc":
        return Reason.PYTHON
    try:
        compute = _ours(op) if is_minitape else _theirs(op, given)
        taken = given if is_minitape else _as_taken(op, given)
    except _REFUSALS:
        return Reason.SETTINGS
    return compute if isinstance(compute, Reason) else _run(compute, taken)


Compute = Callable[..., Any]
# Prefixes of the dtypes that Python's numbers are converted to; ops whose output dtype differs from their input dtype.
_NUMERIC = ("float", "complex", "int", "uint")
_OF_OWN_DTYPE = ("ArgMax", "ArgMin", "Bitcast", "Cast", "OneHot", "Shape", "Size")


def _ours(op: events.OpEvent) -> Compute | Reason:
    primitive = PRIMITIVES.get(op.name)
    if primitive is None:
        return Reason.UNKNOWN_OP
    settings = settings_of(primitive, op.attrs)
    return Reason.SETTINGS if settings is None else partial(primitive, **settings)


def _theirs(op: events.OpEvent, given: Sequence[ReplayedInput]) -> Compute | Reason:
    foreign = tensorflow.find(op.name)
    if foreign is None:
        return _ours(op)
    bound = tensorflow.bound(foreign, op.attrs, [each.array for each in given], op.outputs[0].dtype)
    return Reason.SETTINGS if bound is None else bound


def _as_taken(op: events.OpEvent, given: Sequence[ReplayedInput]) -> list[ReplayedInput]:
    """Return the inputs as TensorFlow converted them: Python numbers got the dtype of the output, if no tensor determined it."""
    out = op.outputs[0].dtype
    if out == "bool":
        return _as_compared(given)
    if not out.startswith(_NUMERIC) or op.name in _OF_OWN_DTYPE:
        return list(given)
    kind = kind_of(as_dtype(out).numpy)
    leads = any(not each.is_operand and each.array.dtype == out for each in given)
    return [
        replace(each, array=each.array.astype(out))
        if each.is_operand
        and each.array.dtype in (np.float64, np.int64)
        and (kind_of(each.array.dtype) == kind or not leads)
        else each
        for each in given
    ]


def _as_compared(given: Sequence[ReplayedInput]) -> list[ReplayedInput]:
    """Return the inputs of a comparison; a plain number or array gets the dtype of the other operand, if that is a special
    one.
    """
    dtypes = {each.array.dtype for each in given}
    leading = dtypes - {np.dtype(np.float64), np.dtype(np.int64)}
    if len(dtypes) == 1 or len(leading) != 1 or not all(each.is_operand for each in given):
        return list(given)
    return [replace(each, array=each.array.astype(*leading)) for each in given]


def perturbed(value: Value, rng: np.random.Generator) -> Value:
    """Return values that differ from these by at most one in the last digit."""
    if type(value) is Batched:
        return Batched(perturbed(value.stack, rng))
    if value.dtype.kind not in DIFFERENTIABLE_KINDS:
        return value
    steps = limits_of(value.dtype).eps * rng.uniform(-1.0, 1.0, np.shape(value))
    return (value * (1.0 + steps)).astype(value.dtype)[()]


def _run(compute: Compute, given: Sequence[ReplayedInput]) -> ReplayedOp | Reason:
    tape = Tape(recorders.NO_TAPE, watches_variables=False)
    # A number beside tensors takes their dtype, so there must be a tensor.
    all_plain = all(each.is_operand for each in given)
    tensors = tuple(
        None if each.is_operand and not all_plain else Tensor(each.array) for each in given
    )
    values = [
        each.array if tensor is None else tensor
        for each, tensor in zip(given, tensors, strict=True)
    ]
    tape.watched.update(
        each._id for each in tensors if each is not None and each.dtype.is_differentiable
    )
    before = recorders.thread.active
    recorders.thread.active = (tape,)
    try:
        result = compute(*values)
    except _REFUSALS:
        return Reason.REFUSED
    finally:
        recorders.thread.active = before
    outputs = tuple(result) if isinstance(result, tuple | list) else (result,)
    return ReplayedOp(partial(_run, compute), tuple(given), tape, tensors, outputs)
