"""Adding cotangents: dense, sparse, and in place only in a buffer of the accumulator's own."""

import numpy as np

import minitape as tf  # fills the registry of ops
from minitape.autodiff.accumulate import Accumulator, added, dense
from minitape.core.indexed_slices import IndexedSlices


def _rows(rows: list[int]) -> IndexedSlices:
    return IndexedSlices(np.ones((len(rows), 2)), np.array(rows), (3, 2))


def test_slices_are_concatenated() -> None:
    total = added(_rows([0]), _rows([2, 0]))
    assert isinstance(total, tf.IndexedSlices)
    np.testing.assert_array_equal(total.indices, [0, 2, 0])
    np.testing.assert_array_equal(dense(total), [[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]])


def test_dense_contribution_makes_the_sum_dense() -> None:
    ones = np.ones((3, 2))
    for total in (added(_rows([0]), ones), added(ones, _rows([0]))):
        np.testing.assert_array_equal(total, [[2.0, 2.0], [1.0, 1.0], [1.0, 1.0]])


def test_only_its_own_buffer_is_written_to() -> None:
    first, second = np.ones(2), np.ones(2)
    totals = Accumulator()
    totals.add(1, first)
    totals.add(1, second)
    buffer = totals.by_id[1]
    totals.add(1, second)
    assert totals.by_id[1] is buffer
    np.testing.assert_array_equal(buffer, [3.0, 3.0])
    np.testing.assert_array_equal(first, [1.0, 1.0])
    np.testing.assert_array_equal(second, [1.0, 1.0])
