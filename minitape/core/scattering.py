"""Methods that change some elements of a variable: rows given as IndexedSlices, or elements by their coordinates.

    scatter_update, _add, _sub, _mul, _div, _min, _max    rows
    scatter_nd_update, _add, _sub, _min, _max             elements, or whole slices
    batch_scatter_update                                  rows, for each element of a batch
    sparse_read, gather_nd                                read them

A tape does not record a change, so stored values have no gradient. A repeated index is applied each time it occurs.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.errors import InvalidArgumentError, TapeTypeError

Change = Callable[[Array, Any, Array], Any]


class Scattering:
    """The methods of a variable that change or read a part of it. A method that changes the variable returns its new value."""

    __slots__ = ()

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Add rows given as IndexedSlices.

        Args:
            sparse_delta: The rows, of the variable's dtype.
            use_locking: Ignored, like `name`.

        Returns:
            The variable.

        Raises:
            TypeError: `sparse_delta` is not an IndexedSlices.
            InvalidArgumentError: a row index is out of range. In this case nothing is added.
        """
        return self._rows("scatter_add", sparse_delta, np.add.at)

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Subtract rows; the parameters and errors are those of `scatter_add`."""
        return self._rows("scatter_sub", sparse_delta, np.subtract.at)

    def scatter_mul(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Multiply by rows; the parameters and errors are those of `scatter_add`."""
        return self._rows("scatter_mul", sparse_delta, np.multiply.at)

    def scatter_div(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Divide by rows; the parameters and errors are those of `scatter_add`."""
        return self._rows("scatter_div", sparse_delta, np.divide.at)

    def scatter_min(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Store the minimum of the old and the given values; the parameters and errors are those of `scatter_add`."""
        return self._rows("scatter_min", sparse_delta, np.minimum.at)

    def scatter_max(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Store the maximum of the old and the given values; the parameters and errors are those of `scatter_add`."""
        return self._rows("scatter_max", sparse_delta, np.maximum.at)

    def scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Store rows; if a row is repeated, the last value is kept. The parameters and errors are those of `scatter_add`."""
        return self._rows("scatter_update", sparse_delta, operator.setitem)

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: Any = None
    ) -> Any:
        """Store rows in each element of a batch: the last axis of the indices lists rows, and the axes before it are batch axes.

        Raises:
            TypeError: `sparse_delta` is not an IndexedSlices.
            InvalidArgumentError: a row index is out of range. In this case nothing is stored.
        """
        numbers = convert_to_tensor(_slices(sparse_delta).indices)._array
        batch = np.moveaxis(np.indices(numbers.shape)[:-1], 0, -1)
        positions = np.concatenate([batch, numbers[..., None]], axis=-1)
        return self._elements(
            "batch_scatter_update", positions, sparse_delta.values, operator.setitem
        )

    def scatter_nd_add(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """Add to elements or slices by their coordinates.

        Args:
            indices: A tensor of shape [..., d]: each vector along the last axis contains the first d coordinates of an element
                or slice.
            updates: A tensor of shape [..., *shape[d:]].
            name: Ignored.

        Returns:
            The variable.

        Raises:
            InvalidArgumentError: an index is out of range, or the shapes do not fit. In this case nothing is added.
        """
        return self._elements("scatter_nd_add", indices, updates, np.add.at)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """Subtract from elements; the parameters and errors are those of `scatter_nd_add`."""
        return self._elements("scatter_nd_sub", indices, updates, np.subtract.at)

    def scatter_nd_min(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """Store the minimum of the old and the given values; the parameters and errors are those of `scatter_nd_add`."""
        return self._elements("scatter_nd_min", indices, updates, np.minimum.at)

    def scatter_nd_max(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """Store the maximum of the old and the given values; the parameters and errors are those of `scatter_nd_add`."""
        return self._elements("scatter_nd_max", indices, updates, np.maximum.at)

    def scatter_nd_update(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """Store elements; if an element is repeated, the last value is kept.

        The parameters and errors are those of `scatter_nd_add`.
        """
        return self._elements("scatter_nd_update", indices, updates, operator.setitem)

    def sparse_read(self, indices: Any, name: Any = None) -> Tensor:
        """Return rows by index, as `tf.gather(v, indices)` does."""
        rows: Tensor = PRIMITIVES["GatherV2"](self, convert_to_tensor(indices), axis=0)
        return rows

    def gather_nd(self, indices: Any, name: Any = None) -> Tensor:
        """Return elements by their coordinates, as `tf.gather_nd(v, indices)` does."""
        elements: Tensor = PRIMITIVES["GatherNd"](self, convert_to_tensor(indices))
        return elements

    def _rows(self: Any, how: str, sparse_delta: Any, change: Change) -> Any:
        slices = _slices(sparse_delta)
        rows = convert_to_tensor(slices.indices)._array
        values = convert_to_tensor(slices.values, dtype=self.dtype)
        _check_inside(how, self.name, rows, len(self._array))
        return self._store_scattered(how, values, lambda array: change(array, rows, values._array))

    def _elements(self: Any, how: str, indices: Any, updates: Any, change: Change) -> Any:
        positions = convert_to_tensor(indices)._array
        values = convert_to_tensor(updates, dtype_hint=self.dtype)
        whole = self._array.shape
        depth = positions.shape[-1] if positions.ndim else len(whole) + 1
        if depth > len(whole) or values.shape != (*positions.shape[:-1], *whole[depth:]):
            raise InvalidArgumentError(
                f"{how} on '{self.name}' of shape {list(whole)}: indices of shape {list(positions.shape)} and updates of "
                f"shape {list(values.shape)} do not fit.",
                fix="pass `indices` of shape `[..., d]` and `updates` of shape `[..., *v.shape[d:]]`",
                code="MT507",
            )
        columns = tuple(np.moveaxis(positions, -1, 0))
        for column, size in zip(columns, whole):
            _check_inside(how, self.name, column, size)
        return self._store_scattered(
            how, values, lambda array: change(array, columns, values._array)
        )


def _slices(given: Any) -> Any:
    """Return an argument that must have rows and row indices; this module cannot import IndexedSlices."""
    if hasattr(given, "indices") and hasattr(given, "values"):
        return given
    raise TapeTypeError(
        f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {given!r:.60}",
        fix="use `tf.IndexedSlices(values, indices)`",
    )


def _check_inside(how: str, name: str, numbers: Array, count: int) -> None:
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
        outside = numbers[(numbers < 0) | (numbers >= count)].flat[0]
        raise InvalidArgumentError(
            f"{how} on '{name}': row {outside} is not in [0, {count}).",
            fix=f"use row indices from 0 to {count - 1}",
            code="MT507",
        )
