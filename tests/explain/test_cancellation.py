"""Contributions that add up to zero are reported only if a shift cancels for all values, and not at a minimum."""

from pathlib import Path

import pytest
from traced import traced

X = "x = tf.constant([[0.0, 2.0], [1.0, 5.0], [2.0, 7.0], [3.0, 12.0]])\n"
TAKEN_OUT = {
    "a bias before a batch normalisation": """
dense, norm = tf.keras.layers.Dense(2), tf.keras.layers.BatchNormalization()
with tf.GradientTape() as tape:
    y = tf.reduce_mean(tf.nn.relu(norm(dense(x), training=True)))
tape.gradient(y, dense.bias)
""",
    "before one over pictures": """
b = tf.Variable([0.1, 0.2])
norm = tf.keras.layers.BatchNormalization()
with tf.GradientTape() as tape:
    h = tf.reshape(x, [1, 2, 2, 2]) + b
    y = tf.reduce_mean(tf.sin(norm(h, training=True)))
tape.gradient(y, b)
""",
    "a mean taken away by hand": """
b = tf.Variable([0.1, 0.2])
with tf.GradientTape() as tape:
    h = 3.0 * (x + b)
    y = tf.reduce_sum(tf.sin(h - tf.reduce_mean(h, axis=0)))
tape.gradient(y, b)
""",
    "one shift for all logits": """
b = tf.Variable([[0.1]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.nn.softmax(x + b)[:, 0])
tape.gradient(y, b)
""",
}
LEFT_IN = {
    "the bottom of a valley": """
w, b = tf.constant([[1.0], [0.0]]), tf.Variable([1.5])
with tf.GradientTape() as tape:
    y = tf.reduce_mean(tf.square(x @ w - b + tf.zeros([4, 1])))
tape.gradient(y, b)
""",
    "a mean along the other axis": """
b = tf.Variable([0.1, 0.2])
shares = tf.constant([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
with tf.GradientTape() as tape:
    h = x + b
    y = tf.reduce_sum(shares * (h - tf.reduce_mean(h, axis=1, keepdims=True)))
tape.gradient(y, b)
""",
}


@pytest.mark.parametrize("name", TAKEN_OUT)
def test_shift_that_cancels_is_reported(name: str, tmp_path: Path) -> None:
    source = traced(X + TAKEN_OUT[name], tmp_path).source()
    (finding,) = source.findings
    assert (source.outcome.value, finding.slug) == ("zero", "sums-to-constant")
    assert finding.message.endswith(
        "A later op removes `" + source.name + "` again, as subtracting a mean does."
    )


SHIFTED = """
b = tf.Variable({b})
with tf.GradientTape() as tape:
    {h}
    y = tf.reduce_sum({y})
tape.gradient(y, b)
"""
LESS_ITS_MEAN = "tf.sin(h - tf.reduce_mean(h, axis=0))"
SQUARED = "x * tf.sin(tf.math.squared_difference(h, tf.reduce_mean(h, axis=0)))"
SOFT = "tf.nn.softmax(h - tf.stop_gradient(tf.reduce_mean(h, axis=1, keepdims=True)))[:, 0]"


@pytest.mark.parametrize(
    ("b", "h", "y"),
    [
        pytest.param("[0.1, 0.2]", h, LESS_ITS_MEAN, id=h)
        for h in (
            "h = x + b",
            "h = x - b",
            "h = tf.nn.bias_add(x, b)",
            "h = x + 3.0 * tf.broadcast_to(b, [4, 2])",
            "h = -(x + b)",
            "h = 3.0 * (x + b)",
            "h = (x + b) / 3.0",
            "h = tf.cast(x + b, tf.float64)",
            "h = tf.identity(x + b)",
            "h = tf.reshape(x + b, [4, 1, 2])",
            "h = tf.expand_dims(x + b, 1)",
            "h = tf.squeeze(tf.expand_dims(x + b, 1), 1)",
        )
    ]
    + [
        pytest.param("[0.1, 0.2]", "h = x + b", SQUARED, id="squared difference"),
        pytest.param("[[0.1]]", "h = x + b", SOFT, id="stopped mean"),
        pytest.param("[[0.1]]", "h = tf.nn.log_softmax(x + b)", "h[:, 0]", id="log softmax"),
    ],
)
def test_shift_is_followed_through_ops_that_pass_it_on(
    b: str, h: str, y: str, tmp_path: Path
) -> None:
    assert traced(X + SHIFTED.format(b=b, h=h, y=y), tmp_path).found() == [("sums-to-constant", 5)]


@pytest.mark.parametrize("name", LEFT_IN)
def test_contributions_that_cancel_by_chance_are_not_reported(name: str, tmp_path: Path) -> None:
    source = traced(X + LEFT_IN[name], tmp_path).source()
    assert source.outcome.value == "zero"
    assert "sums-to-constant" not in [finding.slug for finding in source.findings]


@pytest.mark.parametrize("name", TAKEN_OUT)
def test_target_does_not_change_when_the_source_is_shifted(name: str, tmp_path: Path) -> None:
    moved = TAKEN_OUT[name].replace(
        "with tf", "SOURCE.assign_add(tf.ones_like(SOURCE))\nwith tf", 1
    )
    if "dense" in moved:
        moved = moved.replace("SOURCE.assign", "dense(x); SOURCE.assign").replace(
            "SOURCE", "dense.bias"
        )
    before = traced("tf.random.set_seed(1)\n" + X + TAKEN_OUT[name], tmp_path).names["y"]
    after = traced("tf.random.set_seed(1)\n" + X + moved.replace("SOURCE", "b"), tmp_path).names[
        "y"
    ]
    assert float(after) == pytest.approx(float(before), rel=1e-5, abs=1e-6)
