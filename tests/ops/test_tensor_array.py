"""TensorArray: its error messages, and what tests/parity (program tensor_array) does not record."""

from typing import Any

import pytest

import minitape as tf


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: tf.TensorArray(tf.float32), "size=0, dynamic_size=True"),
        (lambda: tf.TensorArray(tf.float32, 1).write(1, 2.0), "dynamic_size=True"),
        (lambda: tf.TensorArray(tf.float32, 1).write(0, tf.constant(1)), "tf.cast"),
        (lambda: tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0, 3.0]), "size=3"),
        (lambda: tf.TensorArray(tf.float32, 1).read(0), "element_shape="),
        (lambda: tf.TensorArray(tf.float32, 1).write(0, 1.0).concat(), "stack()"),
        (
            lambda: tf.TensorArray(tf.float32, 2).write(0, [1.0]).write(1, [1.0, 2.0]),
            "infer_shape=False",
        ),
    ],
)
def test_error_suggests_what_to_write(call: Any, says: str) -> None:
    with pytest.raises(Exception, match="try") as raised:
        call()
    assert says in str(raised.value)
    assert any("test_tensor_array.py" in note for note in raised.value.__notes__)


def test_error_for_second_read_names_clear_after_read() -> None:
    array = tf.TensorArray(tf.float32, 1).write(0, 1.0)
    array.read(0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="clear_after_read=False"):
        array.read(0)


def test_tape_of_tensor_array_records_only_ops_on_elements() -> None:
    """The array is not an op: a tape records the ops on its elements."""
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        array = tf.TensorArray(tf.float32, 2).unstack(x)
        y = array.read(0) * array.read(1)
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 1.0]
