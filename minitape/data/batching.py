"""Combine several elements into one, and split an element into several.

batch, padded_batch    combine n elements along a new first axis
unbatch                the inverse
rebatch                change the batch size
window                 group n elements into a dataset
"""

from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain, cycle, islice
from typing import Any, Self

import numpy as np

from minitape.core import dtypes, nest
from minitape.core.convert import as_array
from minitape.core.eager import TensorSpec
from minitape.core.values import Array
from minitape.data.elements import joined
from minitape.data.pipeline import (
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    DatasetSpec,
    Pass,
    Pipeline,
    resized,
    whole,
)
from minitape.data.sources import slices
from minitape.errors import DataLossError, InvalidArgumentError, TapeTypeError, TapeValueError


class Batching(Pipeline):
    """The methods of Dataset that group elements."""

    def batch(
        self,
        batch_size: Any,
        drop_remainder: Any = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Combine `batch_size` elements into one, along a new first axis.

        Args:
            batch_size: The number of elements in a batch; the last batch may have fewer.
            drop_remainder: Whether to drop the last batch if it has fewer elements.
            num_parallel_calls: Ignored, because it does not affect the elements.
            deterministic: Ignored, because minitape always preserves the order.
            name: Ignored.

        Returns:
            A dataset of batches.

        Raises:
            InvalidArgumentError: `batch_size` is below 1, or elements have different shapes (raised during iteration).

        >>> from minitape.data import Dataset
        >>> list(Dataset.range(3).batch(2).as_numpy_iterator())
        [array([0, 1]), array([2])]

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#batch
        """
        size, drops = _size_of_a_batch(batch_size), bool(drop_remainder)
        return self._then(
            "_BatchDataset" if num_parallel_calls is None else "_ParallelBatchDataset",
            lambda: _batches(self._elements(), size, drops, _stack),
            cardinality=_batches_in(self._cardinality, size, drops),
            spec=lambda: resized(
                self.element_spec, lambda shape: (size if drops else None, *shape)
            ),
        )

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: Any = False,
        name: str | None = None,
    ) -> Self:
        """Combine elements of different sizes into batches, padding each element at its end.

        Args:
            batch_size: The number of elements of a batch.
            padded_shapes: The shape of each leaf; a size of None or -1, the default, means the largest size in the batch.
            padding_values: The padding value for each leaf, or for all leaves; by default 0, or "" for strings.
            drop_remainder: Whether to drop the last batch if it has fewer elements.
            name: Ignored.

        Returns:
            A dataset of batches.

        Raises:
            TypeError: the dtype of a padding value differs from the dtype of its leaf.
            ValueError: the rank of a shape differs from the rank of its leaf.
            DataLossError: an element is larger than its padded shape (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#padded_batch
        """
        size, drops = _size_of_a_batch(batch_size), bool(drop_remainder)
        spec = self.element_spec
        leaves = nest.flatten(spec)
        wanted = _shapes_to_fill(spec, leaves, padded_shapes)
        longest = [(None,) * len(shape) for shape in wanted]
        values = _values_to_fill_with(leaves, padding_values)

        def join(elements: Sequence[Any]) -> Any:
            columns = zip(*map(nest.flatten, elements), strict=True)
            filled = map(_padded, columns, longest if padded_shapes is None else wanted, values)
            return nest.pack_sequence_as(elements[0], filled)

        front = size if drops else None
        shapes: list[tuple[Any, ...]] = [(front, *shape) for shape in wanted]
        specs = [TensorSpec(shape, leaf.dtype) for shape, leaf in zip(shapes, leaves, strict=True)]
        return self._then(
            "_PaddedBatchDataset",
            lambda: _batches(self._elements(), size, drops, join),
            cardinality=_batches_in(self._cardinality, size, drops),
            spec=lambda: nest.pack_sequence_as(spec, specs),
        )

    def unbatch(self, name: str | None = None) -> Self:
        """Split each element into its rows.

        Args:
            name: Ignored.

        Returns:
            A dataset of rows.

        Raises:
            ValueError: an element has no first axis (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#unbatch
        """
        return self._then(
            "_UnbatchDataset",
            lambda: chain.from_iterable(map(_rows_of, self._elements())),
            cardinality=_rows_in(self._cardinality),
            spec=lambda: resized(self.element_spec, _without_front),
        )

    def rebatch(
        self, batch_size: Any, drop_remainder: Any = False, name: str | None = None
    ) -> Self:
        """Change the size of batches without changing the order of the rows.

        Args:
            batch_size: The number of rows of a batch, or a list of sizes, which is repeated.
            drop_remainder: Whether to drop the last batch if it has fewer rows.
            name: Ignored.

        Returns:
            A dataset of batches.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#rebatch
        """
        given = np.atleast_1d(np.asarray(batch_size))
        sizes = [_size_of_a_batch(int(size)) for size in given]
        drops = bool(drop_remainder)
        front = sizes[0] if drops and len(sizes) == 1 else None

        def elements() -> Pass:
            rows = chain.from_iterable(map(_rows_of, self._elements()))
            for size in cycle(sizes):
                chunk = list(islice(rows, size))
                if not chunk or (drops and len(chunk) < size):
                    return
                yield _stack(chunk)

        return self._then(
            "_RebatchDataset",
            elements,
            cardinality=UNKNOWN_CARDINALITY,
            spec=lambda: resized(self.element_spec, lambda shape: (front, *shape[1:])),
        )

    def window(
        self,
        size: Any,
        shift: Any = None,
        stride: Any = 1,
        drop_remainder: Any = False,
        name: str | None = None,
    ) -> Self:
        """Group elements into datasets. If an element is a tuple or dict, each leaf becomes a dataset.

        Args:
            size: The number of elements in a window; the last windows may have fewer.
            shift: The distance between the starts of consecutive windows; `size` by default.
            stride: The distance between consecutive elements of a window.
            drop_remainder: Whether to drop windows with fewer elements.
            name: Ignored.

        Returns:
            A dataset of datasets.

        Raises:
            InvalidArgumentError: a number is below 1.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#window
        """
        length, every = _at_least_1("size", size), _at_least_1("stride", stride)
        further = length if shift is None else _at_least_1("shift", shift)

        def as_dataset(spec: Any) -> Callable[[Sequence[Any]], Any]:
            return lambda column: type(self)(
                "_VariantDataset", lambda: iter(column), len(column), lambda: spec
            )

        def datasets(chunk: list[Any]) -> Any:
            leaves = nest.flatten(self.element_spec)
            columns = list(zip(*map(nest.flatten, chunk), strict=True))
            made = [as_dataset(spec)(column) for spec, column in zip(leaves, columns, strict=True)]
            return nest.pack_sequence_as(chunk[0], made)

        return self._then(
            "_WindowDataset",
            lambda: map(
                datasets, _windows(self._elements(), length, further, every, bool(drop_remainder))
            ),
            cardinality=_windows_in(
                self._cardinality, length, further, every, bool(drop_remainder)
            ),
            spec=lambda: nest.map_structure(DatasetSpec, self.element_spec),
        )


# --- batches ---


def _size_of_a_batch(batch_size: Any) -> int:
    size = whole(batch_size)
    if size < 1:
        raise InvalidArgumentError(f"Batch size must be greater than zero, but is {size}.")
    return size


def _batches(elements: Pass, size: int, drops: bool, join: Callable[[Sequence[Any]], Any]) -> Pass:
    while chunk := list(islice(elements, size)):
        if len(chunk) == size or not drops:
            yield join(chunk)


def _batches_in(elements: int, size: int, drops: bool) -> int:
    return elements if elements < 0 else elements // size + (not drops and elements % size > 0)


def _stack(elements: Sequence[Any]) -> Any:
    return joined(_stacked, elements)


def _stacked(leaves: Sequence[Any]) -> Any:
    """Combine leaves of the same shape along a new first axis."""
    first = leaves[0]
    if first is None:
        return None
    if isinstance(first, Pipeline):
        raise TapeTypeError(
            "`batch`: the elements are datasets, which cannot be batched.",
            fix="use `dataset.flat_map(lambda window: window.batch(n))`",
        )
    for i, leaf in enumerate(leaves):
        if leaf.shape != first.shape:
            raise InvalidArgumentError(
                f"Cannot batch tensors with different shapes. First element had shape {list(first.shape)} "
                f"and element {i} had shape {list(leaf.shape)}.",
                fix="use `dataset.padded_batch(n)`, which pads the smaller elements",
            )
    return np.stack(leaves)


# --- batches of elements of different sizes ---


def _shapes_to_fill(spec: Any, leaves: list[Any], padded_shapes: Any) -> list[Any]:
    """Return the padded sizes of each leaf, in which None means the largest size in the batch."""
    if padded_shapes is None:
        return [tuple(leaf.shape) for leaf in leaves]
    given = [padded_shapes] if not nest.is_nested(spec) else _as_listed(spec, padded_shapes)
    shapes = []
    for shape, leaf in zip(given, leaves, strict=True):
        sizes = np.atleast_1d(np.array(shape, dtype=object))
        if len(sizes) != len(leaf.shape):
            raise TapeValueError(
                f"The padded shape {tuple(sizes)} is not compatible with the corresponding input component shape "
                f"{tuple(leaf.shape)}.",
                fix="pass one size, or `None`, for each axis",
            )
        shapes.append(tuple(None if size is None or size == -1 else int(size) for size in sizes))
    return shapes


def _as_listed(spec: Any, shapes: Any) -> list[Any]:
    """Return the shapes as a list. Because shapes are tuples, the structure of the elements determines where a shape ends."""
    if not nest.is_nested(spec):
        return [shapes]
    keys = sorted(spec) if isinstance(spec, dict) else range(len(spec))
    return [shape for key in keys for shape in _as_listed(spec[key], shapes[key])]


def _values_to_fill_with(leaves: list[Any], padding_values: Any) -> list[Any]:
    given = nest.flatten(padding_values)
    if not nest.is_nested(padding_values):
        given = given * len(leaves)
    if len(given) != len(leaves):
        raise TapeValueError(
            f"`padding_values` has {len(given)} values, but the elements of the dataset have {len(leaves)} components.",
            fix="pass one value for all components, or a structure with one value for each component",
        )
    values = []
    for value, leaf in zip(given, leaves, strict=True):
        if value is None:
            values.append(b"" if leaf.dtype == dtypes.string else leaf.dtype.numpy.type(0))
            continue
        array = value._array if hasattr(value, "_array") else as_array(value, None)
        if array.dtype != leaf.dtype.numpy:
            raise TapeTypeError(
                f"Invalid `padding_values`. `padding_values` values type {dtypes.of(array)} does not match type "
                f"{leaf.dtype} of the corresponding input component.",
                fix=f"use `tf.constant({value!r}, tf.{leaf.dtype.name})`",
            )
        values.append(array.item() if array.dtype.kind == "O" else leaf.dtype.numpy.type(array))
    return values


def _padded(column: Sequence[Array], shape: tuple[Any, ...], value: Any) -> Array:
    """Combine arrays of the same rank into one array, padded with `value`."""
    longest = [max(sizes) for sizes in zip(*(array.shape for array in column), strict=True)]
    sizes = [most if size is None else size for size, most in zip(shape, longest, strict=True)]
    if any(most > size for most, size in zip(longest, sizes, strict=True)):
        raise DataLossError(
            f"`padded_batch`: Attempted to pad to a smaller size than the input element. The padded shape is {sizes}, but an "
            f"element has the sizes {longest}.",
            fix="use `None` in `padded_shapes`, which is the largest size in each batch",
        )
    filled = np.full((len(column), *sizes), value, column[0].dtype)
    for row, array in zip(filled, column, strict=True) if sizes else ():
        row[tuple(map(slice, array.shape))] = array
    return filled if sizes else np.stack(column)


# --- unbatching ---


def _rows_of(element: Any) -> Pass:
    if any(not leaf.ndim for leaf in nest.flatten(element)):
        raise _no_rows()
    return slices(element)


def _without_front(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    if not shape:
        raise _no_rows()
    return shape[1:]


def _no_rows() -> TapeValueError:
    return TapeValueError(
        "Cannot unbatch an input with scalar components.",
        fix="remove `.unbatch()`, because these elements are scalars",
    )


def _rows_in(batches: int) -> int:
    return batches if batches == INFINITE_CARDINALITY else UNKNOWN_CARDINALITY


# --- windows ---


def _at_least_1(what: str, value: Any) -> int:
    number = whole(value)
    if number < 1:
        raise InvalidArgumentError(f"Window {what} must be greater than zero, but is {number}.")
    return number


def _windows(elements: Pass, size: int, shift: int, stride: int, drops: bool) -> Pass:
    """Yield lists of elements: a window slides over the stream, and elements before the window are discarded."""
    reach = (size - 1) * stride + 1
    seen: deque[Any] = deque(islice(elements, reach))
    while seen:
        window = list(islice(seen, 0, reach, stride))
        if drops and len(window) < size:
            return
        yield window
        for _ in range(min(shift, len(seen))):
            seen.popleft()
        if shift > reach:
            next(islice(elements, shift - reach - 1, None), None)
        seen.extend(islice(elements, reach - len(seen)))


def _windows_in(elements: int, size: int, shift: int, stride: int, drops: bool) -> int:
    if elements < 0:
        return elements
    if not drops:
        return -(-elements // shift)
    reach = (size - 1) * stride + 1
    return 0 if elements < reach else (elements - reach) // shift + 1
