"""Assertions about ranks, shapes and dtypes. Each returns None, or raises an error that shows what it found.

    assert_rank, assert_rank_at_least, assert_rank_in, assert_scalar    the number of axes
    assert_shapes                                                       the sizes of the axes
    assert_type, assert_integer, assert_same_float_dtype                the dtype
    assert_proper_iterable, is_numeric_tensor                           the kind of object
    assert_true                                                         tf.Assert

They do not read the values of tensors, and tapes do not record them.

Source: https://www.tensorflow.org/api_docs/python/tf/debugging
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import listed
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import Tensor, TensorLike
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError

# --- ranks ---


def _refused(message: Any, what: str) -> TapeValueError:
    return TapeValueError(f"{message}.  {what}" if message else what)


def _as_rank(rank: Any) -> int:
    value = convert_to_tensor(rank)
    if not value.dtype.is_integer:
        raise TapeTypeError(f"A rank must be an integer, but is {rank!r}.")
    if value._array.ndim:
        raise TapeValueError(f"Rank must be a scalar, but got {rank!r}.")
    return int(value._array)


def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise an error unless `x` has a given rank.

    Args:
        x: A tensor, or a value that can be converted to a tensor.
        rank: The number of axes.
        message: Text before the message.
        name: Ignored.

    Raises:
        ValueError: the rank is different.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_rank
    """
    assert_rank_in(x, (rank,), message)


def assert_rank_at_least(
    x: Any, rank: Any, message: str | None = None, name: str | None = None
) -> None:
    """Raise an error unless `x` has at least a given rank.

    Args:
        x: A tensor, or a value that can be converted to a tensor.
        rank: The minimum number of axes.
        message: Text before the message.
        name: Ignored.

    Raises:
        ValueError: the rank is smaller.

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
    """Raise an error unless the rank of `x` is one of `ranks`.

    Args:
        x: A tensor, or a value that can be converted to a tensor.
        ranks: The allowed numbers of axes.
        message: Text before the message.
        name: Ignored.

    Raises:
        ValueError: the rank is different.

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
    """Raise an error unless a value is a scalar.

    Args:
        tensor: A tensor, or a value that can be converted to a tensor.
        message: Text before the message.
        name: Ignored.

    Raises:
        ValueError: it has axes.

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
    """Raise an error unless each tensor has its given shape; a symbol means the same size everywhere.

    Args:
        shapes: A dict, or pairs of a tensor and its sizes. A size is a number, a symbol ("N"), or None or "." for any size; a
            leading "..." or "*" matches any number of axes. A string such as "NM3" lists one-letter sizes.
        data: Ignored, because the message contains the shapes.
        summarize: Ignored.
        message: Text before the message.
        name: Ignored.

    Raises:
        ValueError: a shape does not match, or is not a valid shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_shapes
    """
    known: dict[Any, tuple[int, str]] = {}
    pairs = shapes.items() if isinstance(shapes, Mapping) else listed(shapes, "shapes")
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise _refused(
                message, f"Each entry must be a pair of a tensor and its shape, but is {pair!r}."
            )
        tensor, spec = pair
        if not isinstance(spec, Iterable):
            raise _refused(message, f"Specified shape must be an iterable, but got {spec!r}.")
        shape = tuple(convert_to_tensor(tensor).shape)
        for axis, size, wanted in _sizes(shape, list(spec), message):
            _check_size(shape, axis, size, wanted, known, message)


def _sizes(shape: tuple[int, ...], spec: list[Any], message: Any) -> list[tuple[int, int, Any]]:
    """Return the index, the size and the expected size of each axis in the specification."""
    if spec and (spec[0] is Ellipsis or spec[0] in ("...", "*")):
        spec = spec[1:]
        fits = len(shape) >= len(spec)
    else:
        # As in TensorFlow, a specification of one size also accepts a scalar, which counts as one element.
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
    """Raise an error unless a tensor has a given dtype.

    Args:
        tensor: A tensor, or a value that can be converted to a tensor.
        tf_type: The dtype.
        message: Text before the message.
        name: Ignored.

    Raises:
        TypeError: the dtype is different.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_type
    """
    wanted, found = dtypes.as_dtype(tf_type), convert_to_tensor(tensor).dtype
    if found != wanted:
        said = f"{message}  " if message else ""
        raise TapeTypeError(
            f"{said}tensor must be of type {wanted!r}; got {found!r}", fix="use `tf.cast(x, dtype)`"
        )


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise an error unless `x` has an integer dtype.

    Args:
        x: A tensor, or a value that can be converted to a tensor.
        message: Text before the message.
        name: Ignored.

    Raises:
        TypeError: the dtype is not an integer dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_integer
    """
    found = convert_to_tensor(x).dtype
    if not found.is_integer:
        said = f"{message}  " if message else ""
        raise TapeTypeError(
            f'{said}Expected "x" to be integer type.  Found: tensor of dtype {found!r}'
        )


def assert_same_float_dtype(tensors: Sequence[Any] | None = None, dtype: Any = None) -> Any:
    """Return the float dtype that all tensors have.

    Args:
        tensors: A list of tensors, or None.
        dtype: The expected dtype, or None.

    Returns:
        The dtype; float32 if there are no tensors.

    Raises:
        ValueError: the dtypes differ, or are not float dtypes.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_same_float_dtype
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    for tensor in tensors or ():
        found = convert_to_tensor(tensor).dtype
        wanted = wanted or found
        if found != wanted:
            raise TapeValueError(
                f"Tensors must be of the same type, but got {found!r} and {wanted!r}.",
                fix="use `tf.cast(x, dtype)`",
            )
    wanted = wanted or dtypes.as_dtype("float32")
    if not wanted.is_floating:
        raise TapeValueError(
            f"Expected floating point type, got {wanted!r}.", fix="use `tf.cast(x, tf.float32)`"
        )
    return wanted


def assert_proper_iterable(values: Any) -> None:
    """Raise an error unless `values` is a collection of values, which a number, a string and a tensor are not.

    Args:
        values: Any object.

    Raises:
        TypeError: it is not a collection.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_proper_iterable
    """
    is_one_value = isinstance(values, TensorLike | np.ndarray | str | bytes)
    if is_one_value or not isinstance(values, Iterable):
        kind = '"proper" iterable' if is_one_value else "iterable"
        raise TapeTypeError(
            f'Expected argument "values" to be {kind}.  Found: {type(values)}', fix="pass `[x, y]`"
        )


def is_numeric_tensor(tensor: Any) -> bool:
    """Return whether an object is a tensor of numbers; for a Variable the result is False.

    Args:
        tensor: Any object.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/is_numeric_tensor
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric


def assert_true(
    condition: Any, data: Any, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise an error that contains `data` unless `condition` is true.

    Args:
        condition: A bool, or a tensor with one element.
        data: A list of values for the message.
        summarize: The number of elements of each value that the message shows.
        name: Ignored.

    Raises:
        InvalidArgumentError: the condition is false.
        ValueError: `condition` has several elements.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/Assert
    """
    truth = convert_to_tensor(condition)._array
    if truth.size != 1:
        raise TapeValueError(
            f"`Assert` requires a single boolean condition, but got a condition of shape {truth.shape}.",
            fix="use `tf.reduce_all(condition)`",
        )
    if truth.all():
        return
    if not isinstance(data, Iterable):
        raise TapeTypeError(
            f"`data` of `Assert` must be a list, but is {data!r}.", fix="pass `[x, y]`"
        )
    shown = [
        ", ".join(map(str, convert_to_tensor(value)._array.reshape(-1)[: summarize or 3]))
        for value in ([data] if isinstance(data, str | bytes) else data)
    ]
    raise InvalidArgumentError(
        f"Expected '{condition}' to be true. Summarized data: " + "\n".join(shown)
    )


assert_true.__name__ = "Assert"
