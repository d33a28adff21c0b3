"""Convolution applies the same small filter at every position of an image.

    conv2d ↔ gradient of the input, gradient of the filters    for each of the three, the other two are its gradient rules
    conv2d_transpose                                           the gradient of the input, as an op of its own
    depthwise_conv2d, separable_conv2d, conv1d                 computed by conv2d
    bias_add                                                   add one number to each channel

With y = conv(x, f), the sum Σ y·ȳ is linear in each of x, f and ȳ. So the gradient of x is linear in f and ȳ, the gradient of f
is linear in x and ȳ, and the three ops are each other's rules, to any order.

Images have shape [batch, height, width, channels], filters [height, width, channels, filters]. If the filters have only 1/g
of the channels, there are g groups: the first filters apply to the first channels only, and so on. With as many groups as
channels it is a depthwise convolution. Groups are also used for a batch in which each image has its own filters.
"""

import math
from typing import Any

from minitape.core.convert import as_operand
from minitape.core.primitive import Primitive
from minitape.core.values import Ints, Value
from minitape.errors import (
    InvalidArgumentError,
    TapeAttributeError,
    TapeTypeError,
    UnimplementedError,
)
from minitape.ops.axes import as_ints
from minitape.ops.im2col import convolved, filter_cotangent, image_cotangent
from minitape.ops.reshaping import _reshape, _transpose, expand_dims, squeeze
from minitape.ops.rules import Stacked, all_stacked
from minitape.ops.windows import pair, window_counts, window_for

# --- batches ---


def _in_the_batch(stack: Value) -> Value:
    """Return a stack of batches of images as one larger batch."""
    return _reshape(stack, shape=(stack.shape[0] * stack.shape[1], *stack.shape[2:]))


def _out_of_the_batch(x: Value, size: int) -> Value:
    return _reshape(x, shape=(size, x.shape[0] // size, *x.shape[1:]))


def _in_the_channels(stack: Value) -> Value:
    """Return a stack, concatenated along the last axis."""
    size, *outer, channels = stack.shape
    moved = _transpose(stack, perm=(1, 2, 3, 0, 4))
    return _reshape(moved, shape=(*outer, size * channels))


def _out_of_the_channels(x: Value, size: int) -> Value:
    *outer, channels = x.shape
    split = _reshape(x, shape=(*outer, size, channels // size))
    return _transpose(split, perm=(3, 0, 1, 2, 4))


def _conv_batch(op: Primitive, stacked: Stacked, x: Value, filters: Value, **rest: Any) -> Value:
    if stacked == (True, False):
        return _out_of_the_batch(op(_in_the_batch(x), filters, **rest), x.shape[0])
    if stacked == (False, True) and x.shape[-1] == filters.shape[-2]:
        return _out_of_the_channels(op(x, _in_the_channels(filters), **rest), filters.shape[0])
    x, filters = all_stacked(stacked, x, filters)
    y = op(_in_the_channels(x), _in_the_channels(filters), **rest)
    return _out_of_the_channels(y, x.shape[0])


def _to_input_batch(
    op: Primitive, stacked: Stacked, filters: Value, ybar: Value, *, shape: Ints, **rest: Any
) -> Value:
    if stacked == (False, True):
        size, longer = ybar.shape[0], (ybar.shape[0] * shape[0], *shape[1:])
        return _out_of_the_batch(op(filters, _in_the_batch(ybar), shape=longer, **rest), size)
    filters, ybar = all_stacked(stacked, filters, ybar)
    size, wider = ybar.shape[0], (*shape[:-1], ybar.shape[0] * shape[-1])
    xbar = op(_in_the_channels(filters), _in_the_channels(ybar), shape=wider, **rest)
    return _out_of_the_channels(xbar, size)


def _to_filters_batch(
    op: Primitive, stacked: Stacked, x: Value, ybar: Value, *, shape: Ints, **rest: Any
) -> Value:
    if stacked != (False, True) or x.shape[-1] != shape[-2]:
        x, ybar = all_stacked(stacked, x, ybar)
        x = _in_the_channels(x)
    size, wider = ybar.shape[0], (*shape[:-1], ybar.shape[0] * shape[-1])
    return _out_of_the_channels(op(x, _in_the_channels(ybar), shape=wider, **rest), size)


# --- the three ops ---

_conv2d: Primitive = Primitive(
    "Conv2D",
    convolved,
    vjp=(
        lambda ybar, y, x, filters, window: _to_input(
            filters, ybar, shape=tuple(x.shape), window=window
        ),
        lambda ybar, y, x, filters, window: _to_filters(
            x, ybar, shape=tuple(filters.shape), window=window
        ),
    ),
    batch=_conv_batch,
    residuals=("b", "a"),
    rule="ā: each element receives the sum of ȳ·b over the windows that contain the element   b̄ = the sum over all "
    "positions of (the window's elements · ȳ)",
)

_to_input: Primitive = Primitive(
    "Conv2DBackpropInput",
    image_cotangent,
    vjp=(
        lambda ybar, y, filters, z, shape, window: _to_filters(
            ybar, z, shape=tuple(filters.shape), window=window
        ),
        lambda ybar, y, filters, z, shape, window: _conv2d(ybar, filters, window=window),
    ),
    batch=_to_input_batch,
    residuals=("b", "a"),
    rule="ā = the sum over all positions of ȳ · b   b̄ = ȳ convolved with a",
)

_to_filters: Primitive = Primitive(
    "Conv2DBackpropFilter",
    filter_cotangent,
    vjp=(
        lambda ybar, y, x, z, shape, window: _to_input(
            ybar, z, shape=tuple(x.shape), window=window
        ),
        lambda ybar, y, x, z, shape, window: _conv2d(x, ybar, window=window),
    ),
    batch=_to_filters_batch,
    residuals=("b", "a"),
    rule="ā: each element receives the sum of ȳ·b over the windows that contain the element   b̄ = a convolved with ȳ",
)


# --- public functions ---


def conv2d(
    input: Value,
    filters: Value,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Convolve images with filters. Each element of the result is the sum of a filter times a window of the image.

    Args:
        input: A tensor of shape [..., batch, height, width, channels] with a number dtype.
        filters: A tensor of shape [height, width, channels, filters] with the dtype of the first argument. If they have fewer
            channels than the input, the convolution is computed in groups.
        strides: The step of the filter: one number, two, or four with 1 for batch and channels.
        padding: "VALID", "SAME", or a pair of numbers for each of the four axes.
        data_format: Must be "NHWC".
        dilations: The distance between two elements of the filter; 1 by default.
        name: Ignored.

    Returns:
        A tensor of shape [..., batch, output height, output width, filters].

    Raises:
        InvalidArgumentError: the filters do not fit the channels or the image, or the padding is unknown.
        UnimplementedError: `data_format` has any other value, or strides over batch or channels are not 1.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. The tape keeps an input
    if the gradient of the other one is needed.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv2d; Dumoulin, Visin, arXiv 1603.07285.
    """
    _check_format("conv2d", data_format)
    x, w = as_operand(as_operand(input, filters)), as_operand(as_operand(filters, input))
    shape = tuple(x.shape)
    if len(shape) > 4:
        x = _reshape(x, shape=(math.prod(shape[:-3]), *shape[-3:]))
    _check_filters("conv2d", x.shape, w.shape)
    window = window_for("conv2d", x.shape, tuple(w.shape[:2]), strides, padding, dilations)
    y = _conv2d(x, w, window=window)
    return _reshape(y, shape=(*shape[:-3], *y.shape[1:])) if len(shape) > 4 else y


def _check_format(op: str, data_format: str | None) -> None:
    if data_format is not None and not isinstance(data_format, str):
        raise TapeAttributeError(
            f"`data_format` must be a string, but is {data_format!r}.",
            fix='pass `data_format="NHWC"`',
        )
    if data_format not in (None, "NHWC", "NWC"):
        raise UnimplementedError(
            f"`{op}` only supports the NHWC tensor format, but got {data_format}.",
            fix="use `tf.transpose(x, [0, 2, 3, 1])` to move the channels to the last axis",
        )


def _check_filters(op: str, shape: Ints, filters: Ints) -> None:
    if len(shape) < 4 or len(filters) != 4:
        raise InvalidArgumentError(
            f"`{op}`: the input and the filters must be 4-dimensional, but their shapes are {tuple(shape)} and {tuple(filters)}.",
            fix="use `x[tf.newaxis]` for a batch of one image, or `x[..., tf.newaxis]` for one channel",
            code="MT507",
        )
    if not filters[2] or shape[-1] % filters[2] or filters[3] % (shape[-1] // filters[2]):
        raise InvalidArgumentError(
            f"`{op}`: input depth must be evenly divisible by filter depth: {shape[-1]} vs {filters[2]}.",
            fix=f"use filters of shape {[*filters[:2], shape[-1], filters[3]]}",
            code="MT507",
        )


def conv2d_transpose(
    input: Value,
    filters: Value,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Transposed convolution: each input number multiplies a copy of the filter, and overlapping copies are added.

    Args:
        input: A tensor of shape [batch, height, width, channels] with a float dtype.
        filters: A tensor of shape [height, width, outputs, channels] with the dtype of the first argument.
        output_shape: The shape [batch, height, width, outputs] of the result, because several shapes may fit.
        strides: The distance between two copies of the filter.
        padding: The padding of the convolution of which this is the transpose.
        data_format: Must be "NHWC".
        dilations: The distance between two elements of the filter; 1 by default.
        name: Ignored.

    Returns:
        A tensor of shape `output_shape`, with the dtype of `input`.

    Raises:
        InvalidArgumentError: a convolution of `output_shape` does not have the shape of `input`.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. The tape keeps an input
    if the gradient of the other one is needed.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv2d_transpose; Zeiler et al. 2010.
    """
    _check_format("conv2d_transpose", data_format)
    x, w = as_operand(as_operand(input, filters)), as_operand(as_operand(filters, input))
    shape = as_ints(output_shape)
    _check_filters("conv2d_transpose", shape, w.shape)
    window = window_for("conv2d_transpose", shape, tuple(w.shape[:2]), strides, padding, dilations)
    expected = (shape[0], *window_counts(shape, window), w.shape[-1])
    if tuple(x.shape) != expected:
        raise InvalidArgumentError(
            f"`conv2d_transpose`: a convolution of a value of shape {shape} has shape {expected}, but the input has "
            f"shape {tuple(x.shape)}.",
            fix="use the height and width of the input times the strides for SAME padding",
            code="MT507",
        )
    return _to_input(w, x, shape=shape, window=window)


def depthwise_conv2d(
    input: Value,
    filter: Value,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Convolve each channel with its own filters.

    Args:
        input: A tensor of shape [batch, height, width, channels] with a float dtype.
        filter: A tensor of shape [height, width, channels, m] with the dtype of the first argument: m filters for each channel.
        strides: Four numbers, 1 for batch and channels.
        padding: "VALID", "SAME", or a pair of numbers for each of the four axes.
        data_format: Must be "NHWC".
        dilations: The distance between two elements of the filter; one number or two, 1 by default.
        name: Ignored.

    Returns:
        A tensor of shape [batch, output height, output width, channels × m].

    Raises:
        TypeError: `strides` is not a list.
        InvalidArgumentError: the filters do not fit the channels or the image; the strides differ.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. The tape keeps an input
    if the gradient of the other one is needed.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/depthwise_conv2d
    """
    if not isinstance(strides, list | tuple):
        raise TapeTypeError(
            f"Expected list for 'strides' argument to 'depthwise_conv2d', not {strides}.",
            fix=f"pass `strides=[1, {strides}, {strides}, 1]`",
        )
    down, across = pair(strides, "depthwise_conv2d", "strides")
    if down != across:
        raise InvalidArgumentError(
            f"`depthwise_conv2d` supports only equal vertical and horizontal strides, but the strides are {down} and {across}.",
            fix=f"pass `strides=[1, {down}, {down}, 1]`",
        )
    x, w = as_operand(as_operand(input, filter)), as_operand(as_operand(filter, input))
    if len(w.shape) != 4 or len(x.shape) < 3 or w.shape[2] != x.shape[-1]:
        raise InvalidArgumentError(
            f"`depthwise_conv2d`: the filter must have as many channels as the input, but their shapes are {tuple(w.shape)} "
            f"and {tuple(x.shape)}.",
            fix="use a filter of shape `[height, width, input.shape[-1], m]`",
            code="MT507",
        )
    grouped = _reshape(w, shape=(*w.shape[:2], 1, w.shape[2] * w.shape[3]))
    return conv2d(x, grouped, (down, across), padding, data_format or "NHWC", dilations)


def separable_conv2d(
    input: Value,
    depthwise_filter: Value,
    pointwise_filter: Value,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Apply a depthwise convolution, then a 1 × 1 convolution that mixes the channels.

    Args:
        input: A tensor of shape [batch, height, width, channels] with a float dtype.
        depthwise_filter: A tensor of shape [height, width, channels, m].
        pointwise_filter: A tensor of shape [1, 1, channels × m, filters].
        strides: Four numbers, 1 for batch and channels.
        padding: "VALID" or "SAME".
        data_format: Must be "NHWC".
        dilations: The distance between two elements of the filter; 1 by default.
        name: Ignored.

    Returns:
        A tensor of shape [batch, output height, output width, filters].

    Raises:
        InvalidArgumentError: the shapes do not fit.

    Gradient: Derivatives of any order with respect to all three inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/separable_conv2d
    """
    deep = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(deep, pointwise_filter, 1, "VALID")


def conv1d(
    input: Value,
    filters: Value,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Convolve sequences with filters. Each element of the result is the sum of a filter times a window of the sequence.

    Args:
        input: A tensor of shape [batch, length, channels] with a float dtype.
        filters: A tensor of shape [length, channels, filters] with the dtype of the first argument.
        stride: The step of the filter.
        padding: "VALID" or "SAME".
        data_format: Must be "NWC".
        dilations: The distance between two elements of the filter; 1 by default.
        name: Ignored.

    Returns:
        A tensor of shape [batch, output length, filters].

    Raises:
        InvalidArgumentError: the shapes do not fit.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. As in TensorFlow, a tape
    records a conv2d of images of height 1.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv1d
    """
    _check_format("conv1d", data_format)
    step = as_ints(stride)[-1]
    apart = 1 if dilations is None else as_ints(dilations)[-1]
    flat = expand_dims(as_operand(input), axis=-3)
    rows = expand_dims(as_operand(filters), axis=0)
    return squeeze(conv2d(flat, rows, (1, step), padding, dilations=(1, apart)), axis=[-3])


def bias_add(
    value: Value, bias: Value, data_format: str | None = None, name: str | None = None
) -> Value:
    """Add one number to each channel.

    Args:
        value: A tensor of shape [..., channels]; rank at least 2.
        bias: A tensor of shape [channels] with the dtype of the first argument.
        data_format: The channels must be the last axis.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `value`.

    Raises:
        InvalidArgumentError: the shapes do not fit.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/bias_add
    """
    _check_format("bias_add", data_format)
    x = as_operand(as_operand(value, bias))
    b = as_operand(as_operand(bias, value))
    if len(x.shape) < 2 or len(b.shape) != 1 or b.shape[0] != x.shape[-1]:
        raise InvalidArgumentError(
            "Must provide as many biases as the last dimension of the input tensor, which has rank 2 "
            f"at least: {list(b.shape)} vs. {list(x.shape)}.",
            fix="use `x + b`, which adds shapes that broadcast",
            code="MT507",
        )
    return x + b
