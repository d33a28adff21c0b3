"""Shapes, and which numbers stand where, under Keras's older names."""

import math
from typing import Any

from minitape.core.arguments import listed
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops import joining, making, moving, picking, products, shaping, sizes


def reshape(x: Any, shape: Any) -> Value:
    """`tf.reshape`."""
    return shaping.reshape(x, shape)


def flatten(x: Any) -> Value:
    """One axis."""
    return shaping.reshape(x, [-1])


def batch_flatten(x: Any) -> Value:
    """Two axes: the first, and all others as one."""
    tensor = convert_to_tensor(x)
    return shaping.reshape(tensor, [-1, math.prod(tensor.shape[1:])])


def expand_dims(x: Any, axis: int = -1) -> Value:
    """`tf.expand_dims`, at the end by default."""
    return shaping.expand_dims(x, axis)


def squeeze(x: Any, axis: int) -> Value:
    """`tf.squeeze` of one axis."""
    return shaping.squeeze(x, [axis])


def transpose(x: Any) -> Value:
    """`tf.transpose`."""
    return shaping.transpose(x)


def permute_dimensions(x: Any, pattern: Any) -> Value:
    """`tf.transpose` with `perm`."""
    return shaping.transpose(x, pattern)


def concatenate(tensors: Any, axis: int = -1) -> Value:
    """`tf.concat`, along the last axis by default."""
    return joining.concat(listed(tensors, "tensors"), axis)


def stack(x: Any, axis: int = 0) -> Value:
    """`tf.stack`."""
    return joining.stack(x, axis)


def repeat(x: Any, n: int) -> Value:
    """Rows, `n` times each, along a new axis 1.

    Raises:
        ValueError: `x` is no table.
    """
    tensor = convert_to_tensor(x)
    if len(tensor.shape) != 2:
        raise TapeValueError(
            f"Expected input `x` to have rank 2. Received: rank(x)={len(tensor.shape)}",
            fix="tf.repeat(x, n, axis=0)",
        )
    return joining.tile(shaping.expand_dims(tensor, 1), [1, n, 1])


def repeat_elements(x: Any, rep: int, axis: int) -> Value:
    """`tf.repeat`."""
    return picking.repeat(x, rep, axis)


def tile(x: Any, n: Any) -> Value:
    """`tf.tile`; one number for a vector."""
    return joining.tile(x, [n] if isinstance(n, int) else n)


def reverse(x: Any, axes: Any) -> Value:
    """`tf.reverse`."""
    return moving.reverse(x, [axes] if isinstance(axes, int) else axes)


def gather(reference: Any, indices: Any) -> Value:
    """`tf.gather` of rows."""
    return picking.gather(reference, indices)


def dot(x: Any, y: Any) -> Value:
    """x's last axis with y's last but one: `tf.matmul` of two tables, and every pair of rows of larger ones."""
    a, b = convert_to_tensor(x), convert_to_tensor(y)
    if len(a.shape) <= 2 and len(b.shape) <= 2:
        return products.matmul(a, b)
    rest = [i for i in range(len(b.shape)) if i != len(b.shape) - 2]
    order = [len(b.shape) - 2, *rest]
    rows = shaping.reshape(a, [-1, a.shape[-1]])
    columns = shaping.reshape(shaping.transpose(b, order), [b.shape[-2], -1])
    shape = [*a.shape[:-1], *b.shape[:-2], b.shape[-1]]
    return shaping.reshape(products.matmul(rows, columns), shape)


def one_hot(indices: Any, num_classes: int) -> Value:
    """`tf.one_hot`."""
    return making.one_hot(indices, num_classes)


def shape(x: Any) -> Value:
    """`tf.shape`: a tensor."""
    return sizes.shape(x)


def int_shape(x: Any) -> tuple[int, ...]:
    """The shape as a tuple of ints."""
    return tuple(convert_to_tensor(x).shape)


def ndim(x: Any) -> int:
    """How many axes there are."""
    return len(convert_to_tensor(x).shape)


def count_params(x: Any) -> int:
    """How many numbers there are."""
    return math.prod(convert_to_tensor(x).shape)
