"""Running totals, and products with a zero among them."""

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
def test_running_totals(exclusive: bool, reverse: bool, sums: object, products: object) -> None:
    options = {"exclusive": exclusive, "reverse": reverse}
    assert tf.cumsum([2, 3, 4], **options).numpy().tolist() == sums
    assert tf.math.cumprod([2, 3, 4], **options).numpy().tolist() == products


def test_an_early_element_is_in_all_later_sums() -> None:
    weighed = gradient(lambda x: tf.cumsum(x) * [1.0, 10.0, 100.0], [5.0, 6.0, 7.0])
    np.testing.assert_array_equal(weighed, [111.0, 110.0, 100.0])


def test_each_factor_is_owed_the_product_of_the_others() -> None:
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [2.0, 3.0, 4.0]), [12.0, 8.0, 6.0])


def test_a_product_with_zeros_has_right_slopes() -> None:
    """y / x would be 0 / 0."""
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [2.0, 0.0, 3.0]), [0.0, 6.0, 0.0])
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [0.0, 0.0, 3.0]), [0.0, 0.0, 0.0])


def test_a_running_product_owes_a_zero_nothing() -> None:
    """The true slope at the 0 is 1 + 3; TensorFlow divides by x and answers 0."""
    np.testing.assert_array_equal(gradient(tf.math.cumprod, [1.0, 0.0, 3.0]), [1.0, 0.0, 0.0])


def test_a_product_of_nothing_is_one() -> None:
    assert tf.reduce_prod(tf.zeros([0])).numpy() == 1.0


def test_a_scalar_has_nothing_to_run_along() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis"):
        tf.cumsum(3.0)
