"""Each form of a straight-through estimator is a finding without `stop_gradient`, and not a finding with it."""

from pathlib import Path

import pytest
from traced import run

from minitape.explain.explain import explain
from minitape.explain.report import Report

PROGRAM = """\
import tensorflow as tf
w = tf.Variable([0.4, 1.6])
with tf.GradientTape() as tape:
    q = {q}
    out = {out}
    y = tf.reduce_sum(out * [1.0, 2.0])
tape.gradient(y, w)
"""
FORMS = [
    ("tf.round(w)", "w + (q - w)", "w + tf.stop_gradient(q - w)"),
    ("tf.sign(w)", "(q - w) + w", "tf.stop_gradient(q - w) + w"),
    ("tf.floor(w / 0.1) * 0.1", "q - w + w", "tf.stop_gradient(q - w) + w"),
    ("tf.math.ceil(w)", "w - (w - q)", "w - tf.stop_gradient(w - q)"),
    ("tf.cast(w > 0.5, tf.float32)", "w + (q - w)", "w + tf.stop_gradient(q - w)"),
    (
        "tf.cast(tf.cast(w, tf.int32), tf.float32)",
        "tf.add(w, q - w)",
        "tf.add(w, tf.stop_gradient(q - w))",
    ),
    ("tf.one_hot(tf.argmax(w), 2)", "w + (q - w)", "w + tf.stop_gradient(q - w)"),
    ("tf.round(w) - w", "w + q", "w + tf.stop_gradient(q)"),
]


def _explained(tmp_path: Path, q: str, out: str) -> Report:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(q=q, out=out), encoding="utf-8")
    return explain(run(program).trace)


@pytest.mark.parametrize(("q", "out", "better"), FORMS)
def test_suggested_fix_stops_the_difference(q: str, out: str, better: str, tmp_path: Path) -> None:
    [call] = _explained(tmp_path, q, out).calls
    [source] = call.sources
    [finding] = source.findings
    assert (source.outcome.value, finding.slug) == ("zero", "straight-through-unstopped")
    assert finding.fix == f"use `{better}` instead of `{out}` (line 5)"
    [fixed] = _explained(tmp_path, q, better).calls
    assert fixed.sources[0].outcome.value == "ok"
    assert not fixed.sources[0].findings


def test_lost_one_of_two_paths_is_named(tmp_path: Path) -> None:
    [call] = _explained(tmp_path, "tf.round(w)", "w + (q - w) + 0.1 * w").calls
    [source] = call.sources
    assert source.outcome.value == "partial"
    assert [each.slug for each in source.findings] == ["straight-through-unstopped"]


@pytest.mark.parametrize(
    "out", ["w + (w * w - w)", "w - q", "q + (w - tf.stop_gradient(w))", "2.0 * w + (q - w)"]
)
def test_other_differences_are_not_reported(out: str, tmp_path: Path) -> None:
    [call] = _explained(tmp_path, "tf.round(w)", out).calls
    assert call.sources[0].outcome.value == "ok"
