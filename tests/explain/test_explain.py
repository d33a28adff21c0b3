"""Which results of a whole run are findings, and which are not."""

from pathlib import Path

from traced import traced


def test_converged_loop_has_no_finding(tmp_path: Path) -> None:
    run = traced(
        """
        w = tf.Variable(1.0)
        for step in range(60):
            with tf.GradientTape() as tape:
                loss = (w - 3.0) ** 2
            w.assign_sub(0.5 * tape.gradient(loss, w))
        """,
        tmp_path,
    )
    outcomes = [call.sources[0].outcome.value for call in run.report.calls]
    assert outcomes[0] == "ok" and outcomes[-1] == "zero"
    assert run.report.ok


def test_zero_gradient_in_one_of_many_iterations_is_no_finding(tmp_path: Path) -> None:
    """Two rows of each kind: in the first iteration their contributions to the offset cancel."""
    run = traced(
        """
        w, offset = tf.Variable(0.0), tf.Variable(0.0)
        x, y = tf.constant([1.0, 2.0, -1.0, 0.5]), tf.constant([1.0, 1.0, 0.0, 0.0])
        for step in range(20):
            with tf.GradientTape() as tape:
                loss = tf.nn.sigmoid_cross_entropy_with_logits(y, w * x + offset)
            gradients = tape.gradient(loss, [w, offset])
            w.assign_sub(gradients[0])
            offset.assign_sub(gradients[1])
        """,
        tmp_path,
    )
    outcomes = [call.sources[1].outcome.value for call in run.report.calls]
    assert outcomes[0] == "zero" and set(outcomes[1:]) == {"ok"}
    assert run.report.ok


def test_gradient_call_in_comprehension_is_not_part_of_its_target(tmp_path: Path) -> None:
    run = traced(
        """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = x * x
        slopes = [tape.gradient(y[i], x) for i in range(1)]
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert finding.fix == (
        "write `value = y[i]` inside the `with` block, and then call `tape.gradient(value, x)`"
    )


def test_value_that_left_the_tape_is_named_instead_of_failed_call(tmp_path: Path) -> None:
    run = traced(
        """
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x.numpy() ** 3
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert (finding.code, finding.label) == ("MT503", "value leaves the tape here")


_BRANCHES = """
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    for hour in (9.0, 12.0, 23.0):
        with tf.GradientTape() as tape:
            loss = (tf.where({condition}, a * hour, b) - 4.0) ** 2
        slopes = tape.gradient(loss, [a, b], unconnected_gradients="zero")
        a.assign_sub(0.05 * slopes[0])
        b.assign_sub(0.05 * slopes[1])
"""


def test_branch_skipped_because_of_data_has_no_finding(tmp_path: Path) -> None:
    run = traced(_BRANCHES.format(condition="hour < 20.0"), tmp_path)
    assert [call.sources[0].outcome.value for call in run.report.calls] == ["ok", "ok", "zero"]
    assert run.found(0) == []


def test_branch_skipped_because_of_learned_values_is_dead(tmp_path: Path) -> None:
    """The first step takes `a` below 0, and from then on its gradient is 0."""
    run = traced(_BRANCHES.format(condition="a > 0.0"), tmp_path)
    assert [call.sources[0].outcome.value for call in run.report.calls] == ["ok", "zero", "zero"]
    assert [slug for slug, _ in run.found(0)] == ["where-unselected"]


def test_zero_mask_is_found_if_another_mask_is_not_zero(tmp_path: Path) -> None:
    """Both masks use the same line, which proves that the function is right, but not that the mask is."""
    run = traced(
        """
        def error(guess, valid):
            return tf.reduce_sum(valid * guess ** 2)
        depth, flow = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
        with tf.GradientTape() as tape:
            loss = error(depth, tf.constant([1.0, 0.0])) + error(flow, tf.constant([0.0, 0.0]))
        tape.gradient(loss, [depth, flow])
        """,
        tmp_path,
    )
    assert run.found(0) == []
    assert run.found(1) == [("masked-out", 2)]
