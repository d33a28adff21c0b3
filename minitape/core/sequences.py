"""Converts a nested list to an array. As in TensorFlow, its first leaf determines the dtype.

    a float                       float32
    an int                        int32; int64 if a value exceeds int32; float32 if a float is among the leaves
    a bool, a complex, a string   bool, complex128, string
    np.float64, np.float16        their own dtype
    any other NumPy scalar        the dtype of the Python type of its kind; np.int64 counts as int, and np.float32 as float
    no leaf                       float32

Each dtype accepts only some types of leaves: a list of floats accepts ints, a list of ints does not accept complex numbers. An
array inside a list counts as its elements.
"""

from typing import Any

import numpy as np

from minitape.core.values import Array, Ints
from minitape.errors import TapeValueError

_REAL = (int, float, np.integer, np.floating)  # Python's bool is a subclass of int, NumPy's is not
_ACCEPTED: dict[str, tuple[type, ...]] = {
    "f": _REAL,
    "c": (*_REAL, complex, np.complexfloating),
    "i": (int, np.integer),
    "u": (int, np.integer),
    "b": (bool, np.bool_),
    "O": (str, bytes),
}
# The order matters, because a bool is also an int, and np.float64 is also a float.
_FIRST: tuple[tuple[tuple[type, ...], Any], ...] = (
    ((np.float64,), np.dtype("f8")),
    ((np.float16,), np.dtype("f2")),
    ((float, np.floating), np.dtype("f4")),
    ((bool, np.bool_), np.dtype("?")),
    ((int, np.integer), np.dtype("i4")),
    ((complex, np.complexfloating), np.dtype("c16")),
    ((str, bytes), np.dtype("O")),
)
# The conversions that TensorFlow does directly. For other dtypes it first converts to the dtype that the leaves imply.
DIRECT_DTYPES = frozenset(map(np.dtype, ("f2", "f4", "f8", "i4", "i8", "u8", "c16", "?", "O")))


def array_of_list(value: Any, wanted: Any) -> Array:
    """Return the array of a nested list, tuple or range.

    Args:
        value: A list, tuple or range of numbers, strings or arrays, but not of tensors.
        wanted: A NumPy dtype, which the array gets if TensorFlow converts such leaves to it directly; or None.

    Returns:
        An array of dtype `wanted`, or of the dtype that the first leaf implies.

    Raises:
        ValueError: the list is ragged, or its leaves have incompatible types.
        OverflowError: a number does not fit the dtype.
    """
    leaves: list[Any] = []
    collect_leaves(value, leaves)
    types = set(map(type, leaves))
    if wanted in DIRECT_DTYPES and _accepts(wanted.kind, types):
        return _rectangular(value, wanted)
    dtype = _implied_dtype(value, leaves, types)
    match dtype.kind:
        case "f":
            return _narrowed_floats(_rectangular(value, np.dtype("f8")), dtype)
        case "i":
            return _narrowed_ints(_rectangular(value, np.dtype("i8")))
        case _:
            return _rectangular(value, dtype)


def _implied_dtype(value: Any, leaves: list[Any], types: set[type]) -> Any:
    """Return the dtype that the first leaf implies, if this dtype accepts the other leaves.

    Raises:
        OverflowError: an int before the first float exceeds int64.
    """
    if not leaves:
        return np.dtype("f4")
    dtype = next((dtype for first, dtype in _FIRST if isinstance(leaves[0], first)), None)
    if dtype is None:
        raise TapeValueError(
            f"Attempt to convert a value ({short_repr(leaves[0])}) inside a list with an unsupported type "
            f"({type(leaves[0])}) to a Tensor."
        )
    if dtype.kind == "i" and not _accepts("i", types) and _accepts("f", types):
        if any(isinstance(leaf, int) and not -(2**63) <= leaf < 2**63 for leaf in leaves):
            raise OverflowError
        dtype = np.dtype("f4")
    if not _accepts(dtype.kind, types):
        raise TapeValueError(
            f"Can't convert Python sequence with mixed types to Tensor: {short_repr(value)}",
            fix="use elements of the same type, such as floats",
        )
    return dtype


def _accepts(kind: str, types: set[type]) -> bool:
    return all(issubclass(each, _ACCEPTED[kind]) for each in types)


def _rectangular(value: Any, dtype: Any) -> Array:
    """Return the array of a list whose leaves `dtype` accepts.

    Raises:
        ValueError: the list is ragged.
    """
    try:
        array = np.array(value, dtype)
        return as_object_array(array.flat, array.shape) if dtype.kind == "O" else array
    except (ValueError, TypeError) as error:
        raise TapeValueError(
            "Can't convert non-rectangular Python sequence to Tensor.",
            fix="use inner lists of the same length",
        ) from error


def _narrowed_floats(array: Array, dtype: Any) -> Array:
    """Return doubles in a narrower dtype.

    Raises:
        OverflowError: a finite number becomes infinite.
    """
    narrow = array.astype(dtype, copy=False)
    if np.any(np.isinf(narrow) & ~np.isinf(array)):
        raise OverflowError
    return narrow


def _narrowed_ints(array: Array) -> Array:
    """Return int32 if it can represent all values."""
    narrow = array.astype(np.int32)
    return narrow if (narrow == array).all() else array


def as_object_array(texts: Any, shape: Ints) -> Array:
    """Return strings as an array of bytes. The elements are objects, because NumPy's own dtype for bytes removes trailing zeros.

    Raises:
        TypeError: one of `texts` is not a string.
    """
    row = [_as_bytes(text) for text in texts]
    array = np.empty(len(row), object)
    array[:] = row
    return array.reshape(shape)


def _as_bytes(text: Any) -> bytes:
    if isinstance(text, np.ndarray) and not text.ndim:
        text = text.item()
    if not isinstance(text, str | bytes):
        raise TypeError(f"{short_repr(text)} is not a string")
    return text.encode() if isinstance(text, str) else bytes(text)


def collect_leaves(value: Any, leaves: list[Any]) -> None:
    """Append the leaves of a nested list to `leaves`; for an array of numbers, append only one element, because all have the same
    type."""
    if isinstance(value, list | tuple | range):
        for each in value:
            collect_leaves(each, leaves)
    elif isinstance(value, np.ndarray):
        leaves.extend(value.flat if value.dtype.kind == "O" else value.flat[:1])
    elif hasattr(value, "__array__") and not isinstance(value, np.generic):
        collect_leaves(np.asarray(value), leaves)
    else:
        leaves.append(value)


def short_repr(value: Any) -> str:
    """Return the `repr` of a value, cut to 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
