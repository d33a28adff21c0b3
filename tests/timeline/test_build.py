"""A trace becomes steps, calls and terms."""

from collections.abc import Callable

from traced import VANISHING

from minitape.timeline import Phase, Timeline

Telling = Callable[[str], Timeline]

SQUARE = """\
w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = w * w
slope = tape.gradient(y, w)
"""

ITERATIONS = """\
w = tf.Variable(3.0)
for step in range(3):
    with tf.GradientTape() as tape:
        y = w * w
    w.assign_sub(tape.gradient(y, w))
"""


def test_steps_are_in_the_order_in_which_they_happened(reported: Telling) -> None:
    timeline = reported(SQUARE)
    assert [step.kind for step in timeline.steps] == [
        "variable",
        "tape_enter",
        "op",
        "tape_exit",
        "gradient",
        "seed",
        "back",
        "result",
    ]
    assert [step.index for step in timeline.steps] == list(range(8))


def test_backward_step_has_the_position_of_its_op(reported: Telling) -> None:
    timeline = reported(SQUARE)
    back = next(step for step in timeline.steps if step.kind == "back")
    assert back.location is not None
    assert (back.location.line, back.code, back.phase) == (4, "y = w * w", Phase.BACKWARD)


def test_step_links_to_the_next_call_or_follows_one(reported: Telling) -> None:
    timeline = reported(ITERATIONS)
    assert [step.call for step in timeline.steps if step.kind == "op" and step.what == "Mul"] == [
        1,
        2,
        3,
    ]
    updates = [step.call for step in timeline.steps if step.what == "assign_sub"]
    assert updates == [1, 2, 3]  # an update belongs to the iteration whose gradient it uses


def test_visits_count_the_iterations(reported: Telling) -> None:
    ops = [step for step in reported(ITERATIONS).steps if step.what == "Mul"]
    assert [(step.visit, step.visits) for step in ops] == [(1, 3), (2, 3), (3, 3)]
    assert {step.loop for step in ops} == {"for step in range(3):"}


def test_call_has_its_first_step_request_and_end(reported: Telling) -> None:
    timeline = reported(SQUARE)
    (call,) = timeline.calls
    assert (call.first, call.requested, call.last) == (0, 4, 7)
    assert (call.text, call.target) == ("tape.gradient(y, w)", "y")


def test_healthy_answer_has_its_value_and_no_code(reported: Telling) -> None:
    (answer,) = reported(SQUARE).calls[0].answers
    assert (answer.name, answer.value, answer.code) == ("w", "6.0", "")


def test_none_answer_has_its_line_and_fix(reported: Telling) -> None:
    timeline = reported(
        """\
        import numpy as np
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.square(np.sin(w))
        tape.gradient(y, w)
        """
    )
    (answer,) = timeline.calls[0].answers
    assert (answer.value, answer.code, answer.line) == ("None", "MT201", 5)
    assert answer.fix == "use `tf.sin(w)` instead of `np.sin(w)`"
    assert timeline.calls[0].has_problem


def test_terms_of_a_gradient_add_up_to_it(reported: Telling) -> None:
    """Each use of w contributes 1 · w."""
    terms = reported(SQUARE).terms[1, "var-1"]
    assert [(term.amount, term.sum) for term in terms] == [("3.0", "3.0"), ("3.0", "6.0")]
    assert {term.expansion for term in terms} == {"#1 Mul, backward"}


def test_value_leaving_the_tape_is_one_step(reported: Telling) -> None:
    """NumPy first requests the array and then computes, which causes two events for one operation."""
    timeline = reported(
        """\
        import numpy as np
        w = tf.Variable(3.0)
        s = np.sin(w)
        """
    )
    assert [(step.what, step.note) for step in timeline.steps[1:]] == [
        ("left the engine", "via np.sin")
    ]


def test_each_change_names_its_variable(reported: Telling) -> None:
    timeline = reported(SQUARE)
    names = [[shown.name for shown in step.shown] for step in timeline.steps]
    assert names == [["w"], [], ["y"], [], [], ["∂y/∂y"], ["∂y/∂w", "∂y/∂w"], ["∂y/∂w"]]


def test_same_trace_gives_the_same_timeline(reported: Telling) -> None:
    assert reported(ITERATIONS) == reported(ITERATIONS)


def test_path_of_a_none_gradient_names_its_steps(reported: Telling) -> None:
    """The path leads from the variable through NumPy to the target, and is cut at the sine."""
    timeline = reported(
        "import numpy as np\n"
        "w = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = w * 3.0\n"
        "    loss = tf.square(np.sin(y))\n"
        "tape.gradient(loss, w)\n"
    )
    (answer,) = timeline.calls[0].answers
    assert answer.step is not None
    assert timeline.steps[answer.step].kind == "variable"
    assert [stop.word.partition(":")[0] for stop in answer.path] == ["Mul", "constant", "Square"]
    assert [stop.is_cut for stop in answer.path] == [False, True, False]
    for stop in answer.path:
        assert stop.step is not None
        step, (_, _, line) = timeline.steps[stop.step], stop.word.partition(":")
        assert step.location is not None
        assert step.location.line == int(line)


def test_healthy_parts_of_a_long_path_are_omitted(reported: Telling) -> None:
    timeline = reported(
        "import numpy as np\n"
        "w = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    h = w\n" + "    h = h * 0.5\n    h = tf.sin(h)\n" * 10 + "    loss = np.square(h)\n"
        "tape.gradient(tf.constant(loss), w)\n"
    )
    (answer,) = timeline.calls[0].answers
    gaps = [stop for stop in answer.path if not stop.word]
    assert gaps
    assert all(stop.step is None for stop in gaps)
    assert len(answer.path) < 12
    assert sum(stop.is_cut for stop in answer.path) == 1


def test_note_is_at_its_iterations(reported: Telling) -> None:
    calls = reported(VANISHING).calls
    assert [[note.code for note in call.notes] for call in calls] == [[], ["MT405"]]
    assert not any(call.has_problem for call in calls)


def test_range_reports_values_that_are_not_finite(reported: Telling) -> None:
    timeline = reported(
        """\
p = tf.Variable([0.2, 0.0, 0.8, 0.5, 1.0])
with tf.GradientTape() as tape:
    logs = tf.math.log(p)
    terms = p * logs
    loss = tf.reduce_sum(terms)
tape.gradient(loss, p)
"""
    )
    values = {step.what: step.value for step in timeline.steps if step.kind == "op"}
    assert values["Log"] == "[5] -1.609..0.0, inf"
    assert values["Mul"] == "[5] -0.3466..0.0, nan"
    problems = {step.what: step.problem for step in timeline.steps if step.kind == "op"}
    assert "minus infinity" in problems["Log"]
    assert problems["Mul"].startswith("the first NaN")
    assert not problems["Sum"]


def test_input_without_a_contribution_is_named_once(reported: Telling) -> None:
    timeline = reported(
        """\
w = tf.Variable([[1.0], [2.0]])
x = tf.random.normal([3, 2])
with tf.GradientTape() as tape:
    y = x @ w
tape.gradient(y, w)
"""
    )
    back = next(step for step in timeline.steps if step.what == "MatMul, backward")
    assert [fact.label for fact in back.facts if fact.text.endswith("nothing is sent")] == ["x"]
