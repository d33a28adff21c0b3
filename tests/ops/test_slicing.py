"""`x[key]`, slices, padding, and assignment to a part of a variable."""

from typing import Any

import numpy as np
import pytest

import minitape as tf

TABLE = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        np.s_[1:],
        np.s_[:, 1],
        np.s_[..., 0],
        np.s_[None, 1],
        np.s_[::-1],
        np.s_[:, ::2],
        np.s_[1, 2],
        np.s_[2:2],
        np.s_[:, None, 1:3],
        np.s_[-5:],
        np.int64(1),
    ],
)
def test_key_selects_as_in_numpy_and_cotangent_returns_to_selected_elements(
    key: Any,
) -> None:
    x = tf.constant(TABLE)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[key] * 3.0
    expected = np.zeros_like(TABLE)
    expected[key] = 3.0
    np.testing.assert_array_equal(y, TABLE[key] * 3.0)
    np.testing.assert_array_equal(tape.gradient(y, x), expected)


def test_tensor_may_be_an_index() -> None:
    x = tf.constant([10.0, 30.0, 20.0])
    assert float(x[tf.argmax(x)]) == 30.0


def test_boolean_mask_selects_rows() -> None:
    x = tf.constant([1.0, -2.0, 3.0])
    assert x[x > 0.0].numpy().tolist() == [1.0, 3.0]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (3, "slice index 3 of dimension 0 out of bounds"),
        ((0, 0, 0), "input has only 2 dims"),
        (slice(None, None, 0), "step"),
    ],
)
def test_key_out_of_range_raises_invalid_argument(key: Any, message: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        tf.constant(TABLE)[key]


@pytest.mark.parametrize("key", [1.0, "a", np.array([0, 1])])
def test_unsupported_key_raises_type_error_that_names_gather(key: Any) -> None:
    with pytest.raises(TypeError, match=r"tf\.gather"):
        tf.constant(TABLE)[key]


def test_gradient_through_part_of_variable() -> None:
    v = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = v[1] * v[2]
    assert tape.gradient(y, v).numpy().tolist() == [0.0, 3.0, 2.0]


def test_slice_read_before_tape_is_a_separate_source() -> None:
    """Each `v[0]` is a new tensor: the one that y was computed from is connected, a later one is not."""
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        part = v[0]
        y = part * 5.0
    assert float(tape.gradient(y, part)) == 5.0
    assert tape.gradient(y, v[0]) is None


def test_assigning_to_part_changes_variable_but_not_earlier_reads() -> None:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    before = v.read_value()
    v[0, 1].assign(9.0)
    v[1].assign([7.0, 8.0])
    assert v.numpy().tolist() == [[1.0, 9.0], [7.0, 8.0]]
    assert before.numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_assigning_mismatched_value_to_part_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="part of 'v:0'"):
        tf.Variable([1.0, 2.0, 3.0], name="v")[:2].assign([1.0, 2.0, 3.0])


def test_slice_takes_begin_and_size() -> None:
    assert tf.slice(TABLE, [1, 0], [2, -1]).numpy().tolist() == TABLE[1:3].tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="1:6"):
        tf.slice(TABLE, [1, 0], [5, 1])


@pytest.mark.parametrize(
    ("mode", "padded", "derivatives"),
    [
        ("CONSTANT", [0.0, 1.0, 2.0, 3.0, 0.0], [1.0, 1.0, 1.0]),
        ("REFLECT", [2.0, 1.0, 2.0, 3.0, 2.0], [1.0, 3.0, 1.0]),
        ("SYMMETRIC", [1.0, 1.0, 2.0, 3.0, 3.0], [2.0, 1.0, 2.0]),
    ],
)
def test_gradient_of_pad_is_added_to_mirrored_elements(
    mode: str, padded: list[float], derivatives: list[float]
) -> None:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.pad(x, [[1, 1]], mode)
    assert y.numpy().tolist() == padded
    assert tape.gradient(y, x).numpy().tolist() == derivatives


def test_pad_refuses_unknown_mode_and_wrong_paddings() -> None:
    with pytest.raises(ValueError, match="REFLECT"):
        tf.pad([1.0], [[1, 1]], "WRAP")
    with pytest.raises(tf.errors.InvalidArgumentError, match="`paddings` for 1 axes"):
        tf.pad(TABLE, [[1, 1]])


def test_pad_of_scalar_returns_scalar() -> None:
    assert float(tf.pad(tf.constant(2.0), tf.zeros([0, 2], tf.int32))) == 2.0
