"""Products of matrices, along axes, and diagonals, compared with NumPy and with known derivatives."""

import numpy as np
import pytest

import minitape as tf

A = np.arange(6.0).reshape(2, 3)
B = np.arange(12.0).reshape(3, 4) - 5.0
STACK = np.arange(24.0).reshape(2, 3, 4)


def derivatives(function, *values):
    sources = [tf.Variable(value) for value in values]
    with tf.GradientTape() as tape:
        y = function(*sources)
    return tape.gradient(y, sources)


def test_gradient_of_factor_is_cotangent_times_other_factor() -> None:
    abar, bbar = derivatives(tf.matmul, A, B)
    ones = np.ones((2, 4))
    np.testing.assert_array_equal(abar, ones @ B.T)
    np.testing.assert_array_equal(bbar, A.T @ ones)


@pytest.mark.parametrize("turn_a", [False, True])
@pytest.mark.parametrize("turn_b", [False, True])
def test_transposed_factors(turn_a: bool, turn_b: bool) -> None:
    a, b = (A.T if turn_a else A), (B.T if turn_b else B)
    settings = {"transpose_a": turn_a, "transpose_b": turn_b}
    np.testing.assert_array_equal(tf.matmul(a, b, **settings), A @ B)
    abar, _ = derivatives(lambda x, w: tf.matmul(x, w, **settings), a, b)
    expected = np.ones((2, 4)) @ B.T
    np.testing.assert_array_equal(abar, expected.T if turn_a else expected)


def test_gradient_of_matrix_broadcast_over_a_stack_is_summed() -> None:
    right = np.ones((4, 2))
    _, bbar = derivatives(tf.matmul, STACK, right)
    np.testing.assert_array_equal(bbar, sum(each.T @ np.ones((3, 2)) for each in STACK))


def test_left_operand_may_be_array_or_list() -> None:
    w = tf.Variable(B)
    np.testing.assert_array_equal(A @ w, A @ B)
    np.testing.assert_array_equal([[1.0, 2.0, 3.0]] @ w, np.array([[1.0, 2.0, 3.0]]) @ B)


def test_error_for_matmul_with_vector_suggests_matvec() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"tf\.linalg\.matvec"):
        tf.constant([1.0, 2.0]) @ tf.constant([1.0, 2.0])


def test_error_about_mismatched_sizes_names_them() -> None:
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="rows of `A` have 3 entries, but the columns of `A` have 2",
    ):
        tf.matmul(A, A)


def test_matvec_equals_numpys() -> None:
    v = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(tf.linalg.matvec(A, v), A @ v)
    np.testing.assert_array_equal(tf.linalg.matvec(A.T, v, transpose_a=True), A @ v)


@pytest.mark.parametrize("axes", [1, 0, [[1], [0]], [[0, 1], [1, 0]]])
def test_tensordot_equals_numpys(axes) -> None:
    other = A.T if axes == [[0, 1], [1, 0]] else B
    np.testing.assert_array_equal(tf.tensordot(A, other, axes), np.tensordot(A, other, axes))


def test_tensordot_requires_axes_in_pairs() -> None:
    with pytest.raises(ValueError, match="Different number"):
        tf.tensordot(A, B, [[1], [0, 1]])


@pytest.mark.parametrize(
    ("equation", "factors"),
    [
        ("ij,jk->ik", (A, B)),
        ("i,j->ij", (A[0], B[0])),
        ("ij->", (A,)),
        ("ij->ji", (A,)),
        ("ij,jk", (A, B)),
        ("...ij,jk->...ik", (STACK[:, :, :3], B)),
        ("ii->i", (B[:, :3],)),
        ("ij,jk,k->i", (A, B, np.ones(4))),
    ],
)
def test_einsum_and_its_gradient_equal_numpys(
    equation: str, factors: tuple[np.ndarray, ...]
) -> None:
    """The sum of an einsum is linear in each factor, so a change d of the factor changes it by ⟨gradient, d⟩."""
    np.testing.assert_allclose(tf.einsum(equation, *factors), np.einsum(equation, *factors))
    for i, derivative in enumerate(derivatives(lambda *xs: tf.einsum(equation, *xs), *factors)):
        direction = np.cos(np.arange(factors[i].size)).reshape(factors[i].shape)
        moved = [direction if j == i else each for j, each in enumerate(factors)]
        np.testing.assert_allclose(
            np.vdot(derivative, direction), np.sum(np.einsum(equation, *moved))
        )


def test_einsum_has_a_gradient_for_each_of_ten_factors() -> None:
    """The tape saves the values of all factors, however many: the gradient of one is the product of the others."""
    factors = [tf.Variable(float(i)) for i in range(1, 11)]
    with tf.GradientTape() as tape:
        product = tf.einsum(",".join([""] * 10) + "->", *factors)
    expected = [3628800.0 / i for i in range(1, 11)]
    np.testing.assert_allclose(tape.gradient(product, factors), expected, rtol=1e-6)


def test_einsum_requires_one_letter_for_each_axis() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="rank 2"):
        tf.einsum("ijk->i", A)
    with pytest.raises(ValueError, match="2 factors, but `einsum` got 1"):
        tf.einsum("ij,jk->ik", A)


def test_diag_and_diag_part() -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        matrix = tf.linalg.diag(v)
        back = tf.linalg.diag_part(matrix) * [3.0, 5.0]
    assert matrix.numpy().tolist() == [[1.0, 0.0], [0.0, 2.0]]
    assert tape.gradient(back, v).numpy().tolist() == [3.0, 5.0]


def test_gradient_of_trace_is_the_identity() -> None:
    (xbar,) = derivatives(tf.linalg.trace, B[:, :3])
    np.testing.assert_array_equal(xbar, np.eye(3))


def test_jacobian_of_matmul() -> None:
    x = tf.Variable([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        y = x @ tf.constant([[1.0, 3.0], [2.0, 4.0]])
    assert tape.jacobian(y, x).numpy().reshape(2, 2).tolist() == [[1.0, 2.0], [3.0, 4.0]]
