"""Variables: what a tape records of them, and which values stay unchanged."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitape as tf


def test_gradient_uses_value_at_read_after_reassignment() -> None:
    """The tape differentiates what was computed, not the variable's current value."""
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
    v.assign(100.0)
    assert tape.gradient(y, v).numpy() == 6.0


def test_assignment_keeps_variable_id() -> None:
    v = tf.Variable(3.0)
    before = v._id
    v.assign(4.0)
    v.assign_add(1.0)
    assert v._id == before


def test_initial_array_is_copied() -> None:
    array = np.array([1.0, 2.0])
    v = tf.Variable(array)
    array[0] = 100.0
    np.testing.assert_array_equal(v, [1.0, 2.0])


def test_result_of_assignment_can_be_assigned_to() -> None:
    v = tf.Variable([1.0, 2.0])
    v.assign([3.0, 4.0]).assign_add([1.0, 1.0]).assign_sub([0.5, 0.5])
    np.testing.assert_array_equal(v, [3.5, 4.5])


def test_result_of_assignment_follows_the_variable() -> None:
    v = tf.Variable(1.0)
    returned = v.assign(2.0)
    v.assign(5.0)
    assert float(returned) == 5.0


def test_result_of_assignment_before_the_tape_is_not_watched() -> None:
    """`w = w.assign(...)` in a loop loses the gradient, in TensorFlow too."""
    v = tf.Variable(1.0)
    w = v.assign(3.0)
    with tf.GradientTape() as tape:
        y = w * w
    assert tape.gradient(y, [v, w]) == [None, None]


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (None, ValueError, "MT601"),
        ([1.0], ValueError, "Shape mismatch"),
        (tf.constant([1, 2]), ValueError, r"tf\.cast\(value, tf\.float32\)"),
    ],
)
def test_refused_assignment_changes_nothing(value: Any, error: type[Exception], words: str) -> None:
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(error, match=words):
        v.assign(value)
    np.testing.assert_array_equal(v, [1.0, 2.0])


def test_error_for_in_place_operator_names_the_method() -> None:
    v: Any = tf.Variable(1.0)
    with pytest.raises(RuntimeError, match=r"variable\.assign_add\(value\)"):
        v += 1.0
    with pytest.raises(RuntimeError, match=r"variable\.assign_sub\(value\)"):
        v -= 1.0


def test_error_for_missing_initial_value_shows_an_example() -> None:
    with pytest.raises(ValueError, match=r"tf\.Variable\(0\.0\)"):
        tf.Variable()


def test_deep_copy_is_another_variable() -> None:
    v = tf.Variable([1.0], trainable=False, name="w")
    other = copy.deepcopy(v)
    other.assign([5.0])
    np.testing.assert_array_equal(v, [1.0])
    assert (other.name, other.trainable, other._id != v._id) == ("w:0", False, True)


def test_repeated_rows_are_subtracted_repeatedly() -> None:
    table = tf.Variable([[1.0], [2.0], [3.0]])
    rows = tf.IndexedSlices(tf.constant([[0.5], [0.25]]), tf.constant([2, 2]), tf.constant([3, 1]))
    table.scatter_sub(rows)
    np.testing.assert_array_equal(table, [[1.0], [2.0], [2.25]])


@pytest.mark.parametrize("row", [-1, 3])
def test_row_out_of_range_raises_and_nothing_is_subtracted(row: int) -> None:
    table = tf.Variable([[1.0], [2.0], [3.0]])
    rows = tf.IndexedSlices(tf.constant([[0.5], [0.25]]), tf.constant([0, row]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"row {row} is not in"):
        table.scatter_sub(rows)
    np.testing.assert_array_equal(table, [[1.0], [2.0], [3.0]])


# --- which assignments change the array in place, and which copy it first ---

CHANGES: dict[str, Callable[[Any], Any]] = {
    "assign_add": lambda v: v.assign_add([[1.0], [1.0]]),
    "assign_sub": lambda v: v.assign_sub([[1.0], [1.0]]),
    "scatter_sub": lambda v: v.scatter_sub(
        tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    ),
    "scatter_add": lambda v: v.scatter_add(
        tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    ),
    "scatter_update": lambda v: v.scatter_update(
        tf.IndexedSlices(tf.constant([[1.5]]), tf.constant([0]))
    ),
    "assign to a part": lambda v: v[0].assign([5.0]),
}
HOLDS: dict[str, Callable[[Any], Any]] = {
    "a reading": lambda v: v.read_value(),
    "a view of a reading": lambda v: tf.reshape(v, [2]),
    "the transpose in NumPy": lambda v: np.transpose(v),
    "what assign returned, read": lambda v: v.assign([[1.0], [2.0]]).read_value(),
}


@pytest.mark.parametrize("how", ["assign_add", "assign_sub", "scatter_sub"])
def test_unshared_array_is_changed_in_place(how: str) -> None:
    """A copy of a table of 200 000 rows costs fifty times as much as its update."""
    v = tf.Variable([[1.0], [2.0]])
    place = v._array.ctypes.data
    CHANGES[how](v)
    assert v._array.ctypes.data == place


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("hold", HOLDS.values(), ids=HOLDS)
def test_earlier_read_keeps_its_values_after_assignment(
    hold: Callable[[Any], Any], change: Callable[[Any], Any]
) -> None:
    v = tf.Variable([[1.0], [2.0]])
    held = hold(v)
    change(v)
    np.testing.assert_array_equal(np.reshape(held, -1), [1.0, 2.0])
    assert not np.array_equal(v, [[1.0], [2.0]])


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_tape_keeps_residuals_after_assignment(change: Callable[[Any], Any]) -> None:
    """Only the record holds them: x̄ = 2x is computed with the earlier x."""
    v = tf.Variable([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        y = tf.square(v)
    change(v)
    np.testing.assert_array_equal(tape.gradient(y, v), [[2.0], [4.0]])


def test_scatter_adds_or_stores_rows_at_their_indices() -> None:
    table = tf.Variable([1.0, 2.0, 3.0])
    table.scatter_add(tf.IndexedSlices([10.0, 10.0], [0, 0]))
    table.scatter_update(tf.IndexedSlices([7.0], [2]))
    np.testing.assert_array_equal(table, [21.0, 2.0, 7.0])


def test_format_of_tensor_is_its_values_and_of_variable_its_repr() -> None:
    """As in TensorFlow: `print(f"{loss}")` shows a number."""
    assert f"{tf.constant([1.0, 2.0])}" == "[1. 2.]"
    assert f"{tf.Variable(2.0)}" == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=2.0>"
