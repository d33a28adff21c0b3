"""Counts, bins, indices and orders. Their results are integers or booleans, so none of these ops is differentiable.

bincount, histogram_fixed_width            count each number; count the numbers in each bin
confusion_matrix, in_top_k                 compare predictions with labels
searchsorted                               the index at which a number belongs in a sorted row
sequence_mask                              lengths as rows of booleans
invert_permutation, unravel_index          convert indices
is_non_decreasing, is_strictly_increasing  whether numbers are in ascending order
"""

import math
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, read_once
from minitape.core.declaration import NUMERIC_KINDS, no_gradient, not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError, UnimplementedError
from minitape.ops.axes import as_ints, whole_number
from minitape.ops.comparison import REALS
from minitape.ops.coordinates import scatter_nd
from minitape.ops.creation import ones
from minitape.ops.identity import cast
from minitape.ops.joining import stack
from minitape.ops.minmax import reduce_all, reduce_max
from minitape.ops.reshaping import expand_dims, reshape


def _whole(dtype: Any) -> Any:
    return dtypes.as_dtype(dtype).numpy


# --- counts ---


def _count_kernel(
    numbers: Array, weights: Array, *, size: int, dtype: Any, only_whether: bool
) -> Array:
    rows = np.reshape(numbers, (math.prod(numbers.shape[:-1]), numbers.shape[-1]))
    table = np.zeros((len(rows), size), weights.dtype if weights.size else dtype)
    line, position = np.nonzero(rows < size)
    added = np.reshape(weights, rows.shape)[line, position] if weights.size else 1
    if only_whether:
        table[line, rows[line, position]] = 1
    else:
        np.add.at(table, (line, rows[line, position]), added)
    return np.reshape(table, (*numbers.shape[:-1], size))


_bincount: Primitive = Primitive(
    "DenseBincount",
    _count_kernel,
    vjp=not_registered(reason="TensorFlow has no rule for `bincount`, whose result is a count"),
    dtype_kinds="iu",
    same_dtype_args=(0,),
)


def bincount(
    arr: Value,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Value:
    """Count how many times each integer from 0 on occurs, or sum the weights of its occurrences.

    Args:
        arr: Non-negative integers, any shape.
        weights: A tensor with the shape of `arr`; the sum of the weights replaces the count.
        minlength: The minimum number of counts.
        maxlength: The maximum number of counts: larger numbers are ignored.
        dtype: The dtype of the counts; sums of weights keep the dtype of `weights`.
        name: Ignored.
        axis: None or 0 to count all elements together, -1 to count each row separately.
        binary_output: Whether to return only whether a number occurs, as 0 or 1.

    Returns:
        A vector of counts; a matrix for axis=-1.

    Raises:
        InvalidArgumentError: a number is negative, or `weights` have a dtype other than int32, int64, float32 or float64.
        ValueError: `axis` is not None, 0 or -1.

    Gradient: No gradient is registered, so requesting one with respect to the weights raises LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/bincount

    >>> bincount([1, 1, 3]).numpy().tolist()
    [0, 2, 0, 1]
    """
    if axis not in (None, 0, -1):
        raise TapeValueError(
            f"`bincount` counts along axis 0 or -1, not {axis}.", fix="pass `axis=-1`"
        )
    numbers = read_once(arr)
    if not numbers._array.size:
        numbers = cast(numbers, dtypes.int32)  # an empty list has no dtype of its own
    if axis != -1:
        numbers = reshape(numbers, [-1])
    array = numbers._array
    if array.dtype.kind not in "iu":
        raise UnimplementedError(
            f"`bincount` counts integers, but `arr` has dtype {numbers.dtype.name}.",
            fix="use `tf.cast(arr, tf.int32)`",
            code="MT506",
        )
    if array.size and array.min() < 0:
        raise InvalidArgumentError("Input arr must be non-negative!")
    size = int(array.max()) + 1 if array.size else 0
    size = size if minlength is None else max(size, whole_number(minlength))
    size = size if maxlength is None else min(size, whole_number(maxlength))
    beside = read_once(np.zeros((0,), np.int32) if weights is None else weights)
    if beside.dtype.name not in ("int32", "int64", "float32", "float64"):
        raise InvalidArgumentError(
            f"`bincount` adds numbers of 32 or 64 bits, but `weights` has dtype {beside.dtype.name}.",
            fix="use `tf.cast(weights, tf.float32)`",
            code="MT506",
        )
    return _bincount(
        numbers, beside, size=size, dtype=_whole(dtype), only_whether=bool(binary_output)
    )


def _bins(values: Array, limits: Array, bins: int) -> Array:
    low, high = limits
    fraction = (values - low) / (high - low)
    return np.clip(np.floor(fraction * bins), 0, bins - 1).astype(np.int64)


_histogram: Primitive = Primitive(
    "HistogramFixedWidth",
    lambda values, limits, *, bins, dtype: np.bincount(
        _bins(np.ravel(values), limits, bins), minlength=bins
    ).astype(dtype),
    vjp=not_registered(
        reason="TensorFlow has no rule for `histogram_fixed_width`, whose result is a count"
    ),
    dtype_kinds=REALS,
)

_bin_of: Primitive = Primitive(
    "HistogramBins",
    lambda values, limits, *, bins, dtype: _bins(values, limits, bins).astype(dtype),
    vjp=no_gradient(
        reason="its result is the index of a bin, which stays constant or jumps as the value changes"
    ),
    dtype_kinds=REALS,
)


def _check_bins(limits: Value, nbins: Any) -> int:
    if limits._array.shape != (2,):
        raise InvalidArgumentError(
            f"`value_range` must have shape (2,), but has shape {limits._array.shape}.",
            fix="pass `value_range=[low, high]`",
        )
    low, high = limits._array
    if not low < high or whole_number(nbins) < 1:
        raise InvalidArgumentError(
            f"A histogram cannot have {whole_number(nbins)} bins between {low} and {high}.",
            fix="pass `value_range=[low, high]` with `low < high`, and `nbins` of at least 1",
        )
    return whole_number(nbins)


def histogram_fixed_width(
    values: Value,
    value_range: Any,
    nbins: Any = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Value:
    """Count the values in each of `nbins` bins of equal width; values outside the range count in the first or last bin.

    Args:
        values: Real numbers, any shape.
        value_range: The lower and upper limit of the bins.
        nbins: The number of bins.
        dtype: The dtype of the counts.
        name: Ignored.

    Returns:
        A vector of `nbins` counts.

    Raises:
        InvalidArgumentError: the range is empty, or there are no bins.

    Gradient: No gradient is registered, so requesting one raises LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/histogram_fixed_width
    """
    x = read_once(values)
    limits = read_once(as_operand(value_range, dtype=x.dtype))
    return _histogram(x, limits, bins=_check_bins(limits, nbins), dtype=_whole(dtype))


def histogram_fixed_width_bins(
    values: Value,
    value_range: Any,
    nbins: Any = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Value:
    """Return the index of the bin of each value, as `histogram_fixed_width` counts them.

    Args:
        values: Real numbers, any shape.
        value_range: The lower and upper limit of the bins.
        nbins: The number of bins.
        dtype: The dtype of the result.
        name: Ignored.

    Returns:
        Indices from 0 to nbins - 1, in the shape of `values`.

    Raises:
        InvalidArgumentError: the range is empty, or there are no bins.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/histogram_fixed_width_bins
    """
    x = read_once(values)
    limits = read_once(as_operand(value_range, dtype=x.dtype))
    return _bin_of(x, limits, bins=_check_bins(limits, nbins), dtype=_whole(dtype))


# --- predictions ---


def confusion_matrix(
    labels: Value,
    predictions: Value,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Value:
    """Count how many times class i was predicted as class j.

    Args:
        labels: The true classes, an integer vector.
        predictions: The predicted classes, an integer vector.
        num_classes: The number of classes; by default one more than the largest label or prediction.
        weights: The weight of each pair; 1 by default.
        dtype: The dtype of the counts.
        name: Ignored.

    Returns:
        A tensor of shape [num_classes, num_classes].

    Gradient: It is defined with respect to the weights if `dtype` is a float dtype, but not with respect to the classes.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/confusion_matrix
    """
    pairs = stack([cast(labels, dtypes.int64), cast(predictions, dtypes.int64)], axis=1)
    largest = int(np.max(pairs._array, initial=-1))
    count = largest + 1 if num_classes is None else whole_number(num_classes)
    updates = ones([pairs.shape[0]], dtype) if weights is None else cast(weights, dtype)
    return scatter_nd(pairs, updates, [count, count])


def _among_best(predictions: Array, targets: Array, *, k: int) -> Array:
    # As in TensorFlow, the result is False for a class that does not exist, and for a row that is not finite.
    exists = (targets >= 0) & (targets < predictions.shape[1])
    own = np.take_along_axis(predictions, np.where(exists, targets, 0)[:, None].astype(np.intp), 1)
    better = np.sum(predictions > own, axis=1)
    return (better < k) & exists & np.isfinite(predictions).all(axis=1)


_in_top_k: Primitive = Primitive(
    "InTopKV2",
    _among_best,
    vjp=not_registered(reason="TensorFlow has no rule for `in_top_k`, whose result is a boolean"),
    dtype_kinds="f",
    same_dtype_args=(0,),
)


def in_top_k(targets: Value, predictions: Value, k: Any, name: str | None = None) -> Value:
    """Return whether the score of each target is among the `k` highest of its row, ties included.

    Args:
        targets: The class of each row, an integer tensor of shape [n].
        predictions: The scores, a tensor of shape [n, classes] with a float dtype.
        k: The number of highest scores.
        name: Ignored.

    Returns:
        A bool tensor of shape [n].

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/in_top_k
    """
    scores, wanted = read_once(predictions), read_once(targets)
    if len(scores.shape) != 2 or tuple(wanted.shape) != tuple(scores.shape)[:1]:
        raise InvalidArgumentError(
            f"`in_top_k` requires `predictions` of shape `[n, classes]` and `targets` of shape `[n]`, but their "
            f"shapes are {tuple(scores.shape)} "
            f"and {tuple(wanted.shape)}.",
            fix="pass one integer for each row of `predictions`",
            code="MT507",
        )
    return _in_top_k(scores, wanted, k=whole_number(k))


# --- indices ---


def _search_kernel(rows: Array, values: Array, *, side: str, dtype: Any) -> Array:
    lines = zip(_lines(rows), _lines(values), strict=True)
    found = [np.searchsorted(row, each, side) for row, each in lines]  # type: ignore[call-overload]  # checked by its caller
    return np.reshape(np.array(found, dtype), values.shape)


def _lines(values: Array) -> Array:
    # The number of rows is passed, because NumPy cannot infer it for rows without elements.
    return np.reshape(values, (int(np.prod(values.shape[:-1])), values.shape[-1]))


_search: Primitive = Primitive(
    "SearchSorted",
    _search_kernel,
    vjp=no_gradient(
        reason="its result is an index, which stays constant or jumps as the values change"
    ),
    dtype_kinds=NUMERIC_KINDS,
)


def searchsorted(
    sorted_sequence: Value,
    values: Value,
    side: str = "left",
    out_type: Any = dtypes.int32,
    name: str | None = None,
) -> Value:
    """Return the index at which each value would have to be inserted in its sorted row.

    Args:
        sorted_sequence: A tensor of shape [..., n], each row ascending.
        values: A tensor of shape [..., m] with the leading axes of `sorted_sequence`.
        side: "left" for the index before equal elements, "right" for the index after them.
        out_type: int32 or int64.
        name: Ignored.

    Returns:
        Indices from 0 to n, in the shape of `values`.

    Raises:
        ValueError: `side` is unknown.
        InvalidArgumentError: the leading axes differ.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/searchsorted
    """
    if side not in ("left", "right"):
        raise TapeValueError(
            f"side must be 'right' or 'left'. Saw: {side}.", fix="pass `side='left'`"
        )
    rows = as_operand(sorted_sequence, values)
    wanted = as_operand(values, rows)
    rows, wanted = read_once(rows), read_once(wanted)
    if not len(rows.shape) or not len(wanted.shape):
        raise InvalidArgumentError(
            "`searchsorted` requires a sorted row and a row of values, but one of them is a scalar.",
            fix="use `tf.searchsorted(row, [x])`",
            code="MT507",
        )
    if tuple(rows.shape)[:-1] != tuple(wanted.shape)[:-1]:
        raise InvalidArgumentError(
            f"Leading dim_size of both tensors must match: {tuple(rows.shape)}, {tuple(wanted.shape)}.",
            code="MT507",
        )
    return _search(rows, wanted, side=side, dtype=_whole(out_type))


def _invert_kernel(x: Array) -> Array:
    if sorted(x.tolist()) != list(range(len(x))):
        raise InvalidArgumentError(
            f"{x.tolist()} is not a permutation: each number from 0 to {len(x) - 1} must occur once."
        )
    return np.argsort(x).astype(x.dtype)


_invert: Primitive = Primitive(
    "InvertPermutation",
    _invert_kernel,
    vjp=no_gradient(
        reason="its result consists of indices, which stay constant or jump as the values change"
    ),
    dtype_kinds="iu",
)


def invert_permutation(x: Value, name: str | None = None) -> Value:
    """Return the inverse permutation y of `x`: y[x[i]] = i.

    Args:
        x: A permutation of 0 ... n - 1; rank 1.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: `x` is not a permutation.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/invert_permutation
    """
    given = as_operand(x)
    if len(given.shape) != 1:
        raise InvalidArgumentError(
            f"invert_permutation expects a 1D vector, but the shape is {tuple(given.shape)}.",
            code="MT507",
        )
    return _invert(given)


def _unravel_kernel(x: Array, *, dims: Ints) -> Array:
    return np.stack(np.unravel_index(x, dims)).astype(x.dtype)


_unravel: Primitive = Primitive(
    "UnravelIndex",
    _unravel_kernel,
    vjp=no_gradient(
        reason="its result consists of indices, which stay constant or jump as the values change"
    ),
    dtype_kinds="iu",
)


def unravel_index(indices: Value, dims: Any, name: str | None = None) -> Value:
    """Convert indices of a flat array to coordinates in an array of shape `dims`.

    Args:
        indices: Integers; rank 0 or 1.
        dims: The shape.
        name: Ignored.

    Returns:
        The coordinates, with one row for each axis.

    Raises:
        InvalidArgumentError: an index is out of range.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/unravel_index
    """
    return _unravel(as_operand(indices), dims=as_ints(dims))


def sequence_mask(
    lengths: Value, maxlen: Any = None, dtype: Any = dtypes.bool_, name: str | None = None
) -> Value:
    """Return for each length a row in which that number of elements at the start is true.

    Args:
        lengths: Integers, any shape.
        maxlen: The length of a row; by default the largest of `lengths`.
        dtype: bool by default; otherwise the row contains 1 and 0.
        name: Ignored.

    Returns:
        A tensor of shape lengths.shape + [maxlen].

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/sequence_mask
    """
    x = read_once(lengths)
    if maxlen is None:
        longest = float(reduce_max(x)) if 0 not in tuple(x.shape) else 0.0
        size = math.ceil(max(longest, 0.0))
    else:
        size = whole_number(maxlen)
        x = cast(x, dtypes.int32) if raw_dtype(x).kind == "f" else x
    mask = np.arange(size, dtype=raw_dtype(x)) < expand_dims(x, -1)
    return cast(mask, dtype)


# --- orders ---


def is_non_decreasing(x: Value, name: str | None = None) -> Value:
    """Return whether no element is smaller than the element before it.

    Args:
        x: A tensor of real numbers; its elements are compared in row-major order.
        name: Ignored.

    Returns:
        A scalar bool.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/is_non_decreasing
    """
    line = reshape(x, [-1])
    return reduce_all(line[1:] >= line[:-1])


def is_strictly_increasing(x: Value, name: str | None = None) -> Value:
    """Return whether each element is larger than the element before it.

    Args:
        x: A tensor of real numbers; its elements are compared in row-major order.
        name: Ignored.

    Returns:
        A scalar bool.

    Gradient: There is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/is_strictly_increasing
    """
    line = reshape(x, [-1])
    return reduce_all(line[1:] > line[:-1])
