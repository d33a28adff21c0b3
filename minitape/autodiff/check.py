"""Checking a gradient by taking small steps: the oldest test there is, and the one that needs no rule.

    compute_gradient    the Jacobian that the tape gives, and the one that differences give

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
from minitape.errors import TapeValueError

Matrices = tuple[Array, ...]


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float = 1 / 1024
) -> tuple[Matrices, Matrices]:
    """The Jacobians of `f` at `x`, from the tape and from differences.

    A difference over 2·delta is off by about delta² times the third derivative, and by the rounding of `f` over delta: in
    float32 expect three digits to agree, in float64 six.

    Args:
        f: Takes the tensors of `x`, returns one tensor.
        x: Its arguments, of a float or complex dtype.
        delta: How far to step to each side; 1/1024 by default.

    Returns:
        Two tuples with a matrix for each argument: one row for each element of the result, one column for each of the
        argument. A complex number is two: its real part, then its imaginary part.

    Raises:
        ValueError: `x` is no list.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/compute_gradient

    >>> by_tape, by_steps = compute_gradient(lambda x: x * x, [[1.0, 2.0]])
    >>> by_tape[0].tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    if not isinstance(x, list | tuple):
        raise TapeValueError(
            "`x` must be a list or tuple of values to compute the gradient of.",
            fix="[x] for one argument",
        )
    function_given(f, "f")
    at = [convert_to_tensor(value) for value in x]
    step = 1 / 1024 if delta is None else delta
    return _by_tape(f, at), tuple(_by_steps(f, at, i, step) for i in range(len(at)))


def _as_reals(array: Array) -> Array:
    """All numbers in one row; of a complex one the real part, then the imaginary part."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _by_tape(f: Callable[..., Any], at: list[Tensor]) -> Matrices:
    with GradientTape(persistent=True) as tape:
        tape.watch(at)
        y = convert_to_tensor(f(*at))
    rows = []
    for seed in _seeds(np.asarray(y._array)):
        found = tape.gradient(y, at, output_gradients=seed, unconnected_gradients="zero")
        rows.append([_as_reals(np.asarray(convert_to_tensor(each)._array)) for each in found])
    return tuple(map(np.stack, zip(*rows, strict=True)))


def _seeds(y: Array) -> Iterator[Tensor]:
    """A cotangent for each real number in y: the real part of its product with y is that number."""
    for place in range(_as_reals(y).size):
        seed = np.zeros_like(y)
        _as_reals(seed)[place] = 1
        yield Tensor(seed)


def _by_steps(f: Callable[..., Any], at: list[Tensor], position: int, delta: float) -> Array:
    numbers = np.asarray(at[position]._array)

    def moved(place: int, step: float) -> Array:
        there = numbers.copy()
        _as_reals(there)[place] += step
        values = [Tensor(there) if i == position else value for i, value in enumerate(at)]
        return _as_reals(np.asarray(convert_to_tensor(f(*values))._array))

    columns = [
        (moved(place, delta) - moved(place, -delta)) / numbers.real.dtype.type(2 * delta)
        for place in range(_as_reals(numbers).size)
    ]
    return np.stack(columns, axis=1)
