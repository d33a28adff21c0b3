"""The code to write instead, as the user's own code, for lines that are not in any case."""

import pytest

from minitape.explain.causes import rewriting


@pytest.mark.parametrize(
    ("written", "better"),
    [
        ("at - left", "x * 4.0 - tf.cast(left, tf.float32)"),
        ("left - at", "tf.cast(left, tf.float32) - x * 4.0"),
        ("2 * (at - left)", "2 * (x * 4.0 - tf.cast(left, tf.float32))"),
        ("left - right", None),  # the number that was rounded down is not in the expression
        ("tf.abs(at) - left", None),  # the return value of a function is unknown
        ("at - left.shape[0] + len(left)", None),
        ("tf.abs(at)", None),
        ("at -", None),
    ],
)
def test_integer_arithmetic_is_rewritten_with_the_original_float(
    written: str, better: str | None
) -> None:
    assert rewriting.with_floats(written, "at", "x * 4.0", "tf.float32") == better


@pytest.mark.parametrize(
    ("written", "better"),
    [
        ("(goal - tf.stop_gradient(q)) ** 2", "tf.stop_gradient(goal) - q"),
        ("goal - tf.stop_gradient(a + q)", None),
        ("tf.stop_gradient(q) - goal", "q - tf.stop_gradient(goal)"),
        ("loss(goal, tf.stop_gradient(q))", "loss(tf.stop_gradient(goal), q)"),
        ("loss(tf.stop_gradient(q), goal)", "loss(q, tf.stop_gradient(goal))"),
        ("loss(tf.stop_gradient(q), goal, axis=0)", None),
        ("goal + tf.stop_gradient(q)", None),
        ("goal -", None),
    ],
)
def test_other_side_is_stopped(written: str, better: str | None) -> None:
    assert rewriting.with_other_side_stopped(written, "tf.stop_gradient(q)") == better


def test_stop_of_a_sum_keeps_its_parentheses() -> None:
    written, stop = "goal - tf.stop_gradient(a + b)", "tf.stop_gradient(a + b)"
    assert rewriting.with_other_side_stopped(written, stop) == "tf.stop_gradient(goal) - (a + b)"


def test_expression_that_is_not_a_single_stop_is_not_rewritten() -> None:
    assert rewriting.with_other_side_stopped("a - b", "b") is None
    assert rewriting.with_other_side_stopped("a - f(b, c)", "f(b, c)") is None


@pytest.mark.parametrize(
    ("called", "better"),
    [
        ("np.mean", "tf.reduce_mean"),
        ("numpy.mean", "tf.reduce_mean"),
        ("math.sin", "tf.sin"),
        ("np.concatenate", "tf.concat"),
        ("np.no_such_function", None),
    ],
)
def test_tensorflow_counterpart_of_a_function(called: str, better: str | None) -> None:
    assert rewriting.twin(called) == better


@pytest.mark.parametrize(
    ("statement", "values", "better"),
    [
        (
            "w = np.exp(s) / np.sum(np.exp(s), -1, keepdims=True)",
            ["np.exp(s)"],
            "w = tf.exp(s) / tf.reduce_sum(tf.exp(s), -1, keepdims=True)",
        ),
        (
            "w = np.exp(s) / np.sqrt(16)",
            ["np.exp(s)"],
            "w = tf.exp(s) / np.sqrt(16)",
        ),
        ("w = np.exp(s) / np.median(np.exp(s))", ["np.exp(s)"], None),
        ("w = np.exp(s", ["np.exp(s)"], None),
    ],
)
def test_only_numpy_calls_on_the_values_are_translated(
    statement: str, values: list[str], better: str | None
) -> None:
    assert rewriting.values_in_tensorflow(statement, values, 1, (("np", "np"),)) == better


@pytest.mark.parametrize(
    ("statement", "exp", "better"),
    [
        ("y = tf.math.log(1.0 + tf.exp(x))", "tf.exp(x)", "tf.math.softplus(x)"),
        ("y = tf.math.log(tf.exp(a + b) + 1)", "tf.exp(a + b)", "tf.math.softplus(a + b)"),
        ("y = tf.math.log1p(tf.exp(x))", "tf.exp(x)", "tf.math.softplus(x)"),
        ("y = 1 / (1 + tf.exp(-x))", "tf.exp(-x)", "tf.sigmoid(x)"),
        ("y = tf.exp(x) / (1.0 + tf.exp(x))", "tf.exp(x)", "tf.sigmoid(x)"),
        ("y = tf.math.log(2.0 + tf.exp(x))", "tf.exp(x)", None),
        ("y = 1 / (1 + tf.exp(x))", "tf.exp(x)", None),
        (
            "p = tf.exp(z) / tf.reduce_sum(tf.exp(z), axis=1, keepdims=True)",
            "tf.exp(z)",
            "tf.nn.softmax(z, axis=1)",
        ),
        (
            "cost = tf.math.log(tf.reduce_sum(tf.exp(z), axis=1)) - z[0]",
            "tf.exp(z)",
            "tf.reduce_logsumexp(z, axis=1)",
        ),
    ],
)
def test_a_formula_that_overflows_is_named_as_its_function(statement, exp, better):
    found = rewriting.without_overflow(statement, exp)
    assert (None if found is None else found.better) == better
