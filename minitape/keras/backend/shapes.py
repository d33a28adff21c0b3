"""Functions that return shapes or rearrange elements, under Keras's older names."""

import math
from typing import Any

from minitape.core.arguments import listed
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops import creation, indexing, joining, products, reordering, reshaping, shape_queries


def reshape(x: Any, shape: Any) -> Value:
    """Reshape a tensor: `tf.reshape`.

    Args:
        x: A tensor or array.
        shape: The new shape; one of the sizes may be -1, which is then inferred.

    Returns:
        A tensor with the given shape.
    """
    return reshaping.reshape(x, shape)


def flatten(x: Any) -> Value:
    """Flatten a tensor to a vector.

    Args:
        x: A tensor or array.

    Returns:
        A vector.
    """
    return reshaping.reshape(x, [-1])


def batch_flatten(x: Any) -> Value:
    """Flatten all axes except the first.

    Args:
        x: A tensor or array.

    Returns:
        A matrix.
    """
    tensor = convert_to_tensor(x)
    return reshaping.reshape(tensor, [-1, math.prod(tensor.shape[1:])])


def expand_dims(x: Any, axis: int = -1) -> Value:
    """Insert an axis of size 1: `tf.expand_dims`.

    Args:
        x: A tensor or array.
        axis: The axis; a negative axis counts from the last one.

    Returns:
        A tensor with one more axis.
    """
    return reshaping.expand_dims(x, axis)


def squeeze(x: Any, axis: int) -> Value:
    """Remove an axis of size 1: `tf.squeeze`.

    Args:
        x: A tensor or array.
        axis: The axis; a negative axis counts from the last one.

    Returns:
        A tensor with one axis fewer.
    """
    return reshaping.squeeze(x, [axis])


def transpose(x: Any) -> Value:
    """Reverse the order of the axes: `tf.transpose`.

    Args:
        x: A tensor or array.

    Returns:
        The transposed tensor.
    """
    return reshaping.transpose(x)


def permute_dimensions(x: Any, pattern: Any) -> Value:
    """Reorder the axes: `tf.transpose` with `perm`.

    Args:
        x: A tensor or array.
        pattern: The new order of the axes, starting at 0.

    Returns:
        The transposed tensor.
    """
    return reshaping.transpose(x, pattern)


def concatenate(tensors: Any, axis: int = -1) -> Value:
    """Join tensors along an axis: `tf.concat`.

    Args:
        tensors: List of tensors whose shapes may differ only along this axis.
        axis: The axis; a negative axis counts from the last one.

    Returns:
        The concatenated tensor.
    """
    return joining.concat(listed(tensors, "tensors"), axis)


def stack(x: Any, axis: int = 0) -> Value:
    """Stack tensors along a new axis: `tf.stack`.

    Args:
        x: List of tensors of the same shape.
        axis: The axis; a negative axis counts from the last one.

    Returns:
        A tensor with one more axis.
    """
    return joining.stack(x, axis)


def repeat(x: Any, n: int) -> Value:
    """Repeat each row along a new axis 1.

    Args:
        x: A matrix.
        n: Number of repetitions.

    Returns:
        A tensor of shape [rows, n, columns].

    Raises:
        ValueError: `x` does not have rank 2.
    """
    tensor = convert_to_tensor(x)
    if len(tensor.shape) != 2:
        raise TapeValueError(
            f"Expected input `x` to have rank 2. Received: rank(x)={len(tensor.shape)}",
            fix="use `tf.repeat(x, n, axis=0)`",
        )
    return joining.tile(reshaping.expand_dims(tensor, 1), [1, n, 1])


def repeat_elements(x: Any, rep: int, axis: int) -> Value:
    """Repeat each element along an axis: `tf.repeat`.

    Args:
        x: A tensor or array.
        rep: Number of repetitions.
        axis: The axis; a negative axis counts from the last one.

    Returns:
        A tensor whose axis is `rep` times as long.
    """
    return indexing.repeat(x, rep, axis)


def tile(x: Any, n: Any) -> Value:
    """Repeat a tensor along its axes: `tf.tile`.

    Args:
        x: A tensor or array.
        n: Number of repetitions for each axis; an integer for a vector.

    Returns:
        The repeated tensor.
    """
    return joining.tile(x, [n] if isinstance(n, int) else n)


def reverse(x: Any, axes: Any) -> Value:
    """Reverse a tensor along axes: `tf.reverse`.

    Args:
        x: A tensor or array.
        axes: Axis, or list of axes.

    Returns:
        A tensor with the shape of `x`.
    """
    return reordering.reverse(x, [axes] if isinstance(axes, int) else axes)


def gather(reference: Any, indices: Any) -> Value:
    """Select rows by index: `tf.gather`.

    Args:
        reference: The tensor to select from.
        indices: Integer indices of rows.

    Returns:
        A tensor of shape [*indices.shape, *reference.shape[1:]].
    """
    return indexing.gather(reference, indices)


def dot(x: Any, y: Any) -> Value:
    """Multiply along the last axis of x and the second to last axis of y; for matrices this is `tf.matmul`.

    Args:
        x: A tensor or array.
        y: A tensor or array.

    Returns:
        A tensor with the remaining axes of `x`, followed by the remaining axes of `y`.
    """
    a, b = convert_to_tensor(x), convert_to_tensor(y)
    if len(a.shape) <= 2 and len(b.shape) <= 2:
        return products.matmul(a, b)
    rest = [i for i in range(len(b.shape)) if i != len(b.shape) - 2]
    order = [len(b.shape) - 2, *rest]
    rows = reshaping.reshape(a, [-1, a.shape[-1]])
    columns = reshaping.reshape(reshaping.transpose(b, order), [b.shape[-2], -1])
    shape = [*a.shape[:-1], *b.shape[:-2], b.shape[-1]]
    return reshaping.reshape(products.matmul(rows, columns), shape)


def one_hot(indices: Any, num_classes: int) -> Value:
    """Convert class indices to one-hot rows: `tf.one_hot`.

    Args:
        indices: Integer class indices.
        num_classes: Length of a row.

    Returns:
        A tensor of shape [*indices.shape, num_classes].
    """
    return creation.one_hot(indices, num_classes)


def shape(x: Any) -> Value:
    """Return the shape as a tensor: `tf.shape`.

    Args:
        x: A tensor or array.

    Returns:
        An int32 vector.
    """
    return shape_queries.shape(x)


def int_shape(x: Any) -> tuple[int, ...]:
    """Return the shape as a tuple of ints.

    Args:
        x: A tensor or array.

    Returns:
        A tuple.
    """
    return tuple(convert_to_tensor(x).shape)


def ndim(x: Any) -> int:
    """Return the number of axes.

    Args:
        x: A tensor or array.

    Returns:
        An int.
    """
    return len(convert_to_tensor(x).shape)


def count_params(x: Any) -> int:
    """Return the number of elements.

    Args:
        x: A tensor or array.

    Returns:
        An int.
    """
    return math.prod(convert_to_tensor(x).shape)
