"""Zeros, NaNs and missing contributions: the first backward step that caused one."""

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
        ("5.0", "tf.where(x > 9.0, x, 1.0)", "where-unselected"),
    ],
)
def test_op_whose_gradient_is_zero_is_named(start, line, slug, tmp_path):
    run = traced(
        f"x = tf.Variable({start})\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert run.source().outcome is Outcome.ZERO
    assert run.found() == [(slug, 3)]


def test_nan_is_not_reported_as_clipped(tmp_path):
    run = traced(
        """
        x = tf.Variable(-1.0)
        with tf.GradientTape() as tape:
            bad = tf.math.log(x)
            y = tf.reduce_sum(tf.clip_by_value(bad, 0.0, 1.0))
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert [slug for slug, _ in run.found()] == ["outside-domain"]


def test_gradient_zero_at_a_minimum_is_a_note(tmp_path):
    run = traced(
        "x = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    y = tf.square(x)\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert run.source().outcome is Outcome.ZERO and run.found() == []
    assert [(note.code, note.location.line) for note in run.report.notes] == [("MT401", 3)]


@pytest.mark.parametrize(
    ("start", "line", "slug"),
    [
        ("0.0", "tf.sqrt(x)", "sqrt-at-zero"),
        ("0.0", "x ** 0.5", "pow-at-zero"),
        ("0.0", "tf.math.log(x)", "log-of-zero"),
        ("0.0", "1.0 / x", "division-by-zero"),
        ("200.0", "tf.exp(x)", "overflow"),
        ("-1e30", "x ** 3", "overflow"),
        ("-2.0", "x ** 0.5", "outside-domain"),
        ("0.0", "tf.where(x > 0.0, 1.0 / x, 0.0)", "where-nan"),
    ],
)
def test_op_that_causes_nan_or_infinity_is_named(start, line, slug, tmp_path):
    run = traced(
        f"x = tf.Variable({start})\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert run.source().outcome is Outcome.NAN
    assert run.found() == [(slug, 3)]


def test_contribution_that_left_the_engine_is_missing(tmp_path):
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
def test_no_contribution_is_missing_through_nondifferentiable_values(line, tmp_path):
    run = traced(
        f"x = tf.Variable([1.0, 3.0])\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert run.source().outcome is Outcome.OK


def test_ratio_to_its_own_copy_misses_no_contribution(tmp_path):
    """This is a ratio to its own earlier value. With a gradient through the copy, it would always be 1."""
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


def test_zero_of_untraced_ops_is_explained_as_far_as_known(tmp_path):
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


def test_gradient_of_tape_opened_before_tracing_is_correct(tmp_path):
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


def test_small_factors_of_many_ops_are_not_saturation(tmp_path):
    """Twelve sigmoids have derivatives of at most 1/4, so the gradient is tiny, but no single sigmoid is the cause."""
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


def test_nearly_flat_sigmoid_is_saturated(tmp_path):
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
def test_contributions_cancel_only_up_to_rounding(line, slugs, tmp_path):
    """In float32, the first sum is 4e-08 instead of 0; the second is small, but has a gradient."""
    run = traced(
        f"x = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = {line}\ntape.gradient(y, x)\n",
        tmp_path,
    )
    assert [slug for slug, _ in run.found()] == slugs


# --- the first cause, not its consequence ---


def test_nan_target_is_reported_although_its_gradient_is_finite(tmp_path):
    run = traced(
        """
        w = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.math.log(w))
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    assert run.source().outcome is Outcome.OK
    assert run.found() == [("outside-domain", 3)]


def test_custom_gradient_may_keep_gradient_of_infinite_target_finite(tmp_path):
    run = traced(
        """
        @tf.custom_gradient
        def log1pexp(x):
            e = tf.exp(x)
            return tf.math.log(1.0 + e), lambda upstream: upstream * (1.0 - 1.0 / (1.0 + e))

        x = tf.Variable(200.0)
        with tf.GradientTape() as tape:
            y = log1pexp(x)
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert run.found() == []


def test_factor_that_underflows_in_a_narrow_dtype_is_named_with_its_value(tmp_path):
    run = traced(
        """
        share = 1.0 / 2**30
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            half = tf.cast(w, tf.float16)
            y = tf.reduce_sum(half) * tf.cast(share, tf.float16)
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert run.found() == [("masked-out", 5)]
    assert "9.3e-10" in finding.message and "underflow" in finding.message
    assert "`tf.reduce_sum(half)`" in finding.fix


def test_factor_that_is_0_does_not_underflow(tmp_path):
    run = traced(
        """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            half = tf.cast(w, tf.float16)
            y = tf.reduce_sum(half) * tf.cast(0.0, tf.float16)
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert "underflow" not in finding.message


def test_finite_value_computed_from_infinity_leads_to_the_overflow(tmp_path):
    """A number divided by infinity is 0; the infinite logarithm of that 0 is only a consequence."""
    run = traced(
        """
        scores = tf.Variable([200.0, 1.0])
        with tf.GradientTape() as tape:
            powers = tf.exp(scores)
            chances = 1.0 / tf.reduce_sum(powers)
            loss = -tf.math.log(chances)
        tape.gradient(loss, scores)
        """,
        tmp_path,
    )
    assert run.found() == [("overflow", 3)]


def test_recorded_backward_pass_leads_to_op_of_the_forward_pass(tmp_path):
    run = traced(
        """
        x = tf.Variable([0.0, 1.0, 2.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(x ** tf.constant([1.0, 2.0, 3.0]))
            slope = inner.gradient(y, x)
            penalty = tf.reduce_sum(slope * slope)
        outer.gradient(penalty, x)
        """,
        tmp_path,
    )
    assert run.found() == [("pow-at-zero", 4)]
    assert "second derivative" in run.source().findings[0].label


def test_largest_float16_number_is_named(tmp_path):
    run = traced(
        """
        x = tf.Variable(12.0, dtype=tf.float16)
        with tf.GradientTape() as tape:
            y = tf.exp(x)
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert "`float16`, whose largest number is 65,504" in finding.message
    assert "tf.float32" in finding.fix


@pytest.mark.parametrize(
    ("dtype", "step"), [("float64", "1e-6"), ("float16", "1e-3"), ("bfloat16", "1e-2")]
)
def test_step_into_the_domain_is_representable_in_the_dtype(dtype, step, tmp_path):
    run = traced(
        f"""
        x = tf.Variable(tf.cast(1.0, "{dtype}"))
        with tf.GradientTape() as tape:
            y = tf.acosh(x)
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert f"tf.acosh(tf.maximum(x, 1.0 + {step}))" in finding.fix


@pytest.mark.parametrize(
    ("made", "what", "clean"),
    [
        ("rows / rows", "NaN", "np.nan_to_num(rows)"),
        ("np.log(rows)", "infinity", "np.clip(rows, -1e9, 1e9)"),
    ],
)
def test_numpy_infinity_is_reported_where_created_and_where_used(made, what, clean, tmp_path):
    run = traced(
        f"""
        rows = np.array([[0.0], [1.0]], np.float32)
        with np.errstate(all="ignore"):
            rows = {made}
        w = tf.Variable([[2.0]])
        for batch in tf.data.Dataset.from_tensor_slices(rows).batch(2):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(batch @ w)
            tape.gradient(y, w)
        """,
        tmp_path,
    )
    (finding,) = run.source().findings
    assert (finding.slug, finding.location.line) == ("nan-input", 3)
    assert f"`rows` gets its value on line 3 and contains {what} on line 5" in finding.message
    assert f"clean the values: `rows = {clean}`" in finding.fix


@pytest.mark.parametrize(("sign", "large"), [("-", "`-1e9`"), ("", "`1e9`")])
def test_large_number_replacing_infinity_has_its_sign(sign, large, tmp_path):
    run = traced(
        f"""
        x = tf.Variable([[0.5, 1.0, 0.2]])
        mask = tf.constant([[0.0, 0.0, {sign}np.inf]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.nn.softmax(x + 0.0 * mask) * [[1.0, 2.0, 3.0]])
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert run.source().findings[0].fix.endswith(f"such as {large}")


def test_safe_norm_keeps_the_axis(tmp_path):
    run = traced(
        """
        x = tf.Variable([[3.0, 4.0], [0.0, 0.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum((x / tf.norm(x, axis=1, keepdims=True)) ** 2)
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert "`tf.math.l2_normalize(x, axis=1)`" in run.source().findings[0].fix
