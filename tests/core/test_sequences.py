"""The conversion of nested lists; `parity/programs/mixed_lists.py` has TensorFlow's results for all combinations."""

from collections import deque

import numpy as np
import pytest

import minitape as tf
from minitape.core.sequences import array_of_list


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([1.0, np.float64(2)], "float32"),
        ([np.float64(2), 1.0], "float64"),
        ([np.float16(2), np.float64(1)], "float16"),
        ([np.int64(2), 1], "int32"),
        ([np.int64(2), 1.5], "float32"),
        ([1j, 1.0], "complex128"),
        ([[np.array([1.0, 2.0])], [[3, 4]]], "float64"),
    ],
)
def test_first_leaf_decides_the_dtype(value: list[object], dtype: str) -> None:
    assert tf.constant(value).dtype == dtype


@pytest.mark.parametrize("value", [[1.0, 1j], [True, 1], [1, np.bool_(True)], ["a", 1]])
def test_incompatible_leaves_raise(value: list[object]) -> None:
    with pytest.raises(ValueError, match="mixed types"):
        tf.constant(value)


def test_list_of_string_arrays_is_one_tensor() -> None:
    texts = tf.constant([np.array(["ü", "b"]), np.array([b"c", b"d"])])
    assert texts.numpy().tolist() == [["ü".encode(), b"b"], [b"c", b"d"]]


def test_any_sequence_is_converted_like_a_list() -> None:
    """A replay buffer is a deque."""
    np.testing.assert_array_equal(tf.constant(deque([1.0, 2.0], maxlen=2)), [1.0, 2.0])


def test_overflow_is_raised_for_the_caller_to_handle() -> None:
    with pytest.raises(OverflowError):
        array_of_list([1e300], None)


def test_requested_dtype_is_converted_directly() -> None:
    """0.1 through float32 would not be 0.1 in float64."""
    assert array_of_list([0.1, True], np.dtype("f8")).tolist() == [0.1, 1.0]
