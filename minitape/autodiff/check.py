"""Checks a gradient by finite differences, which need no derivative rule.

    compute_gradient    the Jacobian of the tape, and the Jacobian by finite differences

Source: https://www.tensorflow.org/api_docs/python/tf/test/compute_gradient
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from minitape.autodiff.gradient_tape import GradientTape
from minitape.core.arguments import function_given
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.errors import TapeAssertionError, TapeValueError

Matrices = tuple[Array, ...]


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
) -> tuple[Matrices, Matrices]:
    """Return the Jacobians of `f` at `x`, computed by the tape and by finite differences.

    The error of a central difference is about delta² times the third derivative, plus the rounding error of `f` divided by delta.
    Expect three digits to agree in float32, and six in float64.

    Args:
        f: A function that takes the tensors of `x` and returns one tensor.
        x: A list of arguments of a float or complex dtype.
        delta: The step in each direction; 1/1024 by default.

    Returns:
        Two tuples with one matrix for each argument. A matrix has a row for each element of the result and a column for each
        element of the argument. A complex number counts as two real numbers, first its real part, then its imaginary part.

    Raises:
        ValueError: `x` is not a list.
        AssertionError: an argument does not have a float or complex dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/compute_gradient

    >>> by_tape, by_steps = compute_gradient(lambda x: x * x, [[1.0, 2.0]])
    >>> by_tape[0].tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    if not isinstance(x, list | tuple):
        raise TapeValueError(
            "`x` must be a list or tuple of values to compute the gradient of.",
            fix="pass `[x]` for a single argument",
        )
    function_given(f, "f")
    at = [convert_to_tensor(value) for value in x]
    for position, each in enumerate(at):
        if not each.dtype.is_differentiable:
            raise TapeAssertionError(
                f"Cannot compute gradient for unsupported type {each.dtype.name} of argument {position}.",
                fix="use `tf.cast(x, tf.float64)`",
            )
    step = 1 / 1024 if delta is None else delta
    by_tape = _by_tape(f, at)
    return by_tape, tuple(_by_steps(f, at, i, step, len(by_tape[i])) for i in range(len(at)))


def _as_reals(array: Array) -> Array:
    """Return all numbers as a vector of reals; a complex number becomes its real part, followed by its imaginary part."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _shaped_like(array: Array, reals: Array) -> Tensor:
    """Return a vector of reals as a tensor of the shape and dtype of `array`: the inverse of `_as_reals`.

    To change one element of an array, change the vector first. `np.zeros_like(array)` would keep the memory layout of
    `array`, and then `_as_reals` returns a copy, in which a change has no effect.
    """
    return Tensor(reals.view(array.dtype).reshape(array.shape)[()])


def _by_tape(f: Callable[..., Any], at: list[Tensor]) -> Matrices:
    with GradientTape(persistent=True) as tape:
        tape.watch(at)
        y = convert_to_tensor(f(*at))
    reals, rows = [_as_reals(x._array) for x in at], _as_reals(y._array).size
    jacobians = tuple(np.zeros((rows, x.size), x.dtype) for x in reals)
    for row, seed in enumerate(_seeds(y._array)):
        found = tape.gradient(y, at, output_gradients=seed, unconnected_gradients="zero")
        for jacobian, gradient in zip(jacobians, found, strict=True):
            jacobian[row] = _as_reals(convert_to_tensor(gradient)._array)
    return jacobians


def _seeds(y: Array) -> Iterator[Tensor]:
    """Yield a cotangent for each real number in y: the real part of its product with y is that number."""
    reals = _as_reals(y)
    for index in range(reals.size):
        seed = np.zeros(reals.shape, reals.dtype)
        seed[index] = 1
        yield _shaped_like(y, seed)


def _by_steps(
    f: Callable[..., Any], at: list[Tensor], position: int, delta: float, rows: int
) -> Array:
    numbers = at[position]._array
    reals = _as_reals(numbers)

    def value_at(there: Array) -> Array:
        x = _shaped_like(numbers, there)
        values = [x if i == position else value for i, value in enumerate(at)]
        return _as_reals(convert_to_tensor(f(*values))._array)

    jacobian = np.zeros((rows, reals.size), reals.dtype)
    for index in range(reals.size):
        step = np.zeros(reals.shape, reals.dtype)
        step[index] = delta
        difference = value_at(reals + step) - value_at(reals - step)
        jacobian[:, index] = difference / reals.dtype.type(2 * delta)
    return jacobian
