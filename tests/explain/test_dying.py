"""Zeros and NaNs caused by a training loop's own steps, and stops that only look like mistakes."""

import json

import pytest
from explain.judge import explained
from traced import traced

from minitape.explain.causes import rewriting
from minitape.explain.flow.program.text import parameters


def finding(name, visit=1):
    """The first finding of a case, in the given iteration of its last gradient call."""
    report = explained(name).report
    calls = [call for call in report.calls if call.visit == visit]
    return next(f for call in calls for source in call.sources for f in source.findings)


def test_update_that_killed_units_is_named_with_line_and_numbers():
    said = finding("dead-relu_after_a_leap", visit=3)
    assert "Before the update on line 13, some inputs were above 0" in said.message
    assert "the largest absolute value of" in said.message and "up to 1210" in said.fix


def test_oscillation_of_small_weights_with_large_data_kills_units():
    said = finding("dead-relu_after_a_swing", visit=4)
    assert "That one step moved all of them below 0" in said.message
    assert "inputs up to 120, targets up to 1240" in said.fix
    assert "a learning rate of about 0.01 to 0.1" in said.fix


def test_suggested_fraction_uses_the_float_instead_of_the_integer():
    said = finding("integer-dtype_share_between_samples")
    assert said.fix.startswith("write `share = places - tf.cast(left, tf.float32)` on line 10")


def test_units_that_were_never_alive_need_another_initialization():
    said = finding("dead-relu_keras_bias_far_below")
    assert "Before the update" not in said.message
    assert "leaky_relu" in said.fix


def test_zero_second_derivative_of_relu_names_kink_and_smooth_function():
    said = finding("piecewise-linear_bending_of_a_beam")
    assert said.message.startswith("The derivative of ReLU (line 10) is 0 or 1")
    assert "Line 19 requests the second derivative" in said.message and "tf.tanh" in said.fix


def test_absolute_value_is_not_reported_as_sign():
    said = finding("piecewise-linear_curvature_of_distance")
    assert said.message.startswith("The derivative of the absolute value (line 9) is -1 or 1")


@pytest.mark.parametrize("visit", [1, 2, 4])
def test_assigned_nan_has_cause_of_its_gradient(visit):
    """Nothing has overflowed; the second iteration computes with the NaN of the first."""
    said = finding("where-nan_carried_into_the_next_turn", visit)
    assert (said.slug, said.location.line) == ("where-nan", 7)


def test_where_over_sqrt_of_zero_guards_both_arguments():
    """A small number under the root would make `length > 0.0` true everywhere."""
    said = finding("where-nan_over_a_root")
    assert said.fix.startswith("guard both arguments: `tf.where(square > 0.0, ")
    assert "safe = tf.where(length > 0.0, length, 1.0)" in said.fix


def test_converged_loop_has_no_finding():
    calls = explained("state-assign_beside_a_converged_level").report.calls
    assert [f for call in calls for source in call.sources[1:] for f in source.findings] == []


def test_straight_through_stop_is_not_a_second_cause():
    (call,) = explained("stop-gradient_beside_straight_through").report.calls
    assert [f.location.line for f in call.sources[1].findings] == [5]


def test_swapped_arguments_of_a_helper_are_found():
    assert "attract(2.0 * student, anchors)" in finding("stop-gradient_swapped_in_contrast").fix


def test_call_that_replaced_the_tape_is_named():
    said = finding("other-tape_replaced_by_validation")
    assert said.location.line == 15
    assert "`self.error(*train)` (line 14)" in said.message
    assert "`self.error(*test)` (line 15) opened another tape" in said.message
    assert "earlier iteration" not in said.message


def test_all_numpy_calls_on_one_path_are_named_with_replacements():
    (call,) = explained("numpy-roundtrip_three_exits").report.calls
    reported = json.dumps([(f.message, f.fix) for f in call.sources[0].findings])
    for twin in ("tf.reduce_mean(values)", "tf.math.reduce_std(values)", "tf.divide("):
        assert twin in reported


def test_call_with_swapped_arguments():
    assert rewriting.swapped("pull(a + b, c)") == "pull(c, a + b)"
    assert rewriting.swapped("pull(a)") is None
    assert rewriting.swapped("pull(a, b=c)") is None


def test_function_parameters_are_read_from_the_program():
    program = "class A:\n    def pull(self, what, towards):\n        pass\n"
    assert parameters(program, "pull") == ["what", "towards"]
    assert parameters(program, "push") == []


@pytest.mark.parametrize(("start", "blamed"), [("0.004", False), ("0.04", True)])
def test_barely_alive_unit_is_not_reported_as_killed_by_one_update(start, blamed, tmp_path):
    """The step takes both inputs below 0. The input of 0.4 would have died anyway; the input of 4 would not."""
    run = traced(
        f"""
        x, y = tf.constant([[100.0], [60.0]]), tf.constant([[-1.0], [-1.0]])
        w = tf.Variable([[{start}]])
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.nn.relu(x @ w) - y) ** 2)
            w.assign_sub(2e-4 * tape.gradient(loss, w))
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert finding.slug == "dead-relu"
    assert ("Before the update" in finding.message) is blamed
