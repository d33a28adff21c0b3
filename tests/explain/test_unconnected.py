"""If no path leads from the source to the target, the intended object is named."""

import pytest
from traced import traced


@pytest.mark.parametrize(
    ("text", "slug", "line"),
    [
        pytest.param(
            """
            w = tf.Variable(2.0)
            with tf.GradientTape() as tape:
                loss = w * w
            tape.gradient(w, loss)
            """,
            "unconnected",
            4,
            id="target and source are swapped",
        ),
        pytest.param(
            """
            x = tf.Variable(2.0)
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    y = 3.0 * x
                slope = inner.gradient(y, x)
            outer.gradient(slope, x)
            """,
            "second-order-linear",
            4,
            id="the slope of a line",
        ),
        pytest.param(
            """
            v = tf.Variable([1.0, 2.0])
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(v * v)
            tape.gradient(y, v[0])
            """,
            "source-is-copy",
            4,
            id="a slice taken after the computation",
        ),
        pytest.param(
            """
            def model():
                return tf.Variable(2.0, name="w")
            w = model()
            with tf.GradientTape() as tape:
                y = model() * 3.0
            tape.gradient(y, w)
            """,
            "recreated-variable",
            5,
            id="a twin was used",
        ),
        pytest.param(
            """
            a, b = tf.Variable(1.0), tf.Variable(2.0)
            with tf.GradientTape() as tape:
                loss = a * a
                loss = b * b
            tape.gradient(loss, a)
            """,
            "overwritten-value",
            4,
            id="its name went to another value",
        ),
        pytest.param(
            """
            limit, x = tf.Variable(1.0), tf.Variable(2.0)
            with tf.GradientTape() as tape:
                if x > limit:
                    y = x * 3.0
            tape.gradient(y, limit)
            """,
            "control-flow",
            3,
            id="it only decides",
        ),
        pytest.param(
            """
            a, b = tf.Variable(1.0), tf.Variable(2.0)
            with tf.GradientTape() as tape:
                y = b * b
            tape.gradient(y, a)
            """,
            "unconnected",
            1,
            id="never used",
        ),
    ],
)
def test_intended_object_is_named(text, slug, line, tmp_path):
    assert traced(text, tmp_path).found() == [(slug, line)]


def test_variables_created_side_by_side_are_not_confused(tmp_path):
    run = traced(
        """
        ws = [tf.Variable(1.0 * i) for i in range(2)]
        with tf.GradientTape() as tape:
            y = ws[0] * 3.0
        tape.gradient(y, ws)
        """,
        tmp_path,
    )
    assert run.found(1) == [("unconnected", 1)]


def test_variable_recreated_in_each_iteration_is_recognized(tmp_path):
    run = traced(
        """
        for turn in range(2):
            w = tf.Variable(1.0, name="w")
            first = w if turn == 0 else first
            with tf.GradientTape() as tape:
                y = w * 3.0
        tape.gradient(y, first)
        """,
        tmp_path,
    )
    assert run.found()[0][0] == "recreated-variable"


def test_call_that_created_the_object_is_shown_if_variables_share_a_line(tmp_path):
    run = traced(
        """
        class Unit:
            def __init__(self):
                self.w = tf.Variable(1.0)
        units = [Unit() for _ in range(2)]
        with tf.GradientTape() as tape:
            y = units[0].w * 3.0
        tape.gradient(y, [unit.w for unit in units])
        """,
        tmp_path,
    )
    assert run.found(1) == [("unused-layer", 4)]
