"""Signals in pieces that overlap.

    frame ↔ overlap_and_add      cut into pieces; pieces added up where they belong: each is the other's way back
    stft ↔ inverse_stft          the frequencies of each piece
    linear_to_mel_weight_matrix, mfccs_from_log_mel_spectrograms    frequencies as an ear has them

None has a rule of its own: the tape sees a gather, products, Fourier transforms.

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
from minitape.ops.making import made
from minitape.ops.picking import gather
from minitape.ops.segments import unsorted_segment_sum
from minitape.ops.shaping import _reshape, _transpose
from minitape.ops.signals.fourier import _fitted, dct, irfft, rfft
from minitape.ops.signals.windows import hann_window
from minitape.ops.slicing import _pad


def _positive(op: str, **numbers: Any) -> list[int]:
    for what, number in numbers.items():
        if whole_number(number) < 1:
            raise InvalidArgumentError(
                f"{op}: {what} must be positive, but is {number}.", fix=f"{what}=128"
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
    """A signal cut into pieces of one length, each a step after the one before.

    Args:
        signal: Shape [..., samples, ...]; any dtype.
        frame_length: How many samples a piece has.
        frame_step: How many samples later the next begins.
        pad_end: Let pieces begin up to the last sample, filled up at the end.
        pad_value: With what.
        axis: Along which.
        name: Ignored.

    Returns:
        Shape [..., frames, frame_length, ...].

    Raises:
        InvalidArgumentError: a length is not positive, or there is no such axis.

    Gradient: to any order, batched: pieces added up where they came from.

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
    places = np.arange(count)[:, None] * step + np.arange(length)
    return gather(x, places.astype(np.int32), axis=along)


def overlap_and_add(signal: Value, frame_step: Any, name: str | None = None) -> Value:
    """Pieces put together again: each a step after the one before, what overlaps added up.

    Args:
        signal: Shape [..., frames, frame_length]; a number dtype.
        frame_step: How many samples later the next begins.
        name: Ignored.

    Returns:
        Shape [..., (frames - 1) · frame_step + frame_length].

    Raises:
        ValueError: the input has fewer than two axes.
        InvalidArgumentError: the step is not positive.

    Gradient: to any order, batched: the pieces of ȳ.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/overlap_and_add
    """
    x = read_once(signal)
    if len(x.shape) < 2:
        raise TapeValueError(
            f"overlap_and_add: Shape {tuple(x.shape)} must have rank at least 2.",
            fix="a signal of shape [frames, frame_length]",
            code="MT507",
        )
    (step,) = _positive("overlap_and_add", frame_step=frame_step)
    *outer, count, length = x.shape
    rank = len(outer)
    pieces = _transpose(x, perm=(rank, rank + 1, *range(rank)))
    rows = _reshape(pieces, shape=(count * length, *outer))
    places = np.arange(count)[:, None] * step + np.arange(length)
    samples = (count - 1) * step + length if count else 0
    added = unsorted_segment_sum(rows, places.reshape(-1).astype(np.int32), samples)
    return _transpose(added, perm=(*range(1, rank + 1), 0))


# --- the frequencies of each piece ---


def _length(frame_length: int, fft_length: Any) -> int:
    """As given, or the power of 2 from `frame_length` on."""
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
    """The frequencies of each piece of a signal: the short-time Fourier transform.

    Args:
        signals: Shape [..., samples]; float32 or float64.
        frame_length: How many samples a piece has.
        frame_step: How many samples later the next begins.
        fft_length: To what length a piece is filled up; the next power of 2 by default.
        window_fn: A function of (frame_length, dtype): how much each sample of a piece counts; None for all the same.
        pad_end: Let pieces begin up to the last sample.
        name: Ignored.

    Returns:
        Shape [..., frames, fft_length // 2 + 1]; complex.

    Raises:
        ValueError: another dtype.
        InvalidArgumentError: a length is not positive.

    Gradient: to any order, batched.

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
    """The signal whose pieces have these frequencies.

    Args:
        stfts: Shape [..., frames, fft_length // 2 + 1]; complex.
        frame_length: How many samples a piece has.
        frame_step: How many samples later the next begins.
        fft_length: That of the `stft`.
        window_fn: `inverse_stft_window_fn(frame_step)` gives back what `stft` was given.
        name: Ignored.

    Returns:
        Shape [..., samples]; real.

    Raises:
        InvalidArgumentError: a length is not positive, or the input not complex.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/inverse_stft
    """
    length = whole_number(frame_length)
    pieces = _fitted(irfft(stfts, [_length(length, fft_length)]), (length,))
    if window_fn is not None:
        pieces = pieces * window_fn(length, dtype=dtypes.as_dtype(raw_dtype(pieces)))
    return overlap_and_add(pieces, frame_step)


# --- frequencies as an ear has them ---


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
    """The matrix that turns a spectrogram into bands that sound equally wide.

    Args:
        num_mel_bins: How many bands.
        num_spectrogram_bins: How many frequencies the spectrogram has.
        sample_rate: Samples per second.
        lower_edge_hertz: Where the lowest band begins.
        upper_edge_hertz: Where the highest ends.
        dtype: A float dtype.
        name: Ignored.

    Returns:
        Shape [num_spectrogram_bins, num_mel_bins].

    Raises:
        ValueError: the bands do not lie between 0 and half of the sample rate.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/linear_to_mel_weight_matrix
    """
    half = real_number(sample_rate) / 2
    if whole_number(num_mel_bins) <= 0 or not 0 <= lower_edge_hertz < upper_edge_hertz <= half:
        raise TapeValueError(
            f"linear_to_mel_weight_matrix: {num_mel_bins} bands from {lower_edge_hertz} to {upper_edge_hertz} Hz do not fit "
            f"between 0 and {half} Hz.",
            fix="num_mel_bins=20, lower_edge_hertz=125.0, upper_edge_hertz=3800.0, sample_rate=8000",
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
    """The cosines in the logarithms of mel bands.

    Args:
        log_mel_spectrograms: Shape [..., bands]; float32 or float64.
        name: Ignored.

    Raises:
        ValueError: another dtype, or no bands.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/mfccs_from_log_mel_spectrograms
    """
    x = read_once(log_mel_spectrograms)
    if not len(x.shape) or not x.shape[-1]:
        raise TapeValueError(
            f"num_mel_bins must be positive, but the shape is {tuple(x.shape)}.", code="MT507"
        )
    return dct(x) * (1 / math.sqrt(2.0 * x.shape[-1]))
