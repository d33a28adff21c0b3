"""Branches and loops: the gradient of what ran. The expected values are TensorFlow's."""

from typing import Any

import pytest

import minitape as tf


def value_and_slope(function: Any, at: Any) -> tuple[Any, Any]:
    x = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = function(x)
    return y.numpy().tolist(), tape.gradient(y, x).numpy().tolist()


@pytest.mark.parametrize(("at", "expected"), [(2.0, (4.0, 4.0)), (0.5, (1.5, 3.0))])
def test_only_executed_branch_contributes(at: float, expected: tuple[float, float]) -> None:
    assert (
        value_and_slope(lambda x: tf.cond(x > 1.0, lambda: x * x, lambda: 3.0 * x), at) == expected
    )


def test_loop_is_differentiated_through_each_iteration() -> None:
    """Three iterations of y ← y²x turn x into x¹⁵; its derivative at 2 is 15·2¹⁴."""

    def loop(x: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y * x), (0, x))[1]

    assert value_and_slope(loop, 2.0) == (32768.0, 245760.0)


def test_while_loop_stops_after_maximum_iterations() -> None:
    def loop(x: Any) -> Any:
        return tf.while_loop(lambda y: True, lambda y: [y * 2.0], [x], maximum_iterations=3)[0]

    assert value_and_slope(loop, 2.0) == (16.0, 8.0)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda v: tf.map_fn(lambda row: row * row, v), ([1.0, 4.0, 9.0], [2.0, 4.0, 6.0])),
        (
            lambda v: tf.map_fn(
                lambda row: row[0] * row[1], (v, v), fn_output_signature=tf.float32
            ),
            ([1.0, 4.0, 9.0], [2.0, 4.0, 6.0]),
        ),
        (lambda v: tf.foldl(lambda s, row: s * row, v), (6.0, [6.0, 3.0, 2.0])),
        (
            lambda v: tf.foldl(lambda s, row: s + row * row, v, initializer=1.0),
            (15.0, [2.0, 4.0, 6.0]),
        ),
        (lambda v: tf.scan(lambda s, row: s * row, v), ([1.0, 2.0, 6.0], [9.0, 4.0, 2.0])),
        (
            lambda v: tf.scan(lambda s, row: s + row * row, v, initializer=0.0),
            ([1.0, 5.0, 14.0], [6.0, 8.0, 6.0]),
        ),
    ],
)
def test_function_is_mapped_over_rows(function: Any, expected: Any) -> None:
    assert value_and_slope(function, [1.0, 2.0, 3.0]) == expected


def test_branch_that_is_not_callable_raises() -> None:
    with pytest.raises(TypeError, match="'true_fn' must be callable"):
        tf.cond(True, 1.0, lambda: 2.0)


def test_while_loop_accepts_rows_of_a_tensor_as_next_values() -> None:
    found = tf.while_loop(
        lambda i, j: i < 3,
        lambda i, j: tf.stack([i + 1, j + 1]),
        [tf.constant(0), tf.constant(1)],
    )
    assert found.numpy().tolist() == [3, 4]


def test_while_loop_names_a_body_that_returns_one_value() -> None:
    with pytest.raises(TypeError, match="The body of `while_loop` must return the next values"):
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])


@pytest.mark.parametrize(
    ("body", "limit", "error"),
    [
        (lambda i: i + 1, None, TypeError),
        (lambda i: tf.stack([i, i]), None, ValueError),
        (lambda i: [{"i": i}], None, ValueError),
        (lambda i: i + 1, 2, ValueError),
        (lambda i: (i + 1,), 2, TypeError),
        (lambda i: {"i": i + 1}, 2, TypeError),
    ],
)
def test_while_loop_refuses_mismatched_loop_values(
    body: Any, limit: int | None, error: type[Exception]
) -> None:
    with pytest.raises(error):
        tf.while_loop(lambda i: i < 3, body, [tf.constant(0)], maximum_iterations=limit)
