"""Converts Python and NumPy values to tensors. This module decides which dtype a value gets, and which values are refused.

    a Python float, int, bool, complex  float32, int32, bool, complex128
    a nested list of these              the dtype that its first number implies (`sequences.py`)
    a NumPy array or scalar             its own dtype
    an operand of a tensor              the dtype of that tensor, if its kind can represent the value

A list that contains tensors is stacked by an op, so its elements stay connected. A list of plain numbers is a new constant.
"""

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitape.core import dtypes, events, listeners
from minitape.core.batched import Batched
from minitape.core.declaration import NUMERIC_KINDS
from minitape.core.dtypes import DType, kind_of
from minitape.core.frames import frames_to_user
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.registry import PRIMITIVES, SYNTAX
from minitape.core.sequences import (
    DIRECT_DTYPES,
    array_of_list,
    as_object_array,
    collect_leaves,
    short_repr,
)
from minitape.core.shapes import TensorShape
from minitape.core.tensor import Tensor, TensorLike
from minitape.core.values import ARRAY_TYPES, Array
from minitape.errors import TapeTypeError, TapeValueError

_ORDER = "bifc"  # ordered so that a kind can be converted to every later kind without loss


def is_engine_value(value: Any) -> bool:
    """Whether `value` is a Tensor, Variable or Batched, which tapes can record."""
    return isinstance(value, TensorLike | Batched)


def as_operand(value: Any, *beside: Any, dtype: Any = None) -> Any:
    """Return an argument of a public function as a value that an op accepts.

    Tensors and variables are returned unchanged. Other values become constants, unless one of the other operands is a tensor. In
    that case the value is returned unchanged, because the op converts it to the dtype of that tensor.
    """
    if type(value) is Tensor:
        return value
    if isinstance(value, TensorLike):
        return value._operand()  # tapes see the variable even if the op then raises an error
    if isinstance(value, Batched) or any(map(is_engine_value, beside)):
        return value
    return convert_to_tensor(value, dtype=dtype, how="convert")


def read_once(value: Any) -> Any:
    """Return an argument that a public function uses several times; a variable is read only once, not by each op."""
    return value if isinstance(value, Batched) else convert_to_tensor(value)


def convert_to_tensor(
    value: Any,
    dtype: Any = None,
    dtype_hint: Any = None,
    name: str | None = None,
    how: str = "convert",
) -> Tensor:
    """Convert `value` to a Tensor; a Tensor is returned unchanged, a Variable is read.

    Args:
        value: A tensor, variable, IndexedSlices, number, string, array, or nested list of these.
        dtype: The dtype of the result; by default the dtype that `value` implies.
        dtype_hint: The preferred dtype, which is used if `value` can be converted to it.
        name: Ignored.
        how: For internal use: the name of the calling function, which the trace shows.

    Returns:
        A Tensor with the shape of `value`.

    Raises:
        ValueError: `value` is None, ragged, or a tensor of a different dtype.
        TypeError: the dtype cannot represent `value`.

    Source: https://www.tensorflow.org/api_docs/python/tf/convert_to_tensor
    """
    if type(value) is Tensor and dtype is None:
        return value
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, TensorLike):
        if wanted is not None and wanted != value.dtype:
            raise TapeValueError(
                f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {value.dtype.name}.",
                fix=f"use `tf.cast(x, tf.{wanted.name})`",
                code="MT506",
            )
        if isinstance(value, Tensor):
            return value
        read: Tensor = PRIMITIVES["ReadVariableOp"](value)
        return read
    if isinstance(value, IndexedSlices):
        dense: Tensor = value.to_dense_tensor()
        return dense
    if isinstance(value, list | tuple) and any(map(_holds_tensors, value)):
        stacked: Tensor = SYNTAX["stack"](value, wanted)
        return stacked
    hint = None if dtype_hint is None else dtypes.as_dtype(dtype_hint)
    tensor = Tensor(as_array(value, wanted, hint))
    if listeners.active:
        listeners.emit(events.Entered(tensor, value, how))
    return tensor


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_tensors, value))
    return isinstance(value, TensorLike)


def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str | None = "Const"
) -> Tensor:
    """Create a constant tensor. A tape records it only after `tape.watch`.

    Args:
        value: A number, string, array or nested list; a Tensor with the dtype and the shape is returned unchanged. The values of
            a Variable are copied, and no gradient flows to the variable.
        dtype: The dtype of the result; by default the dtype that `value` implies.
        shape: The shape of the result, by default the shape of `value`; a single number fills the whole shape.
        name: Ignored.

    Returns:
        A Tensor.

    Raises:
        ValueError: `value` is None, ragged, too large for its dtype, or contains tensors.
        TypeError: the dtype cannot represent `value`, or the shape does not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/constant

    >>> constant([1, 2.5])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1. , 2.5], dtype=float32)>
    """
    if isinstance(value, list | tuple) and any(map(_holds_tensors, value)):
        raise TapeValueError(
            "`tf.constant` creates a constant from numbers, but this list contains tensors.",
            fix="use `tf.stack([...])`, which keeps the gradients of the elements",
        )
    given = value._array if isinstance(value, TensorLike) else value
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor) and wanted not in (None, value.dtype):
        raise TapeTypeError(
            f"`tf.constant` got a {value.dtype.name} tensor, but the requested dtype is {dtypes.as_dtype(dtype).name}.",
            fix=f"use `tf.cast(x, tf.{dtypes.as_dtype(dtype).name})`, which keeps the gradient",
            code="MT506",
        )
    if isinstance(value, Tensor) and (shape is None or TensorShape(shape) == value.shape):
        return value  # with its history on the tapes
    array = as_array(given, wanted, None)
    if shape is not None:
        array = _in_shape(array, tuple(TensorShape(shape)))
    tensor = Tensor(_scalar_if_rank_0(array))
    if listeners.active:
        listeners.emit(events.Entered(tensor, value, "tf.constant"))
    return tensor


def _in_shape(array: Array, shape: tuple[int, ...]) -> Array:
    if array.size == 1:
        return np.full(shape, array)
    if array.size != math.prod(shape):
        raise TapeTypeError(
            f"`tf.constant` got {array.size} values for shape {shape}, which has {math.prod(shape)} elements.",
            fix="pass a single value, which fills any shape, or one value for each element of the shape",
        )
    return np.reshape(array, shape)


def as_array(value: Any, dtype: DType | None, hint: DType | None = None) -> Array:
    """Convert `value` to an ndarray, or to a NumPy scalar for rank 0, in `dtype` if it is given.

    Raises:
        ValueError: `value` cannot become a tensor.
        TypeError: `dtype` cannot represent the value.
    """
    try:
        natural = _natural_array(value, None if dtype is None else dtype.numpy)
        if dtype is not None:
            return _in_dtype(value, natural, dtype.numpy)
        if hint is not None and _fits(natural.dtype, hint.numpy):
            return _scalar_if_rank_0(_exactly(value, natural, hint.numpy))
    except OverflowError:
        wanted = dtype or hint
        return _of_wide_numbers(value, None if wanted is None else wanted.numpy)
    if dtype is None and type(value) is int and natural.dtype.kind == "u":
        raise _too_large(value, None)
    return _scalar_if_rank_0(natural)


def beside(value: Any, dtype: Any) -> Array:
    """Convert `value` to an array for an op whose other operand is a tensor of NumPy dtype `dtype`.

    A Python number whose kind `dtype` cannot represent (0.5 with an int tensor) keeps its kind, so that the op's error can name
    both dtypes. NumPy floats are truncated if the tensor has an integer dtype, as in TensorFlow, but with a warning.
    """
    kind = type(value)
    try:
        if (kind is float or kind is int) and dtype.kind in (
            "fVc" if kind is float else NUMERIC_KINDS
        ):
            return dtype.type(value)
        natural = _natural_array(value, dtype)
        if _fits(natural.dtype, dtype) or _is_cast_anyway(value, natural, dtype):
            return _scalar_if_rank_0(_exactly(value, natural, dtype))
    except OverflowError:
        return _of_wide_numbers(value, dtype)
    return _scalar_if_rank_0(natural)


def _of_wide_numbers(value: Any, wanted: Any) -> Array:
    """Return Python numbers in the dtype `wanted` if one exceeds the range of its default dtype; None if none does.

    As in TensorFlow, a float dtype accepts every number that a double can represent, and an integer dtype keeps the lowest bits
    of a 64-bit integer. In minitape, the latter warns.

    Raises:
        ValueError: the numbers are too large even for that dtype.
    """
    leaves: list[Any] = []
    collect_leaves(value, leaves)
    through: Any = None
    if wanted is not None and kind_of(wanted) == "f":
        is_too_large = wanted.kind == "V" and any(isinstance(leaf, int) for leaf in leaves)
        through = None if is_too_large else np.float64  # bfloat16 does not accept ints beyond int64
    elif wanted == np.complex128:
        through = wanted
    elif wanted is not None and wanted.kind in "iu":
        is_whole = all(isinstance(leaf, int | np.integer) for leaf in leaves)
        through = (np.uint64 if wanted == np.uint64 else np.int64) if is_whole else None
    try:
        if through is None:
            raise OverflowError
        array = np.array(value, through)
    except OverflowError:
        raise _too_large(value, wanted) from None
    if wanted.kind in "iu" and through is not wanted.type:
        warnings.warn(
            f"{short_repr(value)} does not fit into {wanted}, so only the lowest {8 * wanted.itemsize} bits are kept. Use "
            "`tf.constant(x, tf.int64)` to keep all bits.",
            stacklevel=frames_to_user(),
        )
    return _scalar_if_rank_0(array.astype(wanted))


def _too_large(value: Any, dtype: Any) -> TapeValueError:
    wanted = "a tensor" if dtype is None else f"dtype {dtypes.as_dtype(dtype).name}"
    return TapeValueError(
        f"Can't convert an out-of-range number to {wanted}: {short_repr(value)}.",
        fix="use `tf.constant(x, tf.float64)`, or `tf.int64` for integers up to `2**63 - 1`",
        code="MT506",
    )


def _is_cast_anyway(value: Any, natural: Array, want: Any) -> bool:
    """Whether a value is converted to the tensor's dtype even though its kind does not fit, as bools and NumPy numbers are."""
    if want.kind not in NUMERIC_KINDS or kind_of(natural.dtype) not in "fiub":
        return False
    if not isinstance(value, np.ndarray | np.generic):
        return isinstance(value, bool) and want.kind != "V"  # bfloat16 does not accept bools
    if kind_of(natural.dtype) == "f" and np.any(natural != np.trunc(natural)):
        warnings.warn(
            f"The fractional part of a NumPy value is discarded, because the other operand has dtype {want}. Use `tf.cast(x, "
            "tf.float32)` to keep the fractional part.",
            stacklevel=frames_to_user(),
        )
    return True


def _exactly(value: Any, natural: Array, dtype: Any) -> Array:
    """Return the numbers in `dtype`. Python numbers are converted directly, because 0.1 must not be rounded to float32 before
    it becomes float64.
    """
    if isinstance(value, int | float | complex | list | tuple) and dtype.kind != "O":
        return np.array(value, dtype)
    try:
        return natural.astype(dtype, copy=False)
    except ValueError:  # strings are parsed as numbers, if possible
        raise TapeValueError(
            f"Could not convert the strings {short_repr(value)} to {dtypes.as_dtype(dtype).name}.",
            fix="use `tf.constant(strings)`, which returns a tensor of strings",
            code="MT506",
        ) from None


def _fits(have: Any, want: Any) -> bool:
    a, b = kind_of(have), kind_of(want)
    if a == b:
        return True
    ranks = {kind: rank for rank, kind in enumerate(_ORDER)} | {"u": 1}
    return a in ranks and b in ranks and a != "b" and ranks[a] <= ranks[b]


def _in_dtype(value: Any, natural: Array, wanted: Any) -> Array:
    if natural.dtype == wanted:
        return _scalar_if_rank_0(natural)
    is_numpy = isinstance(value, np.ndarray | np.generic)
    if not natural.size and not is_numpy:
        return natural.astype(wanted)  # an empty list has no dtype of its own
    is_direct_bool = isinstance(value, bool) and wanted in DIRECT_DTYPES
    if not is_numpy and not is_direct_bool and not _fits(natural.dtype, wanted):
        raise TapeTypeError(
            f"Cannot convert {short_repr(value)} to EagerTensor of dtype {dtypes.DType.__str__(dtypes.as_dtype(wanted))}.",
            fix=f"use `tf.cast(value, tf.{dtypes.as_dtype(wanted).name})`",
        )
    return _scalar_if_rank_0(_exactly(value, natural, wanted))


def _scalar_if_rank_0(array: Array) -> Array:
    """Return an array of rank 0 as a NumPy scalar; a string stays in an array, because bytes have neither dtype nor shape."""
    return array if array.ndim or array.dtype.kind == "O" else array[()]


def _natural_array(value: Any, wanted: Any = None) -> Array:
    """Return the array that `value` implies; a list is converted directly to the NumPy dtype `wanted` if all its leaves allow
    it.
    """
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "SUO":
            return _array_of_strings(value)
        dtype = value.dtype if value.dtype.isnative else value.dtype.newbyteorder("=")
        # The array is always in C order, because with other strides NumPy would add in a different order and round differently.
        array = np.array(value, dtype, order="C")
        _check_numpy_dtype(array)
        return array
    if isinstance(value, str | bytes):  # also NumPy strings
        return as_object_array([value], ())
    if isinstance(value, np.generic):
        _check_numpy_dtype(value)
        # A listener may have replaced a scalar by one of its own class; the engine uses a plain NumPy scalar.
        return value if type(value) in ARRAY_TYPES else value.dtype.type(value)
    if isinstance(value, bool):
        return np.bool_(value)
    if isinstance(value, int):
        return _whole(value)
    if isinstance(value, float):
        number = np.float32(value)
        if np.isinf(number) and not math.isinf(value):
            raise OverflowError
        return number
    if isinstance(value, complex):
        return np.complex128(value)
    if isinstance(value, TensorShape):
        return np.array(value, np.int32)
    if isinstance(value, list | tuple | range):
        return array_of_list(value, wanted)
    if isinstance(value, Sequence):
        return array_of_list(list(value), wanted)
    if value is None or not hasattr(value, "__array__"):
        raise TapeValueError(
            f"Attempt to convert a value ({short_repr(value)}) with an unsupported type ({type(value)}) to a Tensor.",
            fix="check where this value comes from" if value is None else None,
        )
    return _natural_array(np.asarray(value))


def _whole(value: int) -> Array:
    """Return a Python int in the first of int32, int64 and uint64 that can represent it.

    Raises:
        OverflowError: none of them can.
    """
    if -(2**31) <= value < 2**31:
        return np.int32(value)
    if -(2**63) <= value < 2**64:
        return np.int64(value) if value < 2**63 else np.uint64(value)
    raise OverflowError


def _check_numpy_dtype(array: Array) -> None:
    """Raise an error for arrays of dtypes that tensors do not have, such as dates and long doubles.

    Raises:
        ValueError: the array has one of these dtypes.
    """
    try:
        dtypes.of(array)
    except TapeTypeError as error:
        raise TapeValueError(
            f"Failed to convert a NumPy array to a Tensor (unsupported NumPy dtype {array.dtype}).",
            fix="use `x.astype(np.float32)`",
        ) from error


def _array_of_strings(array: Array) -> Array:
    """Return strings as bytes, because a tensor of strings contains bytes."""
    try:
        return as_object_array(array.flat, array.shape)
    except TypeError as error:
        raise TapeValueError(
            f"Failed to convert a NumPy array to a Tensor: {error}.",
            fix="use an array that contains only numbers or only strings",
        ) from error
