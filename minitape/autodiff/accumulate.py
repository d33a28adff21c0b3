"""Adding cotangents: a value that was used twice is owed the sum.

Dense values add up; IndexedSlices are put end to end as long as all parts are slices, and turn dense as soon as one is not.
"""

import numpy as np

from minitape.core.batched import Batched
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.registry import PRIMITIVES
from minitape.core.values import Value


class Totals:
    """The cotangents of a walk, by id; from the second on, arrays are summed in a buffer that the walk owns."""

    __slots__ = ("_owned", "by_id")

    def __init__(self) -> None:
        self.by_id: dict[int, Value] = {}
        self._owned: set[int] = set()

    def add(self, identity: int, amount: Value) -> None:
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
    """The sum of two cotangents of one value."""
    if type(a) is IndexedSlices and type(b) is IndexedSlices:
        concat = PRIMITIVES["ConcatV2"]
        return IndexedSlices(
            concat(a.values, b.values, axis=0), concat(a.indices, b.indices, axis=0), a.dense_shape
        )
    return dense(a) + dense(b)


def dense(value: Value) -> Value:
    """Slices as the whole table; everything else as it is."""
    return value.to_dense_tensor() if type(value) is IndexedSlices else value


def is_stack(value: Value) -> bool:
    return type(value) is Batched
