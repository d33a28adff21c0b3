"""Composed ops: their weak spots are those of their steps, as in TensorFlow."""

import numpy as np
import pytest
from slopes import gradient, second_gradient

import minitape as tf

INF, NAN = np.inf, np.nan


def test_the_deviation_of_equal_values_has_no_slope() -> None:
    """√ is upright at 0 and the variance level: inf·0."""
    np.testing.assert_array_equal(gradient(tf.math.reduce_std, [1.0, 1.0, 1.0]), [NAN] * 3)
    np.testing.assert_array_equal(gradient(tf.math.reduce_variance, [1.0, 1.0]), [0.0, 0.0])


def test_the_variance_moves_with_the_distance_from_the_mean() -> None:
    """2·(x - mean)/n for the values 1, 2, 6 with mean 3."""
    derivatives = gradient(tf.math.reduce_variance, [1.0, 2.0, 6.0])
    np.testing.assert_allclose(derivatives, [-4 / 3, -2 / 3, 2.0])


def test_whole_numbers_have_no_deviation() -> None:
    with pytest.raises(TypeError, match="int32"):
        tf.math.reduce_std([1, 2])


def test_moments_hold_the_mean_still_inside_the_variance() -> None:
    """As TensorFlow does: the first order is right, the second is 2/n instead of 2/n - 2/n²·n = 0."""
    x = [1.0, 2.0, 6.0]
    first = gradient(lambda x: tf.nn.moments(x, axes=[0])[1], x)
    np.testing.assert_allclose(first, gradient(tf.math.reduce_variance, x))
    second = second_gradient(lambda x: tf.nn.moments(x, axes=[0])[1], x)
    np.testing.assert_allclose(second, [2 / 3] * 3)
    np.testing.assert_allclose(second_gradient(tf.math.reduce_variance, x), [0.0] * 3, atol=1e-15)


def test_moments_of_halves_are_computed_in_float32() -> None:
    """The sum of the squares, 4·60000, is more than a float16 can hold."""
    mean, variance = tf.nn.moments(
        tf.constant([245.0, -245.0, 245.0, -245.0], tf.float16), axes=[0]
    )
    assert (mean.numpy(), variance.numpy(), variance.dtype) == (0.0, 60032.0, tf.float16)


def test_logsumexp_neither_overflows_nor_underflows() -> None:
    np.testing.assert_allclose(tf.reduce_logsumexp([1000.0, 1000.0]).numpy(), 1000 + np.log(2))
    np.testing.assert_allclose(tf.reduce_logsumexp([-1000.0, -1000.0]).numpy(), -1000 + np.log(2))
    np.testing.assert_array_equal(gradient(tf.reduce_logsumexp, [1000.0, 1000.0]), [0.5, 0.5])


def test_logsumexp_of_infinities() -> None:
    assert tf.reduce_logsumexp([-INF, -INF]).numpy() == -INF
    assert tf.reduce_logsumexp([INF, 0.0]).numpy() == INF


def test_logsumexp_keeps_dims_where_asked() -> None:
    x = tf.ones([2, 3])
    assert tf.reduce_logsumexp(x, axis=1).shape == [2]
    assert tf.reduce_logsumexp(x, axis=1, keepdims=True).shape == [2, 1]


# --- lengths ---


def test_a_length_grows_along_its_vector() -> None:
    np.testing.assert_allclose(gradient(tf.norm, [3.0, -4.0]), [0.6, -0.8])


def test_a_zero_vector_has_no_direction() -> None:
    np.testing.assert_array_equal(gradient(tf.norm, [0.0, 0.0]), [NAN, NAN])


@pytest.mark.parametrize(("ord", "length"), [(1, 7.0), (2, 5.0), (np.inf, 4.0), (3, 91 ** (1 / 3))])
def test_norms_of_vectors(ord: float, length: float) -> None:
    np.testing.assert_allclose(tf.norm([3.0, -4.0, 0.0], ord=ord).numpy(), length, rtol=1e-6)


@pytest.mark.parametrize(("ord", "length"), [("fro", 30**0.5), (1, 6.0), (np.inf, 7.0)])
def test_norms_of_matrices(ord: object, length: float) -> None:
    """The largest sum of a column, and of a row."""
    matrix = tf.constant([[1.0, -2.0], [3.0, -4.0]])
    np.testing.assert_allclose(tf.norm(matrix, ord=ord, axis=[0, 1]).numpy(), length, rtol=1e-6)


def test_a_norm_along_an_axis_drops_it_unless_asked() -> None:
    x = tf.ones([2, 4])
    assert tf.norm(x, axis=1).numpy().tolist() == [2.0, 2.0]
    assert tf.norm(x, axis=1, keepdims=True).shape == [2, 1]


@pytest.mark.parametrize(
    ("ord", "axis"), [("fro", None), (0, None), ("max", -1), (3, (0, 1)), (2, (0, 1, 2))]
)
def test_a_norm_that_there_is_not(ord: object, axis: object) -> None:
    with pytest.raises(ValueError, match=r"ord|axis"):
        tf.norm(tf.ones([2, 2]), ord=ord, axis=axis)


def test_the_spectral_norm_of_a_matrix_is_its_largest_stretch() -> None:
    """diag(3, -5) makes a vector at most five times longer."""
    stretch = tf.norm(tf.linalg.diag([3.0, -5.0]), ord=2, axis=(0, 1))
    np.testing.assert_allclose(stretch, 5.0, rtol=1e-6)


def test_normalizing_a_zero_vector_divides_by_the_root_of_epsilon() -> None:
    np.testing.assert_array_equal(gradient(tf.math.l2_normalize, [0.0, 0.0]), [1e6, 1e6])


def test_counting_ends_the_path() -> None:
    assert tf.math.count_nonzero([[0.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist() == [1, 2]
    assert tf.math.count_nonzero([True, False]).dtype == tf.int64
    assert gradient(lambda x: tf.cast(tf.math.count_nonzero(x), tf.float64), [1.0, 2.0]) is None


def test_a_variable_is_read_once() -> None:
    """Each read is a step on the tape, and a student would wonder at three of them."""
    v = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        length = tf.norm(v)
    reads = [r for r in tape._tape.records if r.primitive.name == "ReadVariableOp"]
    assert len(reads) == 1
    np.testing.assert_allclose(tape.gradient(length, v), [0.6, 0.8], rtol=1e-6)
