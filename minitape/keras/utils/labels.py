"""Convert labels to one-hot rows, and normalize rows."""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import read_once
from minitape.core.tensor import TensorLike
from minitape.errors import TapeIndexError, TapeValueError
from minitape.ops.arithmetic import divide_no_nan
from minitape.ops.axes import as_sizes, canonical_axis
from minitape.ops.creation import one_hot
from minitape.ops.reshaping import squeeze
from minitape.ops.statistics import norm


def to_categorical(x: Any, num_classes: int | None = None) -> Any:
    """Convert class indices to one-hot rows.

    Args:
        x: Class indices, starting at 0, of shape [...] or [..., 1].
        num_classes: Length of a row; by default the largest index plus 1. Required for a tensor.

    Returns:
        A float32 tensor if `x` is a tensor, otherwise a float64 array, of shape [..., num_classes]. A negative index counts
        from the end in an array, and yields a row of zeros in a tensor.

    Raises:
        IndexError: an index is not below `num_classes`.
        ValueError: `x` contains no integers, or is a tensor and `num_classes` is None.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/to_categorical

    >>> to_categorical([0, 2])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    if isinstance(x, TensorLike):
        return _rows_of_tensor(x, num_classes)
    try:
        classes = np.array(x, np.int64)
    except (TypeError, ValueError, OverflowError):
        raise TapeValueError(
            f"`to_categorical` expects class indices. Received: {x!r}",
            fix="use integers that start at 0",
        ) from None
    if classes.ndim > 1 and classes.shape[-1] == 1:
        classes = classes[..., 0]
    count = num_classes or int(classes.max()) + 1
    if classes.size and not -count <= classes.min() <= classes.max() < count:
        outside = classes[(classes < -count) | (classes >= count)].flat[0]
        raise TapeIndexError(
            f"Class index {outside} is out of range for {count} classes.",
            fix=f"use `to_categorical(x, num_classes={int(classes.max()) + 1})` with class indices that start at 0",
        )
    as_sizes([*classes.shape, count, count])  # raises an error if the result is too large
    return np.eye(count)[classes]


def _rows_of_tensor(x: TensorLike, num_classes: int | None) -> Any:
    if num_classes is None:
        raise TapeValueError(
            "`to_categorical` of a tensor requires `num_classes`.",
            fix="use `to_categorical(x, num_classes=10)`",
        )
    classes = squeeze(x, axis=[-1]) if len(x.shape) > 1 and x.shape[-1] == 1 else x
    return one_hot(classes, num_classes, dtype=dtypes.float32)


def normalize(x: Any, axis: int = -1, order: int = 2) -> Any:
    """Divide rows, or the vectors along `axis`, by their norm; zero vectors are unchanged.

    This differs from TensorFlow, which for `axis=0` divides along the last axis by the norms along the first axis.

    Args:
        x: An array or a tensor.
        axis: Axis of the vectors' components.
        order: Order of the norm, such as 1 for the sum of absolute values and 2 for the Euclidean norm.

    Returns:
        An array for an array, otherwise a tensor. If `x` is a one-dimensional array, the result is a single row.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/normalize
    """
    if isinstance(x, np.ndarray):
        rows = np.atleast_2d(x)
        along = canonical_axis(axis, x.ndim, "normalize") if x.ndim > 1 else -1
        lengths = np.linalg.norm(rows, order, along, keepdims=True)
        return rows / np.where(lengths == 0, 1, lengths)
    tensor = read_once(x)
    return divide_no_nan(tensor, norm(tensor, ord=order, axis=axis, keepdims=True))
