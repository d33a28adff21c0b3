"""custom_gradient: the tape applies the user's rule."""

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


def test_rule_replaces_rules_of_ops_inside() -> None:
    x = tf.constant(100.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = log1pexp(x)
    assert float(tape.gradient(y, x)) == 1.0


def test_rule_written_with_ops_has_second_derivative() -> None:
    """The derivative is sigmoid(x), so the second derivative is σ(1 - σ); recorded with TensorFlow at 1.5."""
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


def test_unused_output_has_cotangent_zero() -> None:
    @tf.custom_gradient
    def both(x: Any, y: Any) -> Any:
        return (x * y, x + y), lambda a, b: (a * 10.0 + b, a + b * 100.0)

    x, y = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        product, total = both(x, y)
        tripled = product * 3.0
    assert [float(g) for g in tape.gradient(tripled, [x, y])] == [30.0, 3.0]
    assert [float(g) for g in tape.gradient([product, total], [x, y])] == [11.0, 101.0]


def test_rule_is_called_once_for_all_inputs() -> None:
    requested = []

    @tf.custom_gradient
    def product(x: Any, y: Any) -> Any:
        def gradient(upstream: Any) -> Any:
            requested.append(float(upstream))
            return upstream * y, upstream * x

        return x * y, gradient

    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = product(x, y) * 5.0
    assert [float(g) for g in tape.gradient(z, [x, y])] == [15.0, 10.0]
    assert requested == [5.0]


def test_variables_read_by_the_function_get_gradients() -> None:
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


def test_rule_without_variables_argument_raises() -> None:
    v = tf.Variable(7.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        return x * v, lambda upstream: upstream

    with pytest.raises(TypeError, match="must accept keyword argument 'variables'"):
        scaled(tf.constant(1.0))


def test_too_few_gradients_raise() -> None:
    @tf.custom_gradient
    def product(x: Any, y: Any) -> Any:
        return x * y, lambda upstream: upstream

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = product(x, 2.0)
    with pytest.raises(ValueError, match="expected to return 2 gradients, but returned 1 instead"):
        tape.gradient(y, x)


def test_method_can_be_decorated() -> None:
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


def test_keyword_arguments_are_not_inputs() -> None:
    @tf.custom_gradient
    def scaled(x: Any, by: float = 1.0) -> Any:
        return x * by, lambda upstream: upstream * by

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = scaled(x, by=3.0)
    assert float(tape.gradient(y, x)) == 3.0


def test_jacobian_calls_the_rule_for_each_row() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = log1pexp(x) * x
    derivatives = 1 / (1 + np.exp([-1.0, -2.0]))
    expected = np.diag(np.log1p(np.exp([1.0, 2.0])) + np.array([1.0, 2.0]) * derivatives)
    np.testing.assert_allclose(tape.jacobian(y, x), expected, rtol=1e-6)


def test_decorated_function_is_not_in_the_catalog() -> None:
    from minitape.core.registry import PRIMITIVES

    log1pexp(tf.constant(1.0))
    assert "log1pexp" not in PRIMITIVES


def test_grad_pass_through_has_derivative_1() -> None:
    x = tf.Variable(2.6)
    with tf.GradientTape() as tape:
        y = tf.grad_pass_through(tf.round)(x) * 4.0
    assert float(y) == 12.0
    assert float(tape.gradient(y, x)) == 4.0


# --- forward mode and other tapes ---


def test_tape_that_watches_no_input_uses_the_ops_inside() -> None:
    """The rule covers only the inputs; other values that the function uses have their own gradients."""
    b = tf.constant(2.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        return x * b, lambda upstream: upstream * 100.0

    x = tf.constant(3.0)
    with tf.GradientTape() as by_b, tf.GradientTape() as by_x:
        by_b.watch(b)
        by_x.watch(x)
        y = scaled(x)
    assert float(by_b.gradient(y, b)) == 3.0
    assert float(by_x.gradient(y, x)) == 100.0


def test_forward_mode_uses_rule_if_function_leaves_the_tape() -> None:
    @tf.custom_gradient
    def sine(x: Any) -> Any:
        return np.sin(x.numpy()), lambda upstream: upstream * tf.cos(x)

    x = tf.constant([0.5, 1.5])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 10.0])) as accumulator:
        y = sine(x)
    np.testing.assert_allclose(accumulator.jvp(y), np.cos([0.5, 1.5]) * [1.0, 10.0], rtol=1e-6)


def test_rule_is_called_again_for_another_tape() -> None:
    """The result computed for the first tape is not recorded on the second."""

    @tf.custom_gradient
    def square(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 2.0 * x

    x, seed = tf.constant(3.0), tf.constant(1.0)
    with tf.GradientTape(persistent=True) as inner:
        inner.watch(x)
        y = square(x)
    for _ in range(2):
        with tf.GradientTape() as outer:
            outer.watch(x)
            first = inner.gradient(y, x, output_gradients=seed)
        assert float(outer.gradient(first, x)) == 2.0


# --- recompute_grad ---


def deep(x: Any) -> Any:
    for _ in range(20):
        x = tf.sin(x) + x * x * 0.1
    return x


def _gradient(f: Any, at: Any) -> Any:
    x = tf.constant(at, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def test_recompute_grad_changes_no_value() -> None:
    at = [0.1, 0.5, 0.9]
    np.testing.assert_array_equal(_gradient(tf.recompute_grad(deep), at), _gradient(deep, at))


def test_tape_keeps_one_record_of_recomputed_function() -> None:
    x = tf.constant([0.1, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.recompute_grad(deep)(x)
    assert len(tape._tape.records) == 1


def test_recompute_grad_supports_second_order_and_forward_mode() -> None:
    """TensorFlow supports neither."""
    x, dx = tf.constant([0.1, 0.5], tf.float64), tf.constant([1.0, 2.0], tf.float64)
    plain, again = [], []
    for f, found in ((deep, plain), (tf.recompute_grad(deep), again)):
        with tf.GradientTape() as outer, tf.autodiff.ForwardAccumulator(x, dx) as accumulator:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            first = inner.gradient(y, x)
        found += [accumulator.jvp(y), accumulator.jvp(first), outer.gradient(first, x)]
    for expected, each in zip(plain, again, strict=True):
        np.testing.assert_allclose(each, expected, rtol=1e-12)


def test_recompute_grad_finds_variables() -> None:
    w, x = tf.Variable(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(lambda x: x * x * w)(x)
    assert tape.watched_variables() == (w,)
    assert [float(g) for g in tape.gradient(y, [x, w])] == [12.0, 9.0]


def test_recompute_grad_of_a_stack_of_layers() -> None:
    layers = [tf.Variable(np.eye(3) * 0.5 + 0.1 * i) for i in range(4)]
    x = tf.constant([[1.0, -1.0, 0.5]], tf.float64)

    def stack(wrap: Any) -> Any:
        with tf.GradientTape() as tape:
            y = x
            for w in layers:
                y = wrap(lambda y, w=w: tf.tanh(y @ w))(y)
        return tape.gradient(y, layers)

    for each, expected in zip(stack(tf.recompute_grad), stack(lambda f: f), strict=True):
        np.testing.assert_allclose(each, expected, rtol=1e-14)
