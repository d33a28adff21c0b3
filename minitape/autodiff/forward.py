"""Forward mode: when an op runs, the tangent of its output is computed from the tangents of its inputs.

    with tf.autodiff.ForwardAccumulator(x, dx) as accumulator:
        y = f(x)
    accumulator.jvp(y)        the Jacobian of f times dx, without a tape

A tape records an op for later; an accumulator computes with the tangents immediately and keeps no record. Forward mode needs no
rules of its own. A vjp is a linear map from the output's cotangent to the input's cotangent, and the tangents pass through the
transpose of that map. So the vjp runs on a dummy cotangent u under a tape, and its result is differentiated with respect to u. If
each element of the output depends on one element of each input, the map is diagonal and equals its transpose, so the vjp itself
computes the tangent.

Source: https://www.tensorflow.org/api_docs/python/tf/autodiff/ForwardAccumulator;
J. Townsend, A new trick for calculating Jacobian vector products (2017).
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import numpy as np

from minitape.autodiff.accumulate import dense
from minitape.autodiff.backward import run_backward, without_rules
from minitape.autodiff.tape import Tape
from minitape.autodiff.unconnected import UnconnectedGradients, as_unconnected
from minitape.core import nest, recorders
from minitape.core.convert import convert_to_tensor
from minitape.core.declaration import is_differentiable
from minitape.core.dtypes import kind_of
from minitape.core.frames import frames_to_user
from minitape.core.recorders import NO_TAPE, Record
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeAttributeError, TapeValueError
from minitape.ops.rules import elementwise


class Tangents:
    """The recorder of an accumulator. A tape appends a record to its list; this recorder computes the tangents of the outputs
    instead.

    `by_id` contains the tangent of each value that has one, by the value's id.
    """

    number = NO_TAPE
    watches_variables = False

    def __init__(self) -> None:
        self.watched: set[int] = set()
        self.by_id: dict[int, Tensor] = {}

    @property
    def records(self) -> "Tangents":
        """This object, because an op only calls `append` of a recorder's records."""
        return self

    def see(self, variable: Variable) -> None:
        """Do nothing, because a variable has a tangent only if `primals` contains it."""

    def append(self, record: Record) -> None:
        """Compute the tangents of the outputs of an op, if one of its inputs has a tangent."""
        arrived = {
            position: self.by_id[identity]
            for position, identity in enumerate(record.inputs)
            if identity in self.by_id
        }
        if arrived:
            with self._only_those_outside():
                leaving = _pushed(record, arrived)
            for identity, tangent in zip(record.outputs, leaving, strict=True):
                if tangent is not None:
                    self.give(identity, tangent)

    def give(self, identity: int, tangent: Tensor) -> None:
        """Set the tangent of the value with this id."""
        self.watched.add(identity)
        self.by_id[identity] = tangent

    @contextmanager
    def _only_those_outside(self) -> Iterator[None]:
        """Compute tangents that only the recorders opened earlier can see.

        So an outer tape differentiates the tangent, and an inner tape does not record it needlessly.
        """
        active = recorders.thread.active
        recorders.thread.active = active[: active.index(self)]
        try:
            yield
        finally:
            recorders.thread.active = active


def _pushed(record: Record, arrived: Mapping[int, Tensor]) -> Sequence[Tensor | None]:
    """Return the tangent of each output of an op, from those of its inputs by position."""
    rules = record.primitive.rules
    if not rules:
        if not any(map(is_differentiable, _outputs(record))):
            return [None] * len(record.outputs)  # integers and booleans have no tangent
        raise without_rules(record.primitive)
    if record.primitive.gradient == "zero":
        # the tangents are 0, which forward mode represents as None
        return [None] * len(record.outputs)
    smooth = {position: dx for position, dx in arrived.items() if rules[position] is not None}
    if _is_diagonal(record, smooth):
        return [_straight_through(record, smooth)]
    return _transposed(record, smooth)


def _outputs(record: Record) -> tuple[Value, ...]:
    return record.result if isinstance(record.result, tuple) else (record.result,)


def _is_diagonal(record: Record, arrived: Mapping[int, Tensor]) -> bool:
    """Whether each element of the output depends on one element of each input, all of them real."""
    primitive, y = record.primitive, record.result
    return (
        primitive.batch is elementwise
        and (primitive.output_residual is not None or kind_of(y.dtype) == "f")
        and all(kind_of(dx._array.dtype) == "f" for dx in arrived.values())
        and all(tuple(dx.shape) == tuple(y.shape) for dx in arrived.values())
    )


def _straight_through(record: Record, arrived: Mapping[int, Tensor]) -> Tensor | None:
    on_arrays = not recorders.thread.active
    parts = [
        _apply_vjp(record, position, dx._array if on_arrays else dx, on_arrays)
        for position, dx in arrived.items()
    ]
    total = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total if total is None or type(total) is Tensor else Tensor(total)


def _transposed(record: Record, arrived: Mapping[int, Tensor]) -> Sequence[Tensor | None]:
    """Run the vjp on a dummy cotangent, and differentiate its result with respect to the dummy.

    A value computed by `output_residual` does not show the dtype of the output, but ops that have one are diagonal and are not
    handled here.
    """
    dummies = [_dummy(y) for y in _outputs(record)]
    given = tuple(dummies) if isinstance(record.result, tuple) else dummies[0]
    tape = Tape(NO_TAPE, watches_variables=False)
    tape.watched.update(each._id for each in dummies if each is not None)
    recorders.start(tape)
    try:
        sent = [dense(_apply_vjp(record, position, given, False)) for position in arrived]
    finally:
        recorders.stop(tape)
    on_arrays = not recorders.thread.active
    seeds = [
        (amount._id, dx._array if on_arrays else dx)
        for (amount, dx) in zip(sent, arrived.values(), strict=True)
        if type(amount) is Tensor and amount._id in tape.watched
    ]
    ids = [each._id for each in dummies if each is not None]
    found = run_backward(
        tape.records, tape.watched, seeds, ids, on_arrays=on_arrays, consume=True, reported=False
    )
    return [None if each is None else _as_tangent(found.get(each._id)) for each in dummies]


def _dummy(y: Value) -> Tensor | None:
    """Return a cotangent of y's shape; a vjp is linear in it, so its values do not matter."""
    if not is_differentiable(y):
        return None
    ones = np.ones(y.shape, y.dtype)
    return Tensor(ones if ones.ndim else ones[()])


def _apply_vjp(record: Record, position: int, ybar: Any, on_arrays: bool) -> Any:
    """Return the result of the vjp of one input for a cotangent."""
    rule = record.primitive.rules[position]
    assert rule is not None
    y, saved = (record.result, record.saved) if on_arrays else record.as_tensors()
    return rule(ybar, y, *saved, **record.settings)


def _as_tangent(value: Value | None) -> Tensor | None:
    if value is None or type(value) is Tensor:
        return value
    return Tensor(dense(value))


class ForwardAccumulator:
    """Compute Jacobian-vector products while the program runs. From the given tangents of `primals`, the accumulator computes
    the tangent of every value.

    One accumulator computes the Jacobian times a vector, such as one column of it; one backward pass of a tape computes a vector
    times the Jacobian, such as one row of it. Accumulators can be nested in each other or in tapes to compute higher derivatives,
    because the recorder that was opened earlier differentiates the one that was opened later.

    Args:
        primals: A Tensor or Variable, or a nested structure of them.
        tangents: The tangent of each primal, with its shape and dtype, in the structure of `primals`.

    Raises:
        ValueError: the structures, shapes or dtypes differ, or a primal occurs twice.
        AttributeError: a primal is not a tensor.

    Unlike in TensorFlow, a tangent lives as long as the accumulator, even after its primal is deleted, and a tangent whose shape
    differs from that of its primal raises an error.

    Source: https://www.tensorflow.org/api_docs/python/tf/autodiff/ForwardAccumulator

    >>> x = convert_to_tensor(3.0)
    >>> with ForwardAccumulator(x, convert_to_tensor(1.0)) as accumulator:
    ...     y = x * x
    >>> float(accumulator.jvp(y))
    6.0
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._tangents = Tangents()
        nest.assert_same_structure(primals, tangents)
        for primal, tangent in zip(nest.flatten(primals), nest.flatten(tangents), strict=True):
            self._watch(_as_primal(primal), tangent)

    def _watch(self, primal: Tensor | Variable, tangent: Any) -> None:
        if primal._id in self._tangents.by_id:
            raise TapeValueError(
                "A tensor was specified as a primal multiple times.",
                fix="list each primal once, with the sum of its tangents",
                code="MT503",
            )
        if not primal.dtype.is_differentiable:
            warnings.warn(
                "The dtype of the watched primal must be floating (e.g. tf.float32), "
                f"got tf.{primal.dtype.name}",
                stacklevel=frames_to_user(),
            )
        direction = convert_to_tensor(tangent, dtype=primal.dtype)
        if direction.shape != primal.shape:
            raise TapeValueError(
                f"The tangent has shape {direction.shape}, but its primal has shape {primal.shape}.",
                fix=f"use `tf.broadcast_to(tangent, {tuple(primal.shape)})` or `tf.ones_like(primal)`",
                code="MT507",
            )
        if primal.dtype.is_differentiable:
            self._tangents.give(primal._id, direction)

    def __enter__(self) -> "ForwardAccumulator":
        if recorders.is_active(self._tangents):
            raise TapeValueError(
                "Accumulator is already recording.",
                fix="leave the first `with` block before entering it again",
                code="MT504",
            )
        recorders.start(self._tangents)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        recorders.stop(self._tangents)

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """Return the tangents of `primals`, which the accumulator computed together with the values.

        Args:
            primals: A Tensor or Variable that was computed inside the `with` block, or a nested structure of them.
            unconnected_gradients: The result for a value that does not depend on the watched primals: None, or zeros.

        Returns:
            The tangents in the structure of `primals`: Tensors of the shape and dtype of each primal, or None.

        Raises:
            AttributeError: one of them is not a tensor.
            ValueError: `unconnected_gradients` is not a member of `tf.UnconnectedGradients`.
        """
        unconnected = as_unconnected(unconnected_gradients)
        return nest.map_structure(lambda leaf: self._tangent_of(leaf, unconnected), primals)

    def _tangent_of(self, leaf: Any, unconnected: UnconnectedGradients) -> Tensor | None:
        value = _as_primal(leaf)
        found = self._tangents.by_id.get(value._id)
        if found is None and unconnected is UnconnectedGradients.ZERO:
            zeros = np.zeros(tuple(value.shape), value._array.dtype)
            return Tensor(zeros if zeros.ndim else zeros[()])
        return found


def _as_primal(leaf: Any) -> Tensor | Variable:
    if isinstance(leaf, Tensor | Variable):
        return leaf
    raise TapeAttributeError(
        f"Forward mode needs tensors, but got a {type(leaf).__name__} ({leaf!r:.60}).",
        fix="write `x = tf.constant(value)`, and compute with `x`",
        code="MT503",
    )
