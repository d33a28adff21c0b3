"""Inputs without an element, of one element, and far from 0: what TensorFlow returns or refuses there."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


def test_zeta_ends_however_far_below_zero_it_starts() -> None:
    """The terms below 0 are summed in closed form, not one by one."""
    poles = tf.math.zeta(np.array([1e18, 2.0]), np.array([-1e18, -np.inf]))
    assert poles.numpy().tolist() == [np.inf, np.inf]
    terms = np.arange(-100.5, 20_000.0)
    for s in (3.0, 4.0):
        far = tf.math.zeta(np.array([s]), np.array([-100.5]))
        # What is left of the sum is below 20,000⁻² / 2.
        np.testing.assert_allclose(far, [np.sum(terms**-s)], rtol=0, atol=1.3e-9)


@pytest.mark.parametrize("side", ["left", "right"])
def test_in_a_row_without_elements_each_value_comes_first(side: str) -> None:
    for rows, values in (((2, 0), (2, 3)), ((2, 3), (2, 0)), ((0,), (3,)), ((0,), (0,))):
        found = tf.searchsorted(np.zeros(rows), np.ones(values), side=side)
        assert found.dtype == tf.int32
        np.testing.assert_array_equal(found, np.zeros(values))


def test_the_main_diagonal_of_a_matrix_without_elements_is_empty() -> None:
    assert tf.linalg.diag(np.zeros((2, 0))).shape == (2, 0, 0)
    assert tf.linalg.diag_part(np.zeros((0, 3))).shape == (0,)
    assert tf.linalg.diag_part(np.zeros((2, 0, 0))).shape == (2, 0)
    assert tf.linalg.set_diag(np.zeros((0, 0)), np.zeros(0)).shape == (0, 0)
    assert float(tf.linalg.trace(np.zeros((0, 0)))) == 0.0
    assert tf.linalg.diag([[5.0]]).numpy().tolist() == [[[5.0]]]


@pytest.mark.parametrize("paddings", [[[1]], [[1, 1, 1]], [[]]])
@pytest.mark.parametrize("mode", ["CONSTANT", "REFLECT", "SYMMETRIC"])
def test_paddings_come_in_pairs(paddings: Any, mode: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.pad([1.0, 2.0, 3.0, 4.0], paddings, mode=mode)


def test_a_vector_of_one_element_fills_a_shape() -> None:
    assert tf.fill([2], [b"ab"]).numpy().tolist() == [b"ab", b"ab"]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.fill([2], [1.0, 2.0])


@pytest.mark.parametrize(
    "sizes", [{"num_rows": 0}, {"num_rows": 1}, {"num_rows": 3, "num_cols": 3}]
)
def test_a_diagonal_has_to_be_as_long_as_that_of_the_matrix(sizes: dict[str, int]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="elements"):
        tf.linalg.diag([5.0, 6.0], **sizes)
    assert tf.linalg.diag([5.0, 6.0], num_rows=3).shape == (3, 2)
