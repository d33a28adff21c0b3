"""`minitape check`: which gradients of a run are the slope of what was recorded."""

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


def test_all_that_a_tape_can_be_asked_is_compared(minitape: Any, written: Any) -> None:
    """Gathered rows, seeds, nested tapes, jacobians, a source in the middle."""
    script = written(EVERYTHING)
    assert verdicts(minitape, script) == ["agrees"] * 6
    assert minitape("check", script).exit_code == 0


WRONG_RULE = """\
from minitape.core.registry import PRIMITIVES
PRIMITIVES["Sin"].rules = (lambda ybar, y, x: ybar * 2.0,)
"""


def test_a_wrong_rule_fails_and_is_named(minitape: Any, written: Any) -> None:
    ran = minitape("check", written(WRONG_RULE + EVERYTHING))
    assert ran.exit_code == 1
    assert "✗ differs" in ran.stdout
    assert "The gradient rule of Sin differs" in " ".join(ran.stdout.split())


def test_a_rule_of_the_users_own_is_told_and_is_no_failure(minitape: Any, written: Any) -> None:
    ran = minitape("check", written(TWO_RULES))
    assert ran.exit_code == 0
    assert "`straight_through` defines a custom gradient" in ran.stdout
    assert verdicts(minitape, written(TWO_RULES)) == ["agrees", "own rule"]


def test_of_a_loop_the_first_and_the_last_round_are_checked(minitape: Any, loop: Any) -> None:
    ran = minitape("check", loop)
    assert "and 18 more calls here" in ran.stdout
    assert "2 of 2 gradients agree" in ran.stdout


def test_a_none_is_left_to_explain(minitape: Any, lost: Any) -> None:
    ran = minitape("check", lost, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "the tape has no path" in ran.stdout
    assert "Nothing could be compared." in ran.stdout


def test_digits_that_float32_lost_are_no_wrong_rule(minitape: Any, written: Any) -> None:
    """(x + 10⁴) - 10⁴ keeps four digits of x in float32; the slope of its square shows it."""
    script = written("""\
        import minitape as tf
        x = tf.Variable(0.1234567)
        with tf.GradientTape() as tape:
            y = tf.square((x + 1e4) - 1e4)
        tape.gradient(y, x)
    """)
    assert verdicts(minitape, script) == ["rounding"]
    assert minitape("check", script).exit_code == 0


def test_a_script_that_raises_shows_what_was_checked_until_then(
    minitape: Any, written: Any
) -> None:
    ran = minitape("check", written(EVERYTHING + "raise ValueError('here')\n"))
    assert ran.exit_code == 3
    assert "6 of 6 gradients agree" in ran.stdout
    assert "ValueError: here" in ran.stderr


def test_a_script_that_ends_its_process_takes_the_comparing_along_and_that_is_said(
    minitape: Any, written: Any
) -> None:
    ran = minitape("check", written(EVERYTHING + "import os\nos._exit(4)\n"))
    assert ran.exit_code == 3
    assert ran.stdout == ("lesson.py: the process ended before the gradients could be compared.\n")


def test_without_a_gradient_there_is_nothing_to_check(minitape: Any, written: Any) -> None:
    ran = minitape("check", written("import minitape\n"))
    assert ran.exit_code == 6
    assert "nothing to check" in ran.stdout


def test_a_trace_cannot_be_checked(minitape: Any, healthy: Any, tmp_path: Any) -> None:
    to = tmp_path / "kept.jsonl"
    minitape("run", healthy, "--save-trace", to, "--as-tensorflow")
    assert minitape("check", to).exit_code == 2
