"""`minitape explain` of a training loop: one explanation, and a grid over time."""

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


def test_loop_with_thousands_of_iterations_fits_on_a_screen(
    minitape: Any, write_script: Any
) -> None:
    ran = minitape("explain", write_script(LATE))
    assert ran.exit_code == 1
    assert "over 3000 iterations of line 8:" in ran.stdout
    assert "." * 22 + "N" * 22 in ran.stdout
    assert "from iteration 1501, in 1500 of 3000" in ran.stdout
    assert ran.stdout.count("error[") == 1
    assert len(ran.stdout.splitlines()) <= 24


def test_json_contains_the_grid_next_to_the_calls(minitape: Any, write_script: Any) -> None:
    ran = minitape(
        "explain", write_script(LATE.replace("3000", "20").replace("1500", "10")), "--json"
    )
    (entry,) = json.loads(ran.stdout)["data"]["grid"]
    (row,) = entry["rows"]
    assert [(each["first"], each["last"]) for each in row["stretches"]] == [(1, 10), (11, 20)]


def test_zero_and_later_nan_are_each_reported_with_their_iteration(
    minitape: Any, write_script: Any
) -> None:
    script = write_script(
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


SHRINKING = """\
    import minitape as tf

    w = tf.Variable([[1.0, 1.0]])
    b = tf.Variable(1.0)
    for step in range({steps}):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w) * 10.0 ** -step + b
        tape.gradient(loss, [w, b])
"""


def test_long_loop_shows_gradient_norms_as_bars(minitape: Any, write_script: Any) -> None:
    """|dw| = 10 ** -step * sqrt(2): each of the eight heights once in eight decades. The norm of b does not change."""
    said = minitape("explain", write_script(SHRINKING.format(steps=8))).stdout
    assert "  w     █▇▆▅▄▃▂▁  1.414 → 1.414e-07" in said
    assert "  b  " not in said
    assert "  (and 1 more)\n" in said
    assert "bars: gradient norms 1.4e-07 to 1.4 (log)  N None  0 zero  ! nan or inf" in said


def test_short_loop_has_no_bars(minitape: Any, write_script: Any) -> None:
    said = minitape("explain", write_script(SHRINKING.format(steps=7))).stdout
    assert "bars:" not in said and "█" not in said


def test_healthy_long_loop_has_bars_for_target_and_gradients(
    minitape: Any, write_script: Any
) -> None:
    script = write_script(
        """\
        import minitape as tf
        w = tf.Variable(8.0)
        for step in range(10):
            with tf.GradientTape() as tape:
                loss = w * w
            w.assign_sub(0.25 * tape.gradient(loss, w))
        """
    )
    said = minitape("explain", script).stdout
    assert "over 10 iterations of line 6:\n  loss  █" in said
    assert "64.0 → 0.0002441" in said
    assert "  w     █▇▆▆▅▄▃▃▂▁  16.0 → 0.03125" in said


def test_nan_zero_and_none_are_letters_among_the_bars(minitape: Any, write_script: Any) -> None:
    script = write_script(
        """\
        import minitape as tf
        w = tf.Variable(1.0)
        for step in range(9):
            with tf.GradientTape() as tape:
                x = w if step < 7 else tf.constant(2.0)
                loss = x * [100.0, 10.0, 1.0, float("nan"), 0.0, 1.0, 1.0, 2.0, 2.0][step]
            tape.gradient(loss, w)
        """
    )
    said = minitape("explain", script).stdout
    assert "  w     █▅▁!0▁▁NN  100.0 → None" in said


def test_note_reports_in_how_many_iterations_it_holds(minitape: Any, write_script: Any) -> None:
    from traced import VANISHING

    text = "import minitape as tf\n" + VANISHING.replace("(2, 10)", "(2, 10, 2, 10)")
    said = " ".join(minitape("explain", write_script(text)).stdout.split())
    assert "vanishing-layers from iteration 2, in 2 of 4" in said
