"""The suggested new line, before any rerun: it is shown if one line fixes the mistake, and only as its finding advises."""

from pathlib import Path

import pytest
from traced import traced

from minitape import source_text
from minitape.explain.mistakes import Mistake, mistakes_of
from minitape.fixes.suggestions import suggested

HEAD = "import numpy as np\nimport minitape as tf\n"
ONE_LINE = {
    "numpy": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(2.0) * np.sin(w)  # a wave\n"
        "tape.gradient(y, w)\n",
        (5, "    y = tf.constant(2.0) * tf.sin(w)  # a wave"),
    ),
    "NumPy calls around it": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(np.mean(2.0 * np.square(w)))\n"
        "tape.gradient(y, w)\n",
        (5, "    y = tf.constant(tf.reduce_mean(2.0 * tf.square(w)))"),
    ),
    "not watched": (
        "x = tf.constant(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = x * x\n"
        "tape.gradient(y, x)\n",
        (5, "    tape.watch(x)"),
    ),
    "stopped": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.stop_gradient(w * w) * 3.0\n"
        "tape.gradient(y, w)\n",
        (5, "    y = (w * w) * 3.0"),
    ),
    "rows joined along the last axis": (
        "w = tf.Variable([[1.0], [2.0]])\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.reduce_sum(tf.constant(np.hstack([w, w])))\n"
        "tape.gradient(y, w)\n",
        (5, "    y = tf.reduce_sum(tf.constant(tf.concat([w, w], axis=1)))"),
    ),
    "a number, and a constant of it": (
        "w = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(float(w * w))\n"
        "tape.gradient(y, w)\n",
        (5, "    y = w * w"),
    ),
    "several NumPy calls": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(np.mean(np.square(w)) + np.mean(np.exp(w)))\n"
        "tape.gradient(y, w)\n",
        (5, "    y = tf.constant(tf.reduce_mean(tf.square(w)) + tf.reduce_mean(tf.exp(w)))"),
    ),
    "functions of math and a conversion": (
        "import math\n"
        "w, x = tf.Variable(0.5), tf.constant(3.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = math.exp(-w) * x + 0.5 * float(w)\n"
        "tape.gradient(y, w)\n",
        (6, "    y = tf.exp(-w) * x + 0.5 * w"),
    ),
    "an accuracy that a function returns": (
        "scores = tf.Variable([[0.1, 0.9], [0.4, 0.3]])\n"
        "def cost(truth, guesses):\n"
        "    best = tf.argmax(guesses, axis=1)\n"
        "    return 1.0 - tf.reduce_mean(tf.cast(tf.equal(best, truth), tf.float32))\n"
        "digits = tf.constant([1, 0], tf.int64)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = cost(digits, scores)\n"
        "tape.gradient(y, scores)\n",
        (
            6,
            "    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(truth, guesses))",
        ),
    ),
    "a sample of a generator of NumPy": (
        "rng = np.random.default_rng(0)\n"
        "w = tf.Variable([1.0, 2.0])\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.cast(rng.normal(w, tf.exp(w)), tf.float32)\n"
        "tape.gradient(y, w)\n",
        (6, "    y = tf.cast(w + tf.exp(w) * tf.random.normal(tf.shape(w)), tf.float32)"),
    ),
    "a line that moves into the block above it": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    z = w * w\n"
        "y = z * 3.0\n"
        "tape.gradient(y, w)\n",
        (6, "    y = z * 3.0"),
    ),
    "NumPy in a constant with a dtype": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(2.0 * np.sin(w), dtype=tf.float32)\n"
        "tape.gradient(y, w)\n",
        (5, "    y = 2.0 * tf.sin(w)"),
    ),
    "rows chosen by an array": (
        "w, rows = tf.Variable([[1.0], [2.0]]), np.array([1, 1])\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(w.numpy()[rows], dtype=tf.float32)\n"
        "tape.gradient(y, w)\n",
        (5, "    y = tf.gather(w, rows)"),
    ),
    "columns chosen by an array": (
        "w, columns = tf.Variable([[1.0, 2.0]]), np.array([1, 1])\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(w.numpy()[:, columns])\n"
        "tape.gradient(y, w)\n",
        (5, "    y = tf.gather(w, columns, axis=1)"),
    ),
    "rows chosen by a comparison": (
        "w = tf.Variable([1.0, 2.0])\n"
        "large = w.numpy() > 1.5\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(w.numpy()[large])\n"
        "tape.gradient(y, w)\n",
        (6, "    y = tf.boolean_mask(w, large)"),
    ),
    "a range of rows": (
        "w = tf.Variable([1.0, 2.0, 3.0])\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(w.numpy()[1:])\n"
        "tape.gradient(y, w)\n",
        (5, "    y = w[1:]"),
    ),
    "one of two uses of an array that NumPy samples from": (
        "w = tf.Variable([0.5, 0.5])\n"
        "with tf.GradientTape() as tape:\n"
        "    p = w.numpy()\n"
        "    a = np.random.choice(2, p=p)\n"
        "    y = tf.constant(np.log(p[a]))\n"
        "tape.gradient(y, w)\n",
        (7, "    y = tf.constant(tf.math.log(w[a]))"),
    ),
    "stopped with the sum of an estimator": (
        "w = tf.Variable(1.6)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.stop_gradient(tf.floor(w) - w + w)\n"
        "tape.gradient(y, w)\n",
        (5, "    y = tf.stop_gradient(tf.floor(w) - w) + w"),
    ),
}
NO_LINE = {
    "where an integer has to stay an index": (
        "table, at = tf.Variable([1.0, 2.0, 3.0]), tf.Variable(1.4)\n"
        "with tf.GradientTape() as tape:\n"
        "    index = tf.cast(at, tf.int32)\n"
        "    y = tf.gather(table, index) * 2.0\n"
        "tape.gradient(y, at)\n"
    ),
    "where a line moves": (
        "w = tf.Variable(1.0)\n"
        "y = w * w\n"
        "with tf.GradientTape() as tape:\n"
        "    z = y * 3.0\n"
        "tape.gradient(z, w)\n"
    ),
    "where a number is left in the line": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(float(int(w * w)))\n"
        "tape.gradient(y, w)\n"
    ),
    "where the new line would assign a name to itself": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = w * w\n"
        "    y = float(y)\n"
        "    y = tf.constant(2.0) * y\n"
        "tape.gradient(y, w)\n"
    ),
    "where it may be meant": (
        "w = tf.Variable(1.0, trainable=False)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = w * w\n"
        "tape.gradient(y, w)\n"
    ),
    "where more is left in the line": (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.constant(np.mean(np.square(w)) + np.median(np.exp(w)))\n"
        "tape.gradient(y, w)\n"
    ),
    "for a list": (
        "xs = [tf.constant(float(i)) for i in range(3)]\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.add_n(xs)\n"
        "tape.gradient(y, xs)\n"
    ),
    "for two sources": (
        "a, b = tf.constant(1.0), tf.constant(2.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = a * b\n"
        "tape.gradient(y, [a, b])\n"
    ),
    "meant to stop": (
        "w, v = tf.Variable(1.0), tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = w + tf.stop_gradient(v * v - w)\n"
        "tape.gradient(y, v)\n"
    ),
    "unused": (
        "w, v = tf.Variable(1.0), tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = w * w\n"
        "tape.gradient(y, v)\n"
    ),
}


def sum_of(terms: int) -> str:
    """A program whose mistake is in the first of many terms: its expression is nested as deeply as there are terms."""
    return (
        "w = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n"
        f"    y = tf.constant(2.0) * np.sin(w){'+0' * terms}\n"
        "tape.gradient(y, w)\n"
    )


def mistake_of(text: str, tmp_path: Path) -> Mistake:
    trace = traced(HEAD + text, tmp_path)
    (mistake,) = mistakes_of(suggested(trace.report, trace.trace))
    return mistake


def lines_of(text: str, tmp_path: Path) -> list[tuple[int, str]]:
    return [line for each in mistake_of(text, tmp_path).finding.fixed for line in each.lines]


@pytest.mark.parametrize("name", ONE_LINE)
def test_new_line_is_written_in_full(name: str, tmp_path: Path) -> None:
    text, line = ONE_LINE[name]
    assert lines_of(text, tmp_path) == [line]


@pytest.mark.parametrize("name", NO_LINE)
def test_no_line_is_shown_if_one_line_is_not_the_fix(name: str, tmp_path: Path) -> None:
    assert lines_of(NO_LINE[name], tmp_path) == []


# --- long and deep expressions ---


def test_new_line_of_deep_expression_is_written(tmp_path: Path) -> None:
    """Python parses a sum of about 3,000 terms, but visiting its tree needs more nested calls than Python allows by default."""
    line = f"    y = tf.constant(2.0) * tf.sin(w){'+0' * 400}"
    mistake = mistake_of(sum_of(400), tmp_path)
    assert [line for each in mistake.finding.fixed for line in each.lines] == [(5, line)]
    assert mistake.new_line == f"5 | {line}"


def test_very_long_new_line_is_not_shown(tmp_path: Path) -> None:
    mistake = mistake_of(sum_of(600), tmp_path)
    assert mistake.finding.fixed
    assert mistake.new_line == "(the new line is too long to be written out)"


TOO_LARGE = "(the program is too large for the new line to be written out)"


def test_program_too_large_to_be_rewritten_is_reported(tmp_path: Path) -> None:
    mistake = mistake_of(sum_of(10) + "a = 1\n" * 7_000, tmp_path)
    assert mistake.finding.fixed == ()
    assert mistake.new_line == TOO_LARGE


def test_expression_too_deep_to_be_rewritten_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_text, "_CALLS", 1_000)  # no tree that this Python parses is too deep
    mistake = mistake_of(sum_of(900), tmp_path)
    assert mistake.finding.fixed == ()
    assert mistake.new_line == TOO_LARGE


@pytest.mark.parametrize("name", NO_LINE)
def test_no_reason_is_given_if_no_line_is_the_fix(name: str, tmp_path: Path) -> None:
    """The program is large, but its size is not the reason."""
    text = NO_LINE[name]
    trace = traced(HEAD + text, tmp_path)
    assert {
        each.finding.unwritten for each in mistakes_of(suggested(trace.report, trace.trace))
    } == {""}
