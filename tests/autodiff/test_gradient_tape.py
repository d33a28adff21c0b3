"""GradientTape: threads, lifetimes, messages. tests/parity replays TensorFlow's results."""

import threading
import warnings
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core.recorders import thread


def test_each_thread_has_its_own_tapes() -> None:
    """Eight threads record at once; no tape records another thread's ops, and each thread gets its own result."""
    answers: dict[int, tuple[int, float]] = {}
    together = threading.Barrier(8)

    def work(n: int) -> None:
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            together.wait()
            y = x
            for _ in range(50):
                y = y + x * float(n)
        assert tape._tape is not None
        answers[n] = len(tape._tape.records), float(tape.gradient(y, x))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers == {n: (100, 1.0 + 50.0 * n) for n in range(8)}


def test_no_tape_stays_active_after_an_exception() -> None:
    with pytest.raises(KeyError), tf.GradientTape():
        raise KeyError
    assert thread.active == ()


def test_failed_gradient_leaves_no_tape_recording() -> None:
    x = tf.constant([1.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.unique(x)[0]
        with pytest.raises(LookupError):
            tape.gradient(y, x)
    assert thread.active == ()


def test_variables_are_in_order_of_creation() -> None:
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    with tf.GradientTape() as tape:
        _ = b * a
    assert [v.name for v in tape.watched_variables()] == ["a:0", "b:0"]


def test_gradient_has_shape_and_dtype_of_its_source() -> None:
    for dtype in (tf.float16, tf.float32, tf.float64):
        x = tf.constant([[1.0], [2.0]], dtype)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_mean(x * [1.0, 2.0, 3.0])
        gradient = tape.gradient(y, x)
        assert gradient.shape == x.shape
        assert gradient.dtype == dtype


def test_watching_an_integer_warns_at_the_users_line() -> None:
    with tf.GradientTape() as tape, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tape.watch(tf.constant(3))
    (warning,) = caught
    assert "floating" in str(warning.message)
    assert warning.filename == __file__


def test_integer_source_warns_at_the_users_line_and_says_what_to_write() -> None:
    n = tf.Variable(3)
    with tf.GradientTape() as tape:
        y = tf.cast(n, tf.float32) ** 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert tape.gradient(y, n) is None
    (warning,) = caught
    assert "Use `3.0` instead of `3`" in str(warning.message)
    assert warning.filename == __file__


def _spent() -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    return tape, y, x


def _ready() -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    return tape, y, x


@pytest.mark.parametrize(
    ("setting", "ask", "error", "fix", "code"),
    [
        (_spent, lambda t, y, x: t.gradient(y, x), RuntimeError, "persistent=True", "MT501"),
        (_spent, lambda t, y, x: t.watch(x), AttributeError, "inside the `with", "MT504"),
        (_ready, lambda t, y, x: t.gradient(y, x, None, "no"), ValueError, "ZERO", "MT508"),
        (_ready, lambda t, y, x: t.gradient(None, x), TypeError, "return loss", "MT503"),
        (_ready, lambda t, y, x: t.gradient(9.0, x), AttributeError, "without `.numpy()`", "MT503"),
        (_ready, lambda t, y, x: t.gradient(y, 9.0), AttributeError, "tf.Variable", "MT503"),
        (_ready, lambda t, y, x: t.gradient(y, None), TypeError, "`return`", "MT503"),
        (_ready, lambda t, y, x: t.watch(9.0), ValueError, "tf.constant(value)", "MT502"),
        (_ready, lambda t, y, x: t.reset(), ValueError, "inside the `with", "MT504"),
        (_ready, lambda t, y, x: t.jacobian([y], x), AttributeError, "tf.stack", "MT503"),
        (_ready, lambda t, y, x: t.batch_jacobian([y], x), AttributeError, "tf.stack", "MT503"),
        (_ready, lambda t, y, x: t.batch_jacobian(y, [x]), AttributeError, "for each", "MT503"),
        (_ready, lambda t, y, x: t.batch_jacobian(y, None), AttributeError, "for each", "MT503"),
        (
            _ready,
            lambda t, y, x: t.batch_jacobian(y, x),
            ValueError,
            "tape.jacobian",
            "MT507",
        ),
        (
            _ready,
            lambda t, y, x: t.gradient(y, x, tf.constant([1.0, 2.0])),
            tf.errors.InvalidArgumentError,
            "shape of the target",
            "MT507",
        ),
    ],
)
def test_errors_have_tensorflow_class_and_name_the_fix(
    setting: Any, ask: Any, error: type[Exception], fix: str, code: str
) -> None:
    with pytest.raises(error) as caught:
        ask(*setting())
    message = str(caught.value)
    assert "\n  try : " in message
    assert fix in message
    assert message.endswith(f"more: minitape explain {code}")


def test_gradient_before_the_block_raises() -> None:
    """The same class as for a consumed tape, but for another reason, so the message must differ."""
    x = tf.constant(3.0)
    with pytest.raises(RuntimeError, match="never opened"):
        tf.GradientTape().gradient(x, x)


def test_seed_must_have_dtype_of_the_target() -> None:
    tape, y, x = _ready()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"tf\.cast\(output_gradients"):
        tape.gradient(y, x, output_gradients=tf.constant(1.0, tf.float64))


def test_complex_gradients_follow_tensorflow_convention() -> None:
    """The conjugate of the derivative: a step against it decreases the target."""
    x = tf.constant(1 + 2j)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * x
    assert np.isclose(tape.gradient(y, x).numpy(), np.conj(3 * (1 + 2j) ** 2))
