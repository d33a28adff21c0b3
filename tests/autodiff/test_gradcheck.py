"""gradcheck recognizes right and wrong gradients, and names the op whose rule is wrong."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from samples import SAMPLES, Sample

import minitape as tf
from minitape.core.registry import PRIMITIVES
from minitape.testing import GradientVerdict, assert_gradients, check_rule, gradcheck


def test_right_gradient_agrees_to_third_order() -> None:
    report = gradcheck(lambda x, w: tf.tanh(x @ w), np.eye(2), np.ones((2, 3)), order=3)
    assert report
    assert report.dtype == "float64"
    assert {(each.source, each.order) for each in report.comparisons} == {
        (f"argument {i}", order) for i in (0, 1) for order in (1, 2, 3)
    }


@tf.custom_gradient
def half_a_slope(x: Any) -> Any:
    """x² with the rule x in place of 2x."""
    return x * x, lambda upstream: upstream * x


def test_wrong_custom_rule_is_named() -> None:
    report = gradcheck(lambda x: tf.exp(half_a_slope(x)), 1.0)
    (found,) = report.comparisons
    assert found.verdict is GradientVerdict.DIFFERS
    np.testing.assert_allclose([found.by_tape, found.by_steps], [np.e, 2 * np.e], rtol=1e-8)
    assert "`half_a_slope` has a custom rule" in str(report)


@pytest.fixture
def broken_sine() -> Iterator[None]:
    """sin with derivative 1."""
    sine = PRIMITIVES["Sin"]
    held, sine.rules = sine.rules, (lambda ybar, y, x: ybar * 1.0,)
    yield
    sine.rules = held


@pytest.mark.usefixtures("broken_sine")
def test_only_the_op_with_wrong_rule_is_named() -> None:
    report = gradcheck(lambda x: tf.exp(tf.sin(x)) * x, [0.3, 1.2])
    assert not report
    wrong = [each.op for each in report.rules if each.verdict is GradientVerdict.DIFFERS]
    assert wrong == ["Sin"]
    assert "the rule of `Sin` does not equal the derivative" in str(report)


@pytest.mark.usefixtures("broken_sine")
def test_assertion_error_contains_the_report() -> None:
    with pytest.raises(AssertionError, match="the rule of `Sin` does not equal the derivative"):
        assert_gradients(tf.sin, 1.0)


def test_value_outside_the_tape_differs_although_every_rule_is_right() -> None:
    """d x²/dx = 2x, and the tape records only one of the two factors."""
    report = gradcheck(lambda x: tf.constant(x.numpy()) * x, 3.0)
    (found,) = report.comparisons
    np.testing.assert_allclose([found.by_tape, found.by_steps], [3.0, 6.0], rtol=1e-8)
    assert "the tape does not record a part of `fn`" in str(report)


def test_worst_element_is_named() -> None:
    """Only the second element leaves the tape."""
    report = gradcheck(lambda x: tf.stack([x[0], tf.constant(x[1].numpy())]), [1.0, 2.0])
    assert report.comparisons[0].element == (1,)


def test_second_order_alone_can_be_wrong() -> None:
    @tf.custom_gradient
    def right_at_first(x: Any) -> Any:
        return x * x, lambda upstream: upstream * tf.stop_gradient(2.0 * x)

    orders = [each.verdict for each in gradcheck(right_at_first, 3.0, order=2).comparisons]
    assert orders == [GradientVerdict.AGREES, GradientVerdict.DIFFERS]


def test_one_sided_derivative_at_a_kink_is_accepted() -> None:
    assert gradcheck(tf.nn.relu, 0.0).comparisons[0].verdict is GradientVerdict.KINK
    assert gradcheck(tf.reduce_max, [1.0, 1.0])


def test_function_with_float32_inside_is_checked_in_float32() -> None:
    v = tf.Variable([1.0, 2.0])
    report = gradcheck(lambda x: tf.exp(x * v), [0.3, 1.2])
    assert (report.ok, report.dtype) == (True, "float32")


def test_integers_cannot_be_perturbed() -> None:
    with pytest.raises(ValueError, match="float dtype"):
        gradcheck(tf.square, 3)


@pytest.mark.together("sample", SAMPLES, parts=2)
def test_every_op_of_the_catalog_passes(sample: Sample) -> None:
    found = check_rule(sample.primitive, sample.inputs, sample.settings)
    assert found.verdict is (GradientVerdict.AGREES if sample.smooth else GradientVerdict.UNCHECKED)


@pytest.mark.parametrize("name", ["Mul", "Tanh", "MatMul", "Softmax", "Sum", "GatherV2"])
def test_rule_with_relative_error_of_a_thousandth_is_detected(name: str) -> None:
    sample = next(each for each in SAMPLES if each.op == name)
    primitive = sample.primitive
    held = primitive.rules
    rules = [held[i] for i in range(len(sample.inputs))]
    primitive.rules = tuple(
        rule and (lambda *a, rule=rule, **k: as_dense(rule(*a, **k)) * 1.001) for rule in rules
    )
    try:
        found = check_rule(primitive, sample.inputs, sample.settings)
    finally:
        primitive.rules = held
    assert found.verdict is GradientVerdict.DIFFERS
    # Relative to the sum of all terms' sizes; terms of opposite sign partly cancel along a random direction.
    assert 1e-5 < found.error < 1e-2


def as_dense(value: Any) -> Any:
    return value.to_dense_tensor() if hasattr(value, "to_dense_tensor") else value
