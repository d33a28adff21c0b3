"""The text after `try` can be typed: if it replaces the original code, every gradient is finite."""

import numpy as np
import pytest
from explain.judge import CASES, explained
from traced import traced

from minitape.explain.report import Outcome

_CURES = [
    (
        "edge-of-domain_angle_between_parallel_vectors",
        "tf.acos(cosine)",
        "tf.acos(tf.clip_by_value(cosine, -1.0 + 1e-6, 1.0 - 1e-6))",
    ),
    (
        "edge-of-domain_direction_of_nothing",
        "tf.atan2(north, east)",
        "tf.atan2(north, tf.where((east == 0.0) & (north == 0.0), 1.0, east))",
    ),
    (
        "edge-of-domain_squashed_action",
        "tf.math.atanh(actions * tf.ones_like(mean))",
        "tf.math.atanh(tf.clip_by_value(actions * tf.ones_like(mean), -1.0 + 1e-6, 1.0 - 1e-6))",
    ),
    (
        "outside-domain_cosine_above_one",
        "tf.math.acos(cosine)",
        "tf.math.acos(tf.clip_by_value(cosine, -1.0 + 1e-6, 1.0 - 1e-6))",
    ),
    (
        "outside-domain_log_of_a_linear_layer",
        "tf.math.log(expected)",
        "tf.math.log(tf.maximum(expected, 1e-6))",
    ),
    (
        "outside-domain_power_of_a_negative_return",
        "wealth**0.5",
        "tf.maximum(wealth, 1e-6) ** 0.5",
    ),
    (
        "sqrt-at-zero_row_norms",
        "tf.norm(rows, axis=1, keepdims=True)",
        "tf.sqrt(tf.reduce_sum(rows ** 2, axis=1, keepdims=True) + 1e-12)",
    ),
    (
        "sqrt-at-zero_spread_of_equal_columns",
        "tf.math.reduce_std(table, axis=0)",
        "tf.sqrt(tf.math.reduce_variance(table, axis=0) + 1e-12)",
    ),
    (
        "pow-at-zero_polynomial_features",
        "x[:, None] ** powers[None, :]",
        "(x[:, None] + 1e-12) ** powers[None, :]",
    ),
    (
        "pow-at-zero_robust_loss",
        "tf.pow(tf.abs(e), exponent)",
        "tf.where(tf.abs(e) > 0.0, tf.pow(tf.where(tf.abs(e) > 0.0, tf.abs(e), 1.0), exponent), 0.0)",
    ),
    ("log-of-zero_entropy_of_sure_votes", "p * tf.math.log(p)", "tf.math.xlogy(p, p)"),
    (
        "log-of-zero_handwritten_cross_entropy",
        "tf.math.log(p)",
        "tf.nn.log_softmax(scores)",
    ),
    (
        "log-of-zero_sure_prediction",
        "tf.math.log(1.0 - p)",
        "tf.math.log_sigmoid(-(w * x + b))",
    ),
    (
        "division-by-zero_cold_temperature",
        "scores / temperature",
        "scores / max(temperature, 1e-3)",
    ),
    (
        "division-by-zero_with_weights_in_numpy",
        "tf.constant(hits) * weights / tf.constant(tries)",
        "tf.math.divide_no_nan(tf.constant(hits) * weights, tf.constant(tries))",
    ),
    ("where-nan_angle_only_inside", "tf.acos(cosines)", "tf.where(inside, cosines, 0.0)"),
    ("where-nan_angle_at_the_edge", "tf.acos(cosines)", "tf.where(cosines < 1.0, cosines, 0.0)"),
]


@pytest.mark.parametrize(("name", "written", "cure"), _CURES, ids=[name for name, *_ in _CURES])
def test_suggested_fix_is_printed_and_makes_gradients_finite(name, written, cure, tmp_path):
    fixes = {
        finding.fix
        for call in explained(name).report.calls
        for source in call.sources
        for finding in source.findings
    }
    assert fixes and all(cure in fix for fix in fixes)
    if name.startswith("where-nan"):
        cure = f"tf.acos({cure})"  # the input is made safe first
    program = (
        CASES[name].script.read_text(encoding="utf-8").replace("import tensorflow as tf\n", "")
    )
    assert written in program
    report = traced(program.replace(written, cure), tmp_path).report
    outcomes = [source.outcome for call in report.calls for source in call.sources]
    assert outcomes and Outcome.NAN not in outcomes


def test_sqrt_used_in_a_condition_is_guarded_and_keeps_its_value(tmp_path):
    """With 1e-12 under the root, `r > 0` would be true everywhere, and the energy would include each body paired with itself."""
    name = "where-nan_n_body_energy"
    (fix,) = {
        finding.fix
        for call in explained(name).report.calls
        for source in call.sources
        for finding in source.findings
        if "both arguments" in finding.fix
    }
    program = (
        CASES[name].script.read_text(encoding="utf-8").replace("import tensorflow as tf\n", "")
    )
    written = ["return tf.sqrt(tf.reduce_sum(gaps**2, axis=-1))", "system.pairs / r, 0.0)"]
    guarded = "tf.where(square > 0.0, tf.sqrt(tf.where(square > 0.0, square, 1.0)), 0.0)"
    safe = "tf.where(r > 0.0, r, 1.0)"
    square = "square = tf.reduce_sum(gaps ** 2, axis=-1)"
    assert all(each in program for each in written)
    assert all(each in fix for each in (guarded, safe, square))
    cured = program.replace(written[0], f"{square}; return {guarded}")
    cured = cured.replace(written[1], f"system.pairs / {safe}, 0.0)")
    run = traced(cured, tmp_path)
    assert run.error is None
    outcomes = [source.outcome for call in run.report.calls for source in call.sources]
    assert outcomes
    assert Outcome.NAN not in outcomes
    system, law = run.names["system"], run.names["law"]
    places, masses = system.positions.numpy(), system.masses.numpy()
    energy = -sum(
        masses[i] * masses[j] / np.linalg.norm(places[i] - places[j])
        for i in range(3)
        for j in range(i)
    )
    np.testing.assert_allclose(law.potential(system), energy, rtol=1e-5)


_SAID = [
    (
        "saturated_learns_and_then_sticks",
        "no larger than 1.5. That one step changed the largest absolute value of `w` from 0.5",
    ),
    (
        "where-unselected_limit_in_the_wrong_unit",
        "the condition compares `speeds` (22 to 36) with `100.0`",
    ),
    ("clipped_pixels_of_another_range", "clips all values here (17.2 to 284.5)"),
    ("dead-relu_penalty_squared", "tf.nn.softplus(loads - limit)"),
    (
        "dead-relu_in_every_point_of_the_grid",
        "request the gradient where `tf.reduce_sum(weights * light) - threshold`",
    ),
    ("dead-relu_second_of_two_networks", "initialize the bias to 0"),
    ("sums-to-constant_batch_of_one_normalised", "it is the mean of a single value"),
    ("stationary-point_never_leaves_the_saddle", "stays at this point in every iteration"),
    ("zero-init_gate_that_is_not_trained", "or train `gate` too: request its gradient on line 18"),
    (
        "non-differentiable-op_accuracy_for_a_loss",
        "tf.keras.losses.binary_crossentropy(labels, chance)",
    ),
    (
        "non-differentiable-op_error_of_the_argmax",
        "tf.nn.sparse_softmax_cross_entropy_with_logits(digits, scores)",
    ),
    (
        "non-differentiable-op_keras_metric_for_a_loss",
        "tf.keras.losses.binary_crossentropy(labels, model(x))",
    ),
    ("non-differentiable-op_price_in_whole_cents", "straight-through estimator"),
]


@pytest.mark.parametrize(("name", "words"), _SAID, ids=[name for name, _ in _SAID])
def test_message_fits_the_case(name, words):
    said = [
        f"{finding.message} {finding.fix}"
        for call in explained(name).report.calls
        for source in call.sources
        for finding in source.findings
    ]
    assert said and all(words in each for each in said)


def test_scores_are_trained_with_one_hot_labels(tmp_path):
    run = traced(
        """
        labels = tf.one_hot([0, 2], 3)
        scores = tf.Variable([[1.0, 0.0, 2.0], [0.5, 0.1, 0.2]])
        with tf.GradientTape() as tape:
            hits = tf.argmax(labels, axis=1) == tf.argmax(scores, axis=1)
            loss = 1.0 - tf.reduce_mean(tf.cast(hits, tf.float32))
        tape.gradient(loss, scores)
        """,
        tmp_path,
    )
    (finding, *_) = run.source().findings
    assert "tf.nn.softmax_cross_entropy_with_logits(labels, scores)" in finding.fix


def test_overflow_in_a_sum_is_found_and_unexplained_nan_is_only_possible(tmp_path):
    run = traced(
        """
        x = tf.Variable([[1e20, -1e20]])
        huge = tf.constant([[1e20], [1e20]])
        with tf.GradientTape() as tape:
            y = tf.matmul(x, huge) ** 2
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert run.found() == [("overflow", 4)]
    run = traced(
        """
        x = tf.Variable([0.5, 1.0])
        with tf.GradientTape() as tape:
            y = tf.math.igamma(-1.0, x) ** 2
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert run.found() == [("zero-times-inf", 3)]
    assert run.source().findings[0].confidence.value == "possible"


@pytest.mark.parametrize(
    ("start", "line", "slug", "cure"),
    [
        ("1.0", "tf.acosh(x)", "edge-of-domain", "tf.acosh(tf.maximum(x, 1.0 + 1e-6))"),
        ("0.5", "tf.acosh(x)", "outside-domain", "tf.acosh(tf.maximum(x, 1.0 + 1e-6))"),
        ("-1.0", "tf.math.log1p(x)", "edge-of-domain", "tf.maximum(x, -1.0 + 1e-6)"),
        ("-1.5", "tf.math.log1p(x) ** 2", "outside-domain", "tf.maximum(x, -1.0 + 1e-6)"),
        ("1.0", "tf.math.ndtri(x)", "edge-of-domain", "tf.clip_by_value(x, 1e-6, 1.0 - 1e-6)"),
        ("-1.0", "tf.math.erfinv(x)", "edge-of-domain", "-1.0 + 1e-6, 1.0 - 1e-6)"),
        ("1.0", "tf.math.atanh(x)", "edge-of-domain", "-1.0 + 1e-6, 1.0 - 1e-6)"),
        ("0.0", "tf.math.lgamma(x)", "edge-of-domain", "tf.math.lgamma(tf.maximum(x, 1e-6))"),
        (
            "0.0",
            "tf.math.rsqrt(x)",
            "sqrt-at-zero",
            "tf.where(x > 0.0, tf.math.rsqrt(tf.where(x > 0.0, x, 1.0)), 0.0)",
        ),
        ("-1.0", "tf.math.rsqrt(x)", "outside-domain", "tf.math.rsqrt(tf.maximum(x, 1e-6))"),
        ("-1.0", "tf.pow(x, 0.5)", "outside-domain", "tf.maximum(x, 1e-6) ** 0.5"),
        ("0.0", "tf.math.xlogy(2.0, x)", "log-of-zero", "tf.math.xlogy(2.0, tf.maximum(x, 1e-7))"),
        ("0.0", "tf.math.reciprocal(x)", "division-by-zero", "divide_no_nan"),
        ("1e-30", "1.0 / x", "zero-times-inf", "finite"),
    ],
)
def test_each_end_of_a_domain_has_its_fix(start, line, slug, cure, tmp_path):
    program = f"x = tf.Variable({start})\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n"
    run = traced(program, tmp_path)
    assert run.found() == [(slug, 3)]
    assert cure in run.source().findings[0].fix
