"""The numbers at which an explanation changes, with a program on either side of each.

The thresholds of notes about layers, steps and iterations are in `test_notes.py`.
"""

from pathlib import Path

import pytest
from traced import Traced, traced

# --- zeros ---

ASKED = """
x = tf.Variable({start}, dtype=tf.{dtype})
with tf.GradientTape() as tape:
    y = {line}
tape.gradient(y, x)
"""


@pytest.mark.parametrize(
    ("start", "dtype", "line", "slugs"),
    [
        # _FLATTENED: the derivative of a sigmoid is 0.00111 at 6.8 and 0.00091 at 7
        ("6.8", "float32", "5e-4 * tf.sigmoid(x)", "ok"),
        ("7.0", "float32", "5e-4 * tf.sigmoid(x)", "saturated"),
        # _ROUNDING: the rest of the contributions is a ten thousandth of them, or three millionths
        ("1.0", "float64", "5e-3 * x - 4.9995e-3 * x", "ok"),
        ("1.0", "float64", "0.1 * x - 0.0999997 * x", "sums-to-constant"),
    ],
)
def test_small_gradient_is_zero_only_if_an_op_removed_nearly_all(
    start: str, dtype: str, line: str, slugs: str, tmp_path: Path
) -> None:
    run = traced(ASKED.format(start=start, dtype=dtype, line=line), tmp_path)
    assert _said(run) == slugs


def _said(run: Traced) -> str:
    """The causes of the first source, or its outcome if there are none."""
    return " ".join(slug for slug, _ in run.found()) or "ok"


MOVED = """
w = tf.Variable(1.0)
for x in {xs}:
    with tf.GradientTape() as tape:
        loss = tf.nn.relu(w * x) + {beside}
    w.assign_sub(1e-3 * tape.gradient(loss, w))
"""


@pytest.mark.parametrize(
    ("xs", "beside", "found"),
    [
        pytest.param([1, -1, -1, 1, -1, -1], 1.0, [], id="it came back after as many"),
        pytest.param([1, -1, 1, -1, -1], 1.0, [4, 5], id="after fewer"),
        pytest.param([1, -1, -1], 1.0, [2, 3], id="it did not come back"),
        pytest.param([1, -1, -1], -1.0, [2, 3], id="the loss is below 0 and not done"),
        pytest.param([1, -1, -1], 0.0, [], id="the loss is 0, and nothing is left to learn"),
    ],
)
def test_gradient_that_returned_before_may_return_again(
    xs: list[int], beside: float, found: list[int], tmp_path: Path
) -> None:
    numbers = [float(x) for x in xs]
    report = traced(MOVED.format(xs=numbers, beside=beside), tmp_path).report
    assert [call.visit for call in report.calls if call.sources[0].findings] == found


# --- dying units ---

RELU = """
x, y = tf.constant([[{x}]]), tf.constant([[{y}]])
w = tf.Variable([[1.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.relu(x @ w) - y) ** 2)
    w.assign_sub({rate} * tape.gradient(loss, w))
"""
SIGMOID = """
w = tf.Variable({start})
for step in range(3):
    with tf.GradientTape() as tape:
        y = tf.sigmoid(w)
    w.assign_add(5e8 * tape.gradient(y, w))
"""


@pytest.mark.parametrize(
    ("x", "y", "rate", "blamed"),
    [
        pytest.param(1.0, -1.0, 2.5, "", id="from 1 to -9 is no leap"),
        pytest.param(
            1.0,
            -1.0,
            3.0,
            "the largest absolute value of `w` from 1 to 11",
            id="from 1 to -11 is one",
        ),
        pytest.param(9.0, -1.0, 0.01, "", id="inputs of 9 are company for weights of 1"),
        pytest.param(11.0, -1.0, 0.01, "moved all of them below", id="inputs of 11 are not"),
    ],
)
def test_update_killed_a_unit_if_it_is_large_or_the_data_are(
    x: float, y: float, rate: float, blamed: str, tmp_path: Path
) -> None:
    (finding,) = traced(RELU.format(x=x, y=y, rate=rate), tmp_path).source().findings
    assert finding.slug == "dead-relu"
    assert ("Before the update on line 6" in finding.message) is bool(blamed)
    assert blamed in finding.message


@pytest.mark.parametrize(
    ("y", "begins"),
    [(-9.0, "use a smaller learning rate"), (-11.0, "scale the data (here, targets up to 11)")],
)
def test_targets_above_ten_should_be_scaled(y: float, begins: str, tmp_path: Path) -> None:
    (finding,) = traced(RELU.format(x=1.0, y=y, rate=2.0), tmp_path).source().findings
    assert finding.fix.startswith(begins)


@pytest.mark.parametrize(("start", "blamed"), [(9.0, True), (11.0, False)])
def test_sigmoid_is_saturated_above_ten(start: float, blamed: bool, tmp_path: Path) -> None:
    (finding,) = traced(SIGMOID.format(start=start), tmp_path).source().findings
    assert finding.slug == "saturated"
    assert ("Before the update on line 5" in finding.message) is blamed


# --- numbers that are no longer finite ---

GROWN = """
w = tf.Variable(1.0)
w.assign({size})
with tf.GradientTape() as tape:
    y = tf.exp(w)
tape.gradient(y, w)
"""
DIFFERENCE = """
w = tf.Variable([[2e19, -2e19]])
with tf.GradientTape() as tape:
    y = tf.sin(w @ tf.constant([[2e20], [2e20]]))
tape.gradient(y, w)
"""
LOGDET = """
w = tf.Variable([[-1e18]])
with tf.GradientTape() as tape:
    y = tf.linalg.logdet(w)
tape.gradient(y, w)
"""


@pytest.mark.parametrize(("size", "slug"), [("2e6", "diverged"), ("5e5", "overflow")])
def test_variable_has_exploded_if_it_grew_a_millionfold(
    size: str, slug: str, tmp_path: Path
) -> None:
    assert _said(traced(GROWN.format(size=size), tmp_path)) == slug


def test_infinity_minus_infinity_is_overflow_if_factors_are_too_large(
    tmp_path: Path,
) -> None:
    """The products are 4e39 and -4e39, which float32 cannot represent."""
    assert _said(traced(DIFFERENCE, tmp_path)) == "overflow"


def test_nan_of_factors_with_finite_product_is_no_overflow(tmp_path: Path) -> None:
    """1e18 squared is 1e36, which is finite; the cause is the negative determinant, which has no logarithm."""
    assert _said(traced(LOGDET, tmp_path)) == "zero-times-inf"


# --- messages ---

HITS = """
scores, truth = tf.Variable([[1.0, 2.0], [3.0, 1.0]]), tf.constant([1, 1])
with tf.GradientTape() as tape:
    guess = {guess}
    loss = tf.reduce_mean(tf.cast(tf.equal(truth, guess), tf.float32))
tape.gradient(loss, scores)
"""


@pytest.mark.parametrize(
    ("guess", "loss"),
    [
        ("tf.reshape(tf.cast(tf.argmax(scores, -1), tf.int32), [2, 1])", "sparse_softmax_cross_entropy"),
        ("tf.squeeze(tf.reshape(tf.cast(tf.argmax(scores, -1), tf.int32), [1, 2]))", "a cross-entropy loss on"),
    ],
)  # fmt: skip
def test_prediction_is_found_behind_a_cast_and_a_reshape(
    guess: str, loss: str, tmp_path: Path
) -> None:
    (finding,) = traced(HITS.format(guess=guess), tmp_path).source().findings
    assert loss in finding.fix


# --- notes ---

SOFTPLUS = """
s = tf.Variable({start} * tf.ones([16]))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.nn.softplus(s))
tape.gradient(loss, s)
"""
SMALL_STEPS = """
w = tf.Variable([1000.0, 1000.0])
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(0.001 * w)
    w.assign_sub({rate} * tape.gradient(loss, w))
"""
LEAP = """
w = tf.Variable([1.0])
for step in range(2):
    with tf.GradientTape() as tape:
        loss = {loss}
    w.assign_sub({rate} * tape.gradient(loss, w))
"""
GROWTH = """
w = tf.Variable([1.0, 2.0])
for factor in {factors}:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w))
    w.assign_sub((1.0 + factor) / 2.0 * tape.gradient(loss, w))
"""
PRODUCT = """
p = tf.Variable(tf.constant({p}, tf.{dtype}))
with tf.GradientTape() as tape:
    y = tf.reduce_prod(tf.ones([{factors}], tf.{dtype}) * p)
tape.gradient(y, p)
"""
HALF = """
x = tf.Variable(tf.constant(1.0, tf.float16))
with tf.GradientTape() as tape:
    y = tf.constant({slope}, tf.float16) * x
tape.gradient(y, x)
"""
SQUARE = "tf.reduce_sum(tf.square(w + 1.0))"


def _noted(text: str, folder: Path) -> list[str]:
    return [note.slug for note in traced(text, folder).report.notes]


@pytest.mark.parametrize(("start", "slugs"), [(-6.5, []), (-7.5, ["saturated-units"])])
def test_softplus_is_saturated_below_a_thousandth(
    start: float, slugs: list[str], tmp_path: Path
) -> None:
    """softplus(-6.5) is 0.0015, and softplus(-7.5) 0.0006."""
    assert _noted(SOFTPLUS.format(start=start), tmp_path) == slugs


@pytest.mark.parametrize(("rate", "slugs"), [(5e-5, []), (5e-6, ["steps-too-small"])])
def test_steps_are_too_small_because_of_the_rate_not_the_gradient(
    rate: float, slugs: list[str], tmp_path: Path
) -> None:
    """Both rates change weights of 1000 by less than a millionth, because the derivative is a thousandth."""
    assert _noted(SMALL_STEPS.format(rate=rate), tmp_path) == slugs


@pytest.mark.parametrize(
    ("loss", "rate", "slugs"),
    [
        pytest.param(SQUARE, 2.5, [], id="the weight is nine times as large"),
        pytest.param(SQUARE, 3.0, ["steps-too-large"], id="eleven times"),
        pytest.param("1.5 + tf.abs(w[0])", 21.0, [], id="the loss goes from 2.5 to 21.5"),
        pytest.param("1.0 + tf.abs(w[0])", 21.0, ["steps-too-large"], id="from 2 to 21"),
    ],
)
def test_leap_makes_weights_and_loss_ten_times_as_large(
    loss: str, rate: float, slugs: list[str], tmp_path: Path
) -> None:
    assert _noted(LEAP.format(loss=loss, rate=rate), tmp_path) == slugs


@pytest.mark.parametrize(
    ("factors", "slugs"),
    [
        pytest.param([3.5, 3.5, 3.5, 1.0], ["steps-too-large"], id="three times"),
        pytest.param([6.3, 0.85, 2.6, 2.5, 1.0], [], id="twice since it last fell"),
    ],
)
def test_loss_that_grew_a_thousandfold_grew_three_times_in_a_row(
    factors: list[float], slugs: list[str], tmp_path: Path
) -> None:
    """Weights that are 3.5 times as large have a loss 12 times as large."""
    assert _noted(GROWTH.format(factors=factors), tmp_path) == slugs


@pytest.mark.parametrize(
    ("p", "dtype", "factors", "slugs"),
    [
        (0.15, "float16", 5, ["underflow"]),  # 0.00008
        (0.17, "float16", 5, []),  # 0.00014
        (0.1, "bfloat16", 31, ["underflow"]),
        (0.1, "bfloat16", 29, []),
        (0.1, "float64", 291, ["underflow"]),
        (0.1, "float64", 289, []),
        (1e-8, "float32", 4, ["underflow"]),
        (1e-11, "float32", 3, []),  # a product of three factors is not long
    ],
)
def test_product_of_four_or_more_is_noted_near_the_limit_of_each_dtype(
    p: float, dtype: str, factors: int, slugs: list[str], tmp_path: Path
) -> None:
    assert _noted(PRODUCT.format(p=p, dtype=dtype, factors=factors), tmp_path) == slugs


@pytest.mark.parametrize(("derivative", "slugs"), [(5e-5, ["underflow"]), (7e-5, [])])
def test_float16_gradient_below_smallest_normal_number_is_noted(
    derivative: float, slugs: list[str], tmp_path: Path
) -> None:
    """The smallest normal number is 0.000061; smaller numbers have fewer digits."""
    assert _noted(HALF.format(slope=derivative), tmp_path) == slugs


LEARNT = """
x = tf.constant([[-3.0], [-2.0], [-1.0], [1.0], [2.0], [3.0]] * 2)
w, v = tf.Variable([[0.1, 0.2]]), tf.Variable([[1.0], [0.5]])
for share in (1.0, {share}):
    with tf.GradientTape() as tape:
        loss = share * 100.0 + tf.reduce_sum(tf.tanh(x @ w + 0.1) @ v)
    slopes = tape.gradient(loss, [w, v])
    w.assign(15.0 * w - 0.01 * slopes[0])
"""
FLAT = """
x = tf.constant([[-{size}], [{size}]] * {times})
w, v = tf.Variable([[2.2 / {size}]]), tf.Variable([[1.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.tanh(x @ w + 0.1) @ v)
tape.gradient(loss, [w, v])
"""
LARGE_DATA = """
x, w = tf.constant([[{size}]]), tf.Variable([[1.0]])
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(x @ w + 1.0))
    w.assign_sub(0.01 * tape.gradient(loss, w))
"""


@pytest.mark.parametrize(("share", "slugs"), [(0.4, []), (0.6, ["saturated-units"])])
def test_units_may_be_saturated_once_half_of_the_loss_is_gone(
    share: float, slugs: list[str], tmp_path: Path
) -> None:
    assert _noted(LEARNT.format(share=share), tmp_path) == slugs


@pytest.mark.parametrize(("times", "slugs"), [(7, []), (8, ["saturated-units"])])
def test_fourteen_saturated_values_are_too_few_and_sixteen_are_not(
    times: int, slugs: list[str], tmp_path: Path
) -> None:
    assert _noted(FLAT.format(size=1.0, times=times), tmp_path) == slugs


@pytest.mark.parametrize(
    ("size", "fix"),
    [
        (9.0, "initialize the weights with smaller values"),
        (11.0, "scale the inputs, which are as large as 11: `x = (x - x.mean"),
        (255.0, "scale the inputs, which are as large as 255: `x = x / 255.0`"),
    ],
)
def test_fix_of_saturated_units_is_to_scale_inputs_above_ten(
    size: float, fix: str, tmp_path: Path
) -> None:
    (note,) = traced(FLAT.format(size=size, times=8), tmp_path).report.notes
    assert note.fix.startswith(fix)


@pytest.mark.parametrize(
    ("size", "fix"), [(90.0, "use a smaller learning rate"), (110.0, "scale the inputs")]
)
def test_fix_of_too_large_steps_is_to_scale_data_above_a_hundred(
    size: float, fix: str, tmp_path: Path
) -> None:
    (note,) = traced(LARGE_DATA.format(size=size), tmp_path).report.notes
    assert (note.slug, note.fix.startswith(fix)) == ("steps-too-large", True)
