"""Converts the numbers of a trace to arrays.

dtype_of     the name of a dtype in a trace → its NumPy dtype, or the reason why there is none
array_of     a tensor in a trace → its array, or the reason why there is none
conjugate    converts a cotangent between TensorFlow's and minitape's conventions
plain        a value of a backward pass as an array
"""

from typing import Any

import numpy as np

from minitape.autodiff.gradient_request import conjugated
from minitape.core.batched import Batched
from minitape.core.dtypes import as_dtype
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.values import Array, Value
from minitape.replay.reason import Reason
from minitape.trace import events
from minitape.trace.elements import unpacked


def dtype_of(name: str) -> np.dtype[Any] | Reason:
    """Return the dtype of arrays for the name of a dtype in a trace, or the reason why there is none."""
    if name in ("string", "object", "variant", "resource"):
        return Reason.TEXT
    try:
        return as_dtype(name).numpy
    except (TypeError, ImportError):  # no such dtype, or bfloat16 without its package
        return Reason.TEXT


def array_of(numbers: events.Numbers) -> Array | Reason:
    """Return the array of a tensor, if the trace holds all its elements; for rank 0 a NumPy scalar, as in the engine."""
    dtype = dtype_of(numbers.dtype)
    if isinstance(dtype, Reason):
        return dtype
    if numbers.packed is not None:
        data = np.frombuffer(unpacked(numbers.packed), dtype.newbyteorder("<"))
        return data.astype(dtype).reshape(numbers.shape)
    if numbers.size == 0:
        return np.zeros(numbers.shape, dtype)
    if numbers.data is None:
        return Reason.TOO_LARGE
    reported = numbers.data
    if dtype.kind == "c":
        flat = [complex(each) for each in np.ravel(np.array(reported, object))]
        return np.array(flat, dtype).reshape(numbers.shape)[()]
    if dtype.kind in "biu" and np.array(reported).dtype.kind == "f":
        # the value is wrong in the trace, and stays unchanged
        return np.array(reported).reshape(numbers.shape)[()]
    try:
        return np.array(reported, dtype).reshape(numbers.shape)[()]
    except OverflowError:
        # the dtype cannot hold this integer, so the value is wrong in the trace, and stays unchanged
        return np.array(reported).reshape(numbers.shape)[()]


def conjugate(value: Value) -> Value:
    """Convert a cotangent from TensorFlow's convention to minitape's, or from minitape's to TensorFlow's."""
    return value if type(value) is IndexedSlices else conjugated(value)


def plain(value: Value) -> Array:
    """Return a value of a backward pass as the array that a trace contains for it."""
    if type(value) is Batched:
        return plain(value.stack)
    if type(value) is IndexedSlices:
        return plain(value.values)
    return np.asarray(getattr(value, "_array", value))
