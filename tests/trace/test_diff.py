"""Where two runs part."""

import pytest
from traced import traced

from minitape.trace.comparison.diff import diff

PROGRAM = """
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.exp(x)
    z = tf.multiply(y, 2.0)
slope = tape.gradient(z, x)
"""


@pytest.fixture
def compared(tmp_path):
    def compare(change=lambda text: text, text=PROGRAM, **settings):
        first, second = traced(text, tmp_path), traced(change(text), tmp_path)
        assert first.error is second.error is None
        return diff(first.trace, second.trace, **settings)

    return compare


def lines(parting):
    return [[event.at.line for event in side] for side in (parting.first, parting.second)]


def test_a_run_is_like_itself(compared):
    found = compared()
    assert found.is_none
    assert found.pairs == 6  # variable, tape_enter, two ops, tape_exit, gradient


def test_lines_that_do_nothing_part_no_runs(compared):
    assert compared(lambda text: "# why\n\n" + text.replace("    z", "\n    z")).is_none


def test_another_op_is_found_with_its_line_and_its_gradient(compared):
    found = compared(lambda text: text.replace("exp", "sin"))
    (parting,) = found.steps
    assert [[event.name for event in side] for side in (parting.first, parting.second)] == [
        ["Exp"],
        ["Sin"],
    ]
    assert lines(parting) == [[3], [3]]
    assert [parting.first[0].name for parting in found.values] == ["Mul"]
    assert [gradient.index for gradient in found.gradients] == [0]


def test_a_detour_through_numpy_is_a_parting_and_a_lost_gradient(compared):
    found = compared(lambda text: text.replace("tf.exp", "np.exp"))
    first = found.steps[0]
    assert [event.kind for event in first.first] == ["op"]
    assert [event.kind for event in first.second] == ["export", "reentry"]
    assert found.steps[1].what == "recorded"
    assert found.gradients[0].results[0].numbers is not None
    assert found.gradients[0].results[1].numbers is None


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("2.0])", "2.0], trainable=False)", ["trainable", "recorded", "recorded"]),
        ("GradientTape()", "GradientTape(persistent=True)", ["persistent"]),
        ("[1.0, 2.0]", "[[1.0, 2.0]]", ["shape"] * 3),
        ("z, x)", "z, x, output_gradients=tf.constant([2.0, 1.0]))", ["steps"]),
    ],
)
def test_what_else_differs_has_a_name(compared, old, new, what):
    found = compared(lambda text: text.replace(old, new))
    assert [parting.what for parting in found.steps] == what


@pytest.mark.parametrize(("tolerance", "same"), [(0.0, False), (1e-3, False), (0.2, True)])
def test_numbers_are_equal_within_a_tolerance(compared, tolerance, same):
    found = compared(lambda text: text.replace("y, 2.0", "y, 2.2"), tolerance=tolerance)
    assert found.steps == ()
    assert found.is_none is same


def test_nan_is_like_nan(compared):
    text = PROGRAM.replace("[1.0, 2.0]", "[float('nan'), -1.0]")
    assert compared(text=text).is_none
    assert not compared(lambda text: text.replace("-1.0", "float('inf')"), text).is_none


def test_large_tensors_are_compared_by_what_a_trace_keeps_of_them(compared):
    text = PROGRAM.replace("[1.0, 2.0]", "np.arange(500.0)")
    found = compared(lambda text: text.replace("np.arange(500.0)", "np.arange(500.0)[::-1]"), text)
    assert [parting.what for parting in found.values] == ["value"] * 3


def test_rounds_of_a_loop_that_part_in_the_same_way_are_one_parting(compared):
    text = "x = tf.Variable(1.0)\nfor _ in range(40):\n    y = tf.sin(x)\n    x.assign(y)\n"
    found = compared(lambda text: text.replace("sin", "cos"), text)
    assert [(parting.what, parting.times) for parting in found.steps] == [("steps", 40)]


def test_long_after_the_first_parting_nothing_is_compared(compared, monkeypatch):
    monkeypatch.setattr("minitape.trace.comparison.diff._WINDOW", 10)
    text = "x = tf.constant(1.0)\nfor _ in range(40):\n    x = tf.sin(x)\n"
    found = compared(lambda text: text.replace("sin", "cos"), text)
    assert (found.steps[0].times, found.unseen) == (1, 30)
    assert compared(text=text).unseen == 0


def test_a_call_without_an_answer_differs_from_one_that_has_it(tmp_path):
    first = traced(PROGRAM, tmp_path)
    second = traced(PROGRAM.replace("z, x)", "z, 3)"), tmp_path)
    found = diff(first.trace, second.trace)
    assert found.gradients[0].results[1] is None
    assert [event.kind for event in found.steps[-1].second] == ["error"]
