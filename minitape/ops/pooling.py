"""Pooling: reduce each window of an image to one number.

    max_pool2d ↔ its gradient ↔ selection  the maximum; if several are equal, the first in row order
    avg_pool2d ↔ its gradient              the mean of the elements inside the image
    max_pool1d, avg_pool1d                 the maximum and the mean along a sequence

The cotangent of a maximum goes to the element that was selected. The selection is locally constant, so the second derivative
uses the same selection: `max_pool_grad` writes ȳ to these elements, and its transpose reads them.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from minitape.core.convert import as_operand
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import AxisError, UnimplementedError
from minitape.ops.axes import as_ints
from minitape.ops.broadcasting import _broadcast, _sum
from minitape.ops.comparison import REALS
from minitape.ops.convolution import _in_the_batch, _out_of_the_batch
from minitape.ops.creation import zeros_like
from minitape.ops.reshaping import expand_dims, squeeze
from minitape.ops.rules import Stacked, all_stacked
from minitape.ops.windows import (
    Window,
    bordered,
    empty_canvas,
    pair,
    taps,
    window_for,
    without_border,
)


def _as_longer_batch(op: Primitive, stacked: Stacked, *values: Value, **settings: Any) -> Value:
    """Batch rule of ops that treat each image separately."""
    stacks = all_stacked(stacked, *values)
    size = stacks[0].shape[0]
    return _out_of_the_batch(op(*map(_in_the_batch, stacks), **settings), size)


# --- maximum ---


def _below_all(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _largest(whole: Array, window: Window) -> Array:
    # As in TensorFlow, every number counts as larger than NaN.
    seen = taps(whole, window)
    largest = next(seen).copy()
    for tap in seen:
        np.fmax(largest, tap, out=largest)
    return largest


def _max_kernel(x: Array, *, window: Window) -> Array:
    return _largest(bordered(x, window, _below_all(x.dtype)), window)


def _winners(x: Array, window: Window) -> Iterator[Array]:
    """For each position in the window, yield the windows in which this position has the first largest element."""
    whole = bordered(x, window, _below_all(x.dtype))
    largest = _largest(whole, window)
    is_open = np.ones(largest.shape, bool)
    for tap in taps(whole, window):
        wins = tap == largest
        wins &= is_open
        is_open ^= wins
        yield wins


def _max_grad_kernel(x: Array, ybar: Array, *, window: Window) -> Array:
    canvas = empty_canvas(x.shape, window, ybar.dtype)
    for contribution, wins in zip(taps(canvas, window), _winners(x, window), strict=True):
        contribution += ybar * wins
    return without_border(canvas, x.shape, window)


def _pick_kernel(x: Array, z: Array, *, window: Window) -> Array:
    seen = taps(bordered(z, window, 0), window)
    return sum(tap * wins for tap, wins in zip(seen, _winners(x, window), strict=True))


def _zeros_for(x: Value, ybar: Value) -> Value:
    """Return zeros in the shape of x; a batch of cotangents gets a batch of zeros."""
    total = _sum(ybar, axis=tuple(range(len(ybar.shape))), keepdims=False)
    return zeros_like(_broadcast(total, shape=tuple(x.shape)))


_max_pool: Primitive = Primitive(
    "MaxPool",
    _max_kernel,
    vjp=(lambda ybar, y, x, window: _max_pool_grad(x, ybar, window=window),),
    batch=_as_longer_batch,
    residuals="x",
    rule="x̄ = ȳ where x is the first largest element of its window, else 0",
    dtype_kinds=REALS,
)

_max_pool_grad: Primitive = Primitive(
    "MaxPoolGrad",
    _max_grad_kernel,
    vjp=(
        lambda zbar, z, x, ybar, window: zeros_like(zbar),
        lambda zbar, z, x, ybar, window: _max_pool_pick(x, zbar, window=window),
    ),
    batch=_as_longer_batch,
    residuals=("", "a"),
    rule="for each window, the element of z̄ at the maximum of x",
)

_max_pool_pick: Primitive = Primitive(
    "MaxPoolGradGrad",
    _pick_kernel,
    vjp=(
        lambda ybar, y, x, z, window: _zeros_for(x, ybar),
        lambda ybar, y, x, z, window: _max_pool_grad(x, ybar, window=window),
    ),
    batch=_as_longer_batch,
    residuals=("", "a"),
    rule="ȳ where x is the first largest element of its window, else 0",
)

# --- mean ---


def _counts(shape: Ints, window: Window, dtype: Any) -> Array:
    """Return the number of elements of each window that are inside the image, because the padding is not part of a mean."""
    inside = bordered(np.ones((1, *shape[1:3], 1), dtype), window, 0)
    return sum(taps(inside, window))


def _mean_kernel(x: Array, *, window: Window) -> Array:
    return sum(taps(bordered(x, window, 0), window)) / _counts(x.shape, window, x.dtype)


def _mean_grad_kernel(ybar: Array, *, shape: Ints, window: Window) -> Array:
    contribution = ybar / _counts(shape, window, ybar.dtype)
    canvas = empty_canvas(shape, window, ybar.dtype)
    for tap in taps(canvas, window):
        tap += contribution
    return without_border(canvas, shape, window)


def _mean_grad_batch(
    op: Primitive, _: Stacked, ybar: Value, *, shape: Ints, window: Window
) -> Value:
    longer = (ybar.shape[0] * shape[0], *shape[1:])
    return _out_of_the_batch(op(_in_the_batch(ybar), shape=longer, window=window), ybar.shape[0])


_avg_pool: Primitive = Primitive(
    "AvgPool",
    _mean_kernel,
    vjp=(lambda ybar, y, x, window: _avg_pool_grad(ybar, shape=tuple(x.shape), window=window),),
    batch=_as_longer_batch,
    rule="x̄ = the sum of ȳ / n over the windows that contain the element",
    dtype_kinds="f",
)

_avg_pool_grad: Primitive = Primitive(
    "AvgPoolGrad",
    _mean_grad_kernel,
    vjp=(lambda zbar, z, ybar, shape, window: _avg_pool(zbar, window=window),),
    batch=_mean_grad_batch,
    rule="the mean of z̄ over each window",
    dtype_kinds="f",
)


# --- public functions ---


def max_pool2d(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Value:
    """Return the maximum of each window.

    Args:
        input: A tensor of shape [batch, height, width, channels] with a real dtype.
        ksize: The size of the window: one number, two, or four with 1 for batch and channels.
        strides: The step of the window, in the form of `ksize`.
        padding: "VALID", "SAME", or a pair of numbers for each of the four axes.
        data_format: Must be "NHWC".
        name: Ignored.

    Returns:
        A tensor of shape [batch, output height, output width, channels].

    Raises:
        InvalidArgumentError: the window does not fit, or the padding is unknown.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient goes to the largest element or, if
    several are equal, to the first. The tape keeps the input.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/max_pool2d
    """
    return _pooled("max_pool2d", _max_pool, input, ksize, strides, padding, data_format)


def avg_pool2d(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Value:
    """Return the mean of each window, without the padding.

    Args:
        input: A tensor of shape [batch, height, width, channels] with a float dtype.
        ksize: The size of the window: one number, two, or four with 1 for batch and channels.
        strides: The step of the window, in the form of `ksize`.
        padding: "VALID" or "SAME".
        data_format: Must be "NHWC".
        name: Ignored.

    Returns:
        A tensor of shape [batch, output height, output width, channels].

    Raises:
        InvalidArgumentError: the window does not fit, or the padding is unknown.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/avg_pool2d
    """
    return _pooled("avg_pool2d", _avg_pool, input, ksize, strides, padding, data_format)


def _pooled(
    name: str, op: Primitive, input: Value, ksize: Any, strides: Any, padding: Any, layout: Any
) -> Value:
    x = as_operand(input)
    if not isinstance(layout, str) or layout != "NHWC":
        raise UnimplementedError(
            f"`{name}` only supports the NHWC tensor format, but got {layout}.",
            fix="use `tf.transpose(x, [0, 2, 3, 1])` to move the channels to the last axis",
        )
    if len(x.shape) != 4:
        raise AxisError(
            f"`{name}`: the input must have 2 spatial dimensions, but its shape is {tuple(x.shape)}.",
            fix="use `x[tf.newaxis]` for a batch of one image, or `x[..., tf.newaxis]` for one channel",
            code="MT507",
        )
    size = pair(ksize, name, "ksize")
    return op(x, window=window_for(name, tuple(x.shape), size, strides, padding))


def max_pool1d(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NWC",
    name: str | None = None,
) -> Value:
    """Return the maximum of each window of a sequence.

    Args:
        input: A tensor of shape [batch, length, channels] with a real dtype.
        ksize: The length of the window.
        strides: The step of the window.
        padding: "VALID" or "SAME".
        data_format: Must be "NWC".
        name: Ignored.

    Returns:
        A tensor of shape [batch, output length, channels].

    Gradient: It is the gradient of `max_pool2d`, which the tape records.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/max_pool1d
    """
    return _along_a_sequence(max_pool2d, input, ksize, strides, padding, data_format)


def avg_pool1d(
    input: Value,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NWC",
    name: str | None = None,
) -> Value:
    """Return the mean of each window of a sequence.

    Args:
        input: A tensor of shape [batch, length, channels] with a float dtype.
        ksize: The length of the window.
        strides: The step of the window.
        padding: "VALID" or "SAME".
        data_format: Must be "NWC".
        name: Ignored.

    Returns:
        A tensor of shape [batch, output length, channels].

    Gradient: It is the gradient of `avg_pool2d`, which the tape records.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/avg_pool1d
    """
    return _along_a_sequence(avg_pool2d, input, ksize, strides, padding, data_format)


def _along_a_sequence(
    pool: Any, input: Value, ksize: Any, strides: Any, padding: Any, layout: str
) -> Value:
    """Pool a sequence as an image of height 1."""
    flat = expand_dims(as_operand(input), axis=1)
    size, step = (1, *as_ints(ksize)[-1:]), (1, *as_ints(strides)[-1:])
    return squeeze(pool(flat, size, step, padding, layout.replace("NWC", "NHWC")), axis=[1])
