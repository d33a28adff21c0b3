"""Kinks, poles, dtypes and errors of arithmetic; the laws test the derivatives themselves."""

import numpy as np
import pytest
from slopes import gradient, second_gradient

import minitape as tf

INF, NAN = np.inf, np.nan


def test_gradient_of_broadcast_operand_is_summed() -> None:
    """b is used once in each of the two rows, times 1 and times 3."""
    a_bar, b_bar = gradient(lambda a, b: a * b, [[1.0], [3.0]], [10.0])
    np.testing.assert_array_equal(a_bar, [[10.0], [10.0]])
    np.testing.assert_array_equal(b_bar, [4.0])


def test_division_by_zero_has_infinite_gradient() -> None:
    np.testing.assert_array_equal(gradient(lambda a, b: a / b, 1.0, 0.0), [INF, -INF])


def test_gradient_of_quotient_of_tiny_numbers_does_not_overflow() -> None:
    """-a/b² = -1e20 for a = 1e-300 and b = 1e-160, although b² = 1e-320 has lost its digits."""
    _, b_bar = gradient(lambda a, b: a / b, 1e-300, 1e-160)
    np.testing.assert_allclose(b_bar, -1e20)


def test_divide_no_nan_by_zero_has_gradient_zero() -> None:
    a_bar, b_bar = gradient(tf.math.divide_no_nan, [1.0, 2.0], [0.0, 4.0])
    np.testing.assert_array_equal(a_bar, [0.0, 0.25])
    np.testing.assert_array_equal(b_bar, [0.0, -0.125])


@pytest.mark.parametrize(
    ("kind", "wanted"), [("int8", "float32"), ("uint16", "float32"), ("int32", "float64")]
)
def test_integer_division_returns_floats(kind: str, wanted: str) -> None:
    quotient = tf.constant([3], kind) / tf.constant([2], kind)
    assert (quotient.dtype.name, quotient.numpy().tolist()) == (wanted, [1.5])


@pytest.mark.parametrize("divide", [tf.math.floordiv, tf.math.floormod])
def test_integer_division_by_zero_raises(divide: object) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        divide(tf.constant([4, 3]), tf.constant([1, 0]))  # type: ignore[operator]


def test_floordiv_rounds_the_float_quotient_down() -> None:
    """0.1 in binary is a little more than 1/10, so exact arithmetic would return 9."""
    assert (tf.constant(1.0) // tf.constant(0.1)).numpy() == 10.0
    assert (tf.constant(np.inf) // tf.constant(2.0)).numpy() == np.inf


def test_floordiv_has_gradient_none() -> None:
    assert gradient(tf.math.floordiv, 5.0, 3.0) == [None, None]


def test_gradient_of_floormod_for_its_divisor() -> None:
    """-5 mod 3 = -5 + 2·3, so the derivative with respect to 3 is 2."""
    assert gradient(tf.math.floormod, -5.0, 3.0) == [1.0, 2.0]


def test_gradient_of_a_power_of_zero() -> None:
    """The derivative of x² at 0 is 0, of x¹ it is 1, of √x it is infinite; for x⁰ it is 0·x⁻¹ = 0·inf."""
    a_bar, b_bar = gradient(lambda a, b: a**b, [0.0, 0.0, 0.0, 0.0], [2.0, 1.0, 0.5, 0.0])
    np.testing.assert_array_equal(a_bar, [0.0, 1.0, INF, NAN])
    np.testing.assert_array_equal(b_bar, [0.0, 0.0, 0.0, 0.0])


def test_exponent_of_negative_base_has_gradient_zero() -> None:
    """A negative number has no real logarithm; TensorFlow uses 0 instead."""
    assert gradient(lambda a, b: a**b, -2.0, 2.0) == [-4.0, 0.0]


def test_negative_power_of_integer_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative integer powers"):
        tf.constant([4, 3]) ** -1


def test_derivative_of_sqrt_at_zero_is_infinite() -> None:
    assert gradient(tf.sqrt, 0.0) == INF
    assert second_gradient(tf.sqrt, 0.0) == -INF
    assert gradient(tf.math.rsqrt, 0.0) == -INF


def test_sqrt_at_zero_passes_on_zero_cotangent_as_zero() -> None:
    """So a square root in the unselected branch of `where` does no harm, unlike a logarithm."""
    chosen = gradient(lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), [0.0, 1.0])
    np.testing.assert_array_equal(chosen, [0.0, 0.5])


def test_sqrt_at_zero_does_not_affect_other_rows_of_jacobian() -> None:
    """In row 1 the seed of element 0 is 0; multiplied by the infinite derivative it would be NaN."""
    for root, pole in ((tf.sqrt, INF), (tf.math.rsqrt, -INF)):
        x = tf.constant([0.0, 1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = root(x)
        rows = tape.jacobian(y, x)
        np.testing.assert_array_equal(rows, [[pole, 0.0], [0.0, 0.5 if pole > 0 else -0.5]])


def test_derivative_of_abs_at_zero_is_zero() -> None:
    np.testing.assert_array_equal(gradient(tf.abs, [0.0, -3.0, 2.0]), [0.0, -1.0, 1.0])
    np.testing.assert_array_equal(second_gradient(tf.abs, [0.0, -3.0]), [0.0, 0.0])


def test_gradient_of_sign_is_zero_and_not_none() -> None:
    """Zeros, not None: TensorFlow has a rule for it."""
    np.testing.assert_array_equal(gradient(tf.sign, [0.0, -3.0]), [0.0, 0.0])


def test_second_derivative_of_sum_is_none() -> None:
    """The first derivative does not depend on x, so the tape returns None."""
    assert second_gradient(lambda x: x + x, 1.0) is None


def test_strings_are_concatenated() -> None:
    assert (tf.constant(["a"]) + tf.constant(["b"])).numpy().tolist() == [b"ab"]


@pytest.mark.parametrize("operate", [lambda x: x + x, lambda x: -x, abs], ids=["+", "-", "abs"])
def test_arithmetic_on_booleans_raises(operate: object) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not support bool"):
        operate(tf.constant([True]))  # type: ignore[operator]


def test_gradient_of_complex_number_is_conjugated() -> None:
    """TensorFlow's convention: the conjugate of the derivative 2x."""
    assert gradient(tf.square, 1 + 2j, dtype=tf.complex128) == 2 - 4j


# --- add_n ---


def test_add_n_passes_whole_cotangent_to_each_input() -> None:
    assert gradient(lambda a, b, c: tf.add_n([a, b, c]), 1.0, 2.0, 3.0) == [1.0, 1.0, 1.0]


def test_add_n_of_one_value_has_gradient_one() -> None:
    assert gradient(lambda a: tf.add_n([a]), 2.0) == 1.0


def test_add_n_adds_up_contributions_of_repeated_value() -> None:
    assert gradient(lambda a: tf.add_n([a, a, a]), 2.0) == 3.0


def test_add_n_of_nothing_raises() -> None:
    with pytest.raises(ValueError, match="at least one"):
        tf.add_n([])


def test_add_n_does_not_broadcast() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="same shape"):
        tf.add_n([tf.constant([1.0]), tf.constant([1.0, 2.0])])
