"""Each kind of check: what it accepts, and what it rejects with which message."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from traced import traced

from minitape.course.checks import (
    Choice,
    Codes,
    Connected,
    Cost,
    Holds,
    Order,
    Prediction,
    Slope,
    Taped,
    TapeShape,
    Value,
)
from minitape.course.checks.answers import digest
from minitape.course.checks.check import CheckContext, InProgram, OnRun
from minitape.course.failing import Failed
from minitape.course.student import Draw, Point, Student


class Asked:
    """A program that ran, and the results of checks on it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, text: str, check: Any, *, page: str = "", seed: int = 7) -> str:
        """Return the message of the check; a `Failed` propagates."""
        ran = traced(text, self._folder)
        if isinstance(check, OnRun):
            codes = dict.fromkeys(
                finding.code
                for call in ran.report.calls
                for source in call.sources
                for finding in source.findings
            )
            return check.judge(CheckContext(ran.trace, tuple(codes)))
        assert isinstance(check, InProgram)
        file = None
        if page:
            (self._folder / "checks.py").write_text(dedent(page), encoding="utf-8")
            file = str(self._folder / "checks.py")
        student = Student(ran.names, (dedent(text).lstrip("\n"),), file)
        return check.examine(student, Draw(seed))

    def fault(self, text: str, check: Any, **more: Any) -> str:
        """Return the objection of the check."""
        with pytest.raises(Failed) as raised:
            self(text, check, **more)
        assert raised.value.fix
        return raised.value.what


@pytest.fixture
def requested(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


# --- predictions ---


@pytest.mark.parametrize(
    ("given", "came"),
    [
        ("6.0", "6.0000001"),
        ("6", "tf.constant(6.0)"),
        ("None", "None"),
        ("[1, 2]", "tf.constant([1.0, 2.0])"),
        ("(None, 2.0)", "[None, tf.constant(2.0)]"),
        ("{'w': 3.0}", "{'w': tf.constant(3.0)}"),
        ("True", "True"),
        ("'left'", "'left'"),
        ("(2, 3)", "tf.zeros([2, 3]).shape"),
    ],
)
def test_prediction_is_compared_with_the_computed_value(
    requested: Asked, given: str, came: str
) -> None:
    assert requested(f"answer = {given}\ncame = {came}", Prediction(name="answer", computed="came"))


@pytest.mark.parametrize(
    ("given", "came"),
    [
        ("6.1", "6.0"),
        ("0.0", "None"),
        ("None", "0.0"),
        ("[1, 2]", "[1, 2, 3]"),
        ("[1, 3]", "[1, 2]"),
        ("True", "1.0"),
        ("{'w': 3.0}", "{'b': 3.0}"),
    ],
)
def test_wrong_prediction_is_rejected_without_revealing_the_right_one(
    requested: Asked, given: str, came: str
) -> None:
    check = Prediction(name="answer", computed="came")
    said = requested.fault(f"answer = {given}\ncame = {came}", check)
    assert said.startswith("`answer = ")
    assert "is not what the program computes" in said


@pytest.mark.parametrize(
    ("given", "came", "hint"),
    [
        ("(2)", "tf.zeros([2]).shape", "it is a single number, not a list or a tuple"),
        ("'None'", "None", "in quotes it is a string"),
        ("'6'", "6.0", "in quotes it is a string"),
        ("'(4, 2)'", "(4, 2)", "in quotes it is a string"),
        ("'[1, 2]'", "[1, 2]", "in quotes it is a string"),
        ("'b'", "['b', 'd']", "it is a string, not a list or a tuple"),
        ("[1, 2]", "[1]", "it does not have the right number of elements"),
    ],
)
def test_typing_mistake_in_a_prediction_is_named(
    requested: Asked, given: str, came: str, hint: str
) -> None:
    check = Prediction(name="answer", computed="came")
    assert hint in requested.fault(f"answer = {given}\ncame = {came}", check)


def test_tuple_is_shown_as_it_was_typed(requested: Asked) -> None:
    check = Prediction(name="answer", computed="came")
    said = requested("answer = (2, 3)\ncame = tf.zeros([2, 3]).shape", check)
    assert said == "`answer = (2, 3)` is right"


def test_computed_prediction_is_rejected(requested: Asked) -> None:
    check = Prediction(name="answer", computed="came")
    said = requested.fault("came = 6.0\nanswer = came", check)
    assert said.startswith("`answer = came` is computed")
    assert "still open" in requested.fault("came = 6.0\nanswer = ...", check)
    assert "has no value" in requested.fault("came = 6.0", check)


def test_order_is_a_list_of_each_name_once(requested: Asked) -> None:
    check = Order(name="steps", computed="['c', 'b', 'a']")
    assert requested("steps = ['c', 'b', 'a']", check)
    assert "position 2 ('a') is the first position that differs" in requested.fault(
        "steps = ['c', 'a', 'b']", check
    )
    assert "'d' is not one of the names" in requested.fault("steps = ['c', 'd', 'b']", check)
    assert "'b' occurs more than once" in requested.fault("steps = ['c', 'b', 'b']", check)
    assert "contains only 2 of 3 names" in requested.fault("steps = ['c', 'b']", check)
    assert "`steps` is 3, not a list" in requested.fault("steps = 3", check)


def test_choice_is_checked_by_its_digest_in_any_order_and_case(requested: Asked) -> None:
    check = Choice(name="which", salt="s", digest=digest(["b", "d"], "s"))
    assert requested("which = ('D', 'b')", check)
    assert requested.fault("which = ('b',)", check) == "`which = ('b',)` is not right."
    assert digest("b", "s") != digest("b", "t")


# --- functions ---

SQUARES = """
    def f(x):
        return x * x + {more}
"""
REFERENCE = """
    import minitape as tf
    def right(x):
        return x * x + 1.0
    def bowl(x, y):
        return tf.reduce_sum(x * x) * y
    def cube(x):
        return x * x * x
    def sums(x):
        return x[0] * x[0] * x[1]
"""
ONE = Point(shape=(3,), low=1.0, high=2.0)


def test_value_is_compared_with_the_reference_at_each_point(requested: Asked) -> None:
    check = Value(function="f", reference="right", at=(ONE,))
    assert (
        requested(SQUARES.format(more="1.0"), check, page=REFERENCE) == "`f` is right at 5 points"
    )
    said = requested.fault(SQUARES.format(more="1.5"), check, page=REFERENCE)
    assert said.startswith("`f([") and " at [0]; the right result is " in said


def test_missing_or_raising_function_is_reported_with_its_line(requested: Asked) -> None:
    check = Value(function="f", reference="right", at=(ONE,))
    assert "does not define 'f'" in requested.fault("g = 3", check, page=REFERENCE)
    said = requested.fault("def f(x):\n    return x / 'no'", check, page=REFERENCE)
    assert said.startswith("`f([") and "raised DtypeMismatchError" in said
    assert "`f` is 3, not a function" in requested.fault("f = 3", check, page=REFERENCE)


GRADIENTS = """
    def slopes(x, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = tf.reduce_sum(x * x) * y
        return tape.gradient(z, [x, y])
"""
BOWL = Slope(function="slopes", of="bowl", at=(Point(shape=(2, 2)), Point()))


def test_derivative_is_compared_with_finite_differences(requested: Asked) -> None:
    assert requested(GRADIENTS, BOWL, page=REFERENCE)
    constant = "def slopes(x, y):\n    return [x, 6.0]"
    assert "the gradient of `bowl` for argument 1 is" in requested.fault(
        constant, BOWL, page=REFERENCE
    )
    shape = "def slopes(x, y):\n    return [tf.reduce_sum(x), y]"
    assert "has the shape ()" in requested.fault(shape, BOWL, page=REFERENCE)
    alone = "def slopes(x, y):\n    return x"
    assert "must return 2 gradients" in requested.fault(alone, BOWL, page=REFERENCE)


def test_none_names_its_argument(requested: Asked) -> None:
    late = GRADIENTS.replace("tape.watch([x, y])", "tape.watch(x)")
    assert "returned None for argument 2" in requested.fault(late, BOWL, page=REFERENCE)


@pytest.mark.parametrize(
    ("order", "right"), [(1, "3.0 * x * x"), (2, "6.0 * x"), (3, "6.0 + 0.0 * x")]
)
def test_higher_derivative_is_compared_with_the_derivative_before(
    requested: Asked, order: int, right: str
) -> None:
    check = Slope(function="d", of="cube", at=(Point(),), order=order)
    assert requested(f"def d(x):\n    return {right}", check, page=REFERENCE)
    said = requested.fault(f"def d(x):\n    return 1.01 * ({right})", check, page=REFERENCE)
    assert ("the gradient of `cube` is" in said) == (order == 1)
    assert (f"the derivative of order {order} of `cube` is" in said) == (order > 1)


def test_second_derivative_of_an_array_is_its_hessian(requested: Asked) -> None:
    check = Slope(function="h", of="sums", at=(Point(shape=(2,)),), order=2)
    right = "tf.stack([[2 * x[1], 2 * x[0]], [2 * x[0], 0.0 * x[0]]])"
    assert requested(f"def h(x):\n    return {right}", check, page=REFERENCE)


def test_derivative_of_a_float32_function_is_still_checked(requested: Asked) -> None:
    text = """
        weights = tf.constant([2.0, 3.0])
        def f(x):
            return tf.reduce_sum(weights * tf.sin(x))
        def g(x):
            return weights * tf.cos(x) * {factor}
    """
    check = Slope(function="g", of="f", at=(Point(shape=(2,)),))
    assert requested(text.format(factor=1.0), check)
    requested.fault(text.format(factor=1.02), check)


def test_cost_is_counted_in_recorded_ops_and_saved_bytes(requested: Asked) -> None:
    text = """
        def g(x):
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = tf.exp(x)
                z = tf.exp(y)
            return tape.gradient(y, x)
    """
    at = (Point(shape=(100,)),)
    assert requested(text, Cost(function="g", at=at, most_ops=2, most_bytes=800))
    assert "costs 2 recorded ops, but needs at most 1" in requested.fault(
        text, Cost(function="g", at=at, most_ops=1)
    )
    said = requested.fault(text, Cost(function="g", at=at, most_bytes=799))
    assert "costs 800 kept bytes, but needs at most 799" in said


def test_formula_does_not_count_as_a_tape(requested: Asked) -> None:
    text = """
        def g(x):
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = x * x
            return {result}
    """
    at = (Point(shape=(3,)),)
    both = text.format(result="tape.gradient(y, x), tape.gradient(y, [x])")
    assert requested(both, Taped(function="g", at=at, least=2)) == "`g` gets its result from a tape"
    said = requested.fault(both, Taped(function="g", at=at, most=1))
    assert "makes 2 gradient calls, but needs at most 1" in said
    formula = text.format(result="2.0 * x")
    said = requested.fault(formula, Taped(function="g", at=at))
    assert "did not request a gradient from a tape" in said
    one = text.format(result="tape.gradient(y, x), 2.0 * x")
    said = requested.fault(one, Taped(function="g", at=at, least=2))
    assert "requested only 1 gradient" in said


def test_custom_check_is_written_by_the_author(requested: Asked) -> None:
    page = '''
        import numpy as np
        from minitape.course.failing import Failed
        def is_even(student, draw):
            """f is even."""
            x = draw.tensor((2,))
            if not np.allclose(student.f(x), student.f(-x)):
                raise Failed("f(x) and f(-x) differ", fix="square it")
    '''
    check = Holds(function="is_even")
    assert requested("def f(x):\n    return x * x", check, page=page) == "f is even"
    assert requested.fault("def f(x):\n    return x", check, page=page) == "f(x) and f(-x) differ"


# --- runs ---

LOST = """
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = tf.constant(np.square(w.numpy()))
    g = tape.gradient(loss, w)
"""
HEALTHY = LOST.replace("tf.constant(np.square(w.numpy()))", "tf.square(w)")
PATCHED = LOST.replace("(loss, w)", '(loss, w, unconnected_gradients="zero")')
SEVERED = PATCHED.replace("np.square(w.numpy())", "3.0")


def test_codes_must_be_absent_or_present(requested: Asked) -> None:
    gone, shown = Codes(absent=("MT201",)), Codes(present=("MT201",))
    assert requested(HEALTHY, gone) == "MT201 no longer occurs"
    assert requested(HEALTHY, Codes(absent=("MT101", "MT201"))) == "MT101, MT201 no longer occur"
    assert requested.fault(LOST, gone).startswith("line 3: value leaves the tape here")
    assert requested(LOST, shown) == "your run shows MT201"
    missing = "should have this finding, but does not: `tape.gradient` returns None after NumPy or `float()` (MT201)"
    assert missing in requested.fault(HEALTHY, shown)
    assert requested(HEALTHY, Codes(outcome="healthy"))
    requested.fault(LOST, Codes(outcome="healthy"))


@pytest.mark.parametrize("text", [LOST, SEVERED, "x = 3.0"])
def test_disconnected_gradient_is_found_also_behind_a_zero(requested: Asked, text: str) -> None:
    requested.fault(text, Connected())


def test_true_zero_is_connected(requested: Asked) -> None:
    assert requested(HEALTHY.replace("tf.square(w)", "tf.nn.relu(-w)"), Connected())
    assert requested(HEALTHY, Connected()) == "the gradient arrived"


def test_detour_replaced_by_zero_is_not_connected(requested: Asked) -> None:
    assert "zero instead of None" in requested.fault(PATCHED, Connected())


def test_check_of_the_shape_of_a_tape(requested: Asked) -> None:
    text = """
        x, y = tf.constant(2.0), tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            tape.watch(y)
            z = tf.exp(x * y)
        tape.gradient(z, x)
    """
    assert (
        requested(text.replace("tf.exp(x * y)", "tf.exp(x)"), TapeShape()) == "the tape holds 1 op"
    )
    assert requested(text, TapeShape(most=2, least=2, has={"Mul": 1}, lacks=("Relu",), tapes=1))
    assert "(1 Exp, 1 Mul), but needs at most 1" in requested.fault(text, TapeShape(most=1))
    assert "at least 3" in requested.fault(text, TapeShape(least=3))
    assert "but should hold 2 Mul" in requested.fault(text, TapeShape(has={"Mul": 2}))
    assert "but should not hold Exp" in requested.fault(text, TapeShape(lacks=("Exp",)))
    assert "watch 2 values, but needs to watch at most 1" in requested.fault(
        text, TapeShape(watches_most=1)
    )
    assert "the run opened 1 tape, but should open 2" in requested.fault(text, TapeShape(tapes=2))
    assert "the run has 1 gradient call, but this check needs call 2" in requested.fault(
        text, TapeShape(call=2)
    )
