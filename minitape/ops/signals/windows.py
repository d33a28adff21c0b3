"""How much each number of a piece of a signal counts: much in the middle, little at the ends.

    hann_window, hamming_window    a raised cosine
    kaiser_window, vorbis_window   other bells
    inverse_stft_window_fn         what undoes another window, once the pieces are added up

They come out of nothing: there is nothing to differentiate.

Source: https://www.tensorflow.org/api_docs/python/tf/signal
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.errors import TapeValueError
from minitape.ops.axes import as_sizes, real_number, whole_number
from minitape.ops.making import made


def _of(numbers: Array, dtype: Any, how: str) -> Tensor:
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise TapeValueError(
            f"{how}: dtype must be a floating point type. Found {wanted.name}.", fix="tf.float32"
        )
    return made(numbers.astype(wanted.numpy), f"tf.signal.{how}")


def _raised_cosine(length: Any, periodic: Any, middle: float, height: float) -> Array:
    """middle - height · cos; of a period, an even length leaves the last number out, as in TensorFlow."""
    (count,) = as_sizes([length])
    if count == 1:
        return np.ones(1)
    turns = count + (1 if periodic and count % 2 == 0 else 0) - 1
    return middle - height * np.cos(2 * np.pi * np.arange(count) / turns)


def hann_window(
    window_length: Any,
    periodic: bool = True,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A raised cosine that begins at 0.

    Args:
        window_length: How many numbers.
        periodic: One period of it, and not one that comes back to 0.
        dtype: A float dtype.
        name: Ignored.

    Raises:
        ValueError: another dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/hann_window
    """
    return _of(_raised_cosine(window_length, periodic, 0.5, 0.5), dtype, "hann_window")


def hamming_window(
    window_length: Any,
    periodic: bool = True,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A raised cosine that begins at 0.08.

    Args:
        window_length: How many numbers.
        periodic: One period of it, and not one that comes back.
        dtype: A float dtype.
        name: Ignored.

    Raises:
        ValueError: another dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/hamming_window
    """
    return _of(_raised_cosine(window_length, periodic, 0.54, 0.46), dtype, "hamming_window")


def kaiser_window(
    window_length: Any,
    beta: float = 12.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A bell made of a Bessel function.

    Args:
        window_length: How many numbers.
        beta: How narrow it is.
        dtype: A float dtype.
        name: Ignored.

    Raises:
        ValueError: another dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/kaiser_window
    """
    return _of(np.kaiser(whole_number(window_length), real_number(beta)), dtype, "kaiser_window")


def vorbis_window(
    window_length: Any, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A bell whose square and that of its other half add up to 1.

    Args:
        window_length: How many numbers.
        dtype: A float dtype.
        name: Ignored.

    Raises:
        ValueError: another dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/vorbis_window
    """
    places = (np.arange(whole_number(window_length)) + 0.5) * (np.pi / whole_number(window_length))
    return _of(np.sin(np.pi / 2 * np.sin(places) ** 2), dtype, "vorbis_window")


def inverse_stft_window_fn(
    frame_step: Any,
    forward_window_fn: Callable[..., Any] = hann_window,
    name: str | None = None,
) -> Callable[..., Tensor]:
    """The window with which `inverse_stft` gives back what `stft` was given.

    Args:
        frame_step: That of the `stft`.
        forward_window_fn: Its window.
        name: Ignored.

    Returns:
        A function of (frame_length, dtype).

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/inverse_stft_window_fn
    """
    step = whole_number(frame_step)

    def inverse_window(frame_length: Any, dtype: Any) -> Tensor:
        forward = np.asarray(forward_window_fn(frame_length, dtype=dtype))
        overlaps = -(-len(forward) // step)
        squares = np.zeros(overlaps * step, forward.dtype)
        squares[: len(forward)] = forward**2
        together = np.tile(squares.reshape(overlaps, step).sum(axis=0), overlaps)
        return _of(forward / together[: len(forward)], dtype, "inverse_stft_window_fn")

    return inverse_window
