"""Composed ops: their special cases are those of their steps, as in TensorFlow."""

import numpy as np
import pytest
from slopes import gradient, second_gradient

import minitape as tf

INF, NAN = np.inf, np.nan


def test_gradient_of_deviation_of_equal_values_is_nan() -> None:
    """The derivative of √ at 0 is infinite and that of the variance is 0: inf·0."""
    np.testing.assert_array_equal(gradient(tf.math.reduce_std, [1.0, 1.0, 1.0]), [NAN] * 3)
    np.testing.assert_array_equal(gradient(tf.math.reduce_variance, [1.0, 1.0]), [0.0, 0.0])


def test_gradient_of_variance_is_proportional_to_deviation_from_mean() -> None:
    """2·(x - mean)/n for the values 1, 2, 6 with mean 3."""
    derivatives = gradient(tf.math.reduce_variance, [1.0, 2.0, 6.0])
    np.testing.assert_allclose(derivatives, [-4 / 3, -2 / 3, 2.0])


def test_standard_deviation_of_integers_raises() -> None:
    with pytest.raises(TypeError, match="int32"):
        tf.math.reduce_std([1, 2])


def test_moments_treat_mean_as_constant_in_variance() -> None:
    """As in TensorFlow: the first order is right, the second is 2/n instead of 2/n - 2/n²·n = 0."""
    x = [1.0, 2.0, 6.0]
    first = gradient(lambda x: tf.nn.moments(x, axes=[0])[1], x)
    np.testing.assert_allclose(first, gradient(tf.math.reduce_variance, x))
    second = second_gradient(lambda x: tf.nn.moments(x, axes=[0])[1], x)
    np.testing.assert_allclose(second, [2 / 3] * 3)
    np.testing.assert_allclose(second_gradient(tf.math.reduce_variance, x), [0.0] * 3, atol=1e-15)


def test_moments_of_float16_are_computed_in_float32() -> None:
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


def test_logsumexp_keeps_dims_if_requested() -> None:
    x = tf.ones([2, 3])
    assert tf.reduce_logsumexp(x, axis=1).shape == [2]
    assert tf.reduce_logsumexp(x, axis=1, keepdims=True).shape == [2, 1]


# --- norms ---


def test_gradient_of_norm_is_unit_vector() -> None:
    np.testing.assert_allclose(gradient(tf.norm, [3.0, -4.0]), [0.6, -0.8])


def test_gradient_of_norm_at_zero_is_nan() -> None:
    np.testing.assert_array_equal(gradient(tf.norm, [0.0, 0.0]), [NAN, NAN])


@pytest.mark.parametrize(("ord", "length"), [(1, 7.0), (2, 5.0), (np.inf, 4.0), (3, 91 ** (1 / 3))])
def test_norms_of_vectors(ord: float, length: float) -> None:
    np.testing.assert_allclose(tf.norm([3.0, -4.0, 0.0], ord=ord).numpy(), length, rtol=1e-6)


@pytest.mark.parametrize(("ord", "length"), [("fro", 30**0.5), (1, 6.0), (np.inf, 7.0)])
def test_norms_of_matrices(ord: object, length: float) -> None:
    """The largest sum of a column, and of a row."""
    matrix = tf.constant([[1.0, -2.0], [3.0, -4.0]])
    np.testing.assert_allclose(tf.norm(matrix, ord=ord, axis=[0, 1]).numpy(), length, rtol=1e-6)


def test_norm_along_axis_drops_it_by_default() -> None:
    x = tf.ones([2, 4])
    assert tf.norm(x, axis=1).numpy().tolist() == [2.0, 2.0]
    assert tf.norm(x, axis=1, keepdims=True).shape == [2, 1]


@pytest.mark.parametrize(
    ("ord", "axis"), [("fro", None), (0, None), ("max", -1), (3, (0, 1)), (2, (0, 1, 2))]
)
def test_unsupported_norm_raises(ord: object, axis: object) -> None:
    with pytest.raises(ValueError, match=r"ord|axis"):
        tf.norm(tf.ones([2, 2]), ord=ord, axis=axis)


def test_spectral_norm_is_largest_singular_value() -> None:
    """diag(3, -5) makes a vector at most five times as long."""
    stretch = tf.norm(tf.linalg.diag([3.0, -5.0]), ord=2, axis=(0, 1))
    np.testing.assert_allclose(stretch, 5.0, rtol=1e-6)


def test_gradient_of_l2_normalize_at_zero_uses_epsilon() -> None:
    np.testing.assert_array_equal(gradient(tf.math.l2_normalize, [0.0, 0.0]), [1e6, 1e6])


def test_count_nonzero_has_gradient_none() -> None:
    assert tf.math.count_nonzero([[0.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist() == [1, 2]
    assert tf.math.count_nonzero([True, False]).dtype == tf.int64
    assert gradient(lambda x: tf.cast(tf.math.count_nonzero(x), tf.float64), [1.0, 2.0]) is None


def test_norm_reads_variable_once() -> None:
    """Each read is a step on the tape, and three of them would confuse a student."""
    v = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        length = tf.norm(v)
    reads = [r for r in tape._tape.records if r.primitive.name == "ReadVariableOp"]
    assert len(reads) == 1
    np.testing.assert_allclose(tape.gradient(length, v), [0.6, 0.8], rtol=1e-6)
