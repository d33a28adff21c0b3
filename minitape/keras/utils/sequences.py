"""Convert lists of different lengths to one array."""

from typing import Any

import numpy as np

from minitape.errors import TapeTypeError, TapeValueError
from minitape.ops.axes import as_sizes


def pad_sequences(
    sequences: Any,
    maxlen: int | None = None,
    dtype: Any = "int32",
    padding: str = "pre",
    truncating: str = "pre",
    value: Any = 0.0,
) -> Any:
    """Convert lists of different lengths to the rows of one array, by padding short lists and truncating long ones.

    Args:
        sequences: A list of lists, whose items are numbers or arrays of the same shape.
        maxlen: Length of each row; by default the length of the longest list.
        dtype: Dtype of the array.
        padding: "pre" pads at the start, "post" at the end.
        truncating: "pre" truncates at the start, "post" at the end.
        value: Value with which short lists are padded.

    Returns:
        An array of shape [len(sequences), maxlen, ...].

    Raises:
        ValueError: `sequences` is not a list of lists, items have different shapes, `padding` or `truncating` is unknown, or
            `dtype` cannot hold strings.
        TypeError: `dtype` cannot hold an item.
        InvalidArgumentError: `maxlen` is not a non-negative integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/pad_sequences

    >>> pad_sequences([[1], [2, 3]])
    array([[0, 1],
           [2, 3]], dtype=int32)
    """
    rows = _rows(sequences)
    for side, word in (("padding", padding), ("truncating", truncating)):
        if word not in ("pre", "post"):
            raise TapeValueError(
                f"Unknown value of `{side}`: '{word}'",
                fix=f"pass `{side}='pre'` or `{side}='post'`",
            )
    length = max(map(len, rows), default=0) if maxlen is None else as_sizes([maxlen])[0]
    item = next((np.shape(_held(row, dtype))[1:] for row in rows if len(row)), ())
    padded = _held(value, dtype, (len(rows), length, *item))
    for i, row in enumerate(rows):
        if not len(row):
            continue
        start = max(0, len(row) - length) if truncating == "pre" else 0
        kept = _held(row[start : start + length], dtype)
        if kept.shape[1:] != item:
            raise TapeValueError(
                f"Shape of sample {kept.shape[1:]} of sequence at position {i} is different from "
                f"expected shape {item}",
                fix="use items of the same shape in all sequences",
            )
        if padding == "post":
            padded[i, : len(kept)] = kept
        else:
            padded[i, length - len(kept) :] = kept
    return padded


def _held(values: Any, dtype: Any, shape: Any = None) -> Any:
    """Return the values in an array of the given dtype, broadcast to a shape if one is given."""
    try:
        return np.asarray(values, dtype) if shape is None else np.full(shape, values, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TapeTypeError if isinstance(error, TypeError) else TapeValueError
        raise kind(
            f"An array of {dtype} cannot hold {values!r}.",
            fix="use integers, or pass the dtype of the items: `dtype='float32'` or `dtype=object`",
        ) from None


def _rows(sequences: Any) -> list[Any]:
    if not hasattr(sequences, "__len__"):
        raise TapeValueError(
            f"`sequences` must be iterable and have a length. Received a {type(sequences).__name__}.",
            fix="call `pad_sequences(list(sequences))`",
        )
    for row in sequences:
        if not hasattr(row, "__len__"):
            raise TapeValueError(
                f"`sequences` must be a list of iterables. Found non-iterable: {row}",
                fix="use `pad_sequences([[1, 2], [3]])` with a list for each row",
            )
    return list(sequences)
