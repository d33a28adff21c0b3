"""Jacobians: all rows in one backward pass, and the same values as row by row."""

from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.autodiff import jacobians

PROGRAMS = {
    "square": lambda x: x * x,
    "layer": lambda x: tf.tanh(x @ tf.constant([[1.0, -1.0], [0.5, 3.0]], tf.float64)),
    "mean": lambda x: tf.reduce_mean(x * x, axis=0),
    "slices": lambda x: x[:, 0] * x[0],
    "transposed": lambda x: tf.transpose(x) @ x,
    "stacked": lambda x: tf.stack([x[0, 0] * x[1, 1], tf.sin(x[0, 1])]),
    "gathered": lambda x: tf.gather(x, [1, 1, 0]) ** 3,
    "broadcast": lambda x: x / tf.reduce_sum(tf.exp(x), axis=1, keepdims=True),
    "scalar": lambda x: tf.reduce_sum(x**3),
}


def _taped(program: Any) -> Any:
    x = tf.constant([[0.5, -1.5], [2.0, 0.25]], tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = program(x)
    return tape, y, x


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_all_rows_at_once_equal_rows_one_by_one(program: Any) -> None:
    tape, y, x = _taped(program)
    at_once = tape.jacobian(y, x)
    one_by_one = tape.jacobian(y, x, experimental_use_pfor=False)
    assert at_once.shape == tuple(y.shape) + tuple(x.shape)
    np.testing.assert_allclose(at_once, one_by_one, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_row_is_gradient_of_one_element(program: Any) -> None:
    tape, y, x = _taped(program)
    matrix = tape.jacobian(y, x).numpy().reshape(-1, *x.shape)
    for i, row in enumerate(matrix):
        seed = np.zeros(int(np.prod(y.shape)))
        seed[i] = 1.0
        gradient = tape.gradient(y, x, output_gradients=tf.constant(seed.reshape(y.shape)))
        np.testing.assert_allclose(row, tf.convert_to_tensor(gradient), rtol=1e-14, atol=1e-14)


def test_jacobian_takes_one_backward_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    backward_passes = []

    def counted(*arguments: Any, **options: Any) -> Any:
        backward_passes.append(1)
        return walk(*arguments, **options)

    walk = jacobians.run_backward
    monkeypatch.setattr(jacobians, "run_backward", counted)
    tape, y, x = _taped(PROGRAMS["square"])
    tape.jacobian(y, x)
    assert len(backward_passes) == 1
    tape.jacobian(y, x, experimental_use_pfor=False)
    assert len(backward_passes) == 1 + 4


@pytest.mark.parametrize("at_once", [True, False])
def test_batch_jacobian_is_diagonal_of_jacobian(at_once: bool) -> None:
    tape, y, x = _taped(PROGRAMS["layer"])
    full = tape.jacobian(y, x).numpy()
    by_example = tape.batch_jacobian(y, x, experimental_use_pfor=at_once)
    expected = np.stack([full[b, :, b, :] for b in range(2)])
    np.testing.assert_allclose(by_example, expected, rtol=1e-14)


def test_empty_target_has_empty_jacobian() -> None:
    tape, y, x = _taped(lambda x: x[2:])
    assert tape.jacobian(y, x).shape == [0, 2, 2, 2]


def test_hessian_is_symmetric() -> None:
    x = tf.constant([0.5, -1.5, 2.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.sin(x)) * x[0] * x[1] + tf.exp(x[2])
        derivative = inner.gradient(y, x)
    hessian = outer.jacobian(derivative, x).numpy()
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-14)
    assert np.abs(hessian).min() > 0.0


@pytest.mark.parametrize("at_once", [True, False])
def test_empty_source_and_target_have_empty_jacobian(at_once: bool) -> None:
    """There is no row to loop over, but the shape is right."""
    x = tf.zeros([2, 0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * 2.0
    assert tape.jacobian(y, x, experimental_use_pfor=at_once).shape == [2, 0, 2, 0]
    assert tape.batch_jacobian(y, x, experimental_use_pfor=at_once).shape == [2, 0, 0]


@pytest.mark.parametrize("at_once", [True, False])
def test_rule_that_returns_same_value_for_every_row(at_once: bool) -> None:
    """It receives a stack and returns a single value, which is used for each row."""

    @tf.custom_gradient
    def stubborn(x: Any) -> Any:
        return 1.0 * x, lambda ybar: tf.constant([5.0, 7.0])

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = stubborn(x)
        both = y + x
    rows = tape.jacobian(y, x, experimental_use_pfor=at_once)
    assert rows.numpy().tolist() == [[5.0, 7.0], [5.0, 7.0]]
    rows = tape.jacobian(both, x, experimental_use_pfor=at_once)
    assert rows.numpy().tolist() == [[6.0, 7.0], [5.0, 8.0]]
