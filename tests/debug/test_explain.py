"""What is a finding and what is none, over a whole run."""

from pathlib import Path

from traced import traced


def test_a_loop_that_has_come_to_rest_is_no_finding(tmp_path: Path) -> None:
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
