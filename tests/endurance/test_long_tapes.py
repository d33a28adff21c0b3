"""A tape of a million ops is a long list and nothing more."""

import numpy as np
import pytest

import minitape as tf

pytestmark = pytest.mark.whole


def test_million_ops_run_forward_and_backward() -> None:
    """No recursion, neither in the backward pass nor when the records are freed."""
    x = tf.constant(1.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(500_000):
            y = y * 1.000002 + 1e-6
    np.testing.assert_allclose(tape.gradient(y, x), 1.000002**500_000, rtol=1e-9)


def test_value_used_a_hundred_thousand_times_sums_all_contributions() -> None:
    x = tf.constant(2.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.add_n([tf.add_n([x * x for _ in range(100)]) for _ in range(1000)])
    assert float(tape.gradient(y, x)) == 400_000.0


@pytest.mark.parametrize("persistent", [True, False])
def test_long_backward_pass_can_be_repeated(persistent: bool) -> None:
    """The outer tape records what the inner one does on the way back: y = x·(1 + 10⁻⁵x)ⁿ would overflow no stack."""
    x = tf.constant(0.5, tf.float64)
    count = 20_000
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=persistent) as inner:
            inner.watch(x)
            y = tf.ones([], tf.float64)
            for _ in range(count):
                y = y * (1.0 + 1e-5 * x)
        derivative = inner.gradient(y, x)
    base = 1.0 + 1e-5 * 0.5
    np.testing.assert_allclose(derivative, count * 1e-5 * base ** (count - 1), rtol=1e-9)
    second = count * (count - 1) * 1e-10 * base ** (count - 2)
    np.testing.assert_allclose(outer.gradient(derivative, x), second, rtol=1e-9)


def test_jacobian_rows_of_a_long_tape_take_one_backward_pass() -> None:
    x = tf.constant([0.1, 0.2, 0.3], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(20_000):
            y = y + 1e-5 * tf.reverse(y, [0])
    matrix = tape.jacobian(y, x).numpy()
    swap = np.eye(3)[::-1]
    expected = np.linalg.matrix_power(np.eye(3) + 1e-5 * swap, 20_000)
    np.testing.assert_allclose(matrix, expected, rtol=1e-9)


def test_thousand_tapes_may_be_open_at_once() -> None:
    """Each records what the ones inside it do; only the number of records grows."""
    x = tf.constant(3.0)
    tapes = [tf.GradientTape() for _ in range(1000)]
    for tape in tapes:
        tape.__enter__()
        tape.watch(x)
    y = x * x
    for tape in reversed(tapes):
        tape.__exit__(None, None, None)
    assert {float(tape.gradient(y, x)) for tape in tapes} == {6.0}
