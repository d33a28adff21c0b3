"""The text after `try` can be typed: with it in place of what stood there, every gradient is finite."""

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
        "tf.pow(tf.abs(e) + 1e-12, exponent)",
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
def test_a_cure_is_what_is_said_and_it_cures(name, written, cure, tmp_path):
    fixes = {
        finding.fix
        for call in explained(name).report.calls
        for source in call.sources
        for finding in source.findings
    }
    assert fixes and all(cure in fix for fix in fixes)
    if name.startswith("where-nan"):
        cure = f"tf.acos({cure})"  # the input, made safe first
    program = (
        CASES[name].script.read_text(encoding="utf-8").replace("import tensorflow as tf\n", "")
    )
    assert written in program
    report = traced(program.replace(written, cure), tmp_path).report
    outcomes = [source.outcome for call in report.calls for source in call.sources]
    assert outcomes and Outcome.NAN not in outcomes
