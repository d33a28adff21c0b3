"""Nothing leads from the source to the target: what was meant?"""

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
def test_what_was_meant(text, slug, line, tmp_path):
    assert traced(text, tmp_path).found() == [(slug, line)]


def test_variables_made_side_by_side_are_no_twins(tmp_path):
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


def test_a_variable_made_anew_in_each_turn_is_a_twin_of_the_last(tmp_path):
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


def test_where_a_shared_line_made_the_variable_the_call_that_made_its_object_is_shown(tmp_path):
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
