"""What layers share that slide over space: settings for each of its axes, and where the channels lie.

Sequences are [batch, steps, channels], pictures [batch, height, width, channels], and so on; with
data_format="channels_first" the channels are the second axis.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from minitape.core.values import Ints, Value
from minitape.errors import OpError, TapeValueError, UnimplementedError
from minitape.ops.axes import as_ints
from minitape.ops.shaping import transpose


def with_defaults(function: Any, **defaults: Any) -> Any:
    """The same function with other default values: Conv1D strides by 1 where Conv2D strides by (1, 1)."""
    code = function.__code__
    own = list(function.__defaults__ or ())
    optional = code.co_varnames[: code.co_argcount][-len(own) :] if own else ()
    changed = tuple(defaults.get(name, value) for name, value in zip(optional, own, strict=True))
    return FunctionType(
        code, function.__globals__, function.__name__, changed, function.__closure__
    )


def sizes(what: str, value: Any, rank: int, least: int = 1) -> Ints:
    """A setting for each axis of space, given as one number for all or as a tuple.

    Raises:
        ValueError: there are more numbers or fewer, or one is below `least`.
    """
    try:
        numbers = (value,) * rank if isinstance(value, int) else as_ints(value)
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != rank or any(number < least for number in numbers):
        raise TapeValueError(
            f"The `{what}` argument must be a tuple of {rank} whole numbers from {least} on. Received {what}={value!r}",
            fix=f"{what}={least + 1}",
        )
    return numbers


def pairs(what: str, value: Any, rank: int) -> tuple[Ints, ...]:
    """What is put on or cut off at each end of each axis of space.

    Raises:
        ValueError: it is neither a number, nor one for each axis, nor a pair for each.
    """
    each = (value,) * rank if isinstance(value, int) else tuple(value)
    if rank == 1 and len(each) == 2:
        each = (each,)
    both = tuple((n, n) if isinstance(n, int) else as_ints(n) for n in each)
    if len(both) != rank or any(len(pair) != 2 or min(pair) < 0 for pair in both):
        raise TapeValueError(
            f"`{what}` should be one number, {rank} numbers or {rank} pairs, none below 0. Received: {value!r}",
            fix=f"{what}=1",
        )
    return both


def checked_format(data_format: str | None) -> str:
    """ "channels_last", unless a user says otherwise.

    Raises:
        ValueError: it is neither of the two.
    """
    is_known = data_format is None or isinstance(data_format, str)
    if not is_known or data_format not in (None, "channels_last", "channels_first"):
        raise TapeValueError(
            'The `data_format` argument must be one of "channels_first", "channels_last". '
            f"Received: data_format={data_format}",
            fix='data_format="channels_last"',
        )
    return data_format or "channels_last"


def checked_padding(padding: Any, allowed: tuple[str, ...]) -> str:
    """The name of a padding in small letters.

    Raises:
        ValueError: there is no such padding here.
    """
    name = padding.lower() if isinstance(padding, str) else padding
    if name not in allowed:
        raise TapeValueError(
            f"The `padding` argument must be one of {', '.join(map(repr, allowed))}. Received: {padding}",
            fix='padding="same"',
        )
    return str(name)


_METHODS = ("bilinear", "nearest", "bicubic", "lanczos3", "lanczos5")


def checked_method(interpolation: Any) -> str:
    """How a picture gets another size.

    Raises:
        ValueError: there is no such way.
    """
    if interpolation not in _METHODS:
        raise TapeValueError(
            f"Unknown interpolation: {interpolation}. Expected one of {', '.join(_METHODS)}.",
            fix='interpolation="bilinear"',
        )
    return str(interpolation)


def shape_channels_last(shape: Any, data_format: str) -> Any:
    """A shape as if the channels lay last."""
    return (
        tuple(shape) if data_format == "channels_last" else (shape[0], *tuple(shape)[2:], shape[1])
    )


def in_channels_last(compute: Callable[[Value], Value], x: Value, data_format: str) -> Value:
    """`compute`, which wants the channels last, for an input that may have them first."""
    if data_format == "channels_last":
        return compute(x)
    rank = len(x.shape)
    y = compute(transpose(x, (0, *range(2, rank), 1)))
    rank = len(y.shape)
    return transpose(y, (0, rank - 1, *range(1, rank - 1)))


def refuse_channels_first(
    layer: Any, data_format: str, error: type[OpError] = UnimplementedError
) -> None:
    """As TensorFlow without a GPU, convolutions take the channels last.

    Raises:
        OpError: `data_format` says otherwise; of the kind `error`.
    """
    if data_format == "channels_first":
        raise error(
            f"Layer '{layer.name}' only takes channels_last, and was made for channels_first.",
            fix="tf.transpose(x, [0, 2, 3, 1]) puts the channels last",
        )


def reach(size: int, gap: int) -> int:
    """From the first tap of a kernel to its last."""
    return (size - 1) * gap + 1
