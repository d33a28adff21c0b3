"""Overlapping frames of signals.

    frame ↔ overlap_and_add      split into frames; add frames at their positions: each is the gradient of the other
    stft ↔ inverse_stft          the frequencies of each frame
    linear_to_mel_weight_matrix, mfccs_from_log_mel_spectrograms    mel frequencies

None of these functions has a rule of its own, because the tape records gathers, products and Fourier transforms.

Source: https://www.tensorflow.org/api_docs/python/tf/signal
"""

import math
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import read_once
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import canonical_axis, real_number, whole_number
from minitape.ops.creation import made
from minitape.ops.indexing import gather
from minitape.ops.reshaping import _reshape, _transpose
from minitape.ops.segments import unsorted_segment_sum
from minitape.ops.signals.fourier import _fitted, dct, irfft, rfft
from minitape.ops.signals.windows import hann_window
from minitape.ops.slicing import _pad


def _positive(op: str, **numbers: Any) -> list[int]:
    for what, number in numbers.items():
        if whole_number(number) < 1:
            raise InvalidArgumentError(
                f"`{op}`: `{what}` must be positive, but is {number}.", fix=f"pass `{what}=128`"
            )
    return [whole_number(number) for number in numbers.values()]


def frame(
    signal: Value,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: str | None = None,
) -> Value:
    """Split a signal into frames of equal length at equal distances.

    Args:
        signal: A tensor of shape [..., samples, ...] and any dtype.
        frame_length: The number of samples in a frame.
        frame_step: The number of samples between the starts of two frames.
        pad_end: Whether frames may start at every step up to the last sample, padded at the end.
        pad_value: The padding.
        axis: The axis of the samples.
        name: Ignored.

    Returns:
        A tensor of shape [..., frames, frame_length, ...].

    Raises:
        InvalidArgumentError: a length is not positive, or the axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The rule adds the frames of ȳ at their positions.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/frame
    """
    x = read_once(signal)
    length, step = _positive("frame", frame_length=frame_length, frame_step=frame_step)
    along = canonical_axis(axis, len(x.shape), "frame")
    samples = x.shape[along]
    count = -(-samples // step) if pad_end else max(0, 1 + (samples - length) // step)
    missing = (count - 1) * step + length - samples
    if pad_end and missing > 0:
        borders = [(0, 0)] * len(x.shape)
        borders[along] = (0, missing)
        x = _pad(x, paddings=tuple(borders), value=np.asarray(pad_value).item())
    positions = np.arange(count)[:, None] * step + np.arange(length)
    return gather(x, positions.astype(np.int32), axis=along)


def overlap_and_add(signal: Value, frame_step: Any, name: str | None = None) -> Value:
    """Combine frames to a signal, adding where they overlap.

    Args:
        signal: A tensor of shape [..., frames, frame_length] with a number dtype.
        frame_step: The number of samples between the starts of two frames.
        name: Ignored.

    Returns:
        A tensor of shape [..., (frames - 1) · frame_step + frame_length].

    Raises:
        ValueError: the rank is below 2.
        InvalidArgumentError: the step is not positive.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient consists of the frames of ȳ.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/overlap_and_add
    """
    x = read_once(signal)
    if len(x.shape) < 2:
        raise TapeValueError(
            f"`overlap_and_add`: Shape {tuple(x.shape)} must have rank at least 2.",
            fix="pass a signal of shape `[frames, frame_length]`",
            code="MT507",
        )
    (step,) = _positive("overlap_and_add", frame_step=frame_step)
    *outer, count, length = x.shape
    rank = len(outer)
    pieces = _transpose(x, perm=(rank, rank + 1, *range(rank)))
    rows = _reshape(pieces, shape=(count * length, *outer))
    positions = np.arange(count)[:, None] * step + np.arange(length)
    samples = (count - 1) * step + length if count else 0
    added = unsorted_segment_sum(rows, positions.reshape(-1).astype(np.int32), samples)
    return _transpose(added, perm=(*range(1, rank + 1), 0))


# --- the frequencies of each frame ---


def _length(frame_length: int, fft_length: Any) -> int:
    """Return the given length, or the smallest power of 2 that is at least `frame_length`."""
    return (
        2 ** math.ceil(math.log2(frame_length)) if fft_length is None else whole_number(fft_length)
    )


def stft(
    signals: Value,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Any = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Value:
    """Return the short-time Fourier transform, which contains the frequencies of each frame.

    Args:
        signals: A tensor of shape [..., samples] and dtype float32 or float64.
        frame_length: The number of samples in a frame.
        frame_step: The number of samples between the starts of two frames.
        fft_length: The length to which a frame is padded; the next power of 2 by default.
        window_fn: A function with the arguments `frame_length` and `dtype` that returns the weights of the samples; None for
            equal weights.
        pad_end: Whether frames may start at every step up to the last sample.
        name: Ignored.

    Returns:
        A tensor of shape [..., frames, fft_length // 2 + 1] with a complex dtype.

    Raises:
        ValueError: the dtype is not supported.
        InvalidArgumentError: a length is not positive.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/stft
    """
    x = read_once(signals)
    length = whole_number(frame_length)
    pieces = frame(x, length, frame_step, pad_end=pad_end)
    if window_fn is not None:
        pieces = pieces * window_fn(length, dtype=dtypes.as_dtype(raw_dtype(pieces)))
    return rfft(pieces, [_length(length, fft_length)])


def inverse_stft(
    stfts: Value,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Any = hann_window,
    name: str | None = None,
) -> Value:
    """Return the signal whose frames have the given frequencies.

    Args:
        stfts: A tensor of shape [..., frames, fft_length // 2 + 1]; complex.
        frame_length: The number of samples in a frame.
        frame_step: The number of samples between the starts of two frames.
        fft_length: The length used by `stft`.
        window_fn: The window function; `inverse_stft_window_fn(frame_step)` reconstructs the input of `stft`.
        name: Ignored.

    Returns:
        A tensor of shape [..., samples] with a real dtype.

    Raises:
        InvalidArgumentError: a length is not positive, or the input is not complex.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/inverse_stft
    """
    length = whole_number(frame_length)
    pieces = _fitted(irfft(stfts, [_length(length, fft_length)]), (length,))
    if window_fn is not None:
        pieces = pieces * window_fn(length, dtype=dtypes.as_dtype(raw_dtype(pieces)))
    return overlap_and_add(pieces, frame_step)


# --- mel frequencies ---


def _mel(hertz: Any) -> Any:
    return 1127.0 * np.log1p(np.asarray(hertz, np.float64) / 700.0)


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: int = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Return the matrix that converts a spectrogram to mel bands.

    Args:
        num_mel_bins: The number of bands.
        num_spectrogram_bins: The number of frequencies of the spectrogram.
        sample_rate: Samples per second.
        lower_edge_hertz: The lower edge of the lowest band.
        upper_edge_hertz: The upper edge of the highest band.
        dtype: A float dtype.
        name: Ignored.

    Returns:
        A tensor of shape [num_spectrogram_bins, num_mel_bins].

    Raises:
        ValueError: the bands are not between 0 and half the sample rate.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/linear_to_mel_weight_matrix
    """
    half = real_number(sample_rate) / 2
    if whole_number(num_mel_bins) <= 0 or not 0 <= lower_edge_hertz < upper_edge_hertz <= half:
        raise TapeValueError(
            f"`linear_to_mel_weight_matrix`: {num_mel_bins} bands from {lower_edge_hertz} to {upper_edge_hertz} Hz do not fit "
            f"between 0 and {half} Hz.",
            fix="pass `num_mel_bins=20, lower_edge_hertz=125.0, upper_edge_hertz=3800.0, sample_rate=8000`",
        )
    bins = _mel(np.linspace(0.0, half, whole_number(num_spectrogram_bins))[1:])[:, None]
    edges = np.linspace(
        _mel(lower_edge_hertz), _mel(upper_edge_hertz), whole_number(num_mel_bins) + 2
    )
    lower, center, upper = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (bins - lower) / (center - lower), (upper - bins) / (upper - center)
    weights = np.maximum(0, np.minimum(rising, falling))
    whole = np.pad(weights, ((1, 0), (0, 0))).astype(dtypes.as_dtype(dtype).numpy)
    return made(whole, "tf.signal.linear_to_mel_weight_matrix")


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Value, name: str | None = None) -> Value:
    """Return the mel-frequency cepstral coefficients, which are the cosine transform of the logarithms of mel bands.

    Args:
        log_mel_spectrograms: A tensor of shape [..., bands] and dtype float32 or float64.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `log_mel_spectrograms`.

    Raises:
        ValueError: the dtype is different, or there are no bands.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/mfccs_from_log_mel_spectrograms
    """
    x = read_once(log_mel_spectrograms)
    if not len(x.shape) or not x.shape[-1]:
        raise TapeValueError(
            f"`num_mel_bins` must be positive, but the shape is {tuple(x.shape)}.", code="MT507"
        )
    return dct(x) * (1 / math.sqrt(2.0 * x.shape[-1]))
