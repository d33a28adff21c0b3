"""Labels as one-hot rows, and rows of length 1."""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import read_once
from minitape.core.tensor import ArrayFace
from minitape.errors import TapeIndexError, TapeValueError
from minitape.ops.arithmetic import divide_no_nan
from minitape.ops.axes import as_sizes, canonical_axis
from minitape.ops.making import one_hot
from minitape.ops.shaping import squeeze
from minitape.ops.statistics import norm


def to_categorical(x: Any, num_classes: int | None = None) -> Any:
    """Class numbers as one-hot rows.

    Args:
        x: Whole numbers from 0; a last axis of length 1 is taken away.
        num_classes: How long a row is; by default as long as the largest number needs. A tensor needs it said.

    Returns:
        For a tensor a float32 tensor, for all else a float64 array, of shape [..., num_classes]. A number below 0 counts from
        the end in an array, and gives a row of zeros in a tensor.

    Raises:
        IndexError: a number has no place in `num_classes`.
        ValueError: a tensor, and no `num_classes`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/to_categorical

    >>> to_categorical([0, 2])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    if isinstance(x, ArrayFace):
        return _rows_of_tensor(x, num_classes)
    try:
        classes = np.array(x, np.int64)
    except (TypeError, ValueError, OverflowError):
        raise TapeValueError(
            f"These are no class numbers: {x!r}.", fix="whole numbers from 0 on"
        ) from None
    if classes.ndim > 1 and classes.shape[-1] == 1:
        classes = classes[..., 0]
    count = num_classes or int(classes.max()) + 1
    if classes.size and not -count <= classes.min() <= classes.max() < count:
        outside = classes[(classes < -count) | (classes >= count)].flat[0]
        raise TapeIndexError(
            f"Class {outside} has no place in rows of {count} classes.",
            fix=f"to_categorical(x, num_classes={int(classes.max()) + 1}), and numbers that begin with 0",
        )
    as_sizes([*classes.shape, count, count])  # or there is no room
    return np.eye(count)[classes]


def _rows_of_tensor(x: ArrayFace, num_classes: int | None) -> Any:
    if num_classes is None:
        raise TapeValueError(
            "to_categorical of a tensor has to be told how many classes there are.",
            fix="to_categorical(x, num_classes=10)",
        )
    classes = squeeze(x, axis=[-1]) if len(x.shape) > 1 and x.shape[-1] == 1 else x
    return one_hot(classes, num_classes, dtype=dtypes.float32)


def normalize(x: Any, axis: int = -1, order: int = 2) -> Any:
    """Rows, or what lies along `axis`, divided by their length; a row of zeros stays as it is.

    Args:
        x: An array, which gives an array; all else gives a tensor. An array of one axis comes back as one row.
        axis: Along which the numbers of one row lie.
        order: Which length: 1 for the sum of sizes, 2 for the usual one.

    Unlike TensorFlow, which divides along the last axis, by the lengths along the first, if `axis` is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/normalize
    """
    if isinstance(x, np.ndarray):
        rows = np.atleast_2d(x)
        along = canonical_axis(axis, x.ndim, "normalize") if x.ndim > 1 else -1
        lengths = np.linalg.norm(rows, order, along, keepdims=True)
        return rows / np.where(lengths == 0, 1, lengths)
    tensor = read_once(x)
    return divide_no_nan(tensor, norm(tensor, ord=order, axis=axis, keepdims=True))
