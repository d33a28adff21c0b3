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


def test_it_is_as_small_as_what_was_looked_up() -> None:
    gradient = _gradient_of_rows([7, 3, 7])
    assert gradient.values.shape == [3, 2]
    assert gradient.shape == [1000, 2]
    assert gradient.dtype == tf.float32


def test_rows_that_come_twice_add_up_when_it_turns_dense() -> None:
    dense = tf.convert_to_tensor(_gradient_of_rows([7, 3, 7])).numpy()
    np.testing.assert_array_equal(dense[[7, 3, 0]], [[2.0, 2.0], [1.0, 1.0], [0.0, 0.0]])


def test_its_negative_is_sparse_too() -> None:
    negative = -_gradient_of_rows([7])
    assert isinstance(negative, tf.IndexedSlices)
    np.testing.assert_array_equal(negative.values, [[-1.0, -1.0]])


def test_an_op_takes_it_as_the_dense_table() -> None:
    assert float(tf.reduce_sum(_gradient_of_rows([7, 3, 7]) * tf.constant(1.0))) == 6.0
