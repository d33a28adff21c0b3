"""Forward mode: tangents at any nesting depth, compared with finite differences and reverse mode."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced import traced

import minitape as tf
from minitape.autodiff import forward

ForwardAccumulator = tf.autodiff.ForwardAccumulator

AT = np.array([[0.5, -1.5], [2.0, 0.25]])
ALONG = np.array([[1.0, 0.5], [-2.0, 3.0]])

PROGRAMS = {
    "polynomial": lambda x: x**3 - 2.0 * x,
    "layer": lambda x: tf.tanh(x @ tf.constant([[1.0, -1.0], [0.5, 3.0]], tf.float64)),
    "product_of_itself": lambda x: tf.transpose(x) @ x,
    "normalised": lambda x: x / tf.reduce_sum(tf.exp(x), axis=1, keepdims=True),
    "picked": lambda x: tf.gather(x, [1, 1, 0]) * x[0],
    "relu": lambda x: tf.nn.relu(x * 3.0) * x,
    "joined": lambda x: tf.concat([tf.sin(x), tf.sort(x, axis=0)], axis=1),
    "softmax": lambda x: tf.nn.softmax(x) * x,
}


def jvp(f: Any, x: Any, dx: Any) -> Any:
    with ForwardAccumulator(x, dx) as accumulator:
        y = f(x)
    return accumulator.jvp(y)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_jvp_equals_finite_difference(program: Any) -> None:
    """A central difference over 2·10⁻⁶ errs by about 10⁻¹⁰ for numbers of size 1."""
    found = jvp(program, tf.constant(AT), tf.constant(ALONG))
    ahead, behind = (program(tf.constant(AT + step * ALONG)).numpy() for step in (1e-6, -1e-6))
    np.testing.assert_allclose(found, (ahead - behind) / 2e-6, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_jvp_equals_jacobian_times_tangent(program: Any) -> None:
    x = tf.constant(AT)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = program(x)
    jacobian = tape.jacobian(y, x).numpy()
    expected = np.tensordot(jacobian, ALONG, axes=2)
    np.testing.assert_allclose(jvp(program, x, tf.constant(ALONG)), expected, rtol=1e-12)


def by_differences_of_gradients(program: Any) -> Any:
    def gradient(at: Any) -> Any:
        x = tf.constant(at)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(program(x) ** 2)
        return tape.gradient(y, x).numpy()

    return (gradient(AT + 1e-6 * ALONG) - gradient(AT - 1e-6 * ALONG)) / 2e-6


def forward_over_reverse(program: Any, x: Any, dx: Any) -> Any:
    with ForwardAccumulator(x, dx) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(program(x) ** 2)
        gradient = tape.gradient(y, x)
    return accumulator.jvp(gradient)


def reverse_over_forward(program: Any, x: Any, dx: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        derivative = jvp(lambda x: tf.reduce_sum(program(x) ** 2), x, dx)
    return tape.gradient(derivative, x)


def reverse_over_reverse(program: Any, x: Any, dx: Any) -> Any:
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(program(x) ** 2)
        derivative = tf.reduce_sum(inner.gradient(y, x) * dx)
    return outer.gradient(derivative, x)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_hessian_vector_product_is_equal_in_three_nestings(program: Any) -> None:
    """Forward over reverse, reverse over forward, and reverse over reverse."""
    x, dx = tf.constant(AT), tf.constant(ALONG)
    found = [way(program, x, dx) for way in (forward_over_reverse, reverse_over_forward)]
    expected = reverse_over_reverse(program, x, dx)
    for each in found:
        np.testing.assert_allclose(each, expected, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(expected, by_differences_of_gradients(program), rtol=1e-6, atol=1e-6)


def test_fourth_derivative_of_fourth_power() -> None:
    def along(f: Any) -> Any:
        return lambda x: jvp(f, x, tf.constant(1.0))

    f: Any = lambda x: x**4  # noqa: E731  # wrapped four times below
    for _ in range(4):
        f = along(f)
    assert float(f(tf.constant(2.0))) == 24.0


def test_elementwise_rule_is_not_transposed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no element depends on another, the vjp itself maps the tangent."""
    monkeypatch.setattr(forward, "run_backward", None)
    found = jvp(lambda x: tf.exp(x) * x, tf.constant([1.0, 2.0]), tf.constant([1.0, 10.0]))
    np.testing.assert_allclose(found, np.exp([1.0, 2.0]) * [2.0, 3.0] * [1.0, 10.0], rtol=1e-6)


def test_inner_tape_does_not_record_outer_accumulator() -> None:
    x = tf.constant([1.0, 2.0])
    with ForwardAccumulator(x, x), tf.GradientTape() as tape:
        tape.watch(x)
        tf.reduce_sum(x * x)
    assert [record.primitive.name for record in tape._tape.records] == ["Mul", "Sum"]


def test_outer_tape_records_tangents() -> None:
    dx = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(dx)
        derivative = jvp(lambda x: tf.reduce_sum(x * x), tf.constant([3.0, 5.0]), dx)
    np.testing.assert_array_equal(tape.gradient(derivative, dx), [6.0, 10.0])


def test_each_thread_has_its_own_tangents() -> None:
    together, answers = threading.Barrier(4), {}

    def work(number: int) -> None:
        x = tf.constant(float(number))
        with ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
            together.wait()
            y = x
            for _ in range(50):
                y = tf.sin(y) + x
            together.wait()
        answers[number] = float(accumulator.jvp(y))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = {}
    for number in range(4):
        derivative = 1.0
        y = float(number)
        for _ in range(50):
            derivative, y = np.cos(y) * derivative + 1.0, np.sin(y) + number
        alone[number] = derivative
    assert answers == pytest.approx(alone, rel=1e-4)


def test_accumulator_is_inactive_after_exception() -> None:
    x = tf.constant(2.0)
    accumulator = ForwardAccumulator(x, tf.constant(1.0))
    with pytest.raises(KeyError), accumulator:
        raise KeyError
    assert accumulator.jvp(x * x) is None


def test_tangent_must_have_shape_of_primal() -> None:
    with pytest.raises(
        ValueError, match=r"The tangent has shape \(\), but its primal has shape \(2,\)"
    ) as info:
        ForwardAccumulator(tf.constant([1.0, 2.0]), tf.constant(1.0))
    assert "tf.broadcast_to(tangent, (2,))" in str(info.value)


def test_trace_of_forward_mode_shows_only_the_users_tape(tmp_path: Path) -> None:
    ran = traced(
        """
        x = tf.constant([1.0, 2.0])
        with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(x * x * tf.nn.softmax(x))
            gradient = tape.gradient(y, x)
        found = accumulator.jvp(gradient)
        """,
        tmp_path,
    )
    assert ran.error is None
    assert ran.names["found"] is not None
    assert {number for event in ran.reported("op") for number in event["tape"]} == {1}
    assert ran.source().findings == ()
