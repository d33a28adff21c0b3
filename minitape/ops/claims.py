"""Assertions about ranks, shapes and dtypes: each returns nothing, or raises with what it found.

    assert_rank, assert_rank_at_least, assert_rank_in, assert_scalar    how many axes
    assert_shapes                                                       how long they are
    assert_type, assert_integer, assert_same_float_dtype                which dtype
    assert_proper_iterable, is_numeric_tensor                           which kind of thing
    assert_true                                                         tf.Assert

They look at the outside of values and leave the tape alone.

Source: https://www.tensorflow.org/api_docs/python/tf/debugging
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import listed
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import ArrayFace, Tensor
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError

# --- ranks ---


def _refused(message: Any, what: str) -> TapeValueError:
    return TapeValueError(f"{message}.  {what}" if message else what)


def _as_rank(rank: Any) -> int:
    value = convert_to_tensor(rank)
    if not value.dtype.is_integer:
        raise TapeTypeError(f"A rank must be an integer, but got {rank!r}.")
    if value._array.ndim:
        raise TapeValueError(f"Rank must be a scalar, but got {rank!r}.")
    return int(value._array)


def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless `x` has so many axes.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_rank
    """
    assert_rank_in(x, (rank,), message)


def assert_rank_at_least(
    x: Any, rank: Any, message: str | None = None, name: str | None = None
) -> None:
    """Raise ValueError unless `x` has at least so many axes.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_rank_at_least
    """
    shape = convert_to_tensor(x).shape
    if len(shape) < _as_rank(rank):
        raise _refused(
            message,
            f"Tensor must have rank at least {rank}.  Received rank {len(shape)}, shape {shape}",
        )


def assert_rank_in(
    x: Any, ranks: Iterable[Any], message: str | None = None, name: str | None = None
) -> None:
    """Raise ValueError unless the number of axes of `x` is among `ranks`.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_rank_in
    """
    shape = convert_to_tensor(x).shape
    wanted = [_as_rank(rank) for rank in listed(ranks, "ranks")]
    if len(shape) not in wanted:
        shown = " or ".join(map(str, wanted))
        raise _refused(
            message, f"Tensor must have rank {shown}.  Received rank {len(shape)}, shape {shape}"
        )


def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless it has no axis.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_scalar
    """
    shape = convert_to_tensor(tensor).shape
    if len(shape):
        raise _refused(message, f"Expected scalar shape, saw shape: {shape}.")


# --- shapes ---


def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise ValueError unless each tensor has its shape, and a symbol the same length everywhere.

    Args:
        shapes: A dict, or pairs: tensor, and its sizes. A size is a number, a symbol ("N"), or None or "." for any; a leading
            "..." or "*" stands for any number of axes. A string such as "NM3" is taken apart.
        data: Ignored: the message names the shapes.
        summarize: Ignored.
        message: Put before what is said.
        name: Ignored.

    Raises:
        ValueError: a shape is another, or no shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_shapes
    """
    known: dict[Any, tuple[int, str]] = {}
    pairs = shapes.items() if isinstance(shapes, Mapping) else listed(shapes, "shapes")
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise _refused(
                message, f"Each entry must be a pair of a tensor and its shape, but got {pair!r}."
            )
        tensor, spec = pair
        if not isinstance(spec, Iterable):
            raise _refused(message, f"Specified shape must be an iterable, but got {spec!r}.")
        shape = tuple(convert_to_tensor(tensor).shape)
        for axis, size, wanted in _sizes(shape, list(spec), message):
            _check_size(shape, axis, size, wanted, known, message)


def _sizes(shape: tuple[int, ...], spec: list[Any], message: Any) -> list[tuple[int, int, Any]]:
    """Axis, size and wanted size, for the axes that the specification speaks of."""
    if spec and (spec[0] is Ellipsis or spec[0] in ("...", "*")):
        spec = spec[1:]
        fits = len(shape) >= len(spec)
    else:
        # As in TensorFlow, one size may be asked of a scalar too, which then counts as one element.
        shape = shape or (1,) * (len(spec) == 1)
        fits = len(shape) == len(spec)
    if not fits:
        raise _refused(
            message,
            f"Tensor must have rank {len(spec)}.  Received rank {len(shape)}, shape {shape}",
        )
    first = len(shape) - len(spec)
    return [(first + i, shape[first + i], wanted) for i, wanted in enumerate(spec)]


def _check_size(
    shape: tuple[int, ...],
    axis: int,
    size: int,
    wanted: Any,
    known: dict[Any, tuple[int, str]],
    message: Any,
) -> None:
    if wanted is None or wanted == ".":
        return
    if isinstance(wanted, int | np.integer) or (isinstance(wanted, str) and wanted.isdigit()):
        expected, origin = int(wanted), "explicitly"
    else:
        expected, origin = known.setdefault(wanted, (size, f"by a tensor of shape {shape}"))
    if size != expected:
        raise _refused(
            message,
            f"Specified {origin}.  Tensor of shape {shape}: dimension {axis} must have size {expected}.  "
            f"Received size {size}",
        )


# --- dtypes and kinds ---


def assert_type(
    tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None
) -> None:
    """Raise TypeError unless it has this dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_type
    """
    wanted, found = dtypes.as_dtype(tf_type), convert_to_tensor(tensor).dtype
    if found != wanted:
        said = f"{message}  " if message else ""
        raise TapeTypeError(
            f"{said}tensor must be of type {wanted!r}; got {found!r}", fix="tf.cast(x, dtype)"
        )


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise TypeError unless the dtype is one of whole numbers.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_integer
    """
    found = convert_to_tensor(x).dtype
    if not found.is_integer:
        said = f"{message}  " if message else ""
        raise TapeTypeError(
            f'{said}Expected "x" to be integer type.  Found: tensor of dtype {found!r}'
        )


def assert_same_float_dtype(tensors: Sequence[Any] | None = None, dtype: Any = None) -> Any:
    """The one float dtype that all have; float32 of none.

    Raises:
        ValueError: they differ, or it is no float dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_same_float_dtype
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    for tensor in tensors or ():
        found = convert_to_tensor(tensor).dtype
        wanted = wanted or found
        if found != wanted:
            raise TapeValueError(
                f"Tensors must be of the same type, but got {found!r} and {wanted!r}.",
                fix="tf.cast(x, dtype)",
            )
    wanted = wanted or dtypes.as_dtype("float32")
    if not wanted.is_floating:
        raise TapeValueError(
            f"Expected floating point type, got {wanted!r}.", fix="tf.cast(x, tf.float32)"
        )
    return wanted


def assert_proper_iterable(values: Any) -> None:
    """Raise TypeError for what is no collection of values: a number, a string, a tensor.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_proper_iterable
    """
    is_one_value = isinstance(values, ArrayFace | np.ndarray | str | bytes)
    if is_one_value or not isinstance(values, Iterable):
        kind = '"proper" iterable' if is_one_value else "iterable"
        raise TapeTypeError(
            f'Expected argument "values" to be {kind}.  Found: {type(values)}', fix="[x, y]"
        )


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether it is a tensor of numbers. A variable is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/is_numeric_tensor
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric


def assert_true(
    condition: Any, data: Any, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError, with `data`, unless `condition` holds.

    Args:
        condition: A bool, or a tensor of one element.
        data: What the message shows: a list of values.
        summarize: How many elements of each.
        name: Ignored.

    Raises:
        InvalidArgumentError: it does not hold.
        ValueError: `condition` has several elements.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/Assert
    """
    truth = convert_to_tensor(condition)._array
    if truth.size != 1:
        raise TapeValueError(
            f"`Assert` needs a single boolean condition, but got shape {truth.shape}.",
            fix="tf.reduce_all(condition)",
        )
    if truth.all():
        return
    if not isinstance(data, Iterable):
        raise TapeTypeError(f"`data` of `Assert` must be a list, but got {data!r}.", fix="[x, y]")
    shown = [
        ", ".join(map(str, convert_to_tensor(value)._array.reshape(-1)[: summarize or 3]))
        for value in ([data] if isinstance(data, str | bytes) else data)
    ]
    raise InvalidArgumentError(
        f"Expected '{condition}' to be true. Summarized data: " + "\n".join(shown)
    )


assert_true.__name__ = "Assert"
