"""Cumulative sums and products, and products with a zero factor."""

import numpy as np
import pytest
from slopes import gradient

import minitape as tf


@pytest.mark.parametrize(
    ("exclusive", "reverse", "sums", "products"),
    [
        (False, False, [2, 5, 9], [2, 6, 24]),
        (True, False, [0, 2, 5], [1, 2, 6]),
        (False, True, [9, 7, 4], [24, 12, 4]),
        (True, True, [7, 4, 0], [12, 4, 1]),
    ],
)
def test_cumsum_and_cumprod(exclusive: bool, reverse: bool, sums: object, products: object) -> None:
    options = {"exclusive": exclusive, "reverse": reverse}
    assert tf.cumsum([2, 3, 4], **options).numpy().tolist() == sums
    assert tf.math.cumprod([2, 3, 4], **options).numpy().tolist() == products


def test_element_contributes_to_all_later_sums() -> None:
    weighed = gradient(lambda x: tf.cumsum(x) * [1.0, 10.0, 100.0], [5.0, 6.0, 7.0])
    np.testing.assert_array_equal(weighed, [111.0, 110.0, 100.0])


def test_gradient_of_product_is_product_of_other_factors() -> None:
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [2.0, 3.0, 4.0]), [12.0, 8.0, 6.0])


def test_gradient_of_product_with_zeros() -> None:
    """y / x would be 0 / 0."""
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [2.0, 0.0, 3.0]), [0.0, 6.0, 0.0])
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [0.0, 0.0, 3.0]), [0.0, 0.0, 0.0])


def test_gradient_of_cumprod_at_zero_equals_tensorflows() -> None:
    """The derivative at the 0 is 1 + 3; TensorFlow divides by x and returns 0."""
    np.testing.assert_array_equal(gradient(tf.math.cumprod, [1.0, 0.0, 3.0]), [1.0, 0.0, 0.0])


def test_product_of_empty_tensor_is_one() -> None:
    assert tf.reduce_prod(tf.zeros([0])).numpy() == 1.0


def test_cumsum_of_scalar_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis"):
        tf.cumsum(3.0)
