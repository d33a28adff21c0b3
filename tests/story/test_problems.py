"""Where a run goes wrong, and where it only looks like it."""

from collections.abc import Callable

from minitape.story import Story

Telling = Callable[[str], Story]


def said(story: Story) -> list[tuple[str, str]]:
    return [(step.what, step.problem) for step in story.steps if step.problem]


def test_a_healthy_run_has_none(told: Telling) -> None:
    story = told(
        """\
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.exp(w)
        tape.gradient(y, w)
        """
    )
    assert story.problems == ()


def test_training_that_came_to_rest_is_none(told: Telling) -> None:
    """The slope at a minimum is zero or rounding: that is what one trained for."""
    story = told(
        """\
        w = tf.Variable(3.0)
        for _ in range(100):
            with tf.GradientTape() as tape:
                error = w - 1.0
                loss = error * error
            w.assign_sub(0.4 * tape.gradient(loss, w))
        """
    )
    walks = [step for step in story.steps if "gradient" in step.problem]
    assert walks == []


def test_a_finding_stands_at_its_cause_and_at_the_answer(told: Telling) -> None:
    story = told(
        """\
        import numpy as np
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.exp(np.sin(w))
        tape.gradient(y, w)
        """
    )
    words = "here the value leaves the tape for NumPy (MT201)"
    assert said(story) == [("left the engine", words), ("∂y/∂w", f"w: {words}")]


def test_the_first_nan_is_told_and_those_after_it_are_not(told: Telling) -> None:
    story = told(
        """\
        x = tf.constant(-1.0)
        root = tf.sqrt(x)
        more = tf.exp(root)
        """
    )
    assert said(story) == [("Sqrt", "the first nan of this path")]


def test_a_gradient_that_dies_in_a_long_chain_is_told_once(told: Telling) -> None:
    """Twelve factors of 0.1 on the way back."""
    story = told(
        """\
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = w * 1.0
            for _ in range(12):
                y = y * 0.1
        tape.gradient(y, w)
        """
    )
    assert [problem for _, problem in said(story)].count("the gradient has all but vanished") == 1


def test_a_gradient_that_explodes_is_told_once(told: Telling) -> None:
    story = told(
        """\
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = w * 1.0
            for _ in range(12):
                y = y * 10.0
        tape.gradient(y, w)
        """
    )
    assert [problem for _, problem in said(story)].count("the gradient has exploded") == 1
