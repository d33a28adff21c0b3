"""Pooling of volumes, and pooling over any number of axes.

    max_pool3d ↔ its gradient ↔ selection  the maximum; as in TensorFlow, each of several equal elements gets the whole
                                           cotangent, and the selection is the first
    avg_pool3d                             the mean of the 2D windows, then of the images
    max_pool, avg_pool, pool               a function that is chosen by the rank
    max_pool_with_argmax                   the maximum and its index

Volumes have shape [batch, depth, height, width, channels].
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import read_once
from minitape.core.declaration import no_gradient
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError, UnimplementedError
from minitape.ops.axes import as_ints
from minitape.ops.creation import zeros_like
from minitape.ops.fields.convolution_nd import border, check_format, lines_of
from minitape.ops.identity import cast
from minitape.ops.indexing import gather
from minitape.ops.pooling import (
    _as_longer_batch,
    _zeros_for,
    avg_pool1d,
    avg_pool2d,
    max_pool1d,
    max_pool2d,
)
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import one_by_one
from minitape.ops.slicing import pad
from minitape.ops.windows import pair, window_for


class Box(NamedTuple):
    """A window over depth, height and width, as plain data; `padding` is the number of elements before and after each."""

    size: Ints
    strides: Ints
    padding: tuple[Ints, ...]


def _bordered(x: Array, box: Box, fill: Any) -> Array:
    return np.pad(x, ((0, 0), *box.padding, (0, 0)), constant_values=fill)


def _taps(whole: Array, box: Box) -> Iterator[Array]:
    """Yield the elements of each tap at all positions, row by row, as views."""
    positions = [(n - k) // s + 1 for n, k, s in zip(whole.shape[1:4], box.size, box.strides)]
    for tap in np.ndindex(*box.size):
        lines = [lines_of(*each) for each in zip(tap, positions, box.strides)]
        yield whole[(slice(None), *lines)]


def _largest(x: Array, *, box: Box) -> Array:
    seen = _taps(_bordered(x, box, -np.inf), box)
    largest = next(seen).copy()
    for tap in seen:
        largest = np.where(
            tap > largest, tap, largest
        )  # as in TensorFlow, a NaN is kept if it comes first
    return largest


def _winners(x: Array, box: Box) -> Iterator[Array]:
    """For each tap, yield the positions at which it has the maximum of its window; several taps may have equal maxima."""
    largest = _largest(x, box=box)
    for tap in _taps(_bordered(x, box, -np.inf), box):
        yield tap == largest


def _to_winners(x: Array, ybar: Array, *, box: Box) -> Array:
    canvas = np.zeros_like(_bordered(x, box, 0), ybar.dtype)
    for contribution, wins in zip(_taps(canvas, box), _winners(x, box), strict=True):
        contribution += ybar * wins
    inner = [slice(a, a + n) for (a, _), n in zip(box.padding, x.shape[1:4])]
    return canvas[(slice(None), *inner)]


def _of_winners(x: Array, z: Array, *, box: Box) -> Array:
    """Return for each window the element of z at the first maximum of x."""
    seen = np.stack(list(_taps(_bordered(x, box, -np.inf), box)))
    shown = np.stack(list(_taps(_bordered(z, box, 0), box)))
    return np.take_along_axis(shown, seen.argmax(axis=0)[None], axis=0)[0]


_max_pool3d: Primitive = Primitive(
    "MaxPool3D",
    _largest,
    vjp=(lambda ybar, y, x, box: _max_pool3d_grad(x, ybar, box=box),),
    batch=_as_longer_batch,
    residuals="x",
    rule="x̄ = ȳ where x is the largest element of its window, else 0",
    dtype_kinds="f",
)

_max_pool3d_grad: Primitive = Primitive(
    "MaxPool3DGrad",
    _to_winners,
    vjp=(
        lambda zbar, z, x, ybar, box: zeros_like(zbar),
        lambda zbar, z, x, ybar, box: _max_pool3d_pick(x, zbar, box=box),
    ),
    batch=_as_longer_batch,
    residuals=("", "a"),
    rule="for each window, the element of z̄ at the maximum of x",
)

_max_pool3d_pick: Primitive = Primitive(
    "MaxPool3DGradGrad",
    _of_winners,
    vjp=(
        lambda ybar, y, x, z, box: _zeros_for(x, ybar),
        lambda ybar, y, x, z, box: _max_pool3d_grad(x, ybar, box=box),
    ),
    batch=_as_longer_batch,
    residuals=("", "a"),
    rule="ȳ where x is the largest element of its window, else 0",
)


def _three(value: Any, what: str) -> Ints:
    numbers = as_ints(value)
    if len(numbers) not in (1, 3, 5):
        raise TapeValueError(
            f"{what} should be of length 1, 3 or 5. Received: {what}={value} of length {len(numbers)}.",
            fix=f"pass `{what}=2`",
        )
    if len(numbers) == 5 and (numbers[0], numbers[4]) != (1, 1):
        raise UnimplementedError(
            f"No {what} in the batch and depth dimensions: {value}.", fix=f"pass `{what}=2`"
        )
    return numbers * 3 if len(numbers) == 1 else numbers[-4:-1] if len(numbers) == 5 else numbers


def _box(op: str, x: Value, ksize: Any, strides: Any, padding: Any) -> Box:
    size, steps = _three(ksize, "ksize"), _three(strides, "strides")
    if len(x.shape) != 5:
        raise InvalidArgumentError(
            f"`{op}`: the input must be 5-dimensional, but its shape is {tuple(x.shape)}.",
            fix="use `x[tf.newaxis]` for a batch of one volume, or `x[..., tf.newaxis]` for one channel",
            code="MT507",
        )
    axes = list(zip(x.shape[1:4], size, steps))
    borders = tuple(border(op, *axis, padding) for axis in axes)
    if any(n + sum(extra) - k <= -2 * s for (n, k, s), extra in zip(axes, borders)):
        raise InvalidArgumentError(
            f"`{op}`: a window of shape {size} does not fit into volumes of shape {tuple(x.shape[1:4])}.",
            fix='pass `padding="SAME"`, or use a smaller window',
            code="MT507",
        )
    return Box(size, steps, borders)


def max_pool3d(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Value:
    """Return the maximum of each window of a volume.

    Args:
        input: A tensor of shape [batch, depth, height, width, channels] with a float dtype.
        ksize: The size of the window: one number, three, or five with 1 for batch and channels.
        strides: The step of the window, in the form of `ksize`.
        padding: "VALID" or "SAME".
        data_format: Must be "NDHWC".
        name: Ignored.

    Returns:
        A tensor of shape [batch, output depth, output height, output width, channels].

    Raises:
        ValueError: a setting has a different length.
        InvalidArgumentError: the rank is not 5, or the window does not fit.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient goes to the largest element or, if
    several are equal, to each of them. The tape keeps the input.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/max_pool3d
    """
    check_format("max_pool3d", data_format, "NDHWC")
    x = read_once(input)
    return _max_pool3d(x, box=_box("max_pool3d", x, ksize, strides, padding))


def avg_pool3d(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Value:
    """Return the mean of each window of a volume, without the padding.

    Args:
        input: A tensor of shape [batch, depth, height, width, channels] with a float dtype.
        ksize: The size of the window: one number, three, or five with 1 for batch and channels.
        strides: The step of the window, in the form of `ksize`.
        padding: "VALID" or "SAME".
        data_format: Must be "NDHWC".
        name: Ignored.

    Returns:
        A tensor of shape [batch, output depth, output height, output width, channels].

    Raises:
        ValueError: a setting has a different length.
        InvalidArgumentError: the rank is not 5, or the window does not fit.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order are supported, including batched ones. A tape records the pooling of the images, and the
    mean over them.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/avg_pool3d
    """
    check_format("avg_pool3d", data_format, "NDHWC")
    x = read_once(input)
    box = _box("avg_pool3d", x, ksize, strides, padding)
    batch, depth, *picture = x.shape
    pictures = _reshape(x, shape=(batch * depth, *picture))
    small = avg_pool2d(pictures, box.size[1:], box.strides[1:], padding)
    small = _reshape(small, shape=(batch, depth, *small.shape[1:]))
    (before, after), step = box.padding[0], box.strides[0]
    whole = pad(small, [[0, 0], [before, after], [0, 0], [0, 0], [0, 0]])
    inside = np.pad(np.ones(depth, raw_dtype(x)), (before, after))
    positions = (len(inside) - box.size[0]) // step + 1
    lines = [lines_of(tap, positions, step) for tap in range(box.size[0])]
    counts = sum(inside[each] for each in lines)
    contributions = [whole[:, each] for each in lines]
    return sum(contributions[1:], contributions[0]) / np.reshape(counts, (-1, 1, 1, 1))


# --- chosen by the rank ---


def max_pool(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Value:
    """Call `max_pool1d`, `max_pool2d` or `max_pool3d`, chosen by the rank of the input.

    Args:
        input: A batch of sequences, images or volumes, with the channels last.
        ksize: The size of the window.
        strides: The step of the window.
        padding: "VALID" or "SAME".
        data_format: The channels must be the last axis.
        name: Ignored.

    Returns:
        The maximum of each window.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/max_pool
    """
    x = read_once(input)
    if len(x.shape) == 3:
        return max_pool1d(x, ksize, strides, padding, data_format or "NWC")
    if len(x.shape) == 5:
        return max_pool3d(x, ksize, strides, padding, data_format or "NDHWC")
    return max_pool2d(x, ksize, strides, padding, data_format or "NHWC")


def avg_pool(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Value:
    """Call `avg_pool1d`, `avg_pool2d` or `avg_pool3d`, chosen by the rank of the input.

    Args:
        input: A batch of sequences, images or volumes, with the channels last.
        ksize: The size of the window.
        strides: The step of the window.
        padding: "VALID" or "SAME".
        data_format: The channels must be the last axis.
        name: Ignored.

    Returns:
        The mean of each window.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/avg_pool
    """
    x = read_once(input)
    if len(x.shape) == 3:
        return avg_pool1d(x, ksize, strides, padding, data_format or "NWC")
    if len(x.shape) == 5:
        return avg_pool3d(x, ksize, strides, padding, data_format or "NDHWC")
    return avg_pool2d(x, ksize, strides, padding, data_format or "NHWC")


def pool(
    input: Value,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Return the maximum or mean of each window, over as many axes as `window_shape` has elements.

    Args:
        input: A tensor of shape [batch, *sizes, channels] with a float dtype.
        window_shape: The size of the window: one to three numbers.
        pooling_type: "MAX" or "AVG".
        strides: One number for each axis; 1 by default.
        padding: "VALID" or "SAME".
        data_format: The channels must be the last axis.
        dilations: Must be 1.
        name: Ignored.

    Returns:
        A tensor of shape [batch, *output sizes, channels].

    Raises:
        ValueError: `pooling_type` is unknown, or the ranks do not fit.
        UnimplementedError: a dilation is not 1, or `data_format` has any other value.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/pool
    """
    x, size = read_once(input), as_ints(window_shape)
    rank = len(size)
    if rank not in (1, 2, 3) or len(x.shape) != rank + 2:
        raise TapeValueError(
            f"`pool`: a window with {rank} axes does not fit an input of shape {tuple(x.shape)}.",
            fix="pass a `window_shape` with one number for each axis between the batch and the channels",
            code="MT507",
        )
    if pooling_type not in ("MAX", "AVG"):
        raise TapeValueError(
            f"{rank}-D {pooling_type} pooling is not supported.", fix='pass `pooling_type="MAX"`'
        )
    if dilations is not None and set(as_ints(dilations)) != {1}:
        raise UnimplementedError(
            "`pool` does not support dilations.",
            fix="use `x[:, ::2]`, which selects every second element",
        )
    check_format("pool", data_format, ("NWC", "NHWC", "NDHWC")[rank - 1])
    steps = (1,) * rank if strides is None else as_ints(strides)
    return (max_pool if pooling_type == "MAX" else avg_pool)(x, size, steps, padding)


# --- index of the maximum ---


def _argmax_kernel(x: Array, *, window: Any, with_batch: bool) -> Array:
    """Return the flat index of the first maximum of each window, in its image (or in the whole batch)."""
    height, width, channels = x.shape[1:]
    box = Box((*window.size, 1), (*window.strides, 1), (*window.padding, (0, 0)))
    numbers = np.arange(math.prod(x.shape[1:])).reshape(1, height, width, channels)
    numbers = np.broadcast_to(numbers, x.shape)
    if with_batch:
        numbers = np.arange(x.size).reshape(x.shape)
    found = _of_winners(x[..., None], numbers[..., None], box=box)
    return found[..., 0].astype(np.int64)


_argmax: Primitive = Primitive(
    "MaxPoolArgmax",
    _argmax_kernel,
    vjp=no_gradient(
        reason="its result consists of indices, which stay constant or jump as the values change"
    ),
    batch=one_by_one,
    dtype_kinds="f",
)


def max_pool_with_argmax(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Value, Value]:
    """Return the maximum of each window, and its flat index.

    Args:
        input: A tensor of shape [batch, height, width, channels] with a float dtype.
        ksize: The size of the window: one number, two, or four with 1 for batch and channels.
        strides: The step of the window, in the form of `ksize`.
        padding: "VALID" or "SAME".
        data_format: Must be "NHWC".
        output_dtype: The dtype of the indices: int32 or int64.
        include_batch_in_index: Whether the index of an element counts all images of the batch, instead of starting at 0 in each
            image.
        name: Ignored.

    Returns:
        The maxima, and their indices (y · width + x) · channels + channel.

    Raises:
        InvalidArgumentError: the window does not fit, or the padding is unknown.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order of the maxima are supported. The indices have no gradient. A tape records a gather.

    Unlike in TensorFlow, the second derivative exists (TensorFlow raises LookupError).

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/max_pool_with_argmax
    """
    op = "max_pool_with_argmax"
    check_format(op, data_format, "NHWC")
    x = read_once(input)
    window = window_for(op, tuple(x.shape), pair(ksize, op, "ksize"), strides, padding)
    inner = _argmax(x, window=window, with_batch=False)
    flat = _reshape(x, shape=(x.shape[0], math.prod(x.shape[1:])))
    picks = _reshape(inner, shape=(x.shape[0], math.prod(inner.shape[1:])))
    values = _reshape(gather(flat, picks, batch_dims=1), shape=tuple(inner.shape))
    positions = _argmax(x, window=window, with_batch=True) if include_batch_in_index else inner
    return values, cast(positions, output_dtype)
