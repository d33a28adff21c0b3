"""custom_gradient: the user's rule is what the tape applies."""

from typing import Any

import numpy as np
import pytest

import minitape as tf


@tf.custom_gradient
def log1pexp(x: Any) -> Any:
    """log(1 + eˣ), whose plain gradient is inf/inf = NaN at 100."""
    e = tf.exp(x)

    def gradient(upstream: Any) -> Any:
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), gradient


def test_the_rule_replaces_that_of_the_ops_inside() -> None:
    x = tf.constant(100.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = log1pexp(x)
    assert float(tape.gradient(y, x)) == 1.0


def test_a_rule_written_with_ops_has_a_second_derivative() -> None:
    """The slope is sigmoid(x), so its own is σ(1 - σ); recorded with TensorFlow at 1.5."""
    x = tf.Variable(1.5)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = log1pexp(x)
        first = tape.gradient(y, x)
    np.testing.assert_allclose(first, 0.8175745, rtol=1e-6)
    np.testing.assert_allclose(outer.gradient(first, x), 0.14914645, rtol=1e-6)


def test_none_ends_the_path() -> None:
    @tf.custom_gradient
    def double(x: Any) -> Any:
        return x * 2.0, lambda upstream: None

    x = tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = double(x)
        z = y + x
    assert tape.gradient(y, x) is None
    assert float(tape.gradient(z, x)) == 1.0


def test_an_output_that_nobody_used_sends_zeros() -> None:
    @tf.custom_gradient
    def both(x: Any, y: Any) -> Any:
        return (x * y, x + y), lambda a, b: (a * 10.0 + b, a + b * 100.0)

    x, y = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        product, total = both(x, y)
        tripled = product * 3.0
    assert [float(g) for g in tape.gradient(tripled, [x, y])] == [30.0, 3.0]
    assert [float(g) for g in tape.gradient([product, total], [x, y])] == [11.0, 101.0]


def test_the_rule_is_asked_once_for_all_inputs() -> None:
    asked = []

    @tf.custom_gradient
    def product(x: Any, y: Any) -> Any:
        def gradient(upstream: Any) -> Any:
            asked.append(float(upstream))
            return upstream * y, upstream * x

        return x * y, gradient

    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = product(x, y) * 5.0
    assert [float(g) for g in tape.gradient(z, [x, y])] == [15.0, 10.0]
    assert asked == [5.0]


def test_variables_that_the_function_reads_get_their_own_gradients() -> None:
    v = tf.Variable(7.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        def gradient(upstream: Any, variables: Any = None) -> Any:
            assert variables[0] is v
            return upstream * 2.0, [upstream * 9.0]

        return x * v, gradient

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = scaled(x)
    assert [float(g) for g in tape.gradient(y, [x, v])] == [2.0, 9.0]


def test_a_rule_that_cannot_take_the_variables_is_refused() -> None:
    v = tf.Variable(7.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        return x * v, lambda upstream: upstream

    with pytest.raises(TypeError, match="must accept keyword argument 'variables'"):
        scaled(tf.constant(1.0))


def test_too_few_gradients_are_an_error() -> None:
    @tf.custom_gradient
    def product(x: Any, y: Any) -> Any:
        return x * y, lambda upstream: upstream

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = product(x, 2.0)
    with pytest.raises(ValueError, match="expected to return 2 gradients, but returned 1 instead"):
        tape.gradient(y, x)


def test_a_method_takes_its_object_along() -> None:
    class Scaler:
        by = 5.0

        @tf.custom_gradient
        def scaled(self, x: Any) -> Any:
            return x * self.by, lambda upstream: upstream * (self.by + 1.0)

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = Scaler().scaled(x)
    assert float(y) == 10.0
    assert float(tape.gradient(y, x)) == 6.0


def test_settings_are_no_inputs() -> None:
    @tf.custom_gradient
    def scaled(x: Any, by: float = 1.0) -> Any:
        return x * by, lambda upstream: upstream * by

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = scaled(x, by=3.0)
    assert float(tape.gradient(y, x)) == 3.0


def test_each_row_of_a_jacobian_asks_the_rule() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = log1pexp(x) * x
    slopes = 1 / (1 + np.exp([-1.0, -2.0]))
    expected = np.diag(np.log1p(np.exp([1.0, 2.0])) + np.array([1.0, 2.0]) * slopes)
    np.testing.assert_allclose(tape.jacobian(y, x), expected, rtol=1e-6)


def test_a_function_of_ones_own_is_no_part_of_the_catalogue() -> None:
    from minitape.core.registry import PRIMITIVES

    log1pexp(tf.constant(1.0))
    assert "log1pexp" not in PRIMITIVES


def test_grad_pass_through_takes_the_slope_to_be_1() -> None:
    x = tf.Variable(2.6)
    with tf.GradientTape() as tape:
        y = tf.grad_pass_through(tf.round)(x) * 4.0
    assert float(y) == 12.0
    assert float(tape.gradient(y, x)) == 4.0
