"""Represent gradients as arrays, for a whole variable or for some of its rows, and clip them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Ints
from minitape.core.variable import Variable
from minitape.errors import InvalidArgumentError
from minitape.ops.indexing import unsorted_rows


class VariableGradient:
    """A gradient as an array, for a whole variable or for some of its `rows`."""

    def __init__(self, numbers: Array, rows: Array | None, shape: Ints) -> None:
        self.numbers, self.rows, self._shape = numbers, rows, shape

    @property
    def dense(self) -> Array:
        """Return the gradient of the whole variable; rows that were not read are 0."""
        return self._in_place(self.numbers)

    @property
    def squared(self) -> Array:
        """Return the squared gradient; for a row that was read twice, sum the two squares, as in TensorFlow."""
        return self._in_place(self.numbers * self.numbers)

    @property
    def size(self) -> Array:
        """Return the absolute value of the gradient; for a row that was read twice, sum the two absolute values."""
        return self._in_place(np.abs(self.numbers))

    def _in_place(self, numbers: Array) -> Array:
        if self.rows is None:
            return numbers
        return unsorted_rows(numbers, self.rows, shape=self._shape)

    @property
    def length(self) -> Array:
        """Return the Euclidean norm of the gradient."""
        return np.sqrt((self.numbers * self.numbers).sum())

    def with_numbers(self, change: Callable[[Array], Array]) -> "VariableGradient":
        """Apply a function to the values.

        Args:
            change: Function from an array to an array of the same shape.

        Returns:
            The new gradient.
        """
        return VariableGradient(change(self.numbers), self.rows, self._shape)

    def as_given(self) -> Any:
        """Return the gradient as a tape would return it, as a tensor or an `IndexedSlices`."""
        values = convert_to_tensor(self.numbers)
        if self.rows is None:
            return values
        return IndexedSlices(values, convert_to_tensor(self.rows), convert_to_tensor(self._shape))


def gradient_of(variable: Variable, given: Any) -> VariableGradient:
    """Convert the gradient that a tape returned for `variable`.

    Args:
        variable: The variable.
        given: A tensor, an array, or an `IndexedSlices`.

    Returns:
        A `VariableGradient`.

    Raises:
        InvalidArgumentError: the shapes of gradient and variable differ.
    """
    value = variable._array
    if isinstance(given, IndexedSlices):
        values, rows = convert_to_tensor(given.values), convert_to_tensor(given.indices)
        return VariableGradient(values._array, rows._array, value.shape)
    if not isinstance(given, Tensor):
        given = convert_to_tensor(given, dtype_hint=variable.dtype)
    numbers = given._array
    if numbers.shape != value.shape:
        raise InvalidArgumentError(
            f"The gradient of '{variable.path}' has shape {given.shape}, but the variable has shape {variable.shape}.",
            fix="pair each gradient with its own variable: `zip(tape.gradient(loss, variables), variables)`",
            code="MT507",
        )
    if numbers.dtype != value.dtype:
        numbers = numbers.astype(value.dtype)
    return VariableGradient(numbers, None, value.shape)


def clipped(
    gradients: list[VariableGradient],
    norm: float | None,
    value: float | None,
    global_norm: float | None,
) -> list[VariableGradient]:
    """Clip gradients by their individual norms, by their joint norm, or by value.

    Args:
        gradients: The gradients.
        norm: Upper limit of the norm of each gradient, or None.
        value: Upper limit of the absolute value of each element, or None.
        global_norm: Upper limit of the norm of all gradients together, or None.

    Returns:
        The clipped gradients.
    """
    if norm:
        return [_times(each, norm / max(each.length, norm)) for each in gradients]
    if global_norm:
        length = np.sqrt(sum(gradient.length**2 for gradient in gradients))
        # This does not use `max`, because a norm of NaN must make every gradient NaN.
        factor = global_norm / np.maximum(length, global_norm)
        return [_times(gradient, factor.astype(length.dtype)) for gradient in gradients]
    if value:
        limit = value
        return [each.with_numbers(lambda x: np.clip(x, -limit, limit)) for each in gradients]
    return gradients


def _times(gradient: VariableGradient, factor: Any) -> VariableGradient:
    return gradient.with_numbers(lambda numbers: numbers * factor)
