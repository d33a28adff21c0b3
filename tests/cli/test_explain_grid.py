"""`minitape explain` of a training loop: once in words, and as a grid over time."""

import json
from typing import Any

LATE = """\
    import minitape as tf

    b = tf.Variable(0.5)
    for step in range(3000):
        with tf.GradientTape() as tape:
            loss = b if step < 1500 else tf.constant(float(b))
            loss = loss * 2.0
        tape.gradient(loss, b)
"""


def test_a_loop_of_thousands_of_turns_fits_on_a_screen(minitape: Any, written: Any) -> None:
    ran = minitape("explain", written(LATE))
    assert ran.exit_code == 1
    assert "over 3000 iterations of line 8:" in ran.stdout
    assert "." * 22 + "N" * 22 in ran.stdout
    assert "from iteration 1501, in 1500 of 3000" in ran.stdout
    assert ran.stdout.count("error[") == 1
    assert len(ran.stdout.splitlines()) <= 24


def test_json_has_the_grid_beside_the_calls(minitape: Any, written: Any) -> None:
    ran = minitape("explain", written(LATE.replace("3000", "20").replace("1500", "10")), "--json")
    (entry,) = json.loads(ran.stdout)["data"]["grid"]
    (row,) = entry["rows"]
    assert [(each["first"], each["last"]) for each in row["stretches"]] == [(1, 10), (11, 20)]


def test_a_zero_and_then_a_nan_are_each_told_with_their_round(minitape: Any, written: Any) -> None:
    script = written(
        """\
        import tensorflow as tf
        x = tf.Variable(1.0)
        for size, limit in ((2.0, 9.0), (0.0, 1.0)):
            with tf.GradientTape() as tape:
                y = tf.where(size * x > limit, x / (size * x), 0.0)
            tape.gradient(y, x)
        """
    )
    said = minitape("explain", script).stdout
    assert "MT401 from iteration 1, MT404 from iteration 2, in 2 of 2" in said
    assert "is zero everywhere; that" not in said
