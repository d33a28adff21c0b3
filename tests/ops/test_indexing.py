"""Selecting by condition and by index, and the gradients."""

import numpy as np
import pytest

import minitape as tf


def gradient(function, *values):
    """The result, and the derivatives of its sum with respect to each value."""
    sources = [tf.Variable(value, dtype=tf.float64) for value in values]
    with tf.GradientTape() as tape:
        result = function(*sources)
    return result, tape.gradient(result, sources)


def test_where_passes_cotangent_to_selected_branch() -> None:
    y, (xbar, zbar) = gradient(
        lambda x, z: tf.where([True, False], x * 2.0, z * 3.0), [1.0, 1.0], [1.0, 1.0]
    )
    np.testing.assert_array_equal(y, [2.0, 3.0])
    np.testing.assert_array_equal(xbar, [2.0, 0.0])
    np.testing.assert_array_equal(zbar, [0.0, 3.0])


def test_gradient_of_broadcast_branch_of_where_is_summed() -> None:
    _, (xbar,) = gradient(lambda x: tf.where([True, False, True], x, 0.0), 5.0)
    assert float(xbar) == 2.0


def test_where_does_not_prevent_nan_from_infinite_derivative() -> None:
    """The derivative of log at 0 is 1/0; multiplied by the cotangent 0 it is NaN, as in TensorFlow."""
    _, (xbar,) = gradient(lambda x: tf.where(x > 0.0, tf.math.log(x), 0.0), [0.0, 1.0])
    np.testing.assert_array_equal(xbar, [np.nan, 1.0])


def test_where_with_one_argument_returns_indices() -> None:
    assert tf.where([[True, False], [True, True]]).numpy().tolist() == [[0, 0], [1, 0], [1, 1]]


def test_where_requires_both_branches_or_none() -> None:
    with pytest.raises(ValueError, match="both be non-None"):
        tf.where([True], 1.0)


def test_gradient_of_gather_is_indexed_slices() -> None:
    _, (rows,) = gradient(lambda table: tf.gather(table, [2, 0, 2]), [[1.0], [2.0], [3.0]])
    assert isinstance(rows, tf.IndexedSlices)
    assert rows.indices.numpy().tolist() == [2, 0, 2]
    assert tf.convert_to_tensor(rows).numpy().tolist() == [[1.0], [0.0], [2.0]]


@pytest.mark.parametrize("axis", [1, -1])
def test_gradient_of_gather_along_another_axis_is_dense(axis: int) -> None:
    y, (xbar,) = gradient(lambda x: tf.gather(x, [1, 1], axis=axis), [[1.0, 2.0, 3.0]])
    assert y.numpy().tolist() == [[2.0, 2.0]]
    assert xbar.numpy().tolist() == [[0.0, 2.0, 0.0]]


def test_gather_with_batch_dims_uses_indices_of_each_row() -> None:
    y, (xbar,) = gradient(
        lambda x: tf.gather(x, [[2], [0]], batch_dims=1), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    )
    assert y.numpy().tolist() == [[3.0], [4.0]]
    assert xbar.numpy().tolist() == [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]


@pytest.mark.parametrize("index", [3, -1])
def test_gather_error_names_index_out_of_range(index: int) -> None:
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=rf"indices\[1\] = {index} is not in \[0, 3\)"
    ):
        tf.gather([1.0, 2.0, 3.0], [0, index])


def test_boolean_mask_keeps_rows_where_true() -> None:
    y, (xbar,) = gradient(lambda x: tf.boolean_mask(x, [True, False, True]), [1.0, 2.0, 3.0])
    assert y.numpy().tolist() == [1.0, 3.0]
    assert xbar.numpy().tolist() == [1.0, 0.0, 1.0]


def test_boolean_mask_of_another_shape_raises() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        tf.boolean_mask([1.0, 2.0, 3.0], [True, False])


def test_gradient_of_repeat_is_summed() -> None:
    y, (xbar,) = gradient(lambda x: tf.repeat(x, [2, 1]), [1.0, 2.0])
    assert y.numpy().tolist() == [1.0, 1.0, 2.0]
    assert xbar.numpy().tolist() == [2.0, 1.0]


def test_gather_has_second_derivative() -> None:
    """y = Σ x[0]³, two times: the second derivative is 2·6x."""
    x = tf.Variable([2.0, 5.0], dtype=tf.float64)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(x, [0, 0]) ** 3)
        first = tf.convert_to_tensor(tape.gradient(y, x))
    second = outer.gradient(first, x)
    assert tf.convert_to_tensor(second).numpy().tolist() == [24.0, 0.0]
