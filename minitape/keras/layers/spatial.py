"""Functions that convolution and pooling layers share, for arguments per spatial axis and for the position of the channels.

Sequences have the shape [batch, steps, channels], images [batch, height, width, channels], and so on; with
data_format="channels_first" the channels are the second axis.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from minitape.core.values import Ints, Value
from minitape.errors import OpError, TapeValueError, UnimplementedError
from minitape.ops.axes import as_ints
from minitape.ops.reshaping import transpose


def with_defaults(function: Any, **defaults: Any) -> Any:
    """Copy a function with other default values, such as strides of 1 for `Conv1D` and (1, 1) for `Conv2D`.

    Args:
        function: The function to copy.
        defaults: New default values by parameter name.

    Returns:
        The new function.
    """
    code = function.__code__
    own = list(function.__defaults__ or ())
    optional = code.co_varnames[: code.co_argcount][-len(own) :] if own else ()
    changed = tuple(defaults.get(name, value) for name, value in zip(optional, own, strict=True))
    return FunctionType(
        code, function.__globals__, function.__name__, changed, function.__closure__
    )


def sizes(what: str, value: Any, rank: int, least: int = 1) -> Ints:
    """Convert an argument to one integer for each spatial axis.

    Args:
        what: Name of the argument.
        value: An integer for all axes, or one for each axis.
        rank: Number of spatial axes.
        least: Smallest allowed value.

    Returns:
        A tuple of `rank` integers.

    Raises:
        ValueError: the number of integers is not `rank`, or an integer is below `least`.
    """
    try:
        numbers = (value,) * rank if isinstance(value, int) else as_ints(value)
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != rank or any(number < least for number in numbers):
        raise TapeValueError(
            f"The `{what}` argument must be a tuple of {rank} integers, each at least {least}. Received {what}={value!r}",
            fix=f"pass `{what}={least + 1}`",
        )
    return numbers


def pairs(what: str, value: Any, rank: int) -> tuple[Ints, ...]:
    """Convert an argument to a pair (before, after) for each spatial axis.

    Args:
        what: Name of the argument.
        value: An integer, one for each spatial axis, or a pair for each.
        rank: Number of spatial axes.

    Returns:
        A tuple of `rank` pairs.

    Raises:
        ValueError: `value` has a different structure, or an integer is negative.
    """
    each = (value,) * rank if isinstance(value, int) else tuple(value)
    if rank == 1 and len(each) == 2:
        each = (each,)
    both = tuple((n, n) if isinstance(n, int) else as_ints(n) for n in each)
    if len(both) != rank or any(len(pair) != 2 or min(pair) < 0 for pair in both):
        raise TapeValueError(
            f"`{what}` should be one integer, {rank} integers or {rank} pairs, none negative. Received: {value!r}",
            fix=f"pass `{what}=1`",
        )
    return both


def checked_format(data_format: str | None) -> str:
    """Check a `data_format`; None means "channels_last".

    Args:
        data_format: "channels_last", "channels_first" or None.

    Returns:
        "channels_last" or "channels_first".

    Raises:
        ValueError: the argument has any other value.
    """
    is_known = data_format is None or isinstance(data_format, str)
    if not is_known or data_format not in (None, "channels_last", "channels_first"):
        raise TapeValueError(
            'The `data_format` argument must be one of "channels_first", "channels_last". '
            f"Received: data_format={data_format}",
            fix='pass `data_format="channels_last"`',
        )
    return data_format or "channels_last"


def checked_padding(padding: Any, allowed: tuple[str, ...]) -> str:
    """Return a padding mode in lowercase.

    Args:
        padding: The mode.
        allowed: The modes that the layer supports.

    Returns:
        The mode.

    Raises:
        ValueError: the layer does not support it.
    """
    name = padding.lower() if isinstance(padding, str) else padding
    if name not in allowed:
        raise TapeValueError(
            f"The `padding` argument must be one of {', '.join(map(repr, allowed))}. Received: {padding}",
            fix='pass `padding="same"`',
        )
    return str(name)


_METHODS = ("bilinear", "nearest", "bicubic", "lanczos3", "lanczos5")


def checked_method(interpolation: Any) -> str:
    """Check an interpolation method for images.

    Args:
        interpolation: Its name.

    Returns:
        The name.

    Raises:
        ValueError: the method is unknown.
    """
    if interpolation not in _METHODS:
        raise TapeValueError(
            f"Unknown interpolation: {interpolation}. Expected one of {', '.join(_METHODS)}.",
            fix='pass `interpolation="bilinear"`',
        )
    return str(interpolation)


def shape_channels_last(shape: Any, data_format: str) -> Any:
    """Return a shape with the channels moved to the last axis.

    Args:
        shape: The shape.
        data_format: Position of the channels in the shape.

    Returns:
        A tuple.
    """
    return (
        tuple(shape) if data_format == "channels_last" else (shape[0], *tuple(shape)[2:], shape[1])
    )


def in_channels_last(compute: Callable[[Value], Value], x: Value, data_format: str) -> Value:
    """Apply a function that requires channels last; if the channels are first, transpose its input and result.

    Args:
        compute: The function.
        x: The input.
        data_format: Position of the channels in `x`.

    Returns:
        The result, in the layout of `x`.
    """
    if data_format == "channels_last":
        return compute(x)
    rank = len(x.shape)
    y = compute(transpose(x, (0, *range(2, rank), 1)))
    rank = len(y.shape)
    return transpose(y, (0, rank - 1, *range(1, rank - 1)))


def refuse_channels_first(
    layer: Any, data_format: str, error: type[OpError] = UnimplementedError
) -> None:
    """Raise an error for channels first, because convolutions require channels last, as in TensorFlow without a GPU.

    Args:
        layer: The layer.
        data_format: Its data format.
        error: The class of the error.

    Raises:
        OpError: `data_format` is "channels_first"; the error is of the class `error`.
    """
    if data_format == "channels_first":
        raise error(
            f'Layer \'{layer.name}\' only supports data_format="channels_last". Received: data_format="channels_first"',
            fix="use `tf.transpose(x, [0, 2, 3, 1])` to move the channels to the last axis",
        )


def reach(size: int, gap: int) -> int:
    """Return the extent of a dilated kernel.

    Args:
        size: Number of kernel elements.
        gap: Dilation rate.

    Returns:
        The number of input elements from the first to the last kernel element.
    """
    return (size - 1) * gap + 1
