"""Each entry of the explainer's tables has a program whose result differs without it."""

from pathlib import Path

import pytest
from traced import traced


def _found(tmp_path: Path, text: str) -> list[tuple[str, int]]:
    return traced(text, tmp_path).found()


COPIES = (
    "tf.cast(x, tf.float64)",
    "tf.concat([x, x], axis=0)",
    "tf.expand_dims(x, 0)",
    "tf.gather(x, [1, 0])",
    "tf.identity(x)",
    "tf.stack([x, x])",
    "tf.reshape(x, [2, 1])",
    "tf.split(x, 2)[0]",
    "tf.squeeze(tf.reshape(x, [1, 2]))",
    "x[:1]",
    "tf.transpose(tf.reshape(x, [1, 2]))",
    "tf.unstack(x)[0]",
)


@pytest.mark.parametrize("copy", COPIES)
def test_watching_a_copy_is_distinguished_from_not_watching(tmp_path: Path, copy: str) -> None:
    text = f"""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch({copy})
        y = tf.reduce_sum(x * x)
    tape.gradient(y, x)
    """
    assert _found(tmp_path, text) == [("source-is-copy", 3)]


def test_watching_another_computation_is_not_watching_a_copy(tmp_path: Path) -> None:
    text = """
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x * 2.0)
        y = tf.reduce_sum(x * x)
    tape.gradient(y, x)
    """
    assert _found(tmp_path, text) == [("not-watched", 3)]


FLAT = {
    "tf.clip_by_value(w, 5.0, 6.0)": "clipped",
    "tf.maximum(w, 5.0)": "clipped",
    "tf.minimum(w, -5.0)": "clipped",
    "tf.nn.relu(w - 9.0)": "dead-relu",
    "tf.nn.relu6(w - 9.0)": "dead-relu",
    "tf.where(w > 9.0, w, 1.0)": "where-unselected",
    "tf.sign(w)": "step-function",
    "tf.sigmoid(w * 99.0)": "saturated",
    "tf.tanh(w * 99.0)": "saturated",
    "tf.math.erf(w * 99.0)": "saturated",
    "tf.exp(w * -99.0)": "saturated",
    "tf.nn.softplus(w * -99.0)": "saturated",
    "tf.maximum(w - 9.0, 0.0)": "dead-relu",
}


@pytest.mark.parametrize("flat", FLAT)
def test_each_flat_op_has_its_own_cause(tmp_path: Path, flat: str) -> None:
    text = f"""
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = {flat} * 2.0
    tape.gradient(y, w)
    """
    assert _found(tmp_path, text) == [(FLAT[flat], 3)]


INFINITE = {
    "tf.norm(w)": "sqrt-at-zero",
    "tf.math.log(w)": "log-of-zero",
    "tf.math.log1p(w - 1.0)": "edge-of-domain",
    "tf.pow(w, 0.5)": "pow-at-zero",
    "1.0 / w": "division-by-zero",
    "tf.math.reciprocal(w)": "division-by-zero",
    "tf.math.rsqrt(w)": "sqrt-at-zero",
    "tf.sqrt(w)": "sqrt-at-zero",
    "tf.exp(w + 99.0)": "overflow",
}


@pytest.mark.parametrize("infinite", INFINITE)
def test_each_op_with_nonfinite_result_has_its_own_cause(tmp_path: Path, infinite: str) -> None:
    text = f"""
    w = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum({infinite})
    tape.gradient(y, w)
    """
    assert _found(tmp_path, text) == [(INFINITE[infinite], 3)]


WAYS_OUT = {
    "float(w)": "python-scalar",
    "w.numpy().item()": "python-scalar",
    "complex(w).real": "python-scalar",
    "w.numpy()": "numpy-roundtrip",
    "np.sin(w)": "numpy-roundtrip",
    "np.asarray(w)": "numpy-roundtrip",
}


@pytest.mark.parametrize("fix_set", WAYS_OUT)
def test_each_exit_is_classified_as_python_or_numpy(tmp_path: Path, fix_set: str) -> None:
    text = f"""
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        left = {fix_set}
        y = tf.constant(left) * 3.0
    tape.gradient(y, w)
    """
    assert _found(tmp_path, text) == [(WAYS_OUT[fix_set], 3)]


@pytest.mark.parametrize(
    "shape", ["tf.ones_like(w)", "tf.zeros_like(w)", "tf.cast(tf.size(w), tf.float32)"]
)
def test_reading_a_shape_connects_nothing(tmp_path: Path, shape: str) -> None:
    text = f"""
    w = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum({shape} * 3.0)
    tape.gradient(y, w)
    """
    assert [slug for slug, _ in _found(tmp_path, text)] == ["unconnected"]


def _mean_taken_out(between: str) -> str:
    return f"""
    b = tf.Variable([0.5])
    x = tf.constant([[1.0], [2.0], [4.0]])
    with tf.GradientTape() as tape:
        h = {between}
        y = tf.reduce_sum((h - tf.reduce_mean(h, axis=0)) ** 3)
    tape.gradient(y, b)
    """


SHIFTS = (
    "x + b",
    "x - b",
    "tf.nn.bias_add(x, b)",
    "(x + b) * 3.0",
    "(x + b) / 3.0",
    "3.0 * (x + b)",
    "-(x + b)",
    "tf.identity(x + b)",
)


@pytest.mark.parametrize("between", SHIFTS)
def test_shift_removed_by_the_mean_is_recognized_through_ops(tmp_path: Path, between: str) -> None:
    assert [slug for slug, _ in _found(tmp_path, _mean_taken_out(between))] == ["sums-to-constant"]
