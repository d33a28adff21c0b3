"""Lists of different lengths as one array."""

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
    """Lists of different lengths as the rows of one array: short ones are filled up, long ones cut.

    Args:
        sequences: A list of lists; their items are numbers, or arrays of one shape.
        maxlen: How long each row is to be; by default as long as the longest.
        dtype: Of the array.
        padding: "pre" fills at the front, "post" at the end.
        truncating: "pre" cuts at the front, "post" at the end.
        value: What is filled in.

    Returns:
        An array of shape [len(sequences), maxlen, ...].

    Raises:
        ValueError: no list of lists; items of different shapes; a word for a side that there is not; texts, which `dtype`
            cannot hold.
        TypeError: what is no number either.
        InvalidArgumentError: `maxlen` is negative, or no whole number.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/pad_sequences

    >>> pad_sequences([[1], [2, 3]])
    array([[0, 1],
           [2, 3]], dtype=int32)
    """
    rows = _rows(sequences)
    for side, word in (("padding", padding), ("truncating", truncating)):
        if word not in ("pre", "post"):
            raise TapeValueError(f"{side} is '{word}'.", fix=f"{side}='pre' or {side}='post'")
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
                fix="items of one shape in all sequences",
            )
        if padding == "post":
            padded[i, : len(kept)] = kept
        else:
            padded[i, length - len(kept) :] = kept
    return padded


def _held(values: Any, dtype: Any, shape: Any = None) -> Any:
    """The values in an array of that dtype; repeated to a shape, if one is given."""
    try:
        return np.asarray(values, dtype) if shape is None else np.full(shape, values, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TapeTypeError if isinstance(error, TypeError) else TapeValueError
        raise kind(
            f"An array of {dtype} cannot hold {values!r}.",
            fix="whole numbers, or dtype='float32' or dtype=object for what they are",
        ) from None


def _rows(sequences: Any) -> list[Any]:
    if not hasattr(sequences, "__len__"):
        raise TapeValueError(
            f"`sequences` must be iterable, with a length. Received a {type(sequences).__name__}.",
            fix="pad_sequences(list(sequences))",
        )
    for row in sequences:
        if not hasattr(row, "__len__"):
            raise TapeValueError(
                f"`sequences` must be a list of iterables. Found non-iterable: {row}",
                fix="pad_sequences([[1, 2], [3]]): a list for each row",
            )
    return list(sequences)
