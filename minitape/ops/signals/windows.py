"""Window functions: the weights of the samples in a frame.

    hann_window, hamming_window    a raised cosine
    kaiser_window, vorbis_window   other shapes
    inverse_stft_window_fn         the window that undoes another one after overlap_and_add

The windows do not depend on a tensor, so there is nothing to differentiate.

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
from minitape.ops.creation import made


def _of(numbers: Array, dtype: Any, how: str) -> Tensor:
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise TapeValueError(
            f"`{how}`: `dtype` must be a floating-point type, but is {wanted.name}.",
            fix="use `tf.float32`",
        )
    return made(numbers.astype(wanted.numpy), f"tf.signal.{how}")


def _raised_cosine(length: Any, periodic: Any, middle: float, height: float) -> Array:
    """Return middle - height · cos; a periodic window of even length omits the last sample, as in TensorFlow."""
    (count,) = as_sizes([length])
    if count == 1:
        return np.ones(1)
    iterations = count + (1 if periodic and count % 2 == 0 else 0) - 1
    return middle - height * np.cos(2 * np.pi * np.arange(count) / iterations)


def hann_window(
    window_length: Any,
    periodic: bool = True,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Return a raised cosine that starts at 0.

    Args:
        window_length: The number of samples.
        periodic: Whether the window is one period, without the repeated last sample.
        dtype: A float dtype.
        name: Ignored.

    Returns:
        A tensor of shape [window_length].

    Raises:
        ValueError: the dtype is not supported.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/hann_window
    """
    return _of(_raised_cosine(window_length, periodic, 0.5, 0.5), dtype, "hann_window")


def hamming_window(
    window_length: Any,
    periodic: bool = True,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Return a raised cosine that starts at 0.08.

    Args:
        window_length: The number of samples.
        periodic: Whether the window is one period, without the repeated last sample.
        dtype: A float dtype.
        name: Ignored.

    Returns:
        A tensor of shape [window_length].

    Raises:
        ValueError: the dtype is not supported.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/hamming_window
    """
    return _of(_raised_cosine(window_length, periodic, 0.54, 0.46), dtype, "hamming_window")


def kaiser_window(
    window_length: Any,
    beta: float = 12.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Return a Kaiser window, computed from a Bessel function.

    Args:
        window_length: The number of samples.
        beta: Larger values give a narrower window.
        dtype: A float dtype.
        name: Ignored.

    Returns:
        A tensor of shape [window_length].

    Raises:
        ValueError: the dtype is not supported.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/kaiser_window
    """
    return _of(np.kaiser(whole_number(window_length), real_number(beta)), dtype, "kaiser_window")


def vorbis_window(
    window_length: Any, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Return a Vorbis window, whose square and the square of its other half add up to 1.

    Args:
        window_length: The number of samples.
        dtype: A float dtype.
        name: Ignored.

    Returns:
        A tensor of shape [window_length].

    Raises:
        ValueError: the dtype is not supported.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/vorbis_window
    """
    positions = (np.arange(whole_number(window_length)) + 0.5) * (
        np.pi / whole_number(window_length)
    )
    return _of(np.sin(np.pi / 2 * np.sin(positions) ** 2), dtype, "vorbis_window")


def inverse_stft_window_fn(
    frame_step: Any,
    forward_window_fn: Callable[..., Any] = hann_window,
    name: str | None = None,
) -> Callable[..., Tensor]:
    """Return the window function with which `inverse_stft` reconstructs the input of `stft`.

    Args:
        frame_step: The step used by `stft`.
        forward_window_fn: The window function used by `stft`.
        name: Ignored.

    Returns:
        A function with the arguments `frame_length` and `dtype`.

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
