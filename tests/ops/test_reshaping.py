"""Rearranged elements: each cotangent returns to its element."""

import numpy as np
import pytest

import minitape as tf

TABLE = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: tf.reshape(x, [3, -1]), TABLE.reshape(3, 2)),
        (lambda x: tf.reshape(x, [-1]), TABLE.ravel()),
        (lambda x: tf.expand_dims(x, 1), TABLE[:, None]),
        (lambda x: tf.squeeze(tf.expand_dims(x, -1)), TABLE),
        (lambda x: tf.squeeze(x[None, :, None], axis=[0]), TABLE[:, None]),
        (tf.transpose, TABLE.T),
        (lambda x: tf.transpose(x, [0, 1]), TABLE),
    ],
)
def test_square_of_rearranged_value_has_derivative_2x(function, expected) -> None:
    x = tf.Variable(TABLE)
    with tf.GradientTape() as tape:
        moved = function(x)
        y = moved * moved
    np.testing.assert_array_equal(moved, expected)
    np.testing.assert_array_equal(tape.gradient(y, x), 2 * TABLE)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: tf.reshape(TABLE, [4]),
        lambda: tf.reshape(TABLE, [-1, 4]),
        lambda: tf.squeeze(TABLE, axis=[0]),
        lambda: tf.expand_dims(TABLE, 4),
        lambda: tf.transpose(TABLE, [0, 0]),
    ],
)
def test_mismatched_shape_raises_error_with_suggestion(wrong) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="try :"):
        wrong()
