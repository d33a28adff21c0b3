"""A TensorArray is a list of tensors that a loop fills and that becomes one tensor at the end.

In eager mode a Python list would be sufficient, but TensorFlow needs TensorArray in graphs, so programs use it. The array itself
is not an op. It contains the tensors that were written, and `stack`, `concat` and `gather` are the ops that a tape records. So
gradients flow through the array as through a list.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.shapes import TensorShape
from minitape.core.tensor import Tensor, TensorLike
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError, OutOfRangeError, TapeTypeError, TapeValueError
from minitape.ops.axes import as_ints, whole_number
from minitape.ops.creation import zeros
from minitape.ops.joining import concat, split, stack, unstack


class TensorArray:
    """An array of tensors of one dtype, and of one shape unless `infer_shape` is False.

    Args:
        dtype: The dtype of all elements.
        size: The number of elements, an integer.
        dynamic_size: Whether a write beyond the end extends the array.
        clear_after_read: Whether each element can be read only once; True by default.
        tensor_array_name: Ignored.
        handle: Must be None, because handles are used only in graphs.
        flow: Ignored, because it is used only in graphs.
        infer_shape: Whether all elements must have the same shape.
        element_shape: The shape of an element, with None for unknown sizes.
        colocate_with_first_write_call: Ignored, because it is used only in graphs.
        name: Ignored.

    Raises:
        ValueError: `size` is missing, or `handle` is given.

    Gradient: Through the elements, derivatives of any order are supported, in forward and in reverse mode.

    Source: https://www.tensorflow.org/api_docs/python/tf/TensorArray

    >>> array = TensorArray(dtypes.float32, size=2).write(0, 1.0).write(1, 2.0)
    >>> array.stack()
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None:
            raise TapeValueError(
                "TensorArray handles are not supported when eager execution is enabled.",
                fix="use `tf.TensorArray(dtype, size=n)`",
            )
        if size is None:
            raise TapeValueError(
                "Size must be declared for TensorArrays when eager execution is enabled.",
                fix="use `tf.TensorArray(dtype, size=0, dynamic_size=True)`, which grows",
            )
        self._dtype = dtypes.as_dtype(dtype)
        self._element_shape = TensorShape(element_shape)
        self._infers_shape = infer_shape
        self._clears = clear_after_read is None or bool(clear_after_read)
        self._elements: list[Tensor | None] = [None] * whole_number(size)
        self._were_read: set[int] = set()
        self.dynamic_size = bool(dynamic_size)
        self.handle = None
        self.flow = Tensor(np.int32(0))

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """The shape of an element; unknown sizes are None."""
        return self._element_shape

    def size(self, name: str | None = None) -> Tensor:
        """Return the number of elements as a scalar int32 tensor.

        Args:
            name: Ignored.
        """
        return convert_to_tensor(len(self._elements))

    def identity(self) -> "TensorArray":
        """Return the array itself."""
        return self

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> NoReturn:
        """Raise NotImplementedError, as TensorFlow does in eager mode, because a tape computes the gradients of the elements.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "`TensorArray.grad` is not supported in eager mode. Use a `GradientTape`, which computes the gradient of the "
            "written values."
        )

    # --- one element ---

    def write(self, index: Any, value: Any, name: str | None = None) -> "TensorArray":
        """Store `value` at `index`.

        Args:
            index: An integer.
            value: A value with the dtype of the array.
            name: Ignored.

        Returns:
            The array, which is changed.

        Raises:
            OutOfRangeError: the index is out of range, and the array has a fixed size.
            InvalidArgumentError: the value has a different dtype.
            ValueError: the value has a different shape.
        """
        position = self._position(index, "write")
        element = self._fitting(value)
        if position >= len(self._elements):
            self._elements += [None] * (position - len(self._elements) + 1)
        self._elements[position] = element
        return self

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """Return the element at `index`, or zeros if it was not written.

        Args:
            index: An integer.
            name: Ignored.

        Returns:
            The element.

        Raises:
            OutOfRangeError: the index is out of range.
            InvalidArgumentError: the element was cleared after an earlier read.
        """
        position = self._position(index, "read")
        if self._elements[position] is None and position in self._were_read:
            raise InvalidArgumentError(
                f"Could not read index {position} twice because it was cleared after a previous read.",
                fix="use `tf.TensorArray(..., clear_after_read=False)`",
            )
        element = self._written(position)
        if self._clears:
            self._elements[position] = None
            self._were_read.add(position)
        return element

    def _position(self, index: Any, verb: str) -> int:
        position = whole_number(index)
        may_grow = verb == "write" and self.dynamic_size
        if position < 0 or (position >= len(self._elements) and not may_grow):
            raise OutOfRangeError(
                f"`TensorArray.{verb}`: index {position} is out of range for an array of size {len(self._elements)}.",
                fix="use `tf.TensorArray(..., dynamic_size=True)`" if verb == "write" else None,
            )
        return position

    def _fitting(self, value: Any) -> Tensor:
        element = convert_to_tensor(value, dtype_hint=self._dtype)
        if element.dtype != self._dtype:
            raise InvalidArgumentError(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {element.dtype.name}.",
                fix=f"use `tf.cast(value, tf.{self._dtype.name})`",
                code="MT506",
            )
        if not self._element_shape.is_compatible_with(element.shape):
            raise TapeValueError(
                f"Incompatible shape for value ({element.shape}), expected ({self._element_shape}).",
                fix="use `tf.TensorArray(..., infer_shape=False)` for elements of different shapes",
                code="MT507",
            )
        if self._infers_shape:
            self._element_shape = self._element_shape.merge_with(element.shape)
        return element

    def _written(self, position: int) -> Tensor:
        element = self._elements[position]
        if element is None:
            if not self._element_shape.is_fully_defined():
                raise TapeValueError(
                    f"`TensorArray`: the program wrote no value at index {position}, and the shape of a zero value is unknown.",
                    fix="use `tf.TensorArray(..., element_shape=shape)`",
                )
            element = self._elements[position] = zeros(self._element_shape, self._dtype)
        return element

    # --- many elements ---

    def stack(self, name: str | None = None) -> Value:
        """Return all elements, stacked along a new first axis.

        Args:
            name: Ignored.
        """
        if self._elements:
            return stack(self._all())
        known = self._element_shape.is_fully_defined()
        return zeros([0, *self._element_shape] if known else [0], self._dtype)

    def concat(self, name: str | None = None) -> Value:
        """Return all elements, concatenated along their first axis.

        Args:
            name: Ignored.

        Raises:
            InvalidArgumentError: an element is a scalar, or the shapes do not fit.
        """
        elements = self._all()
        for position, element in enumerate(elements):
            if not element.shape.rank:
                raise InvalidArgumentError(
                    f"Concat saw a scalar shape at index {position} but requires at least vectors.",
                    fix="use `array.stack()` for scalars",
                )
        return concat(elements, 0)

    def gather(self, indices: Any, name: str | None = None) -> Value:
        """Return some elements, stacked along a new first axis.

        Args:
            indices: A vector of integers.
            name: Ignored.

        Raises:
            IndexError: an index is out of range.
        """
        return stack([self._written(position) for position in as_ints(indices)])

    def unstack(self, value: Any, name: str | None = None) -> "TensorArray":
        """Replace the elements by the rows of `value`.

        Args:
            value: A tensor of rank at least 1.
            name: Ignored.

        Returns:
            The array, which is changed.

        Raises:
            ValueError: there are more rows than elements, and the array has a fixed size.
        """
        rows = unstack(value)
        if len(rows) > len(self._elements) and not self.dynamic_size:
            raise TapeValueError(
                f"Cannot unstack {len(rows)} tensors into a TensorArray of static size {len(self._elements)}.",
                fix=f"use `tf.TensorArray(dtype, size={len(rows)})`",
            )
        self._elements = list(rows)
        return self

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> "TensorArray":
        """Store each row of `value` at its index.

        Args:
            indices: A vector of integers.
            value: One row for each index.
            name: Ignored.

        Returns:
            The array, which is changed.

        Raises:
            OutOfRangeError, InvalidArgumentError, ValueError: as in `write`.
        """
        for position, row in zip(as_ints(indices), unstack(value), strict=False):
            self.write(position, row)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> "TensorArray":
        """Split `value` along its first axis into elements of given lengths.

        Args:
            value: A tensor of rank at least 1 with the dtype of the array.
            lengths: The length of each element.
            name: Ignored.

        Returns:
            The array, which is changed.

        Raises:
            InvalidArgumentError: the sum of the lengths is not the size of `value`, or their number is not the size of the array.
        """
        whole = convert_to_tensor(value, dtype_hint=self._dtype)
        sizes = self._lengths(whole, lengths)
        if not self.dynamic_size and len(sizes) != len(self._elements):
            raise InvalidArgumentError(
                f"TensorArray's size is not equal to the size of lengths ({len(self._elements)} vs. {len(sizes)}), "
                "and the TensorArray is not marked as dynamically resizeable.",
                fix=f"use `tf.TensorArray(dtype, size={len(sizes)})`",
            )
        self._elements = list(split(whole, sizes))
        return self

    def _lengths(self, whole: Tensor, lengths: Any) -> list[int]:
        given = np.asarray(lengths._array if isinstance(lengths, TensorLike) else lengths)
        if whole.dtype != self._dtype:
            raise TapeTypeError(
                f"`TensorArray.split`: the array has dtype {self._dtype.name}, but the value has dtype {whole.dtype.name}.",
                fix=f"use `tf.cast(value, tf.{self._dtype.name})`",
            )
        if given.ndim != 1 or not whole.shape.rank or given.sum() != whole.shape[0]:
            raise InvalidArgumentError(
                f"`TensorArray.split` requires a vector of lengths whose sum is the size of the value's first axis, "
                f"but got {given.tolist()} "
                f"for a value of shape {whole.shape}.",
                fix="use `lengths` that add up to the number of rows, such as `[1, 2]` for a value with 3 rows",
            )
        return [whole_number(size) for size in given]

    def close(self, name: str | None = None) -> None:
        """Release all elements.

        Args:
            name: Ignored.
        """
        self._elements.clear()

    def _all(self) -> Sequence[Tensor]:
        return [self._written(position) for position in range(len(self._elements))]
