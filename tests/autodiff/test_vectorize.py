"""vectorized_map: a stack returns what a loop returns, and a loop is never silent."""

import warnings
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core.batched import Batched
from minitape.errors import LoopWarning

ROWS = np.array([[3.0, 1.0, 2.0], [0.5, 4.0, -1.0], [1.5, -2.0, 0.25]])

FUNCTIONS = {
    "arithmetic": lambda row: row * row - 2.0 / (row + 7.0),
    "reduction": lambda row: tf.reduce_sum(row) * tf.reduce_max(row),
    "statistics": lambda row: (row - tf.reduce_mean(row)) / tf.math.reduce_std(row),
    "indexing": lambda row: row[0] * row[1:] + row[..., tf.newaxis][0],
    "iteration": lambda row: sum(row),
    "length": lambda row: row / float(len(row)),
    "matrix": lambda row: tf.tensordot(row, row, axes=0) @ tf.constant(ROWS),
    "shape": lambda row: tf.reshape(row, [3, 1]) + tf.transpose(tf.reshape(row, [3, 1])),
    "choice": lambda row: tf.where(row > 1.0, row, tf.zeros_like(row)),
    "order": lambda row: tf.concat([tf.sort(row), tf.reverse(row, [0])], axis=0),
    "places": lambda row: tf.gather(row, tf.argsort(row)),
    "whole_numbers": lambda row: tf.one_hot(tf.argmax(row), 3),
    "losses": lambda row: tf.nn.softmax_cross_entropy_with_logits([0.0, 0.0, 1.0], row),
}


@pytest.fixture(autouse=True)
def _loops_are_errors() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", LoopWarning)
        yield


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_stack_equals_loop(function: Any) -> None:
    together = tf.vectorized_map(function, tf.constant(ROWS))
    one_by_one = np.stack([function(tf.constant(row)).numpy() for row in ROWS])
    np.testing.assert_allclose(together, one_by_one, rtol=1e-12)


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_function_is_called_once(function: Any) -> None:
    calls: list[Any] = []

    def counted(row: Any) -> Any:
        calls.append(row)
        return function(row)

    tf.vectorized_map(counted, tf.constant(ROWS))
    assert [type(each) for each in calls] == [Batched]


def test_gradient_of_vectorized_map() -> None:
    x, w = tf.constant(ROWS), tf.Variable(2.0, dtype=tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.vectorized_map(lambda row: w * tf.reduce_sum(row**3), x)
    by_x, by_w = tape.gradient(y, [x, w])
    np.testing.assert_allclose(by_x, 6.0 * ROWS**2)
    np.testing.assert_allclose(by_w, np.sum(ROWS**3))


def test_forward_mode_of_vectorized_map() -> None:
    x = tf.constant(ROWS)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = tf.vectorized_map(lambda row: row[0] * row, x)
    np.testing.assert_allclose(accumulator.jvp(y), ROWS[:, :1] + ROWS)


# What cannot run on a stack: each result would be wrong, not only slow, if the stack were treated as one value.
LOOPS = {
    "an_if": lambda row: row if row[0] > 1.0 else -row,
    "an_and": lambda row: tf.ones([]) * float(bool(row[0] > 1.0 and row[1] > 1.0)),
    "a_while": lambda row: tf.while_loop(lambda r: r[0] < 9.0, lambda r: [r * 2.0], [abs(row)])[0],
    "numpy": lambda row: tf.constant(np.sort(row)),
    "a_float": lambda row: row * float(row[0]),
    "numbers": lambda row: row * row.numpy()[1],
    "a_tape_inside": lambda row: _derivative(row),
}


def _derivative(row: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(row)
        y = tf.reduce_sum(row**3)
    return tape.gradient(y, row)


@pytest.mark.parametrize("function", LOOPS.values(), ids=LOOPS)
def test_function_that_cannot_run_on_a_stack_loops_and_warns(function: Any) -> None:
    with pytest.warns(LoopWarning, match="one at a time") as received:
        together = tf.vectorized_map(function, tf.constant(ROWS))
    one_by_one = np.stack([function(tf.constant(row)).numpy() for row in ROWS])
    np.testing.assert_array_equal(together, one_by_one)
    assert [each.filename for each in received] == [__file__]


def test_warning_can_be_suppressed() -> None:
    tf.vectorized_map(LOOPS["an_if"], tf.constant(ROWS), warn=False)


def test_loop_can_be_refused() -> None:
    with pytest.raises(ValueError, match="cannot run on a batch"):
        tf.vectorized_map(LOOPS["an_if"], tf.constant(ROWS), fallback_to_while_loop=False)


def test_error_in_function_is_raised_without_loop() -> None:
    with pytest.raises(ZeroDivisionError):
        tf.vectorized_map(lambda row: row * (1 / 0), tf.constant(ROWS))


def test_random_numbers_differ_and_equal_those_of_a_loop() -> None:
    def noisy(row: Any) -> Any:
        return row + tf.random.normal([3], dtype=tf.float64)

    tf.random.set_seed(7)
    with pytest.warns(LoopWarning, match="random"):
        together = tf.vectorized_map(noisy, tf.constant(ROWS))
    tf.random.set_seed(7)
    one_by_one = np.stack([noisy(tf.constant(row)).numpy() for row in ROWS])
    np.testing.assert_array_equal(together, one_by_one)
    assert len(np.unique(together.numpy() - ROWS)) == ROWS.size


def test_empty_stack_has_shape_of_its_rows() -> None:
    answer = tf.vectorized_map(lambda row: tf.reduce_sum(row) * row, tf.zeros([0, 4]))
    assert answer.shape == (0, 4)
