"""Where a run goes wrong, and where it only looks like it."""

from collections.abc import Callable

from minitape.timeline import Timeline

Telling = Callable[[str], Timeline]


def said(timeline: Timeline) -> list[tuple[str, str]]:
    return [(step.what, step.problem) for step in timeline.steps if step.problem]


def test_a_healthy_run_has_none(reported: Telling) -> None:
    timeline = reported(
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.exp(w)
        tape.gradient(y, w)
        """
    )
    assert timeline.problems == ()


def test_training_that_came_to_rest_is_none(reported: Telling) -> None:
    """The slope at a minimum is zero or rounding: that is what one trained for."""
    timeline = reported(
        """\
        w = tf.Variable(3.0)
        for _ in range(100):
            with tf.GradientTape() as tape:
                error = w - 1.0
                loss = error * error
            w.assign_sub(0.4 * tape.gradient(loss, w))
        """
    )
    backward_passes = [step for step in timeline.steps if "gradient" in step.problem]
    assert backward_passes == []


def test_a_finding_stands_at_its_cause_and_at_the_answer(reported: Telling) -> None:
    timeline = reported(
        """\
        import numpy as np
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.exp(np.sin(w))
        tape.gradient(y, w)
        """
    )
    words = "value leaves the tape here: NumPy operations are not recorded (MT201)"
    assert said(timeline) == [("left the engine", words), ("∂y/∂w", f"w: {words}")]


def test_the_first_nan_is_told_and_those_after_it_are_not(reported: Telling) -> None:
    timeline = reported(
        """\
        x = tf.constant(-1.0)
        root = tf.sqrt(x)
        more = tf.exp(root)
        """
    )
    assert said(timeline) == [("Sqrt", "the first NaN on this path")]


def test_a_gradient_that_dies_in_a_long_chain_is_told_once(reported: Telling) -> None:
    """Twelve factors of 0.1 on the way back."""
    timeline = reported(
        """\
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = w * 1.0
            for _ in range(12):
                y = y * 0.1
        tape.gradient(y, w)
        """
    )
    assert [problem for _, problem in said(timeline)].count("the gradient vanishes") == 1


def test_a_gradient_that_explodes_is_told_once(reported: Telling) -> None:
    timeline = reported(
        """\
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = w * 1.0
            for _ in range(12):
                y = y * 10.0
        tape.gradient(y, w)
        """
    )
    assert [problem for _, problem in said(timeline)].count("the gradient explodes") == 1


def test_an_amount_of_zero_beside_others_is_no_fault(reported: Telling) -> None:
    """In the first turn the state is zero, and so is that turn's share of the gradient."""
    recurrent = reported(
        "w = tf.Variable([[0.5]])\n"
        "with tf.GradientTape() as tape:\n"
        "    state = tf.zeros((1, 1))\n"
        "    for t in range(3):\n"
        "        state = tf.tanh(state @ w + 0.3)\n"
        "tape.gradient(state, w)\n"
    )
    assert not [problem for _, problem in said(recurrent) if "zero" in problem]
    alone = reported(
        "w = tf.Variable([[0.5]])\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.zeros((1, 1)) @ w\n"
        "tape.gradient(y, w)\n"
    )
    assert [problem for _, problem in said(alone) if "zero" in problem]


def test_each_step_of_a_loop_names_its_turn_on_both_ways(reported: Telling) -> None:
    timeline = reported(
        "w = tf.Variable(0.5)\n"
        "for step in range(2):\n"
        "    with tf.GradientTape() as tape:\n"
        "        h = 1.0\n"
        "        for t in range(3):\n"
        "            h = tf.tanh(h * w)\n"
        "    tape.gradient(h, w)\n"
    )
    iterations = [
        (step.kind, step.iteration) for step in timeline.steps if step.what.startswith("Tanh")
    ]
    forward = [f"t={t}" for t in range(3)]
    one = [("op", each) for each in forward] + [("back", each) for each in reversed(forward)]
    assert iterations == [
        (kind, f"step={step}, {iteration}") for step in range(2) for kind, iteration in one
    ]
