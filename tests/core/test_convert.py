"""Conversion from Python and NumPy to tensors; tests/parity replays what TensorFlow does."""

import numpy as np
import pytest

import minitape as tf
from minitape.core.convert import as_array, beside


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1.0, "float32"),
        (1, "int32"),
        (2**31, "int64"),
        (True, "bool"),
        (1j, "complex128"),
        ("a", "string"),
        ([1, 2.5], "float32"),
        ([[1], [2]], "int32"),
        ([], "float32"),
        (range(3), "int32"),
        (np.float64(1.0), "float64"),
        (np.arange(3, dtype=np.uint8), "uint8"),
        ([np.float64(1.0), np.float64(2.0)], "float64"),
    ],
)
def test_dtype_is_inferred_from_value(value: object, dtype: str) -> None:
    assert tf.constant(value).dtype == dtype


def test_tensor_does_not_change_with_its_array() -> None:
    array = np.array([1.0, 2.0])
    x = tf.constant(array)
    array[0] = 100.0
    np.testing.assert_array_equal(x, [1.0, 2.0])


def test_numpy_returns_a_copy() -> None:
    """A tensor is immutable: writing to the result of `numpy()` must not change it."""
    x = tf.constant([1.0, 2.0])
    x.numpy()[0] = 100.0
    np.testing.assert_array_equal(x, [1.0, 2.0])


def test_constant_of_a_tensor_is_the_same_tensor() -> None:
    x = tf.constant(3.0)
    assert tf.constant(x) is x
    assert tf.convert_to_tensor(x) is x


@pytest.mark.parametrize(
    ("value", "dtype", "becomes"),
    [
        (2, np.float32, np.float32),
        (2.0, np.float64, np.float64),
        (np.float64(2.0), np.float32, np.float32),
        (np.array([1, 2]), np.float16, np.float16),
        (0.5, np.int32, np.float32),  # kept, so that the op can name both dtypes
        (True, np.float32, np.float32),
        (True, np.int32, np.int32),
        ("a", np.float32, np.object_),
    ],
)
def test_value_takes_dtype_of_tensor_if_no_kind_is_lost(
    value: object, dtype: type, becomes: type
) -> None:
    assert beside(value, np.dtype(dtype)).dtype == becomes


def test_strings_become_utf_8_bytes() -> None:
    text = tf.constant([["ü", "a"], [b"x\0", b"\xff"]])
    assert text.numpy().tolist() == [["ü".encode(), b"a"], [b"x\0", b"\xff"]]


@pytest.mark.parametrize("ragged", [[["a"], ["b", "c"]], [["a"], "b"], [["a", "b"], ["c"]]])
def test_ragged_strings_raise(ragged: list[object]) -> None:
    with pytest.raises(ValueError, match="non-rectangular"):
        tf.constant(ragged)


def test_scalar_is_numpy_scalar_and_string_stays_in_its_array() -> None:
    """NumPy computes several times faster with its scalars than with arrays of rank 0."""
    assert type(as_array(1.0, None)) is np.float32
    assert as_array("word", None).shape == ()


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (None, ValueError, "None"),
        ([1.0, None], ValueError, "None"),
        ([[1], [2, 3]], ValueError, "same length"),
        ({1, 2}, ValueError, "set"),
        ([tf.constant(1.0)], ValueError, "tf.stack"),
        (object(), ValueError, "object"),
    ],
)
def test_error_states_why_value_cannot_be_a_tensor(
    value: object, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        tf.constant(value)


def test_float_is_not_converted_to_int_implicitly() -> None:
    with pytest.raises(TypeError, match=r"tf\.cast\(value, tf\.int32\)"):
        tf.constant(1.5, tf.int32)


def test_list_with_tensors_stays_connected() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        pair = tf.convert_to_tensor([x, 2.0])
        y = pair[0] * pair[1]
    assert tape.gradient(y, x).numpy() == 2.0


def test_constant_fills_a_shape_with_one_number() -> None:
    np.testing.assert_array_equal(tf.constant(7, shape=(2, 2)), [[7, 7], [7, 7]])
