"""Computes the slopes of a function by finite differences alone, without a tape or a derivative rule.

    finite_differences  one array for each argument

Two central differences, one with half the step of the other, are combined so that their leading error cancels (Richardson
extrapolation).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minitape.core import nest
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import DtypeMismatchError

_STEP = {1: 1e-4, 2: 2e-3, 3: 1e-2}  # by the order of the derivative: rounding errors grow with it
_STEP_OF_FLOAT32 = 5e-2
_DIGITS = 12


def slopes(of: Callable[..., Any], args: Sequence[Any], order: int = 1) -> list[Array]:
    """Return the slope of the sum of the outputs of `of`, computed in float64 if possible.

    Args:
        of: The function; it takes tensors and returns one tensor or several.
        args: The point: float tensors or variables of any shape.
        order: 1 for the gradient; a higher derivative needs a single argument.

    Returns:
        A float64 array for each argument; its shape is the shape of the argument, repeated `order` times.
    """
    at = [np.asarray(each.numpy()) for each in args]
    makes = [isinstance(each, Variable) for each in args]
    dtype: type[Any] = np.float64

    def total(*values: Array) -> Array:
        given = [
            Variable(Tensor(value.astype(dtype))) if make else Tensor(value.astype(dtype))
            for value, make in zip(values, makes, strict=True)
        ]
        outs = [np.asarray(out.numpy(), np.float64) for out in nest.flatten(of(*given))]
        return np.asarray(sum(out.sum() for out in outs))

    try:
        total(*at)
    except Exception as error:
        if not _is_mismatch(error):
            raise
        dtype = np.float32
    step = _STEP.get(order, 2e-2) if dtype is np.float64 else _STEP_OF_FLOAT32
    found = []
    for position in range(len(at)):
        slope = _along(total, at, position)
        for _ in range(order):
            slope = _derivative(slope, step)
        found.append(np.round(slope(at[position].astype(np.float64)), _DIGITS))
    return found


def _along(f: Callable[..., Array], at: Sequence[Array], position: int) -> Callable[[Array], Array]:
    """Return `f` as a function of one of its arguments, with the others constant."""
    return lambda value: f(*at[:position], value, *at[position + 1 :])


def _is_mismatch(error: BaseException | None) -> bool:
    """Whether an error, or one of its causes, reports a mix of float64 and another dtype."""
    while error is not None:
        if isinstance(error, DtypeMismatchError):
            return True
        error = error.__cause__
    return False


def _derivative(f: Callable[[Array], Array], step: float) -> Callable[[Array], Array]:
    """Return the derivative of f: x ↦ the slope of f for each element of x, with the axes of x last."""

    def central(x: Array, way: Array, length: float) -> Array:
        return (f(x + length * way) - f(x - length * way)) / (2 * length)

    def derivative(x: Array) -> Array:
        columns = []
        for index in np.ndindex(x.shape):
            way = np.zeros(x.shape)
            way[index] = 1.0
            wide, narrow = central(x, way, step), central(x, way, step / 2)
            columns.append((4 * narrow - wide) / 3)
        inner = np.shape(columns[0])
        return np.stack(columns, axis=-1).reshape((*inner, *x.shape))

    return derivative
