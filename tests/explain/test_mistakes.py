"""Each mistake has a single answer, whatever the number of affected sources, iterations, calls and models; and the order of
fixes.
"""

from pathlib import Path

import pytest
from traced import traced

from minitape.explain.answer import Explanation
from minitape.explain.mistakes import Mistake, as_data, in_all, mistakes_of
from minitape.explain.report import Report

MODEL = """
keras = tf.keras
keras.backend.clear_session()
model = keras.Sequential([keras.layers.Dense(3) for _ in range({layers})])
x = tf.ones((2, 3))
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.constant(np.mean(model(x)))
    tape.gradient(loss, model.trainable_variables)
"""
TWO_MODELS_TWO_CALLS = """
def dense():
    return tf.keras.layers.Dense(2)
tf.keras.backend.clear_session()
first, second, x = dense(), dense(), tf.ones((2, 2))
with tf.GradientTape(persistent=True) as tape:
    hidden = tf.stop_gradient(first(x) + second(x))
    one, two = tf.reduce_sum(hidden), tf.reduce_sum(hidden * hidden)
tape.gradient(one, first.trainable_variables)
tape.gradient(two, second.trainable_variables)
"""
IN_A_ROW = """
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    inner = tf.stop_gradient(a * 2.0)
    outer = tf.constant(float(inner * b)) * 3.0
tape.gradient(outer, [a, b])
"""
THE_LAST_FREES_MOST = """
a, b, c, d = [tf.Variable(float(i)) for i in range(4)]
with tf.GradientTape() as tape:
    one = tf.stop_gradient(a * a)
    rest = float(b * c * d)
    loss = one + rest
tape.gradient(loss, [a, b, c, d])
"""
TWO_ON_A_LINE = """
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.stop_gradient(a * 2.0) + tf.stop_gradient(b * 3.0)
tape.gradient(loss, [a, b])
"""
OUTCOMES = """
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.constant(float(a * b)) + b * 3.0
tape.gradient(loss, [a, b])
"""


def report_of(text: str, tmp_path: Path) -> Report:
    head = "import numpy as np\nimport minitape as tf"
    return traced(head + text, tmp_path).report


@pytest.mark.parametrize("layers", [1, 3, 100])
def test_one_break_in_a_model_is_one_answer(layers: int, tmp_path: Path) -> None:
    report = report_of(MODEL.format(layers=layers), tmp_path)
    (mistake,) = mistakes_of(report)
    assert len(mistake.names) == 2 * layers
    assert [len(visits) for visits in mistake.visits.values()] == [4]
    assert in_all([mistake], report) == ["Found 1 mistake, on line 9."]
    reported = str(Explanation(report))
    assert reported.count("mean") == str(mistake).count("mean")
    assert len(reported) < 700
    if layers == 100:
        assert "`sequential/dense/kernel`, `sequential/dense/bias` and 198 more is None" in reported


def test_calls_and_models_share_an_answer(tmp_path: Path) -> None:
    (mistake,) = mistakes_of(report_of(TWO_MODELS_TWO_CALLS, tmp_path))
    assert [place.line for place in mistake.requested] == [10, 11]
    assert mistake.headline == (
        "the gradient of `one` with respect to `dense/kernel` and `dense/bias` is None; "
        "the one of `two` with respect to `dense_1/kernel` and `dense_1/bias` is None"
    )


def test_fixes_that_help_only_together_are_stated_once(tmp_path: Path) -> None:
    report = report_of(IN_A_ROW, tmp_path)
    mistakes = mistakes_of(report)
    assert [each.finding.location.line for each in mistakes] == [6, 5]
    assert in_all(mistakes, report) == [
        "Found 2 mistakes. Fix line 6 first, then line 5.",
        "For `a`: fix both line 5 and line 6; fixing only one has no effect.",
    ]
    assert str(Explanation(report)).count("fixing only one has no effect") == 1


def test_mistake_with_most_sources_comes_first_then_first_line(tmp_path: Path) -> None:
    report = report_of(THE_LAST_FREES_MOST, tmp_path)
    assert [each.finding.location.line for each in mistakes_of(report)] == [6, 5]
    equal = THE_LAST_FREES_MOST.replace("[a, b, c, d])", "[b, a])")
    report = report_of(equal, tmp_path)
    assert [each.finding.location.line for each in mistakes_of(report)] == [5, 6]


def test_two_positions_on_one_line_are_one_mistake_with_both_marked(tmp_path: Path) -> None:
    (mistake,) = mistakes_of(report_of(TWO_ON_A_LINE, tmp_path))
    assert mistake.names == ["a", "b"]
    assert len({each.location.column for each in mistake.stretches}) == 2


def test_each_outcome_is_stated_for_its_sources(tmp_path: Path) -> None:
    (mistake,) = mistakes_of(report_of(OUTCOMES, tmp_path))
    assert mistake.headline == (
        "the gradient of `loss` with respect to `a` is None; "
        "the one of `loss` with respect to `b` is incomplete"
    )
    assert mistake.is_error


def test_advice_that_differs_only_in_the_name_is_given_once(tmp_path: Path) -> None:
    names = """
    used, *unused = [tf.Variable(float(i), name=f"w{i}") for i in range(30)]
    with tf.GradientTape() as tape:
        loss = used * used
    tape.gradient(loss, unused)
    """
    (mistake,) = mistakes_of(report_of("\n" + _dedented(names), tmp_path))
    assert len(mistake.fixes) == 1
    assert mistake.fix.endswith("; likewise for `w2`, `w3` and 26 more")


def _dedented(text: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in text.splitlines())


def test_data_names_every_source(tmp_path: Path) -> None:
    report = report_of(MODEL.format(layers=10), tmp_path)
    (mistake,) = as_data(report)
    assert len(mistake["sources"]) == 20
    assert mistake["requested"] == [{"file": "program.py", "line": 10, "iterations": 4}]
    assert (mistake["together"], mistake["outcomes"]) == (None, ["none"])


def test_no_finding_has_no_message() -> None:
    assert (mistakes_of(Report("", ())), in_all(list[Mistake](), Report("", ()))) == ([], [])
