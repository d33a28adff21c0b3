"""The law of memory layouts: how an array is stored does not change any value that is computed from it.

An array from outside is copied to C order and to this machine's byte order, so results are then the same to the last
bit. Inside, an op receives arrays in all layouts, because a transposed tensor is a view, and NumPy's elementwise functions keep
the layout of their input.
"""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layouts import LAYOUTS
from samples import Sample, cotangent

import minitape as tf
from minitape.testing import gradcheck

# NumPy's vector loops and BLAS round the last digit of a contiguous row differently from that of a row with gaps, and sums
# are added in the order of the memory. The samples are of size 1, their derivatives up to some hundreds.
ROUNDING = {"rtol": 1e-13, "atol": 1e-13}

INSIDE = {name: stored for name, stored in LAYOUTS.items() if name != "big-endian"}


def stored_as(value: Any, stored: Callable[[Any], Any]) -> Any:
    """Each array in the layout; a scalar has no layout."""
    if isinstance(value, tuple):
        return tuple(stored_as(each, stored) for each in value)
    return stored(value) if isinstance(value, np.ndarray) else value


def assert_same(ours: Any, plain: Any, **rounding: float) -> None:
    """Assert the same structure, shapes, dtypes and values."""
    if isinstance(plain, tuple):
        for one, other in zip(ours, plain, strict=True):
            assert_same(one, other, **rounding)
        return
    assert (ours.shape, ours.dtype) == (plain.shape, plain.dtype)
    if plain.dtype.kind in "fc":
        np.testing.assert_allclose(ours, plain, **rounding)
    else:
        np.testing.assert_array_equal(ours, plain)


def test_op_and_its_vjps_are_independent_of_layout(sample: Sample) -> None:
    y = sample.run()
    ybar = cotangent(y)
    derivatives = [sample.vjp(position, ybar, y, sample.inputs) for position in sample.smooth]
    for stored in INSIDE.values():
        xs, cotangents = stored_as(sample.inputs, stored), stored_as(ybar, stored)
        assert_same(sample.run(*xs), y, **ROUNDING)
        for position, derivative in zip(sample.smooth, derivatives, strict=True):
            again = sample.vjp(position, cotangents, stored_as(y, stored), xs)
            assert_same(again, derivative, **ROUNDING)


# --- arrays from outside ---

A = np.random.default_rng(0).normal(size=(3, 4))
B = np.random.default_rng(1).uniform(0.5, 1.5, size=(3, 4))
C = (A * (1 - 2j)).astype(np.complex64)
EMPTY, ONE, SCALAR = np.zeros((0, 3)), np.ones((1, 1)), np.array(2.5)
LABELS = np.array([[0, 1], [2, 1]], np.int64)
TRUTHS = A > 0
ENTERING = {
    "floats": A,
    "complex": C,
    "integers": LABELS,
    "booleans": TRUTHS,
    "empty": EMPTY,
    "one": ONE,
    "scalar": SCALAR,
}


def assigned(x: Any) -> Any:
    variable = tf.Variable(tf.zeros_like(x))
    variable.assign(x)
    return variable.value()


DOORS: dict[str, Callable[[Any], Any]] = {
    "constant": tf.constant,
    "constant of a dtype": lambda x: tf.constant(x, tf.as_dtype(x.dtype)),
    "convert_to_tensor": tf.convert_to_tensor,
    "Variable": lambda x: tf.Variable(x).value(),
    "assign": assigned,
    "an argument": tf.identity,
    "a list": lambda x: tf.convert_to_tensor([x, x]),
    "stack": lambda x: tf.stack([x, x]),
    "cast": lambda x: tf.cast(x, x.dtype),
    "where": lambda x: tf.where(tf.constant(True), x, tf.zeros_like(x)),
    "a dataset": lambda x: next(iter(tf.data.Dataset.from_tensors(x))),
    "numpy_function": lambda x: tf.numpy_function(lambda: x, [], tf.as_dtype(x.dtype)),
}


@pytest.mark.parametrize("exit_path", DOORS)
def test_input_is_copied_to_c_order(exit_path: str) -> None:
    """So all that is computed from it is the same to the last bit as from a plain copy."""
    for name, x in ENTERING.items():
        plain = DOORS[exit_path](x)
        for layout, stored in LAYOUTS.items():
            entered = DOORS[exit_path](stored(x))
            assert (entered.dtype, entered.shape) == (plain.dtype, plain.shape), (name, layout)
            assert entered.numpy().tobytes() == plain.numpy().tobytes(), (name, layout)
            numbers = np.asarray(entered._array)
            assert numbers.dtype.isnative, (name, layout)
            assert numbers.flags.c_contiguous, (name, layout)
            assert numbers.flags.aligned, (name, layout)


def test_output_array_is_a_writable_copy_in_c_order() -> None:
    """As in TensorFlow: so `x.numpy().reshape(-1)` is a view that can be written to."""
    x = tf.transpose(tf.constant(A))
    for left in (x.numpy(), np.asarray(x), np.array(x, np.float32)):
        assert left.flags.c_contiguous
        assert left.flags.writeable
        left.reshape(-1)[0] = 7.0
        assert left[0, 0] == 7.0
    np.testing.assert_array_equal(x, A.T)


def test_bitcast_to_another_size_is_independent_of_layout() -> None:
    pairs = tf.transpose(
        tf.constant([[1, 2, 3], [4, 5, 6]], tf.int16)
    )  # a view, as an op inside gets it
    for dtype in (tf.int32, tf.uint8):
        found = tf.bitcast(pairs, dtype)
        np.testing.assert_array_equal(found, tf.bitcast(tf.constant(pairs.numpy()), dtype))


def test_dtype_in_other_byte_order_is_the_same_dtype() -> None:
    assert tf.as_dtype(np.dtype(">f4")) is tf.float32
    assert tf.cast([1, 2], np.dtype(">i8")).dtype is tf.int64


def test_strings_are_independent_of_layout() -> None:
    texts = np.array([["ab", "c"], ["d", "ef"]])
    for stored in (np.asfortranarray, lambda x: x.T.copy().T, lambda x: x.astype(">U2")):
        assert tf.constant(stored(texts)).numpy().tolist() == [[b"ab", b"c"], [b"d", b"ef"]]


# --- helpers ---


def gradients(stored: Callable[[Any], Any]) -> dict[str, Any]:
    """What the tape and its helpers return if each array of the program is stored in this way."""
    x = tf.Variable(stored(A))
    with tf.GradientTape(persistent=True) as tape:
        y = tf.transpose(x) * stored(B.T)
        z = tf.matmul(x * stored(B), stored(B.T))
        view = tf.square(tf.transpose(x))
    with tf.autodiff.ForwardAccumulator(x, stored(B)) as accumulator:
        w = tf.reduce_sum(x * stored(B), 0)
    return {
        "gradient": tape.gradient(y, x, stored(B.T)),
        "jacobian": tape.jacobian(y, x),
        "jacobian of a view": tape.jacobian(view, x),
        "jacobian of a view, row by row": tape.jacobian(view, x, experimental_use_pfor=False),
        "batch_jacobian": tape.batch_jacobian(z, x),
        "batch_jacobian row by row": tape.batch_jacobian(z, x, experimental_use_pfor=False),
        "jvp": accumulator.jvp(w),
        "map_fn": tf.map_fn(lambda row: row * stored(B[0]), stored(A)),
        "scan": tf.scan(lambda total, row: total + row, stored(A)),
    }


def test_gradient_helpers_are_independent_of_layout() -> None:
    plain = gradients(np.array)
    # NumPy's functions keep the layout of a view, so this target is not in C order, even if the variable is.
    for name in ("jacobian of a view,", "batch_jacobian"):
        np.testing.assert_array_equal(plain[f"{name} row by row"], plain[name.rstrip(",")])
    report = str(gradcheck(lambda x: x * B * x, A, order=2))
    for layout, stored in LAYOUTS.items():
        for name, tensor in gradients(stored).items():
            assert tensor.numpy().tobytes() == plain[name].numpy().tobytes(), (layout, name)
        again = gradcheck(lambda x, stored=stored: x * stored(B) * x, stored(A), order=2)
        assert str(again) == report, layout


def trained(stored: Callable[[Any], Any]) -> list[Any]:
    """The results of a Keras model that is adapted, fitted, evaluated and used for predictions."""
    tf.keras.utils.set_random_seed(3)
    normalize = tf.keras.layers.Normalization()
    normalize.adapt(stored(A))
    model = tf.keras.Sequential([normalize, tf.keras.layers.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"])
    history = model.fit(
        stored(A), stored(B[:, 0]), epochs=2, verbose=0, sample_weight=stored(B[:, 1])
    )
    model.set_weights([stored(each) for each in model.get_weights()])
    scores = model.evaluate(stored(A), stored(B[:, :1]), verbose=0)
    return [history.history, scores, model.predict(stored(A), verbose=0).tolist()]


def test_training_is_independent_of_layout() -> None:
    plain = trained(np.array)
    for layout, stored in LAYOUTS.items():
        assert trained(stored) == plain, layout


# --- tracing ---


def received(stored: Callable[[Any], Any]) -> list[dict[str, Any]]:
    """The events of a program with arrays of which all elements, some, or only the means of blocks are kept."""
    many, blocks = np.resize(A, (9, 11)), np.resize(A.astype(np.float32), (80, 90))
    with tf.debug.record() as recording:
        x, h = tf.constant(stored(many)), tf.Variable(stored(blocks))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x * stored(many)) + tf.reduce_sum(stored(many.T) * tf.transpose(x))
            z = tf.reduce_sum(tf.transpose(h) @ stored(blocks)) + tf.reduce_sum(h[:3, :4] * A)
            t = tf.reduce_sum(tf.math.real(stored(C) * tf.cast(x[:3, :4], tf.complex64)))
        tape.gradient([y, z, t], [x, h])
        h.assign_add(stored(blocks))
    return recording._tracer.received


def test_trace_is_independent_of_layout() -> None:
    """Including an array that was never a tensor, used together with one."""
    plain = received(np.array)
    assert any("packed" in event.get("T", {}) for event in plain)
    assert any("blocks" in event.get("T", {}) for event in plain)
    for layout, stored in LAYOUTS.items():
        for ours, event in zip(received(stored), plain, strict=True):
            if event["k"] != "site":  # these depend on where `received` was called
                assert ours == event, layout


# --- a pattern that can lose a write ---

PERHAPS_A_COPY = {"reshape", "ravel", "flatten", "view", "astype", "ascontiguousarray", "_as_reals"}


@pytest.mark.one_in(3)
def test_no_code_writes_through_reshape() -> None:
    """`x.reshape(-1)[i] = 1` changes x, or a copy of it that is discarded, depending on the layout of x.

    Fill a row and shape it after: `row = np.zeros(size); row[i] = 1; row.reshape(shape)`.
    """
    found = []
    for path in sorted((Path(__file__).parents[2] / "minitape").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)):
                continue
            called = node.value.func if isinstance(node.value, ast.Call) else None
            name = getattr(called, "attr", getattr(called, "id", None))
            if name in PERHAPS_A_COPY:
                found.append(f"{path.name}:{node.lineno}: {ast.unparse(node)}")
    assert not found


def test_function_without_arguments_returns_tensors() -> None:
    """No tensor is passed in, and still no array is returned."""

    @tf.custom_gradient
    def two() -> Any:
        return tf.constant(2.0), lambda _: []

    for made in (
        tf.numpy_function(lambda: np.ones(2), [], tf.float64),
        tf.py_function(lambda: np.ones(2), [], tf.float64),
        two(),
    ):
        assert isinstance(made, tf.Tensor)
