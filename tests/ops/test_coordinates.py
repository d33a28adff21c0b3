"""Gathering and scattering by coordinates."""

import minitape as tf


def gradient(function, *values):
    """The result, and the derivatives of its sum with respect to each value."""
    sources = [tf.Variable(value, dtype=tf.float64) for value in values]
    with tf.GradientTape() as tape:
        result = function(*sources)
    return result, tape.gradient(result, sources)


def test_gather_nd_selects_by_coordinates() -> None:
    y, (xbar,) = gradient(lambda x: tf.gather_nd(x, [[0, 1], [0, 1]]), [[1.0, 2.0], [3.0, 4.0]])
    assert y.numpy().tolist() == [2.0, 2.0]
    assert xbar.numpy().tolist() == [[0.0, 2.0], [0.0, 0.0]]


def test_scatter_nd_adds_values_at_equal_indices() -> None:
    y, (xbar,) = gradient(lambda x: tf.scatter_nd([[1], [3], [1]], x, [5]), [1.0, 10.0, 100.0])
    assert y.numpy().tolist() == [0.0, 101.0, 0.0, 10.0, 0.0]
    assert xbar.numpy().tolist() == [1.0, 1.0, 1.0]


def test_scatter_update_ends_path_of_replaced_element() -> None:
    y, (xbar, ubar) = gradient(
        lambda x, u: tf.tensor_scatter_nd_update(x, [[1]], u) * 3.0, [1.0, 2.0], [7.0]
    )
    assert y.numpy().tolist() == [3.0, 21.0]
    assert xbar.numpy().tolist() == [3.0, 0.0]
    assert ubar.numpy().tolist() == [3.0]
