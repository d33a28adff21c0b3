"""Kinks, poles, dtypes and errors of arithmetic; the slopes themselves are proved by the laws."""

import numpy as np
import pytest
from slopes import gradient, second_gradient

import minitape as tf

INF, NAN = np.inf, np.nan


def test_a_stretched_operand_is_owed_the_sum_over_its_uses() -> None:
    """b is used once in each of the two rows, times 1 and times 3."""
    a_bar, b_bar = gradient(lambda a, b: a * b, [[1.0], [3.0]], [10.0])
    np.testing.assert_array_equal(a_bar, [[10.0], [10.0]])
    np.testing.assert_array_equal(b_bar, [4.0])


def test_a_pole_sends_back_infinity() -> None:
    np.testing.assert_array_equal(gradient(lambda a, b: a / b, 1.0, 0.0), [INF, -INF])


def test_a_quotient_of_tiny_numbers_does_not_overflow_on_the_way_back() -> None:
    """-a/b² = -1e20 for a = 1e-300 and b = 1e-160, though b² = 1e-320 has lost its digits."""
    _, b_bar = gradient(lambda a, b: a / b, 1e-300, 1e-160)
    np.testing.assert_allclose(b_bar, -1e20)


def test_divide_no_nan_sends_nothing_back_from_zero() -> None:
    a_bar, b_bar = gradient(tf.math.divide_no_nan, [1.0, 2.0], [0.0, 4.0])
    np.testing.assert_array_equal(a_bar, [0.0, 0.25])
    np.testing.assert_array_equal(b_bar, [0.0, -0.125])


@pytest.mark.parametrize(
    ("kind", "wanted"), [("int8", "float32"), ("uint16", "float32"), ("int32", "float64")]
)
def test_whole_numbers_divide_to_floats(kind: str, wanted: str) -> None:
    quotient = tf.constant([3], kind) / tf.constant([2], kind)
    assert (quotient.dtype.name, quotient.numpy().tolist()) == (wanted, [1.5])


@pytest.mark.parametrize("divide", [tf.math.floordiv, tf.math.floormod])
def test_whole_numbers_are_not_divided_by_zero(divide: object) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        divide(tf.constant([4, 3]), tf.constant([1, 0]))  # type: ignore[operator]


def test_a_floor_is_taken_of_the_quotient_that_floats_can_hold() -> None:
    """0.1 in binary is a little more than 1/10, so exact arithmetic would say 9."""
    assert (tf.constant(1.0) // tf.constant(0.1)).numpy() == 10.0
    assert (tf.constant(np.inf) // tf.constant(2.0)).numpy() == np.inf


def test_floordiv_ends_the_path() -> None:
    assert gradient(tf.math.floordiv, 5.0, 3.0) == [None, None]


def test_floormod_moves_against_its_divisor_once_for_each_time_it_fits() -> None:
    """-5 mod 3 = -5 + 2·3, so the slope by 3 is 2."""
    assert gradient(tf.math.floormod, -5.0, 3.0) == [1.0, 2.0]


def test_a_power_of_zero() -> None:
    """x² is flat at 0, x¹ has slope 1, √x is upright; 0·x⁻¹ is 0·inf."""
    a_bar, b_bar = gradient(lambda a, b: a**b, [0.0, 0.0, 0.0, 0.0], [2.0, 1.0, 0.5, 0.0])
    np.testing.assert_array_equal(a_bar, [0.0, 1.0, INF, NAN])
    np.testing.assert_array_equal(b_bar, [0.0, 0.0, 0.0, 0.0])


def test_the_exponent_of_a_negative_base_is_owed_nothing() -> None:
    """A negative number has no real logarithm; TensorFlow takes it for 0."""
    assert gradient(lambda a, b: a**b, -2.0, 2.0) == [-4.0, 0.0]


def test_whole_numbers_have_no_negative_powers() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative integer powers"):
        tf.constant([4, 3]) ** -1


def test_a_root_is_upright_at_zero() -> None:
    assert gradient(tf.sqrt, 0.0) == INF
    assert second_gradient(tf.sqrt, 0.0) == -INF
    assert gradient(tf.math.rsqrt, 0.0) == -INF


def test_a_root_at_zero_sends_nothing_where_it_gets_nothing() -> None:
    """Hence the root in a branch that `where` did not choose does no harm, unlike a logarithm."""
    chosen = gradient(lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), [0.0, 1.0])
    np.testing.assert_array_equal(chosen, [0.0, 0.5])


def test_one_root_at_zero_leaves_the_rows_of_a_jacobian_apart() -> None:
    """In row 1 the seed of element 0 is 0, and times the infinite slope that would be NaN."""
    for root, pole in ((tf.sqrt, INF), (tf.math.rsqrt, -INF)):
        x = tf.constant([0.0, 1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = root(x)
        rows = tape.jacobian(y, x)
        np.testing.assert_array_equal(rows, [[pole, 0.0], [0.0, 0.5 if pole > 0 else -0.5]])


def test_abs_is_flat_at_its_kink() -> None:
    np.testing.assert_array_equal(gradient(tf.abs, [0.0, -3.0, 2.0]), [0.0, -1.0, 1.0])
    np.testing.assert_array_equal(second_gradient(tf.abs, [0.0, -3.0]), [0.0, 0.0])


def test_sign_is_connected_and_flat() -> None:
    """Zeros, not None: TensorFlow has a rule for it."""
    np.testing.assert_array_equal(gradient(tf.sign, [0.0, -3.0]), [0.0, 0.0])


def test_the_slope_of_a_sum_does_not_move() -> None:
    """So there is no second order, and the tape says None."""
    assert second_gradient(lambda x: x + x, 1.0) is None


def test_strings_are_added_end_to_end() -> None:
    assert (tf.constant(["a"]) + tf.constant(["b"])).numpy().tolist() == [b"ab"]


@pytest.mark.parametrize("operate", [lambda x: x + x, lambda x: -x, abs], ids=["+", "-", "abs"])
def test_truth_values_are_no_numbers(operate: object) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not support bool"):
        operate(tf.constant([True]))  # type: ignore[operator]


def test_a_complex_gradient_points_uphill() -> None:
    """TensorFlow's convention: the conjugate of the derivative 2x."""
    assert gradient(tf.square, 1 + 2j, dtype=tf.complex128) == 2 - 4j


# --- add_n ---


def test_add_n_owes_each_the_whole_cotangent() -> None:
    assert gradient(lambda a, b, c: tf.add_n([a, b, c]), 1.0, 2.0, 3.0) == [1.0, 1.0, 1.0]


def test_add_n_of_one_is_that_one() -> None:
    assert gradient(lambda a: tf.add_n([a]), 2.0) == 1.0


def test_add_n_counts_a_value_as_often_as_it_is_given() -> None:
    assert gradient(lambda a: tf.add_n([a, a, a]), 2.0) == 3.0


def test_add_n_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        tf.add_n([])


def test_add_n_does_not_broadcast() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="same shape"):
        tf.add_n([tf.constant([1.0]), tf.constant([1.0, 2.0])])
