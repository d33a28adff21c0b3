"""Dilation and erosion. Where a convolution multiplies and adds, they add and take the maximum (or subtract and take the
minimum).

    dilation2d ↔ gradient of the image, gradient of the filter    bright regions grow by the shape of the filter
    erosion2d                                                     dark regions grow

The whole cotangent goes to the maximum or, if several elements are equal, to the first of them. As in TensorFlow, the gradients
have no rules of their own, so a second derivative raises LookupError.
"""

from typing import Any

import numpy as np

from minitape.core.convert import as_operand
from minitape.core.declaration import not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.comparison import REALS
from minitape.ops.reordering import reverse
from minitape.ops.rules import one_by_one
from minitape.ops.windows import (
    Window,
    bordered,
    empty_canvas,
    taps,
    window_for,
    without_border,
)


def _lowest(dtype: Any) -> Any:
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _sums_of_taps(x: Array, filters: Array, window: Window) -> Array:
    """Return each tap plus its filter element, in the shape [taps, batch, *positions, channels]."""
    seen = taps(bordered(x, window, _lowest(x.dtype)), window)
    heights = filters.reshape(-1, filters.shape[-1])
    return np.stack([tap + height for tap, height in zip(seen, heights, strict=True)])


def _dilation_kernel(x: Array, filters: Array, *, window: Window) -> Array:
    return _sums_of_taps(x, filters, window).max(axis=0)


def _to_input_kernel(x: Array, filters: Array, ybar: Array, *, window: Window) -> Array:
    winners = _sums_of_taps(x, filters, window).argmax(axis=0)
    canvas = empty_canvas(x.shape, window, ybar.dtype)
    for number, contribution in enumerate(taps(canvas, window)):
        contribution += ybar * (winners == number)
    return without_border(canvas, x.shape, window)


def _to_filters_kernel(x: Array, filters: Array, ybar: Array, *, window: Window) -> Array:
    winners = _sums_of_taps(x, filters, window).argmax(axis=0)
    count = filters.shape[0] * filters.shape[1]
    owed = [(ybar * (winners == number)).sum(axis=(0, 1, 2)) for number in range(count)]
    return np.stack(owed).reshape(filters.shape)


_NO_SECOND_ORDER = "TensorFlow has no second-order rule for `dilation2d`"

_to_input: Primitive = Primitive(
    "Dilation2DBackpropInput",
    _to_input_kernel,
    vjp=not_registered(reason=_NO_SECOND_ORDER),
    batch=one_by_one,
    dtype_kinds=REALS,
)

_to_filters: Primitive = Primitive(
    "Dilation2DBackpropFilter",
    _to_filters_kernel,
    vjp=not_registered(reason=_NO_SECOND_ORDER),
    batch=one_by_one,
    dtype_kinds=REALS,
)

_dilation: Primitive = Primitive(
    "Dilation2D",
    _dilation_kernel,
    vjp=(
        lambda ybar, y, x, filters, window: _to_input(x, filters, ybar, window=window),
        lambda ybar, y, x, filters, window: _to_filters(x, filters, ybar, window=window),
    ),
    batch=one_by_one,
    residuals="ab",
    rule="ā, b̄: each window's ȳ goes to the first position where x + filter is largest",
    dtype_kinds=REALS,
)


def dilation2d(
    input: Value,
    filters: Value,
    strides: Any,
    padding: Any,
    data_format: str,
    dilations: Any,
    name: str | None = None,
) -> Value:
    """Return the maximum of filter plus window at each position of an image.

    Args:
        input: A tensor of shape [batch, height, width, channels] with a real dtype.
        filters: A tensor of shape [height, width, channels] with the dtype of the first argument.
        strides: The step of the filter: four numbers, 1 for batch and channels.
        padding: "VALID" or "SAME".
        data_format: Must be "NHWC".
        dilations: The distance between two elements of the filter: four numbers.
        name: Ignored.

    Returns:
        A tensor of shape [batch, output height, output width, channels].

    Raises:
        ValueError: `data_format` has any other value.
        InvalidArgumentError: the filter does not fit.

    Gradient: The first derivative with respect to both inputs is supported, including for batches. A higher derivative raises
    LookupError. The tape keeps both inputs.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/dilation2d
    """
    if data_format != "NHWC":
        raise TapeValueError(
            f"`data_format` values other than 'NHWC' are not supported. Received: data_format={data_format}",
            fix='pass `data_format="NHWC"`',
        )
    x, w = as_operand(as_operand(input, filters)), as_operand(as_operand(filters, input))
    if len(x.shape) != 4 or len(w.shape) != 3 or x.shape[3] != w.shape[2]:
        raise InvalidArgumentError(
            "`dilation2d` requires images of shape `[batch, height, width, channels]` and a filter of shape `[height, width, "
            f"channels]`, but the shapes are {tuple(x.shape)} and {tuple(w.shape)}.",
            fix="use a filter with as many channels as the images",
            code="MT507",
        )
    size = tuple(w.shape[:2])
    window = window_for("dilation2d", tuple(x.shape), size, strides, padding, dilations)
    return _dilation(x, w, window=window)


def erosion2d(
    value: Value,
    filters: Value,
    strides: Any,
    padding: Any,
    data_format: str,
    dilations: Any,
    name: str | None = None,
) -> Value:
    """Return the minimum of window minus filter at each position of an image.

    Args:
        value: A tensor of shape [batch, height, width, channels] with a real dtype.
        filters: A tensor of shape [height, width, channels] with the dtype of the first argument.
        strides: Has the same meaning as in `dilation2d`.
        padding: "VALID" or "SAME".
        data_format: Must be "NHWC".
        dilations: Has the same meaning as in `dilation2d`.
        name: Ignored.

    Returns:
        A tensor of shape [batch, output height, output width, channels].

    Raises:
        ValueError: `data_format` has any other value.
        InvalidArgumentError: the filter does not fit.

    Gradient: It is computed as for `dilation2d`.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/erosion2d
    """
    x, w = as_operand(as_operand(value, filters)), as_operand(as_operand(filters, value))
    turned = reverse(w, [0, 1])
    return -dilation2d(-x, turned, strides, padding, data_format, dilations)
