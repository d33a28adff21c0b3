"""The shape of a tensor, as the user sees it."""

import minitape as tf


def test_shape_equals_list_or_tuple_of_its_sizes() -> None:
    shape = tf.zeros((2, 3)).shape
    assert shape == [2, 3]
    assert shape == (2, 3)
    assert shape != [3, 2]
    assert shape != "two by three"
    assert hash(shape) == hash((2, 3))


def test_slice_of_shape_is_a_shape() -> None:
    shape = tf.zeros((2, 3, 4)).shape
    assert isinstance(shape[1:], tf.TensorShape)
    assert isinstance([9] + shape, tf.TensorShape)  # noqa: RUF005  # the operator is what is tested
    assert shape[0] == 2


def test_shape_has_tensorflow_methods() -> None:
    shape = tf.zeros((2, 3)).shape
    assert (shape.rank, shape.ndims, shape.num_elements()) == (2, 2, 6)
    assert shape.as_list() == shape.dims == [2, 3]
    assert shape.is_fully_defined()
    assert str(shape) == "(2, 3)"
    assert repr(shape) == "TensorShape([2, 3])"
