"""Create datasets.

from_tensors         one element
from_tensor_slices   the rows of arrays
from_generator       the elements that a Python generator yields
range, counter       integers
"""

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, Self

import numpy as np

from minitape.core import dtypes, nest
from minitape.core.convert import as_array
from minitape.core.eager import TensorSpec
from minitape.core.values import Array
from minitape.data.elements import each, entered
from minitape.data.pipeline import (
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    Pass,
    Pipeline,
    resized,
    spec_of,
    whole,
)
from minitape.errors import (
    InvalidArgumentError,
    OpError,
    TapeTypeError,
    TapeValueError,
    UnknownError,
)


class Sources(Pipeline):
    """The class methods of Dataset that create a dataset."""

    @classmethod
    def from_tensors(cls, tensors: Any, name: str | None = None) -> Self:
        """Return a dataset with a single element.

        Args:
            tensors: A value that can become a tensor, or a structure of tuples and dicts of such values; a list is a single
                tensor.
            name: Ignored.

        Returns:
            A dataset with one element.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#from_tensors
        """
        element = entered(tensors, "tf.data.Dataset.from_tensors")
        return cls("_TensorDataset", lambda: iter([element]), 1, lambda: spec_of(element))

    @classmethod
    def from_tensor_slices(cls, tensors: Any, name: str | None = None) -> Self:
        """Return a dataset of the rows of arrays: element i contains row i of each array.

        Args:
            tensors: A value of rank 1 or more, or a structure of tuples and dicts of such values, with equal numbers of rows.
            name: Ignored.

        Returns:
            A dataset of rows.

        Raises:
            ValueError: a value is a scalar, or the numbers of rows differ.

        >>> from minitape.data import Dataset
        >>> list(Dataset.from_tensor_slices([1, 2]).as_numpy_iterator())
        [np.int32(1), np.int32(2)]

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#from_tensor_slices
        """
        columns = entered(tensors, "tf.data.Dataset.from_tensor_slices")
        rows = _how_many_rows(nest.flatten(columns))
        spec = resized(spec_of(columns), lambda shape: shape[1:])
        return cls("_TensorSliceDataset", lambda: slices(columns), rows, lambda: spec)

    @classmethod
    def from_generator(
        cls,
        generator: Callable[..., Iterable[Any]],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> Self:
        """Return a dataset of the elements that a Python generator yields; each pass calls the function again.

        Args:
            generator: A function that returns an iterable.
            output_types: The dtypes of an element, in the element's structure. This is an older form of `output_signature`.
            output_shapes: The shapes of an element; a size that varies is None.
            args: Arguments that are passed to `generator` as NumPy values.
            output_signature: A `tf.TensorSpec` for each leaf of an element.
            name: Ignored.

        Returns:
            A dataset of the selected elements.

        Raises:
            TypeError: `generator` is not callable, or the signature is missing.
            InvalidArgumentError: an element does not fit the signature (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#from_generator
        """
        if not callable(generator):
            raise TapeTypeError(
                "`generator` must be a Python callable.",
                fix="pass a function such as `lambda: values`, which is called at the start of each pass",
            )
        spec = _signature(output_signature, output_types, output_shapes)
        given = (
            []
            if args is None
            else [entered(each, "tf.data.Dataset.from_generator") for each in args]
        )
        return cls(
            "_FlatMapDataset",
            lambda: _generated(generator, given, spec),
            UNKNOWN_CARDINALITY,
            lambda: spec,
        )

    @classmethod
    def range(cls, *args: Any, **kwargs: Any) -> Self:
        """Return a dataset of integers: range(stop), range(start, stop) or range(start, stop, step).

        Args:
            args: One to three integers.
            kwargs: `output_type`, int64 by default; `name`, which is ignored.

        Returns:
            A dataset of scalars.

        Raises:
            InvalidArgumentError: the step is 0.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#range
        """
        output_type = dtypes.as_dtype(kwargs.pop("output_type", dtypes.int64))
        kwargs.pop("name", None)
        if kwargs:
            raise TypeError(f"range() got an unexpected keyword argument {next(iter(kwargs))!r}")
        if not 1 <= len(args) <= 3:
            raise TapeValueError(
                f"Invalid `args`. The length of `args` should be between 1 and 3 but was {len(args)}."
            )
        limits = [whole(each) for each in args]
        if len(limits) == 3 and limits[2] == 0:
            raise InvalidArgumentError("step must be a non-zero integer.")
        numbers = range(*limits)
        scalar = output_type.numpy.type
        spec = TensorSpec((), output_type)
        return cls("_RangeDataset", lambda: map(scalar, numbers), len(numbers), lambda: spec)

    @classmethod
    def counter(
        cls, start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64, name: str | None = None
    ) -> Self:
        """Return an endless dataset of the numbers start, start + step, start + 2·step and so on.

        Args:
            start: The first number.
            step: The difference between consecutive numbers.
            dtype: The dtype of the elements.
            name: Ignored.

        Returns:
            A dataset of scalars.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#counter
        """
        wanted = dtypes.as_dtype(dtype)
        first, by = as_array(start, wanted), as_array(step, wanted)
        spec = TensorSpec((), wanted)
        return cls(
            "_ScanDataset",
            lambda: map(wanted.numpy.type, count(first, by)),
            INFINITE_CARDINALITY,
            lambda: spec,
        )


def _how_many_rows(columns: list[Any]) -> int:
    if not columns or any(column is None for column in columns):
        raise TapeValueError("Invalid `element`. `element` should not be empty.")
    for column in columns:
        if not column.ndim:
            raise TapeValueError(
                "`from_tensor_slices`: Unbatching a tensor is only supported for rank >= 1, but got a scalar.",
                fix="use `Dataset.from_tensors(x)` for a single element",
            )
    sizes = [len(column) for column in columns]
    for size in sizes:
        if size != sizes[0]:
            raise TapeValueError(
                f"`from_tensor_slices`: Dimensions {sizes[0]} and {size} are not compatible. Each element is one row of every "
                "value, so all values must have the same number of rows.",
                fix="pass values with the same number of rows",
            )
    return sizes[0]


def slices(columns: Any) -> Pass:
    """Yield the rows of all arrays in a structure, row by row in the same structure."""
    leaves = nest.flatten(columns)
    rows = zip(*map(_rows, leaves), strict=True)
    if (
        type(columns) is tuple
        and len(leaves) == len(columns)
        and not any(map(nest.is_nested, columns))
    ):
        return rows  # `zip` directly yields the most common structure, (x, y)
    return (nest.pack_sequence_as(columns, row) for row in rows)


def _rows(array: Array) -> Iterable[Array]:
    # Strings are Python objects without dtype and shape, so a single string is kept in an array of rank 0.
    return array if array.dtype.kind != "O" else (array[i, ...] for i in range(len(array)))


# --- from a generator ---


def _signature(output_signature: Any, output_types: Any, output_shapes: Any) -> Any:
    if output_signature is not None:
        if output_types is not None or output_shapes is not None:
            raise TapeTypeError(
                "The `output_types` and `output_shapes` arguments cannot be used together with `output_signature`.",
                fix="pass only `output_signature=...`",
            )
        return output_signature
    if output_types is None:
        raise TapeTypeError(
            "To specify the output signature you need to provide either the `output_signature` argument or the "
            "`output_types` argument.",
            fix="pass `output_signature=tf.TensorSpec(shape=(None,), dtype=tf.float32)`",
        )
    if output_shapes is None:
        return each(lambda dtype: TensorSpec(None, dtype), output_types)
    leaves = nest.flatten(output_types)
    shapes = (
        [output_shapes]
        if len(leaves) == 1 and not nest.is_nested(output_types)
        else _flat_shapes(output_types, output_shapes)
    )
    specs = [TensorSpec(shape, dtype) for shape, dtype in zip(shapes, leaves, strict=True)]
    return nest.pack_sequence_as(output_types, specs)


def _flat_shapes(types: Any, shapes: Any) -> list[Any]:
    """Return the shapes as a list. Because shapes are tuples, the structure of the dtypes determines where a shape ends."""
    if not nest.is_nested(types):
        return [shapes]
    keys = sorted(types) if isinstance(types, dict) else range(len(types))
    return [shape for key in keys for shape in _flat_shapes(types[key], shapes[key])]


def _generated(generator: Callable[..., Iterable[Any]], args: list[Any], spec: Any) -> Pass:
    values = _running(lambda: iter(generator(*args)))
    while True:
        value = _running(lambda: next(values, _OVER))
        if value is _OVER:
            return
        yield _as_signed(value, spec)


_OVER = object()


def _running(step: Callable[[], Any]) -> Any:
    """Run the user's generator; its exceptions become the causes of errors of TensorFlow's runtime."""
    try:
        return step()
    except OpError:
        raise
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(_raised(error)) from error
    except Exception as error:
        raise UnknownError(_raised(error)) from error


def _raised(error: Exception) -> str:
    return f"The generator of a dataset raised {type(error).__name__}: {error}"


def _as_signed(value: Any, spec: Any) -> Any:
    """Convert a yielded value to the dtypes of the signature.

    Raises:
        InvalidArgumentError: the value's structure, shape or kind differs from the signature.
    """
    if isinstance(spec, tuple | dict):
        parts = value.values() if isinstance(value, dict) else value
        same = isinstance(value, dict) == isinstance(spec, dict) and isinstance(
            value, tuple | list | dict
        )
        if (
            not same
            or len(parts) != len(spec)
            or (isinstance(spec, dict) and set(value) != set(spec))
        ):
            raise InvalidArgumentError(
                "`generator` yielded an element that did not match the expected structure. "
                f"The expected structure was {each(lambda leaf: leaf.dtype, spec)}, but the yielded element was {value}."
            )
        if isinstance(spec, dict):
            return {key: _as_signed(value[key], spec[key]) for key in spec}
        filled = [_as_signed(part, inner) for part, inner in zip(value, spec, strict=True)]
        return tuple(filled) if type(spec) is tuple else type(spec)(*filled)
    try:
        array = np.asanyarray(entered(value, "tf.data.Dataset.from_generator")).astype(
            spec.dtype.numpy
        )
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(
            "`generator` yielded an element that could not be converted to the expected type. "
            f"The expected type was {spec.dtype.name}, but the yielded element was {value}."
        ) from error
    if not spec.shape.is_compatible_with(array.shape):
        raise InvalidArgumentError(
            f"`generator` yielded an element of shape {array.shape} where an element of shape "
            f"{tuple(spec.shape)} was expected.",
            fix="use `None` in the shape of the signature for a size that varies",
        )
    return array if array.ndim or array.dtype.kind == "O" else array[()]
