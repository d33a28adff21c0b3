"""If several causes fit a gradient: which cause is reported, with which confidence, and that the runner-up is named."""

from pathlib import Path

from traced import Traced, traced

from minitape.explain.report import Confidence, Finding


def _only_finding(result: Traced) -> Finding:
    (finding,) = result.source().findings
    return finding


CHOOSES = """
    x = tf.Variable(3.0)
    limit = tf.Variable(1.0, trainable={trainable})
    with tf.GradientTape() as tape:
        if limit > 0.0:
            y = x * x
    tape.gradient(y, limit)
"""


def test_variable_in_a_condition_has_gradient_none_even_if_trainable(
    tmp_path: Path,
) -> None:
    finding = _only_finding(traced(CHOOSES.format(trainable=False), tmp_path))
    assert (finding.slug, finding.location.line) == ("control-flow", 4)
    assert finding.runner_up is not None
    assert (finding.runner_up.slug, finding.runner_up.location.line) == ("not-trainable", 2)


def test_single_cause_has_no_runner_up(tmp_path: Path) -> None:
    finding = _only_finding(traced(CHOOSES.format(trainable=True), tmp_path))
    assert finding.slug == "control-flow"
    assert finding.runner_up is None
    assert "next best" not in finding.evidence_text


def test_runner_up_is_named_with_the_evidence(tmp_path: Path) -> None:
    finding = _only_finding(traced(CHOOSES.format(trainable=False), tmp_path))
    assert "the next best explanation is `not-trainable` (MT103) on line 2" in finding.evidence_text


UNUSED_COUNTER = """
    x = tf.Variable(3.0)
    steps = tf.Variable(0.0, trainable=False)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, steps)
"""


def test_single_fitting_cause_is_certain(tmp_path: Path) -> None:
    finding = _only_finding(traced(UNUSED_COUNTER, tmp_path))
    assert (finding.slug, finding.confidence) == ("not-trainable", Confidence.CERTAIN)


BESIDE = """
    x = tf.Variable(3.0)
    first = tf.Variable(1.0, trainable=False, name="scale")
    scale = tf.Variable(1.0, name="scale")
    with tf.GradientTape() as tape:
        y = x * scale
    tape.gradient(y, first)
"""


def test_nothing_is_certain_if_another_cause_fits(tmp_path: Path) -> None:
    finding = _only_finding(traced(BESIDE, tmp_path))
    assert finding.slug == "not-trainable"
    assert finding.confidence is Confidence.LIKELY
    assert finding.runner_up is not None
    assert finding.runner_up.slug == "recreated-variable"


VARYING = """
    x = tf.Variable(3.0)
    w = tf.Variable(1.0)
    for use in [True, False]:
        with tf.GradientTape() as tape:
            y = x * x
            for _ in range(int(use)):
                y = y * w
        print(tape.gradient(y, w))
"""


def test_line_that_works_in_another_iteration_supports_a_varying_cause(tmp_path: Path) -> None:
    result = traced(VARYING, tmp_path)
    assert result.found(call=0) == []
    assert result.found(call=1) == [("loop-never-ran", 6)]
