"""Empty inputs, inputs of one element, and inputs far from 0: TensorFlow's results and errors for them."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def test_zeta_terminates_for_very_negative_q() -> None:
    """The terms below 0 are summed in closed form, not one by one."""
    poles = tf.math.zeta(np.array([1e18, 2.0]), np.array([-1e18, -np.inf]))
    assert poles.numpy().tolist() == [np.inf, np.inf]
    terms = np.arange(-100.5, 20_000.0)
    for s in (3.0, 4.0):
        far = tf.math.zeta(np.array([s]), np.array([-100.5]))
        # The rest of the sum is below 20,000⁻² / 2.
        np.testing.assert_allclose(far, [np.sum(terms**-s)], rtol=0, atol=1.3e-9)


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_in_empty_row_returns_zero(side: str) -> None:
    for rows, values in (((2, 0), (2, 3)), ((2, 3), (2, 0)), ((0,), (3,)), ((0,), (0,))):
        found = tf.searchsorted(np.zeros(rows), np.ones(values), side=side)
        assert found.dtype == tf.int32
        np.testing.assert_array_equal(found, np.zeros(values))


def test_diagonal_of_empty_matrix_is_empty() -> None:
    assert tf.linalg.diag(np.zeros((2, 0))).shape == (2, 0, 0)
    assert tf.linalg.diag_part(np.zeros((0, 3))).shape == (0,)
    assert tf.linalg.diag_part(np.zeros((2, 0, 0))).shape == (2, 0)
    assert tf.linalg.set_diag(np.zeros((0, 0)), np.zeros(0)).shape == (0, 0)
    assert float(tf.linalg.trace(np.zeros((0, 0)))) == 0.0
    assert tf.linalg.diag([[5.0]]).numpy().tolist() == [[[5.0]]]


@pytest.mark.parametrize("paddings", [[[1]], [[1, 1, 1]], [[]]])
@pytest.mark.parametrize("mode", ["CONSTANT", "REFLECT", "SYMMETRIC"])
def test_paddings_that_are_not_pairs_raise(paddings: Any, mode: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.pad([1.0, 2.0, 3.0, 4.0], paddings, mode=mode)


def test_fill_accepts_vector_of_one_element() -> None:
    assert tf.fill([2], [b"ab"]).numpy().tolist() == [b"ab", b"ab"]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.fill([2], [1.0, 2.0])


@pytest.mark.parametrize(
    "sizes", [{"num_rows": 0}, {"num_rows": 1}, {"num_rows": 3, "num_cols": 3}]
)
def test_diagonal_of_wrong_length_raises(sizes: dict[str, int]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="elements"):
        tf.linalg.diag([5.0, 6.0], **sizes)
    assert tf.linalg.diag([5.0, 6.0], num_rows=3).shape == (3, 2)


ALPHA, BETA = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.5])


@pytest.mark.parametrize("only", [True, False])
def test_eigenvalue_of_tridiagonal_one_by_one_matrix(only: bool) -> None:
    found = tf.linalg.eigh_tridiagonal(np.array([1.5]), np.zeros(0), eigvals_only=only)
    assert found.numpy().tolist() == [1.5]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((1.0, 3.0), [2.0]),
        ((2.0, 3.0), [2.0]),
        ((1.0, 2.0), [2.0]),
        ((1, 4), [2.0, 2 + np.sqrt(1.5)]),
        ((10.0, 11.0), []),
    ],
)
def test_eigenvalues_are_selected_by_value(limits: Any, expected: Any) -> None:
    """The eigenvalues are 2 and 2 ± √1.5."""
    e = tf.linalg.eigh_tridiagonal(ALPHA, BETA, select="v", select_range=limits)
    np.testing.assert_allclose(e, expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("select", "limits", "error"),
    [
        ("v", (3.0, 1.0), tf.errors.InvalidArgumentError),
        ("v", (2.0, 2.0), tf.errors.InvalidArgumentError),
        ("i", (2, 1), tf.errors.InvalidArgumentError),
        ("v", None, TypeError),
        ("i", None, TypeError),
        ("x", None, ValueError),
    ],
)
def test_empty_selection_of_eigenvalues_raises(
    select: str, limits: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        tf.linalg.eigh_tridiagonal(ALPHA, BETA, select=select, select_range=limits)


def test_pinv_has_one_cutoff_for_each_matrix() -> None:
    matrices = np.array([np.diag([1.0, 0.5]), np.diag([1.0, 0.5])])
    inverse = tf.linalg.pinv(matrices, rcond=[0.1, 0.9])
    assert inverse.numpy().tolist() == [[[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 0.0]]]
    with pytest.raises(ValueError, match="rcond"):
        tf.linalg.pinv(matrices, rcond=[[0.1], [0.2]])


@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_pinv_of_a_batch_equals_that_of_each_matrix(shape: tuple[int, int]) -> None:
    """The cutoff of a matrix depends neither on the number of matrices nor on the size of the others."""
    singular = np.zeros((1_000, *shape), np.float32)
    singular[:, 0, 0], singular[:, 1, 1] = 1.0, 1e-4
    singular[1] *= 1e-20
    inverse = tf.linalg.pinv(singular)
    assert inverse.shape == (1_000, *shape[::-1])
    for i in (0, 1, 999):
        np.testing.assert_allclose(inverse[i], tf.linalg.pinv(singular[i]), rtol=1e-5)
    np.testing.assert_allclose(inverse[1, 1, 1], 1e24, rtol=1e-5)


@pytest.mark.parametrize("dtype", ["int32", "complex64", "bool"])
def test_pinv_of_non_float_matrix_raises(dtype: str) -> None:
    with pytest.raises(TypeError, match="float"):
        tf.linalg.pinv(np.ones((2, 2), dtype))


@pytest.mark.parametrize("k", [-1, 1, 2])
def test_empty_vector_makes_off_diagonal_zero_matrix(k: int) -> None:
    assert tf.linalg.diag(np.zeros(0), k=k).numpy().tolist() == np.zeros((abs(k), abs(k))).tolist()


def test_diagonal_of_scalar_is_the_scalar() -> None:
    assert tf.linalg.tensor_diag_part(5.0).numpy().tolist() == 5.0


def test_paddings_of_scalar_must_have_two_columns() -> None:
    assert float(tf.pad(1.0, np.zeros((0, 2), np.int32))) == 1.0
    for flat in ([], (), np.zeros(0, np.int32)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.pad(1.0, flat)


def test_set_diag_casts_numbers_to_dtype_of_matrix() -> None:
    for matrix in (np.zeros((1, 1)), np.zeros((1, 1), np.float32)):
        for line in ([5.0], [5], np.array([5.0])):
            assert tf.linalg.set_diag(matrix, line).dtype == matrix.dtype
    assert tf.linalg.set_diag(np.zeros((1, 1)), tf.constant([5.0])).dtype == tf.float32
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.linalg.set_diag(tf.zeros((1, 1)), tf.constant([5.0], tf.float64))


def test_gather_along_axis_0_ignores_batch_dims() -> None:
    table = np.arange(6.0).reshape(2, 3)
    for batch_dims in (0, 1, 2):
        rows = tf.gather(table, [[1], [0]], axis=0, batch_dims=batch_dims)
        np.testing.assert_array_equal(rows, table[[[1], [0]]])


def test_zeta_at_infinity_is_the_limit() -> None:
    inf, nan = np.inf, np.nan
    s = np.array([inf, inf, inf, 2.0, inf, inf, inf, 0.5, 1.0])
    q = np.array([2.0, 1.0, 0.5, inf, inf, -1.0, -0.5, inf, inf])
    np.testing.assert_array_equal(tf.math.zeta(s, q), [0, 1, inf, 0, 0, inf, inf, nan, inf])
