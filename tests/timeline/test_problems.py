"""Problems of a run, and states that only look like problems."""

from collections.abc import Callable

from minitape.timeline import Timeline

Telling = Callable[[str], Timeline]


def said(timeline: Timeline) -> list[tuple[str, str]]:
    return [(step.what, step.problem) for step in timeline.steps if step.problem]


def test_healthy_run_has_no_problems(reported: Telling) -> None:
    timeline = reported(
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.exp(w)
        tape.gradient(y, w)
        """
    )
    assert timeline.problems == ()


def test_converged_training_has_no_problems(reported: Telling) -> None:
    """The derivative at a minimum is zero or a rounding error, which is the goal of training."""
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


def test_finding_is_at_its_cause_and_at_the_answer(reported: Telling) -> None:
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


def test_only_the_first_nan_is_a_problem(reported: Telling) -> None:
    timeline = reported(
        """\
        x = tf.constant(-1.0)
        root = tf.sqrt(x)
        more = tf.exp(root)
        """
    )
    assert said(timeline) == [("Sqrt", "the first NaN on this path")]


def test_gradient_that_vanishes_in_a_long_chain_is_reported_once(reported: Telling) -> None:
    """Twelve factors of 0.1 in the backward pass."""
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


def test_exploding_gradient_is_reported_once(reported: Telling) -> None:
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


def test_zero_contribution_among_others_is_not_a_problem(reported: Telling) -> None:
    """In the first iteration the state is zero, and so is that iteration's contribution to the gradient."""
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


def test_forward_and_backward_steps_of_a_loop_name_their_iteration(reported: Telling) -> None:
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
