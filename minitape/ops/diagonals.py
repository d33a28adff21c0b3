"""Diagonals and triangles of matrices; in a batch, the ops work on each matrix.

    diag ↔ diag_part               a matrix with a given diagonal, and the diagonal of a matrix, or several diagonals
    set_diag                       a matrix with other elements on its diagonals
    band_part                      the diagonals near the main one; all others become 0
    trace                          the sum of the diagonal
    tensor_diag, tensor_diag_part  diagonals of tensors with shape s + s

Diagonal 0 is the main one, 1 the one above it, -1 the one below. Several diagonals are the rows of one array, the highest
first. A row that is longer than its diagonal is padded at the front or at the end, as `align` specifies.
"""

from typing import Any

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, beside, is_engine_value
from minitape.core.declaration import ANY, NON_STRING_KINDS
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError
from minitape.ops.axes import as_ints, whole_number
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import leading_axes, leading_axes_of_all

ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def _longest(shape: Ints, k: Ints) -> int:
    """Return the length of the longest of the diagonals from k[0] to k[1]."""
    rows, columns = shape
    return min(rows + min(k[1], 0), columns - max(k[0], 0))


def _cells(shape: Ints, k: Ints, align: str) -> tuple[Any, Any]:
    """Return the indices of the diagonals' elements in the matrix, and in the array of diagonals."""
    rows, columns = shape
    longest = _longest(shape, k)
    above, below = align.split("_")
    in_matrix, in_list = [], []
    for line, d in enumerate(range(k[1], k[0] - 1, -1)):
        length = min(rows + min(d, 0), columns - max(d, 0))
        is_left = (d >= 0 and above == "LEFT") or (d <= 0 and below == "LEFT")
        first = 0 if is_left else longest - length
        for i in range(length):
            in_matrix.append((i - min(d, 0), i + max(d, 0)))
            in_list.append((line, first + i))
    i_and_j = np.array(in_matrix, np.intp).reshape(-1, 2).T
    lines, positions = np.array(in_list, np.intp).reshape(-1, 2).T
    return (..., *i_and_j), (..., positions) if k[0] == k[1] else (..., lines, positions)


def _diag_kernel(x: Array, *, shape: Ints, k: Ints, align: str, padding: Any) -> Array:
    ahead = x.shape[: -1 if k[0] == k[1] else -2]
    matrix = np.full((*ahead, *shape), padding, x.dtype)
    in_matrix, in_list = _cells(shape, k, align)
    matrix[in_matrix] = x[in_list]
    return matrix


def _diag_vjp(ybar: Value, y: Value, x: Value, *, k: Ints, align: str, **_: Any) -> Value:
    return _diag_part(ybar, k=k, align=align, padding=0)


_diag: Primitive = Primitive(
    "MatrixDiagV3",
    _diag_kernel,
    vjp=(_diag_vjp,),
    batch=leading_axes,
    rule="x̄ = the diagonals of ȳ",
    dtype_kinds=NON_STRING_KINDS,
)


def _diag_part_kernel(x: Array, *, k: Ints, align: str, padding: Any) -> Array:
    if k == (0, 0):
        return np.diagonal(x, axis1=-2, axis2=-1)
    lines = () if k[0] == k[1] else (k[1] - k[0] + 1,)
    part = np.full((*x.shape[:-2], *lines, _longest(x.shape[-2:], k)), padding, x.dtype)
    in_matrix, in_list = _cells(x.shape[-2:], k, align)
    part[in_list] = x[in_matrix]
    return part


def _diag_part_vjp(ybar: Value, y: Value, x: Value, *, k: Ints, align: str, padding: Any) -> Value:
    return _diag(ybar, shape=tuple(x.shape)[-2:], k=k, align=align, padding=0)


_diag_part: Primitive = Primitive(
    "MatrixDiagPartV3",
    _diag_part_kernel,
    vjp=(_diag_part_vjp,),
    batch=leading_axes,
    rule="x̄ = ȳ on the diagonals, 0 elsewhere",
    dtype_kinds=ANY,
)


def _set_diag_kernel(x: Array, diagonal: Array, *, k: Ints, align: str) -> Array:
    matrix = np.array(x)
    in_matrix, in_list = _cells(x.shape[-2:], k, align)
    matrix[in_matrix] = diagonal[in_list]
    return matrix


def _set_diag_vjp(ybar: Value, y: Value, x: Value, d: Value, *, k: Ints, align: str) -> Value:
    zeros = np.zeros(tuple(d.shape), raw_dtype(d))
    return _set_diag(ybar, zeros, k=k, align=align)


_set_diag: Primitive = Primitive(
    "MatrixSetDiagV3",
    _set_diag_kernel,
    vjp=(
        _set_diag_vjp,
        lambda ybar, y, x, d, k, align: _diag_part(ybar, k=k, align=align, padding=0),
    ),
    batch=leading_axes_of_all,
    rule="x̄ = ȳ with zeros on the diagonals; the new diagonals receive the elements of ȳ at these positions",
    dtype_kinds=ANY,
)


def _band(k: Any, shape: Ints | None, op: str) -> Ints:
    """Return the lowest and the highest diagonal; an integer is used for both of them."""
    numbers = as_ints(k)
    low, high = numbers[0], numbers[-1]
    if shape is not None and len(shape) < 2:
        raise InvalidArgumentError(
            f"`{op}`: input must be at least 2-dim, but its shape is {shape}.", code="MT507"
        )
    # The main diagonal of an empty matrix exists, and is empty.
    is_there = shape is None or (-max(shape[0], 1) < low and high < max(shape[1], 1))
    if low > high or not is_there:
        raise InvalidArgumentError(
            f"`{op}` got `k` from {low} to {high} for a matrix of shape {shape}, which does not have these diagonals.",
            fix="pass `0` for the main diagonal, `1` for the diagonal above the main diagonal, or `(-1, 1)` for three diagonals",
            code="MT507",
        )
    return low, high


def diag(
    diagonal: Value,
    name: str = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Value:
    """Return matrices with given diagonals and `padding_value` elsewhere.

    Args:
        diagonal: A tensor of shape [..., n]; for several diagonals [..., count, n].
        name: Ignored.
        k: The index of the diagonal, or a pair for all diagonals from the first to the second.
        num_rows: The number of rows; -1 for the minimum. If both numbers are -1, the matrices are square.
        num_cols: The number of columns; -1 for the minimum.
        padding_value: The other elements of the matrix.
        align: The side to which short diagonals above and below the main one are aligned, such as "RIGHT_LEFT".

    Returns:
        A tensor of shape [..., num_rows, num_cols].

    Raises:
        InvalidArgumentError: such diagonals do not exist, or `diagonal` has too few axes.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/diag
    """
    x = as_operand(diagonal)
    band = _band(k, None, "diag")
    if len(x.shape) < (1 if band[0] == band[1] else 2):
        raise InvalidArgumentError(
            "`diag` requires one axis for the elements of a diagonal, and another axis for several diagonals, but its input "
            f"has shape {tuple(x.shape)}.",
            code="MT507",
        )
    rows, columns = x.shape[-1] - min(band[1], 0), x.shape[-1] + max(band[0], 0)
    if whole_number(num_rows) == whole_number(num_cols) == -1:
        rows = columns = max(rows, columns)
    shape = (
        rows if whole_number(num_rows) == -1 else whole_number(num_rows),
        columns if whole_number(num_cols) == -1 else whole_number(num_cols),
    )
    if x.shape[-1]:  # otherwise the diagonals are empty, and TensorFlow does not check them
        band = _band(band, shape, "diag")
    if _longest(shape, band) != x.shape[-1]:
        raise InvalidArgumentError(
            f"`diag` got diagonals of {x.shape[-1]} elements, but diagonals {band[0]} to {band[1]} of a matrix of shape "
            f"{shape} have up to {_longest(shape, band)}.",
            fix="remove `num_rows` and `num_cols`; the matrix is then as large as needed",
            code="MT507",
        )
    return _diag(x, shape=shape, k=band, align=align, padding=padding_value)


def diag_part(
    input: Value,
    name: str = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Value:
    """Return a diagonal of each matrix, or several of them.

    Args:
        input: A tensor of shape [..., n, m].
        name: Ignored.
        k: The index of the diagonal, or a pair for all diagonals from the first to the second.
        padding_value: The padding of diagonals that are shorter than others.
        align: The side to which short diagonals above and below the main one are aligned, such as "RIGHT_LEFT".

    Returns:
        A tensor of shape [..., length of the longest]; for several diagonals [..., count, length of the longest].

    Raises:
        InvalidArgumentError: such a diagonal does not exist.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/diag_part
    """
    x = as_operand(input)
    if len(x.shape) < 2:
        raise InvalidArgumentError(
            f"input must be at least 2-dim, received shape: {list(x.shape)}", code="MT507"
        )
    band = _band(k, tuple(x.shape)[-2:], "diag_part")
    return _diag_part(x, k=band, align=align, padding=padding_value)


def set_diag(
    input: Value, diagonal: Value, name: str = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT"
) -> Value:
    """Return matrices with other elements on a diagonal.

    Args:
        input: A tensor of shape [..., n, m].
        diagonal: A tensor with the shape that `diag_part` returns and the dtype of `input`.
        name: Ignored.
        k: The index of the diagonal, or a pair for all diagonals from the first to the second.
        align: The side to which short diagonals above and below the main one are aligned, such as "RIGHT_LEFT".

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: such a diagonal does not exist, or its shape does not fit.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shapes.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/set_diag
    """
    if is_engine_value(diagonal) and not is_engine_value(input):
        x, line = as_operand(beside(input, raw_dtype(diagonal))), as_operand(diagonal)
    else:
        x = as_operand(input)
        is_tensor = is_engine_value(diagonal)
        line = as_operand(diagonal if is_tensor else beside(diagonal, raw_dtype(x)))
    shape = tuple(x.shape)
    band = _band(k, shape[-2:], "set_diag")
    lines = () if band[0] == band[1] else (band[1] - band[0] + 1,)
    wanted = (*shape[:-2], *lines, _longest(shape[-2:], band))
    if tuple(line.shape) != wanted:
        raise InvalidArgumentError(
            f"`set_diag` got a diagonal of shape {tuple(line.shape)} for a matrix of shape {shape}.",
            fix=f"pass a diagonal of shape {wanted}",
            code="MT507",
        )
    return _set_diag(x, line, k=band, align=align)


# --- triangles ---


def _band_kernel(x: Array, *, lower: int, upper: int) -> Array:
    rows, columns = x.shape[-2:]
    above = np.arange(columns) - np.arange(rows)[:, None]
    is_near = np.ones((rows, columns), bool)
    if lower >= 0:
        is_near &= above >= -lower
    if upper >= 0:
        is_near &= above <= upper
    return np.where(is_near, x, x.dtype.type(0))


_band_part: Primitive = Primitive(
    "MatrixBandPart",
    _band_kernel,
    vjp=(lambda ybar, y, x, lower, upper: _band_part(ybar, lower=lower, upper=upper),),
    batch=leading_axes,
    rule="x̄ = the same part of ȳ",
)


def band_part(input: Value, num_lower: Any, num_upper: Any, name: str | None = None) -> Value:
    """Return the main diagonal and its neighbors; all other elements become 0.

    Args:
        input: A tensor of shape [..., n, m].
        num_lower: The number of diagonals below the main one; negative for all.
        num_upper: The number of diagonals above the main one; negative for all.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: the rank is below 2.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/band_part

    >>> band_part(np.ones((2, 2)), -1, 0).numpy().tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    x = as_operand(input)
    if len(x.shape) < 2:
        raise InvalidArgumentError(
            f"input must be at least 2-dim, received shape: {list(x.shape)}", code="MT507"
        )
    return _band_part(x, lower=whole_number(num_lower), upper=whole_number(num_upper))


# --- composed of these ---


def trace(x: Value, name: str | None = None) -> Value:
    """Return the sum of the main diagonal.

    Args:
        x: A tensor of shape [..., n, m].
        name: Ignored.

    Returns:
        A tensor of shape [...].

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/trace
    """
    return reduce_sum(diag_part(x), axis=-1)


def tensor_diag(diagonal: Value, name: str | None = None) -> Value:
    """Return a tensor whose element at index i + i is element i of `diagonal`, for each multi-index i; 0 elsewhere.

    Args:
        diagonal: A tensor of rank at least 1.
        name: Ignored.

    Returns:
        A tensor of shape diagonal.shape + diagonal.shape.

    Raises:
        InvalidArgumentError: `diagonal` is a scalar.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/tensor_diag
    """
    x = as_operand(diagonal)
    shape = tuple(x.shape)
    if not shape:
        raise InvalidArgumentError(
            "`tensor_diag` requires at least one axis, but got a scalar.",
            fix="use `tf.reshape(x, [1])`",
        )
    flat = _reshape(x, shape=(int(np.prod(shape, dtype=np.int64)),))
    return _reshape(diag(flat), shape=shape + shape)


def tensor_diag_part(input: Value, name: str | None = None) -> Value:
    """Return the elements at index i + i, for each multi-index i.

    Args:
        input: Shape s + s.
        name: Ignored.

    Returns:
        A tensor of shape s.

    Raises:
        InvalidArgumentError: the two halves of the shape differ.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/tensor_diag_part
    """
    x = as_operand(input)
    shape = tuple(x.shape)
    half = shape[: len(shape) // 2]
    if half + half != shape:
        raise InvalidArgumentError(
            f"`tensor_diag_part` requires a shape whose two halves are equal, but got {shape}.",
            code="MT507",
        )
    side = int(np.prod(half, dtype=np.int64))
    return _reshape(diag_part(_reshape(x, shape=(side, side))), shape=half)
