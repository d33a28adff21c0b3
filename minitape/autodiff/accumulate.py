"""Sums cotangents, because the cotangent of a value that is used several times is the sum of the contributions of all uses.

Dense contributions are added. IndexedSlices are concatenated as long as all contributions are IndexedSlices; otherwise they are
converted to dense tensors.
"""

import numpy as np

from minitape.core.batched import Batched
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.registry import PRIMITIVES
from minitape.core.values import Value


class Accumulator:
    """The cotangents of a backward pass, by id. Starting with the second contribution, arrays are summed in place."""

    __slots__ = ("_owned", "by_id")

    def __init__(self) -> None:
        self.by_id: dict[int, Value] = {}
        self._owned: set[int] = set()

    def add(self, identity: int, amount: Value) -> None:
        """Add a contribution to the cotangent of the value with this id."""
        held = self.by_id.get(identity)
        if held is None:
            self.by_id[identity] = amount
        elif identity in self._owned and type(amount) is np.ndarray:
            np.add(held, amount, out=held)
        else:
            total = added(held, amount)
            self.by_id[identity] = total
            if type(total) is np.ndarray:
                self._owned.add(identity)


def added(a: Value, b: Value) -> Value:
    """Return the sum of two cotangents of one value."""
    if type(a) is IndexedSlices and type(b) is IndexedSlices:
        concat = PRIMITIVES["ConcatV2"]
        return IndexedSlices(
            concat(a.values, b.values, axis=0), concat(a.indices, b.indices, axis=0), a.dense_shape
        )
    return dense(a) + dense(b)


def dense(value: Value) -> Value:
    """Return IndexedSlices as a dense tensor; other values unchanged."""
    return value.to_dense_tensor() if type(value) is IndexedSlices else value


def is_stack(value: Value) -> bool:
    """Whether a value is Batched."""
    return type(value) is Batched
