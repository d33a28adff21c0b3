"""Matrix factorizations: what the factors are, and what happens if there are none."""

import numpy as np
import pytest

import minitape as tf


def test_factors_multiply_to_the_matrix() -> None:
    a = tf.constant([[4.0, 1.0], [1.0, 3.0], [0.0, 2.0]], tf.float64)
    s, u, v = tf.linalg.svd(a)
    np.testing.assert_allclose(tf.matmul(u * s, v, transpose_b=True), a, atol=1e-14)
    q, r = tf.linalg.qr(a)
    np.testing.assert_allclose(q @ r, a, atol=1e-14)
    square = tf.matmul(a, a, transpose_a=True)
    factor = tf.linalg.cholesky(square)
    np.testing.assert_allclose(tf.matmul(factor, factor, transpose_b=True), square, atol=1e-13)
    e, w = tf.linalg.eigh(square)
    np.testing.assert_allclose(tf.matmul(w * e, w, transpose_b=True), square, atol=1e-13)


def test_matrix_without_cholesky_factor_does_not_affect_its_batch() -> None:
    stack = tf.constant([[[1.0, 2.0], [2.0, 1.0]], [[4.0, 0.0], [0.0, 9.0]]])
    factors = tf.linalg.cholesky(stack).numpy()
    assert np.isnan(factors[0][np.tril_indices(2)]).all()
    np.testing.assert_array_equal(factors[1], [[2.0, 0.0], [0.0, 3.0]])


def test_error_about_singular_matrix_suggests_pinv() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible") as caught:
        tf.linalg.inv([[1.0, 2.0], [2.0, 4.0]])
    assert "pinv" in str(caught.value)


def test_gradient_of_full_matrices_raises() -> None:
    """The columns that complete a basis are arbitrary, so they have no derivative; of a single column, only the sign is."""
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
    for factorise, matrix in ((tf.linalg.svd, x[:, :1]), (tf.linalg.qr, x)):
        with tf.GradientTape() as tape:
            tape.watch(matrix)
            last = factorise(matrix, full_matrices=True)[-1]
        with pytest.raises(NotImplementedError, match="full_matrices"):
            tape.gradient(last, matrix)


def test_equal_eigenvalues_have_gradient_zero() -> None:
    x = tf.Variable(tf.eye(2))
    with tf.GradientTape() as tape:
        vectors = tf.linalg.eigh(x)[1] * [[1.0, 2.0], [3.0, 4.0]]
    np.testing.assert_array_equal(tape.gradient(vectors, x), np.zeros((2, 2)))


def test_matrix_exponential_of_large_matrix_is_accurate() -> None:
    """e^[[0, t], [-t, 0]] rotates by t: thirty full rotations are the identity."""
    angle = 60.0 * np.pi
    iteration = tf.linalg.expm(tf.constant([[0.0, angle], [-angle, 0.0]], tf.float64))
    np.testing.assert_allclose(iteration, np.eye(2), atol=1e-11)


def test_float16_is_computed_in_float32() -> None:
    inverse = tf.linalg.inv(tf.constant([[2.0, 0.0], [0.0, 4.0]], tf.float16))
    assert inverse.dtype == tf.float16
    np.testing.assert_array_equal(inverse, [[0.5, 0.0], [0.0, 0.25]])
