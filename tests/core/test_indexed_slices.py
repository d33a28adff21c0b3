"""IndexedSlices: the gradient of a table of which only some rows were read."""

import numpy as np

import minitape as tf


def _gradient_of_rows(rows: list[int]) -> tf.IndexedSlices:
    table = tf.Variable(np.zeros((1000, 2), np.float32))
    with tf.GradientTape() as tape:
        y = tf.gather(table, rows)
    gradient = tape.gradient(y, table)
    assert isinstance(gradient, tf.IndexedSlices)
    return gradient


def test_gradient_holds_only_the_rows_read() -> None:
    gradient = _gradient_of_rows([7, 3, 7])
    assert gradient.values.shape == [3, 2]
    assert gradient.shape == [1000, 2]
    assert gradient.dtype == tf.float32


def test_repeated_rows_are_added_when_converted_to_dense() -> None:
    dense = tf.convert_to_tensor(_gradient_of_rows([7, 3, 7])).numpy()
    np.testing.assert_array_equal(dense[[7, 3, 0]], [[2.0, 2.0], [1.0, 1.0], [0.0, 0.0]])


def test_negative_of_indexed_slices_is_sparse() -> None:
    negative = -_gradient_of_rows([7])
    assert isinstance(negative, tf.IndexedSlices)
    np.testing.assert_array_equal(negative.values, [[-1.0, -1.0]])


def test_op_converts_indexed_slices_to_dense() -> None:
    assert float(tf.reduce_sum(_gradient_of_rows([7, 3, 7]) * tf.constant(1.0))) == 6.0
