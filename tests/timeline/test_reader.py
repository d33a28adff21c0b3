"""What a step says: names, numbers, rules and reasons."""

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


def test_an_op_says_what_went_in_came_out_and_is_kept(reported: Telling) -> None:
    op = step(reported(CUBE), "Mul")
    assert facts(op)[:4] == [
        ("w", "2.0"),
        ("w", "2.0"),
        ("square =", "4.0"),
        ("recorded", "on tape"),
    ]
    assert ("keeps", "w") in facts(op)
    assert op.note == "keeps w"


def test_a_step_back_multiplies_what_arrives_by_the_slope(reported: Telling) -> None:
    """y = square · w: w is owed 4, square is owed 2."""
    back = step(reported(CUBE), "Mul, backward")
    said = facts(back)
    assert ("∂y/∂y", "= 1.0  arrives") in said
    assert ("∂y/∂square", "= 1.0 × 2.0 = 2.0") in said
    assert ("∂y/∂w", "+= 1.0 × 4.0 = 4.0") in said
    assert (back.nth, back.given, back.rule) == (1, "1.0", "ā = ȳ·b   b̄ = ȳ·a")


def test_a_gradient_with_several_uses_is_told_as_a_running_sum(reported: Telling) -> None:
    sums = [text for each in reported(CUBE).steps for label, text in facts(each) if label == "sum"]
    assert sums == ["4.0   (1 of 3)", "4.0 + 4.0 = 8.0   (2 of 3)", "8.0 + 4.0 = 12.0   (3 of 3)"]


def test_the_line_of_a_step_back_has_the_amounts_and_with_the_last_their_sum(
    reported: Telling,
) -> None:
    steps = [each for each in reported(CUBE).steps if each.what == "Mul, backward"]
    assert [(each.inputs, each.value) for each in steps] == [
        ("square, w", "2.0, +4.0 (1 of 3)"),
        ("w, w", "+4.0 (2 of 3), +4.0 (3 of 3) = 12.0"),
    ]


def test_a_negative_amount_has_its_own_sign(reported: Telling) -> None:
    timeline = reported(
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w - w
        tape.gradient(y, w)
        """
    )
    assert step(timeline, "Sub, backward").value == "+1.0 (1 of 2), -1.0 (2 of 2) = 0.0"


def test_each_row_of_a_jacobian_is_a_sum_of_its_own(reported: Telling) -> None:
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


def test_a_constant_gets_nothing(reported: Telling) -> None:
    timeline = reported(
        """\
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * 3.0
        tape.gradient(y, w)
        """
    )
    assert ("3.0", "a constant: nothing is sent") in facts(step(timeline, "Mul, backward"))


def test_an_op_that_is_not_recorded_says_why(reported: Telling) -> None:
    timeline = reported("w = tf.Variable(2.0)\ny = w * w\n")
    assert ("recorded", "no: no tape was open") in facts(step(timeline, "Mul"))
    assert step(timeline, "Mul").note == "no tape open"


def test_what_comes_back_has_no_history_and_the_op_says_so(reported: Telling) -> None:
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


def test_an_assignment_says_what_was_and_what_is(reported: Telling) -> None:
    timeline = reported("w = tf.Variable(2.0)\nw.assign(5.0)\n")
    assert facts(step(timeline, "assign"))[:2] == [("w was", "2.0"), ("w is", "5.0")]


def test_a_step_keeps_the_value_that_its_variable_had_then(reported: Telling) -> None:
    """The rule reads what the op kept, not what was assigned since."""
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


def test_a_nameless_result_is_called_by_the_number_of_its_op(reported: Telling) -> None:
    timeline = reported("w = tf.Variable(2.0)\ny = tf.exp(w * w)\n")
    assert (step(timeline, "Exp").inputs, step(timeline, "Exp").value) == ("#1", "54.6")


def test_a_recorded_walk_says_that_it_can_be_differentiated(reported: Telling) -> None:
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
