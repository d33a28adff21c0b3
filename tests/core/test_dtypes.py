"""dtypes under TensorFlow's names."""

import pickle

import numpy as np
import pytest

import minitape as tf
from minitape.core import dtypes


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda dtype: dtype.name)
def test_dtype_equals_its_name_and_itself_after_pickling(dtype: dtypes.DType) -> None:
    assert dtype == dtype.name
    assert dtypes.as_dtype(dtype.name) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype


@pytest.mark.parametrize(
    ("meant", "name"),
    [
        (float, "float32"),
        (bool, "bool"),
        (np.float16, "float16"),
        ("half", "float16"),
    ],
)
def test_dtype_of_a_python_or_numpy_type(meant: object, name: str) -> None:
    assert dtypes.as_dtype(meant).name == name


def test_dtype_differs_from_other_objects() -> None:
    assert tf.float32 != tf.float64
    assert tf.float32 != "no such dtype"
    assert tf.float32 != 3
    assert len({tf.float32, tf.as_dtype("float32"), tf.float64}) == 2


def test_only_real_and_complex_floats_are_differentiable() -> None:
    names = [dtype.name for dtype in dtypes.ALL if dtype.is_differentiable]
    assert names == ["float16", "float32", "float64", "complex64", "complex128"]


def test_error_for_unknown_dtype_shows_an_example() -> None:
    with pytest.raises(TypeError, match="float32"):
        dtypes.as_dtype("float33")


def test_python_int_is_refused_because_it_has_no_size() -> None:
    """As in TensorFlow; the error says what to write."""
    with pytest.raises(TypeError, match=r"try : use `tf\.int32`"):
        dtypes.as_dtype(int)


def test_array_of_dates_raises() -> None:
    with pytest.raises(ValueError, match="datetime64"):
        tf.constant(np.array(["2020-01-01"], "datetime64[D]"))
