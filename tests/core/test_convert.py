"""From Python and NumPy to tensors; what TensorFlow does is replayed in tests/parity."""

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
def test_the_dtype_that_a_value_implies(value: object, dtype: str) -> None:
    assert tf.constant(value).dtype == dtype


def test_a_tensor_does_not_see_later_changes_of_the_array() -> None:
    array = np.array([1.0, 2.0])
    x = tf.constant(array)
    array[0] = 100.0
    np.testing.assert_array_equal(x, [1.0, 2.0])


def test_numpy_gives_a_copy() -> None:
    """A tensor is immutable: writing to what `numpy()` gave must not change it."""
    x = tf.constant([1.0, 2.0])
    x.numpy()[0] = 100.0
    np.testing.assert_array_equal(x, [1.0, 2.0])


def test_a_tensor_given_to_constant_stays_the_same_tensor() -> None:
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
def test_beside_a_tensor_a_value_takes_its_dtype_if_no_kind_is_lost(
    value: object, dtype: type, becomes: type
) -> None:
    assert beside(value, np.dtype(dtype)).dtype == becomes


def test_text_becomes_utf_8_bytes() -> None:
    text = tf.constant([["ü", "a"], [b"x\0", b"\xff"]])
    assert text.numpy().tolist() == [["ü".encode(), b"a"], [b"x\0", b"\xff"]]


@pytest.mark.parametrize("ragged", [[["a"], ["b", "c"]], [["a"], "b"], [["a", "b"], ["c"]]])
def test_text_must_be_rectangular_too(ragged: list[object]) -> None:
    with pytest.raises(ValueError, match="non-rectangular"):
        tf.constant(ragged)


def test_rank_0_is_a_numpy_scalar_and_a_string_is_not_torn_from_its_array() -> None:
    """NumPy computes with its scalars several times faster than with arrays of rank 0."""
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
def test_what_is_no_tensor_is_refused_with_its_reason(
    value: object, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        tf.constant(value)


def test_a_float_does_not_become_an_int_unasked() -> None:
    with pytest.raises(TypeError, match=r"tf\.cast\(value, tf\.int32\)"):
        tf.constant(1.5, tf.int32)


def test_a_list_with_tensors_stays_connected() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        pair = tf.convert_to_tensor([x, 2.0])
        y = pair[0] * pair[1]
    assert tape.gradient(y, x).numpy() == 2.0


def test_a_shape_is_filled_by_one_number() -> None:
    np.testing.assert_array_equal(tf.constant(7, shape=(2, 2)), [[7, 7], [7, 7]])
