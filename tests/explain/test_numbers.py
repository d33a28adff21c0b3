"""Zeros, NaNs and missing shares: the first step that made one."""

import pytest
from traced import traced

from minitape.explain.explain import explain
from minitape.explain.report import Outcome


@pytest.mark.parametrize(
    ("start", "line", "slug"),
    [
        ("-1.0", "tf.nn.relu(x)", "dead-relu"),
        ("-1.0", "tf.maximum(x, 0.0)", "dead-relu"),
        ("500.0", "tf.sigmoid(x)", "saturated"),
        ("5.0", "tf.clip_by_value(x, 0.0, 1.0)", "clipped"),
        ("5.0", "tf.sign(x)", "step-function"),
        ("5.0", "x * tf.constant(0.0)", "masked-out"),
        ("0.0", "tf.square(x)", "stationary-point"),
        ("5.0", "tf.where(x > 9.0, x, 1.0)", "where-unselected"),
    ],
)
def test_the_op_that_sends_zeros_back(start, line, slug, tmp_path):
    run = traced(
        f"x = tf.Variable({start})\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert run.source().outcome is Outcome.ZERO
    assert run.found() == [(slug, 3)]


@pytest.mark.parametrize(
    ("start", "line", "slug"),
    [
        ("0.0", "tf.sqrt(x)", "sqrt-at-zero"),
        ("0.0", "x ** 0.5", "pow-at-zero"),
        ("0.0", "tf.math.log(x)", "log-of-zero"),
        ("0.0", "1.0 / x", "division-by-zero"),
        ("200.0", "tf.exp(x)", "overflow"),
        ("0.0", "tf.where(x > 0.0, 1.0 / x, 0.0)", "where-nan"),
    ],
)
def test_the_op_that_breaks_the_numbers(start, line, slug, tmp_path):
    run = traced(
        f"x = tf.Variable({start})\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert run.source().outcome is Outcome.NAN
    assert run.found() == [(slug, 3)]


def test_a_share_that_left_the_engine_is_missed(tmp_path):
    run = traced(
        """
        x = tf.Variable([1.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * np.mean(x))
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert run.source().outcome is Outcome.PARTIAL
    assert run.found() == [("numpy-roundtrip", 3)]


@pytest.mark.parametrize(
    "line",
    [
        "tf.where(x > np.mean(x), x, 0.0)",
        "x * (np.argsort(x.numpy()) + 1.0).astype('float32')",
        "x * tf.constant(np.round(x.numpy()))",
    ],
)
def test_no_share_is_missed_where_no_slope_could_pass(line, tmp_path):
    run = traced(
        f"x = tf.Variable([1.0, 3.0])\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert run.source().outcome is Outcome.OK


def test_a_value_set_against_its_own_copy_misses_nothing(tmp_path):
    """A ratio to what it was: with a slope in the copy it would be 1 for ever."""
    run = traced(
        """
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            p = tf.exp(x)
            ratio = p / p.numpy()
        tape.gradient(ratio, x)
        """,
        tmp_path,
    )
    assert run.source().outcome is Outcome.OK


def test_a_zero_from_ops_that_ran_before_anyone_listened_is_told_as_far_as_it_is_known(tmp_path):
    run = traced(
        """
        x = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            y = tf.square(x)
            told = tf.debug.record()
            z = y * 2.0
        tape.gradient(z, x)
        told.stop()
        """,
        tmp_path,
    )
    (call,) = explain(run.names["told"].trace).calls
    assert call.sources[0].outcome is Outcome.ZERO
    assert call.sources[0].findings == ()


def test_a_gradient_of_a_tape_that_was_opened_before_anyone_listened_is_sound(tmp_path):
    run = traced(
        """
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            told = tf.debug.record()
            y = x * x
        tape.gradient(y, x)
        told.stop()
        """,
        tmp_path,
    )
    (call,) = explain(run.names["told"].trace).calls
    assert (call.sources[0].outcome, call.sources[0].findings) == (Outcome.OK, ())


def test_what_each_of_many_ops_takes_a_little_of_is_small_and_not_flat(tmp_path):
    """Twelve sigmoids with slopes of at most a quarter: the gradient is tiny, and no single one is to blame."""
    run = traced(
        """
        x = tf.Variable(0.3)
        with tf.GradientTape() as tape:
            y = x
            for _ in range(12):
                y = tf.sigmoid(y)
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert run.source().outcome is Outcome.OK


def test_a_sigmoid_that_leaves_almost_nothing_is_flat(tmp_path):
    run = traced(
        """
        x = tf.Variable(12.0)
        with tf.GradientTape() as tape:
            y = 0.1 * tf.sigmoid(x)
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert run.found() == [("saturated", 3)]


@pytest.mark.parametrize(
    ("line", "slugs"),
    [
        ("0.1 * x + 0.6 * x - 0.7 * x", ["sums-to-constant"]),
        ("5e-6 * x - 4.9e-6 * x", []),
    ],
)
def test_shares_cancel_up_to_rounding_and_no_further(line, slugs, tmp_path):
    """In float32 the first sum is 4e-08 and not 0; the second is small and has a slope all the same."""
    run = traced(
        f"x = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert [slug for slug, _ in run.found()] == slugs
