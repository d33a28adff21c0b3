"""The content of a step: names, values, rules and reasons."""

from collections.abc import Callable

from minitape.timeline import Severity, Timeline, TimelineStep

Telling = Callable[[str], Timeline]


def step(timeline: Timeline, what: str) -> TimelineStep:
    return next(each for each in timeline.steps if each.what == what)


def facts(step: TimelineStep) -> list[tuple[str, str]]:
    return [(fact.label, fact.text) for fact in step.facts]


CUBE = """\
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    square = w * w
    y = square * w
tape.gradient(y, w)
"""


def test_op_shows_its_inputs_output_and_saved_values(reported: Telling) -> None:
    op = step(reported(CUBE), "Mul")
    assert facts(op)[:4] == [
        ("w", "2.0"),
        ("w", "2.0"),
        ("square =", "4.0"),
        ("recorded", "on tape"),
    ]
    assert ("keeps", "w") in facts(op)
    assert op.note == "keeps w"


def test_backward_step_multiplies_the_incoming_gradient_by_the_derivative(
    reported: Telling,
) -> None:
    """y = square · w, so the contribution to w is 4, and the contribution to square is 2."""
    back = step(reported(CUBE), "Mul, backward")
    said = facts(back)
    assert ("∂y/∂y", "= 1.0  arrives") in said
    assert ("∂y/∂square", "= 1.0 × 2.0 = 2.0") in said
    assert ("∂y/∂w", "+= 1.0 × 4.0 = 4.0") in said
    assert (back.nth, back.given, back.rule) == (1, "1.0", "ā = ȳ·b   b̄ = ȳ·a")


def test_gradient_with_several_uses_is_shown_as_a_running_sum(reported: Telling) -> None:
    sums = [text for each in reported(CUBE).steps for label, text in facts(each) if label == "sum"]
    assert sums == ["4.0   (1 of 3)", "4.0 + 4.0 = 8.0   (2 of 3)", "8.0 + 4.0 = 12.0   (3 of 3)"]


def test_line_of_a_backward_step_shows_contributions_and_at_last_their_sum(
    reported: Telling,
) -> None:
    steps = [each for each in reported(CUBE).steps if each.what == "Mul, backward"]
    assert [(each.inputs, each.value) for each in steps] == [
        ("square, w", "2.0, +4.0 (1 of 3)"),
        ("w, w", "+4.0 (2 of 3), +4.0 (3 of 3) = 12.0"),
    ]


def test_negative_contribution_has_its_own_sign(reported: Telling) -> None:
    timeline = reported(
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w - w
        tape.gradient(y, w)
        """
    )
    assert step(timeline, "Sub, backward").value == "+1.0 (1 of 2), -1.0 (2 of 2) = 0.0"


def test_each_row_of_a_jacobian_is_a_separate_sum(reported: Telling) -> None:
    timeline = reported(
        """\
        x = tf.Variable([2.0, 3.0])
        with tf.GradientTape(persistent=True) as tape:
            y = tf.exp(x)
        tape.jacobian(y, x, experimental_use_pfor=False)
        """
    )
    values = [each.value for each in timeline.steps if each.what == "Exp, backward"]
    assert values == ["[7.389, 0.0]", "[0.0, 20.09]"]


def test_constant_gets_no_contribution(reported: Telling) -> None:
    timeline = reported(
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * 3.0
        tape.gradient(y, w)
        """
    )
    assert ("3.0", "a constant: nothing is sent") in facts(step(timeline, "Mul, backward"))


def test_unrecorded_op_shows_why(reported: Telling) -> None:
    timeline = reported("w = tf.Variable(2.0)\ny = w * w\n")
    assert ("recorded", "no: no tape was open") in facts(step(timeline, "Mul"))
    assert step(timeline, "Mul").note == "no tape open"


def test_reentering_value_has_no_history_and_the_op_says_so(reported: Telling) -> None:
    timeline = reported(
        """\
        import numpy as np
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            q = np.sin(w)
            y = w * q
        tape.gradient(y, w)
        """
    )
    assert step(timeline, "re-entered").tone is Severity.LOST
    assert "q: no history" in step(timeline, "Mul").note


def test_assignment_shows_old_and_new_value(reported: Telling) -> None:
    timeline = reported("w = tf.Variable(2.0)\nw.assign(5.0)\n")
    assert facts(step(timeline, "assign"))[:2] == [("w was", "2.0"), ("w is", "5.0")]


def test_step_keeps_the_value_that_its_variable_had(reported: Telling) -> None:
    """The rule uses the value that the op saved, not the value assigned later."""
    timeline = reported(
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * w
        w.assign(100.0)
        tape.gradient(y, w)
        """
    )
    assert ("reads", "w = 2.0") in facts(step(timeline, "Mul, backward"))


def test_unnamed_result_is_named_after_its_op_number(reported: Telling) -> None:
    timeline = reported("w = tf.Variable(2.0)\ny = tf.exp(w * w)\n")
    assert (step(timeline, "Exp").inputs, step(timeline, "Exp").value) == ("#1", "54.6")


def test_recorded_backward_pass_is_marked_as_differentiable(reported: Telling) -> None:
    timeline = reported(
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = w * w
            slope = inner.gradient(y, w)
        outer.gradient(slope, w)
        """
    )
    assert any("differentiated again" in text for _, text in facts(step(timeline, "∂y/∂w")))
    inside = [each for each in timeline.steps if each.kind == "op"][1:]
    assert inside
    for each in inside:
        assert ("", "part of a backward pass that is itself recorded") in facts(each)
