"""What flows through the engine.

Array     what NumPy computes with: an ndarray, or a NumPy scalar for rank 0
Value     whatever a rule may be given: Array, Tensor, Batched or Outline
Ints      canonical axes, shapes and permutations
Outline   a value whose numbers were not kept: shape and dtype only
"""

from functools import lru_cache
from typing import Any

import numpy as np

# NumPy computes with its scalars several times faster than with arrays of rank 0, so both occur.
Array = Any
Value = Any
Ints = tuple[int, ...]

# The exact types that the engine takes for arrays: a set look-up is quicker than isinstance. A program that asks for bfloat16
# adds its type.
ARRAY_TYPES: set[type] = {np.ndarray, *(np.dtype(code).type for code in "?bhilqBHILQefdgFDGO")}


def zeros_of(dtype: Any, shape: Ints) -> Array:
    """Nothing, as often as a shape has places: zeros, or texts without a letter."""
    return np.full(shape, b"", dtype) if dtype.kind == "O" else np.zeros(shape, dtype)


class Outline:
    """The shape and dtype of a value whose numbers no rule reads, so they were not kept."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Ints, dtype: Any) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"Outline(shape={self.shape}, dtype={self.dtype})"


# A long tape has a million outlines of a few shapes. Records share them: to look one up is quicker than to make one, and takes
# no memory.
outline = lru_cache(maxsize=1024)(Outline)


# NumPy's scalars have one outline for each type, and a type is found at once.
_OF_SCALARS = {kind: outline((), np.dtype(kind)) for kind in ARRAY_TYPES - {np.ndarray, np.object_}}


def outline_of(array: Array) -> Outline:
    """The outline of an array or NumPy scalar."""
    kind = type(array)
    return _OF_SCALARS[kind] if kind in _OF_SCALARS else outline(array.shape, array.dtype)
