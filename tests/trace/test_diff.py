"""The first differences between two runs."""

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


def test_run_equals_itself(compared):
    found = compared()
    assert found.is_none
    assert found.pairs == 6  # variable, tape_enter, two ops, tape_exit, gradient


def test_comments_and_blank_lines_are_not_a_difference(compared):
    assert compared(lambda text: "# why\n\n" + text.replace("    z", "\n    z")).is_none


def test_different_op_is_found_with_its_line_and_gradient(compared):
    found = compared(lambda text: text.replace("exp", "sin"))
    (parting,) = found.steps
    assert [[event.name for event in side] for side in (parting.first, parting.second)] == [
        ["Exp"],
        ["Sin"],
    ]
    assert lines(parting) == [[3], [3]]
    assert [parting.first[0].name for parting in found.values] == ["Mul"]
    assert [gradient.index for gradient in found.gradients] == [0]


def test_numpy_detour_is_a_difference_and_loses_the_gradient(compared):
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
def test_other_differences_have_a_name(compared, old, new, what):
    found = compared(lambda text: text.replace(old, new))
    assert [parting.what for parting in found.steps] == what


@pytest.mark.parametrize(("tolerance", "same"), [(0.0, False), (1e-3, False), (0.2, True)])
def test_values_are_equal_within_a_tolerance(compared, tolerance, same):
    found = compared(lambda text: text.replace("y, 2.0", "y, 2.2"), tolerance=tolerance)
    assert found.steps == ()
    assert found.is_none is same


def test_nan_equals_nan(compared):
    text = PROGRAM.replace("[1.0, 2.0]", "[float('nan'), -1.0]")
    assert compared(text=text).is_none
    assert not compared(lambda text: text.replace("-1.0", "float('inf')"), text).is_none


def test_large_tensors_are_compared_by_their_stored_summary(compared):
    text = PROGRAM.replace("[1.0, 2.0]", "np.arange(500.0)")
    found = compared(lambda text: text.replace("np.arange(500.0)", "np.arange(500.0)[::-1]"), text)
    assert [parting.what for parting in found.values] == ["value"] * 3


def test_equal_differences_in_loop_iterations_are_merged(compared):
    text = "x = tf.Variable(1.0)\nfor _ in range(40):\n    y = tf.sin(x)\n    x.assign(y)\n"
    found = compared(lambda text: text.replace("sin", "cos"), text)
    assert [(parting.what, parting.times) for parting in found.steps] == [("steps", 40)]


def test_events_long_after_first_difference_are_not_compared(compared, monkeypatch):
    monkeypatch.setattr("minitape.trace.comparison.diff._WINDOW", 10)
    text = "x = tf.constant(1.0)\nfor _ in range(40):\n    x = tf.sin(x)\n"
    found = compared(lambda text: text.replace("sin", "cos"), text)
    assert (found.steps[0].times, found.unseen) == (1, 30)
    assert compared(text=text).unseen == 0


def test_failed_call_differs_from_successful_call(tmp_path):
    first = traced(PROGRAM, tmp_path)
    second = traced(PROGRAM.replace("z, x)", "z, 3)"), tmp_path)
    found = diff(first.trace, second.trace)
    assert found.gradients[0].results[1] is None
    assert [event.kind for event in found.steps[-1].second] == ["error"]
