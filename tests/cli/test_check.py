"""`minitape check`: whether the gradients of a run agree with the derivative of the recorded program."""

import json
from typing import Any

TWO_RULES = """\
import minitape as tf

@tf.custom_gradient
def straight_through(x):
    return tf.round(x) + 0.0 * x, lambda upstream: upstream

w = tf.Variable([0.3, 1.2])
for f in (tf.square, straight_through):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(f(w))
    tape.gradient(loss, w)
"""

EVERYTHING = """\
import minitape as tf
table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
x = tf.Variable([[0.5, 1.5]])
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape(persistent=True) as inner:
        rows = tf.gather(table, [0, 2, 2])
        y = tf.sin(rows) * x
    slope = inner.gradient(y, table, output_gradients=tf.ones((3, 2)) * 2.0)
    slope = tf.convert_to_tensor(slope)
outer.gradient(slope, [table, x])
inner.jacobian(y, x)
inner.batch_jacobian(y, rows)
inner.gradient(y, rows)
"""


def verdicts(minitape: Any, script: Any) -> list[str]:
    data = json.loads(minitape("check", script, "--json").stdout)["data"]
    return [each["verdict"] for call in data["calls"] for each in call["comparisons"]]


def test_all_gradient_features_are_compared(minitape: Any, write_script: Any) -> None:
    """Gathered rows, seeds, nested tapes, Jacobians, and a source that is an intermediate tensor."""
    script = write_script(EVERYTHING)
    assert verdicts(minitape, script) == ["agrees"] * 6
    assert minitape("check", script).exit_code == 0


WRONG_RULE = """\
from minitape.core.registry import PRIMITIVES
PRIMITIVES["Sin"].rules = (lambda ybar, y, x: ybar * 2.0,)
"""


def test_wrong_rule_fails_and_is_named(minitape: Any, write_script: Any) -> None:
    ran = minitape("check", write_script(WRONG_RULE + EVERYTHING))
    assert ran.exit_code == 1
    assert "✗ differs" in ran.stdout
    assert "The gradient rule of Sin differs" in " ".join(ran.stdout.split())


def test_custom_gradient_is_reported_without_failing(minitape: Any, write_script: Any) -> None:
    ran = minitape("check", write_script(TWO_RULES))
    assert ran.exit_code == 0
    assert "`straight_through` defines a custom gradient" in ran.stdout
    assert verdicts(minitape, write_script(TWO_RULES)) == ["agrees", "custom rule"]


def test_first_and_last_iteration_of_a_loop_are_checked(minitape: Any, loop_script: Any) -> None:
    ran = minitape("check", loop_script)
    assert "and 18 more calls here" in ran.stdout
    assert "2 of 2 gradients agree" in ran.stdout


def test_none_is_left_to_explain(minitape: Any, none_script: Any) -> None:
    ran = minitape("check", none_script, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "the tape has no path" in ran.stdout
    assert "No gradient could be compared." in ran.stdout


def test_float32_rounding_is_not_reported_as_a_wrong_rule(minitape: Any, write_script: Any) -> None:
    """(x + 10⁴) - 10⁴ keeps four digits of x in float32; the derivative of its square shows it."""
    script = write_script("""\
        import minitape as tf
        x = tf.Variable(0.1234567)
        with tf.GradientTape() as tape:
            y = tf.square((x + 1e4) - 1e4)
        tape.gradient(y, x)
    """)
    assert verdicts(minitape, script) == ["rounding"]
    assert minitape("check", script).exit_code == 0


def test_script_that_raises_shows_the_checks_before_the_exception(
    minitape: Any, write_script: Any
) -> None:
    ran = minitape("check", write_script(EVERYTHING + "raise ValueError('here')\n"))
    assert ran.exit_code == 3
    assert "6 of 6 gradients agree" in ran.stdout
    assert "ValueError: here" in ran.stderr


def test_script_that_ends_its_process_reports_the_incomplete_comparison(
    minitape: Any, write_script: Any
) -> None:
    ran = minitape("check", write_script(EVERYTHING + "import os\nos._exit(4)\n"))
    assert ran.exit_code == 3
    assert ran.stdout == ("lesson.py: the process ended before the gradients could be compared.\n")


def test_script_without_a_gradient_has_nothing_to_check(minitape: Any, write_script: Any) -> None:
    ran = minitape("check", write_script("import minitape\n"))
    assert ran.exit_code == 6
    assert "nothing to check" in ran.stdout


def test_check_rejects_a_trace(minitape: Any, healthy_script: Any, tmp_path: Any) -> None:
    to = tmp_path / "kept.jsonl"
    minitape("run", healthy_script, "--save-trace", to, "--as-tensorflow")
    assert minitape("check", to).exit_code == 2
