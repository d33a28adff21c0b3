"""The types of values in the engine.

Array       an ndarray, or a NumPy scalar for rank 0
Value       any argument of a rule: Array, Tensor, Batched or ShapeDtype
Ints        canonical axes, shapes and permutations
ShapeDtype  the shape and dtype of a value that was not saved
"""

from functools import lru_cache
from typing import Any

import numpy as np

# NumPy computes several times faster with its scalars than with arrays of rank 0, so both occur.
Array = Any
Value = Any
Ints = tuple[int, ...]

# The exact types that count as arrays. Looking up a type in a set is faster than isinstance. A program that uses bfloat16 adds
# its type.
ARRAY_TYPES: set[type] = {np.ndarray, *(np.dtype(code).type for code in "?bhilqBHILQefdgFDGO")}


def zeros_of(dtype: Any, shape: Ints) -> Array:
    """Return zeros of a dtype and shape; for strings, empty strings."""
    return np.full(shape, b"", dtype) if dtype.kind == "O" else np.zeros(shape, dtype)


class ShapeDtype:
    """The shape and dtype of a value that no rule reads, and which is therefore not saved."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Ints, dtype: Any) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"ShapeDtype(shape={self.shape}, dtype={self.dtype})"


# A long tape has a million of these objects, but only few different ones. Records share them, because a lookup is faster than
# creating an object, and needs no memory.
shape_dtype = lru_cache(maxsize=1024)(ShapeDtype)


# NumPy scalars have one ShapeDtype for each type.
_OF_SCALARS = {
    kind: shape_dtype((), np.dtype(kind)) for kind in ARRAY_TYPES - {np.ndarray, np.object_}
}


def shape_dtype_of(array: Array) -> ShapeDtype:
    """Return the ShapeDtype of an array or NumPy scalar."""
    kind = type(array)
    return _OF_SCALARS[kind] if kind in _OF_SCALARS else shape_dtype(array.shape, array.dtype)
