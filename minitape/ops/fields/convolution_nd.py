"""Convolution of volumes and sequences, and convolution over any number of axes.

    conv3d, conv3d_transpose     a volume is treated as a row of images
    conv1d_transpose             a sequence is treated as an image of height 1
    convolution, conv_transpose  a function that is chosen by the rank
    atrous_conv2d                conv2d with a dilated filter

A filter of depth 2 covers two images at a time. These images are stacked as channels, and one `conv2d` over them
computes the convolution of the volume. No op here has a rule of its own, because the tape records the steps.

Volumes have shape [batch, depth, height, width, channels], filters [depth, height, width, channels, filters].
"""

from typing import Any

from minitape.core.convert import as_operand, read_once
from minitape.core.values import Ints, Value
from minitape.errors import InvalidArgumentError, TapeTypeError, UnimplementedError
from minitape.ops.axes import as_ints, whole_number
from minitape.ops.convolution import conv1d, conv2d, conv2d_transpose
from minitape.ops.joining import concat
from minitape.ops.reshaping import _reshape, _transpose, expand_dims, squeeze
from minitape.ops.slicing import WHOLE_AXIS, Cut, pad, put_slice


def inner_five(value: Any, op: str, what: str) -> Ints:
    """Return a setting for depth, height and width from a list of five with 1 for batch and channels.

    Raises:
        TypeError: it is not a list.
        InvalidArgumentError: it does not have five numbers, or is not 1 for batch and channels.
    """
    if not isinstance(value, list | tuple):
        raise TapeTypeError(
            f"Expected list for '{what}' argument to '{op}' Op, not {value}.",
            fix=f"pass `{what}=[1, 1, 1, 1, 1]`",
        )
    numbers = as_ints(value)
    if len(numbers) != 5 or (numbers[0], numbers[4]) != (1, 1) or min(numbers) < 1:
        raise InvalidArgumentError(
            f"`{op}`: `{what}` must be five numbers, with 1 for the batch and the channels, but is {list(numbers)}.",
            fix=f"pass `{what}=[1, 1, 1, 1, 1]`",
        )
    return numbers[1:4]


def check_format(op: str, data_format: Any, wanted: str) -> None:
    """Raise UnimplementedError unless `data_format` is None or `wanted`."""
    if data_format is not None and str(data_format) != wanted:
        raise UnimplementedError(
            f"`{op}` only supports the {wanted} tensor format, but got {data_format}.",
            fix=f"use `tf.transpose` to move the channels to the last axis ({wanted})",
        )


def border(op: str, length: int, size: int, stride: int, padding: Any) -> Ints:
    """Return the padding before and after one axis.

    Args:
        op: The name of the op, for the message.
        length: The size of the axis.
        size: The size of the window.
        stride: The step of the window.
        padding: "VALID" or "SAME".
    """
    if padding not in ("SAME", "VALID"):
        raise InvalidArgumentError(
            f"`{op}`: padding of {padding!r} is not in the list of allowed values: SAME, VALID.",
            fix='pass `padding="SAME"`',
            code="MT507",
        )
    if padding == "VALID":
        return 0, 0
    missing = max((-(-length // stride) - 1) * stride + size - length, 0)
    return missing // 2, missing - missing // 2


def _checked(op: str, shape: Ints, filters: Ints) -> None:
    for what, sizes in (("input", shape), ("filter", filters)):
        if len(sizes) != 5:
            raise InvalidArgumentError(
                f"`{op}`: {what} must be 5-dimensional, but its shape is {tuple(sizes)}.",
                fix="use `x[tf.newaxis]` for a batch of one volume, or `x[..., tf.newaxis]` for one channel",
                code="MT507",
            )
    if shape[4] != filters[3]:
        raise InvalidArgumentError(
            f"`{op}`: input depth must be evenly divisible by filter depth: {shape[4]} vs {filters[3]}.",
            fix=f"use filters of shape {[*filters[:3], shape[4], filters[4]]}",
            code="MT507",
        )


def lines_of(tap: int, positions: int, stride: int) -> slice:
    """Return the slice of an axis that one tap covers, with one element for each position.

    Args:
        tap: The index of the tap in the window.
        positions: The number of positions.
        stride: The step of the window.
    """
    return (
        slice(tap, tap + (positions - 1) * stride + 1, stride) if positions > 0 else slice(0, 0, 1)
    )


def _over_each_other(filters: Value) -> Value:
    """Return filters of depth n as image filters with n times as many channels."""
    depth, height, width, channels, count = filters.shape
    moved = _transpose(filters, perm=(1, 2, 0, 3, 4))
    return _reshape(moved, shape=(height, width, depth * channels, count))


def conv3d(
    input: Value,
    filters: Value,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Convolve volumes with filters. Each element of the result is the sum of a filter times a window of the volume.

    Args:
        input: A tensor of shape [batch, depth, height, width, channels] with a float dtype.
        filters: A tensor of shape [depth, height, width, channels, filters] with the dtype of the first argument.
        strides: The step of the filter: five numbers, 1 for batch and channels.
        padding: "VALID" or "SAME".
        data_format: Must be "NDHWC".
        dilations: Must be five ones, as in TensorFlow on a CPU.
        name: Ignored.

    Returns:
        A tensor of shape [batch, output depth, output height, output width, filters].

    Raises:
        TypeError: `strides` is not a list.
        InvalidArgumentError: the filters do not fit, the padding is unknown, or a dilation is not 1.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. A tape records a conv2d
    of stacked images.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv3d
    """
    check_format("conv3d", data_format, "NDHWC")
    x, w = as_operand(as_operand(input, filters)), as_operand(as_operand(filters, input))
    x, w = read_once(x), read_once(w)
    stride, *steps = inner_five(strides, "conv3d", "strides")
    if dilations is not None and set(inner_five(dilations, "conv3d", "dilations")) != {1}:
        raise InvalidArgumentError(
            "CPU implementation of Conv3D currently only supports dilated rates of 1.",
            fix="pass `dilations=[1, 1, 1, 1, 1]`",
        )
    _checked("conv3d", x.shape, w.shape)
    size = w.shape[0]
    before, after = border("conv3d", x.shape[1], size, stride, padding)
    positions = (x.shape[1] + before + after - size) // stride + 1
    if positions < 1:
        raise InvalidArgumentError(
            f"`conv3d`: a filter of depth {size} does not fit into a volume of depth {x.shape[1]}.",
            fix='pass `padding="SAME"`, or use a smaller filter',
            code="MT507",
        )
    whole = pad(x, [[0, 0], [before, after], [0, 0], [0, 0], [0, 0]])
    seen = concat([whole[:, lines_of(tap, positions, stride)] for tap in range(size)], axis=-1)
    batch, _, *picture = seen.shape
    pictures = _reshape(seen, shape=(batch * positions, *picture))
    y = conv2d(pictures, _over_each_other(w), steps, padding)
    return _reshape(y, shape=(batch, positions, *y.shape[1:]))


def conv3d_transpose(
    input: Value,
    filters: Value,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Compute a transposed convolution of volumes.

    Each input number multiplies a copy of the filter, and overlapping copies are added.

    Args:
        input: A tensor of shape [batch, depth, height, width, channels] with a float dtype.
        filters: A tensor of shape [depth, height, width, outputs, channels] with the dtype of the first argument.
        output_shape: The shape [batch, depth, height, width, outputs] of the result, because several shapes may fit.
        strides: The distance between two copies of the filter: one number, three, or five with 1 for batch and channels.
        padding: The padding of the convolution of which this is the transpose.
        data_format: Must be "NDHWC".
        dilations: Must be five ones.
        name: Ignored.

    Returns:
        A tensor of shape `output_shape`.

    Raises:
        InvalidArgumentError: a convolution of `output_shape` does not have the shape of `input`, or a dilation is not 1.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv3d_transpose
    """
    op = "conv3d_transpose"
    check_format(op, data_format, "NDHWC")
    if dilations is not None and set(as_ints(dilations)) != {1}:
        raise InvalidArgumentError(
            f"`{op}`: dilations other than 1 are not supported for volumes, as in TensorFlow on a CPU.",
            fix="pass `dilations=None`",
        )
    x, w = as_operand(as_operand(input, filters)), as_operand(as_operand(filters, input))
    x, w, shape = read_once(x), read_once(w), as_ints(output_shape)
    stride, *steps = _spatial(strides, 3, op)
    _checked(op, shape, w.shape)
    size = w.shape[0]
    before, after = border(op, shape[1], size, stride, padding)
    positions = (shape[1] + before + after - size) // stride + 1
    if len(x.shape) != 5 or x.shape[1] != positions:
        raise InvalidArgumentError(
            f"`{op}`: `output_shape={shape}` requires an input of depth {positions}, but the input has shape {tuple(x.shape)}.",
            fix="use the sizes of the input times the strides for SAME padding",
            code="MT507",
        )
    pictures = _reshape(x, shape=(x.shape[0] * positions, *x.shape[2:]))
    wide = (pictures.shape[0], *shape[2:4], size * shape[4])
    painted = conv2d_transpose(pictures, _over_each_other(w), wide, steps, padding)
    painted = _reshape(painted, shape=(x.shape[0], positions, *wide[1:3], size, shape[4]))
    canvas = (shape[0], shape[1] + before + after, *shape[2:])
    contributions = []
    for tap in range(size):
        lines = lines_of(tap, positions, stride)
        key = (WHOLE_AXIS, Cut(lines.start, lines.stop, lines.step))
        contributions.append(put_slice(painted[:, :, :, :, tap], shape=canvas, key=key))
    return sum(contributions[1:], contributions[0])[:, before : before + shape[1]]


def conv1d_transpose(
    input: Value,
    filters: Value,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Compute a transposed convolution of sequences.

    Each input number multiplies a copy of the filter, and overlapping copies are added.

    Args:
        input: A tensor of shape [batch, length, channels] with a float dtype.
        filters: A tensor of shape [length, outputs, channels] with the dtype of the first argument.
        output_shape: The shape [batch, length, outputs] of the result.
        strides: The distance between two copies of the filter.
        padding: The padding of the convolution of which this is the transpose.
        data_format: Must be "NWC".
        dilations: The distance between two elements of the filter; 1 by default.
        name: Ignored.

    Returns:
        A tensor of shape `output_shape`.

    Raises:
        InvalidArgumentError: a convolution of `output_shape` does not have the shape of `input`.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. A tape records a
    conv2d_transpose of images of height 1.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv1d_transpose
    """
    check_format("conv1d_transpose", data_format, "NWC")
    (step,), (apart,) = _spatial(strides, 1, "strides"), _spatial(dilations, 1, "dilations")
    batch, length, outputs = as_ints(output_shape)
    flat = expand_dims(as_operand(input, filters), axis=1)
    rows = expand_dims(as_operand(filters, input), axis=0)
    painted = conv2d_transpose(
        flat, rows, (batch, 1, length, outputs), (1, step), padding, dilations=(1, apart)
    )
    return squeeze(painted, axis=[1])


# --- chosen by the rank ---


def _spatial(value: Any, rank: int, op: str) -> Ints:
    """Return a setting for each axis between batch and channels; it is given as one number, one per axis, or with 1 for batch and
    channels.
    """
    numbers = (1,) if value is None else as_ints(value)
    if len(numbers) == 1:
        return numbers * rank
    if len(numbers) == rank + 2:
        numbers = numbers[1:-1]
    if len(numbers) != rank:
        raise InvalidArgumentError(
            f"`{op}`: expected one number, or one number for each of the {rank} axes, but got {value}.",
            fix="pass `strides=1`",
        )
    return numbers


_LAYOUTS = (None, "NWC", "NHWC", "NDHWC")


def _rank_of(filters: Value, op: str, data_format: Any) -> int:
    rank = len(filters.shape) - 2
    if rank not in (1, 2, 3):
        raise InvalidArgumentError(
            f"`{op}`: `filters` must have 1 to 3 axes besides the channels, but its shape is {tuple(filters.shape)}.",
            fix="use filters of shape `[height, width, channels, filters]`",
            code="MT507",
        )
    check_format(op, data_format, str(_LAYOUTS[rank]))
    return rank


def _with_gaps(filters: Value, apart: Ints) -> Value:
    """Return dilated filters, with zeros between their elements."""
    if set(apart) == {1}:
        return filters
    reaches = [(size - 1) * gap + 1 for size, gap in zip(filters.shape, apart)]
    key = tuple(Cut(0, reach, gap) for reach, gap in zip(reaches, apart))
    return put_slice(filters, shape=(*reaches, *filters.shape[3:]), key=key)


def convolution(
    input: Value,
    filters: Value,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Call `conv1d`, `conv2d` or `conv3d`, chosen by the rank of the filters.

    Args:
        input: A tensor of shape [batch, *sizes, channels] with a float dtype.
        filters: A tensor of shape [*sizes, channels, filters] with the dtype of the first argument.
        strides: One number, or one for each size; 1 by default.
        padding: "VALID" or "SAME".
        data_format: The channels must be the last axis.
        dilations: The distance between two elements of the filter, in the form of `strides`.
        name: Ignored.

    Returns:
        A tensor of shape [batch, *output sizes, filters].

    Raises:
        InvalidArgumentError: the shapes do not fit.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/convolution
    """
    w = read_once(filters)
    rank = _rank_of(w, "convolution", data_format)
    steps = _spatial(strides, rank, "convolution")
    apart = _spatial(dilations, rank, "convolution")
    if rank == 1:
        return conv1d(input, w, steps[0], padding, dilations=apart[0])
    if rank == 2:
        return conv2d(input, w, steps, padding, dilations=apart)
    return conv3d(input, _with_gaps(w, apart), [1, *steps, 1], padding)


def conv_transpose(
    input: Value,
    filters: Value,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Value:
    """Call `conv1d_transpose`, `conv2d_transpose` or `conv3d_transpose`, chosen by the rank of the filters.

    Args:
        input: A tensor of shape [batch, *sizes, channels] with a float dtype.
        filters: A tensor of shape [*sizes, outputs, channels] with the dtype of the first argument.
        output_shape: The shape [batch, *sizes, outputs] of the result.
        strides: One number, or one for each size.
        padding: "VALID" or "SAME".
        data_format: The channels must be the last axis.
        dilations: The distance between two elements of the filter, in the form of `strides`; 1 by default.
        name: Ignored.

    Returns:
        A tensor of shape `output_shape`.

    Raises:
        InvalidArgumentError: the shapes do not fit.
        UnimplementedError: `data_format` has any other value.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv_transpose
    """
    w = read_once(filters)
    rank = _rank_of(w, "conv_transpose", data_format)
    steps = _spatial(strides, rank, "conv_transpose")
    apart = None if dilations is None else _spatial(dilations, rank, "conv_transpose")
    transposed = (conv1d_transpose, conv2d_transpose, conv3d_transpose)[rank - 1]
    return transposed(input, w, output_shape, steps, padding, dilations=apart)


def atrous_conv2d(
    value: Value, filters: Value, rate: Any, padding: Any, name: str | None = None
) -> Value:
    """Call `conv2d` with a dilated filter.

    Args:
        value: A tensor of shape [batch, height, width, channels] with a float dtype.
        filters: A tensor of shape [height, width, channels, filters] with the dtype of the first argument.
        rate: The distance between two elements of the filter.
        padding: "VALID" or "SAME".
        name: Ignored.

    Returns:
        A tensor of shape [batch, output height, output width, filters].

    Raises:
        InvalidArgumentError: the shapes do not fit.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/atrous_conv2d
    """
    return conv2d(value, filters, 1, padding, dilations=whole_number(rate))
