"""A gradient request, with its checks, its events and its results.

GradientRequest     one call with its targets, sources and cotangents; sends the events for its start and its end
as_leaf             returns a target or source, or raises the exception that TensorFlow raises for other objects
as_tensor           a cotangent as the tensor that the user gets
conjugated          converts cotangents to TensorFlow's complex gradients and back
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitape.autodiff.unconnected import UnconnectedGradients
from minitape.core import events, listeners, nest
from minitape.core.batched import Batched, raw_dtype
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import ARRAY_TYPES, Value
from minitape.core.variable import Variable
from minitape.errors import InvalidArgumentError, TapeAttributeError, TapeTypeError


@dataclass
class GradientRequest:
    """A call such as `tape.gradient`, from request to result. It sends the events for the request and for the result.

    Listeners know the tape by its number.
    """

    tape: int
    api: str
    structure: Any
    targets: list[Any]
    sources: list[Any]
    seeds: list[Tensor | None]
    unconnected: UnconnectedGradients
    when_over: Callable[[], None]

    def __enter__(self) -> "GradientRequest":
        if listeners.active:
            given = None if all(seed is None for seed in self.seeds) else tuple(self.seeds)
            listeners.emit(
                events.GradientCalled(
                    self.tape,
                    self.api,
                    tuple(self.targets),
                    tuple(self.sources),
                    given,
                    self.unconnected.value,
                )
            )
        return self

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if error is not None and listeners.active:
            listeners.emit(events.GradientFailed(error))
        self.when_over()

    def if_unconnected(self, shape: tuple[int, ...], source: Any) -> Tensor | None:
        """Return the result for an unconnected source: None, or zeros on request."""
        if self.unconnected is UnconnectedGradients.NONE:
            return None
        zeros = np.zeros(shape, source._array.dtype)
        return Tensor(zeros if zeros.ndim else zeros[()])

    def answer(self, results: list[Any]) -> Any:
        """Send the results to the listeners, and return them in the structure of the sources."""
        if listeners.active:
            listeners.emit(events.GradientReturned(tuple(results)))
        return nest.pack_sequence_as(self.structure, results)


def first_cotangent(target: Any, given: Tensor | None, arrays: bool) -> Value:
    """Return the cotangent of a target from which the backward pass starts: ones, or the user's value.

    Args:
        target: The target.
        given: The user's `output_gradients` for this target, or None for ones.
        arrays: Whether to return an array instead of a tensor.

    Raises:
        InvalidArgumentError: the dtype or shape of the user's value differs from that of the target.
    """
    if given is None:
        array = target._array
        numbers = np.ones(array.shape, array.dtype) if array.ndim else array.dtype.type(1)
        return numbers if arrays else Tensor(numbers)
    if given._array.dtype != target._array.dtype:
        raise InvalidArgumentError(
            f"`output_gradients` has dtype {given.dtype.name}, but the target has dtype {target.dtype.name}.",
            fix=f"use `tf.cast(output_gradients, tf.{target.dtype.name})`",
            code="MT506",
        )
    if given._array.shape != target._array.shape:
        raise InvalidArgumentError(
            f"`output_gradients` has shape {given.shape}, but the target has shape {target.shape}.",
            fix="pass `output_gradients` with the shape of the target",
            code="MT507",
        )
    return conjugated(given._array if arrays else given)


def as_tensor(value: Value) -> Any:
    """Return a cotangent as the tensor that the user gets."""
    if type(value) in ARRAY_TYPES and value.dtype.kind != "c":
        return Tensor(value)
    if type(value) is IndexedSlices:
        parts = (conjugated(value.values), value.indices, value.dense_shape)
        return IndexedSlices(*(part if type(part) is Tensor else Tensor(part) for part in parts))
    if type(value) is Batched:
        return as_tensor(value.stack)
    value = conjugated(value)
    return value if type(value) is Tensor else Tensor(value)


def conjugated(value: Value) -> Value:
    """Convert cotangents to TensorFlow's complex gradients, or back.

    A rule computes x̄ = ȳ·f'(x). TensorFlow's gradient is the complex conjugate of that, so that a step against it decreases the
    target. Conjugating the seeds and the results of a backward pass is equivalent to conjugating in each rule.
    """
    return PRIMITIVES["Conj"](value) if raw_dtype(value).kind == "c" else value


def check_one_tensor(target: Any) -> None:
    """Raise an error unless the target of a Jacobian is a single tensor."""
    if not isinstance(target, Tensor | Variable):
        raise TapeAttributeError(
            f"The target of a Jacobian must be one tensor, but is a {type(target).__name__}.",
            fix="use `tape.jacobian(y, x)` with `y = tf.stack([y0, y1])` inside the `with` block",
            code="MT503",
        )


def check_one_source(source: Any) -> None:
    """Raise an error unless the source of a batch Jacobian has a shape; `as_leaf` checks the rest."""
    if not hasattr(source, "shape"):
        raise TapeAttributeError(
            f"The source of a batch Jacobian must be one tensor or variable, but is a {type(source).__name__}.",
            fix="call `tape.batch_jacobian(y, x)` for each source `x`, with `tf.GradientTape(persistent=True)`",
            code="MT503",
        )


_LEAVES = (Tensor, Variable)
_PYTHON_NUMBERS = (bool, int, float, complex)


def as_leaf(leaf: Any, role: str) -> Any:
    """Return a target or source as a tensor or variable.

    Args:
        leaf: The object.
        role: "target" or "source", for the message.

    Raises:
        TypeError or AttributeError: the object is neither a tensor nor a variable; the type is that of TensorFlow's error.
    """
    if isinstance(leaf, _LEAVES):
        return leaf
    if isinstance(leaf, IndexedSlices):
        raise TapeAttributeError(
            f"A {role} of the gradient is an `IndexedSlices` object, which consists of several tensors.",
            fix="write `dense = tf.convert_to_tensor(slices)` inside the `with` block, and use `dense`",
            code="MT503",
        )
    kind = type(leaf).__name__
    article = "an" if kind[:1] in "aeiou" or kind == "ndarray" else "a"
    error = TapeTypeError if leaf is None or isinstance(leaf, str) else TapeAttributeError
    if leaf is None:
        what = f"A {role} of the gradient is `None`."
        fix = "check where the value was assigned; a function without `return` returns `None`"
    elif role == "target" and type(leaf) in _PYTHON_NUMBERS:
        what = f"A target of the gradient is a Python {kind} ({leaf!r:.60}), which does not depend on any source."
        fix = "compute the target from the source as a tensor, without `.numpy()`, `float()` and plain numbers"
    else:
        what = f"A {role} of the gradient is {article} {kind} ({leaf!r:.60}), which a tape cannot record."
        fix = (
            "compute the loss as a tensor, without `.numpy()`, `float()` and NumPy functions"
            if role == "target"
            else "write `x = tf.Variable(value)`, and compute the target from `x`"
        )
    raise error(what, fix=fix, code="MT503")
