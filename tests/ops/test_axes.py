"""Axes in the forms in which users write them."""

import numpy as np
import pytest

import minitape as tf
from minitape.ops.axes import as_ints, canonical_axes, canonical_axis


def test_negative_axis_counts_from_the_last() -> None:
    assert [canonical_axis(a, 3, "op") for a in (0, 2, -1, -3)] == [0, 2, 2, 0]


def test_axes_may_be_list_tuple_array_or_tensor() -> None:
    for axes in ([0, 2], (-1, 0), np.array([2, 0]), tf.constant([0, -1])):
        assert canonical_axes(axes, 3, "op") == (0, 2)
    assert canonical_axes(None, 2, "op") == (0, 1)
    assert canonical_axes(1, 2, "op") == (1,)


def test_error_about_missing_axis_names_valid_range() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="from -2 to 1"):
        canonical_axis(2, 2, "reduce_sum")
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalar"):
        canonical_axis(0, 0, "reduce_sum")


def test_repeated_axis_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="twice"):
        canonical_axes([0, -2], 2, "reduce_sum")


def test_shape_may_be_list_tuple_array_or_tensor() -> None:
    for shape in ([2, 3], (2, 3), np.array([2, 3]), tf.constant([2, 3]), tf.TensorShape((2, 3))):
        assert as_ints(shape) == (2, 3)
    assert as_ints(5) == (5,)
