"""IndexedSlices represents the gradient of a table of which only some rows were read.

`values[i]` belongs to row `indices[i]`, and the values of a row that occurs repeatedly are added. So the gradient of a table
with millions of rows is only as large as the rows that were looked up. IndexedSlices can be converted to a dense tensor.

Source: https://www.tensorflow.org/api_docs/python/tf/IndexedSlices
"""

from typing import Any

from minitape.core.dtypes import DType
from minitape.core.registry import PRIMITIVES
from minitape.core.shapes import TensorShape
from minitape.core.tensor import TensorLike
from minitape.core.values import Ints, Value
from minitape.unsupported.attribute_errors import HelpfulAttributes


class IndexedSlices(HelpfulAttributes):
    """Rows `values` (shape [n, ...]) and their row indices `indices` (shape [n]) in a tensor of shape `dense_shape`."""

    __slots__ = ("dense_shape", "indices", "values")

    def __init__(self, values: Value, indices: Value, dense_shape: Any = None) -> None:
        self.values = values
        self.indices = indices
        self.dense_shape = dense_shape

    @property
    def shape(self) -> TensorShape:
        return TensorShape(self._sizes())

    @property
    def dtype(self) -> DType:
        dtype: DType = self.values.dtype
        return dtype

    def to_dense_tensor(self) -> Any:
        """Return the dense tensor, with zeros in the other rows."""
        return PRIMITIVES["UnsortedRows"](self.values, self.indices, shape=self._sizes())

    def _sizes(self) -> Ints:
        given = self.dense_shape
        return tuple(map(int, given._array if isinstance(given, TensorLike) else given))

    def __neg__(self) -> "IndexedSlices":
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def __repr__(self) -> str:
        return (
            f"IndexedSlices(indices={self.indices!r}, values={self.values!r}, "
            f"dense_shape={self.dense_shape!r})"
        )
