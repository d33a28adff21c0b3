"""Functions that transform functions: what they return, and which errors they raise."""

from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape import autodiff
from minitape.errors import InternalError


def f(x: Any, y: Any) -> Any:
    return x * x * x * y - x * y * y


def test_gradient_equals_finite_difference() -> None:
    by_x, by_y = autodiff.gradients_function(f)(
        tf.constant(2.0, tf.float64), tf.constant(3.0, tf.float64)
    )
    step = 1e-6
    assert float(by_x) == pytest.approx(
        (f(2 + step, 3.0) - f(2 - step, 3.0)) / (2 * step), rel=1e-8
    )
    assert float(by_y) == pytest.approx(
        (f(2.0, 3 + step) - f(2.0, 3 - step)) / (2 * step), rel=1e-8
    )


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("value_and_gradients_function", "val_and_grad_function"),
        ("implicit_gradients", "implicit_grad"),
        ("implicit_value_and_gradients", "implicit_val_and_grad"),
    ],
)
def test_long_name_is_the_same_function(long: str, short: str) -> None:
    assert getattr(autodiff, long) is getattr(autodiff, short)


def test_vjp_is_linear_in_its_seed() -> None:
    _, vjp = autodiff.make_vjp(lambda x: tf.sin(x) * x)(tf.constant([1.0, 2.0]))
    a, b = np.array([1.0, 0.5], np.float32), np.array([-2.0, 3.0], np.float32)
    np.testing.assert_allclose(vjp(a + 2 * b)[0], vjp(a)[0] + 2.0 * vjp(b)[0], rtol=1e-6)


def test_error_of_used_vjp_says_how_to_reuse_it() -> None:
    _, vjp = autodiff.make_vjp(f, persistent=False)(2.0, 3.0)
    vjp()
    with pytest.raises(InternalError, match="persistent=True") as info:
        vjp()
    assert isinstance(info.value, RuntimeError)


def test_tensor_passed_twice_is_two_arguments() -> None:
    one = tf.constant(1.0)
    by_x, by_y = autodiff.gradients_function(lambda x, y: 2.0 * x * y + y)(one, one)
    assert (float(by_x), float(by_y)) == (2.0, 3.0)


def test_callers_tape_continues() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        value, (derivative,) = autodiff.val_and_grad_function(lambda z: z**3)(x)
        total = value + derivative
    assert float(tape.gradient(total, x)) == 12.0 + 12.0


def test_error_for_unknown_parameter_lists_parameters() -> None:
    with pytest.raises(ValueError, match=r"'z' is not in list of .*\['x', 'y'\]"):
        autodiff.gradients_function(f, params=["z"])(2.0, 3.0)


def test_error_for_function_without_return_names_it() -> None:
    def forgot(x: Any) -> None:
        x * x

    with pytest.raises(ValueError, match="return a value from forgot"):
        autodiff.gradients_function(forgot)(1.0)


def test_variables_are_in_order_of_creation() -> None:
    a, b = tf.Variable(2.0, name="a"), tf.Variable(3.0, name="b")
    value, pairs = autodiff.implicit_val_and_grad(lambda: b * a * a)()
    assert float(value) == 12.0
    assert [(float(gradient), v.name) for gradient, v in pairs] == [(12.0, "a:0"), (4.0, "b:0")]


def test_training_loop_fits_a_line() -> None:
    """3x + 2 is found from five points."""
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    x = tf.constant([-2.0, -1.0, 0.0, 1.0, 2.0])
    y = 3.0 * x + 2.0
    step = autodiff.implicit_grad(lambda: tf.reduce_mean((w * x + b - y) ** 2))
    for _ in range(100):
        for gradient, variable in step():
            variable.assign_sub(0.1 * gradient)
    np.testing.assert_allclose([w.numpy(), b.numpy()], [3.0, 2.0], rtol=1e-5)


def test_error_of_tf_gradients_suggests_tape() -> None:
    with pytest.raises(RuntimeError, match=r"tape\.gradient\(y, x\)"):
        tf.gradients(tf.constant(1.0), tf.constant(1.0))
