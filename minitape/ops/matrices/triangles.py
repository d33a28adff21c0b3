"""LU factorization A = P·L·U: a permutation of the rows, a unit lower triangular and an upper triangular matrix.

lu                                           the factorization; its gradient raises LookupError, as in TensorFlow
lu_solve, lu_reconstruct, lu_matrix_inverse  functions of its result; the tape records their steps
"""

from typing import Any, NamedTuple

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, read_once
from minitape.core.declaration import DIFFERENTIABLE_KINDS, not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError
from minitape.ops.creation import eye
from minitape.ops.diagonals import band_part, set_diag
from minitape.ops.identity import cast
from minitape.ops.indexing import gather
from minitape.ops.products import matmul
from minitape.ops.rules import leading_axes
from minitape.ops.solvers import _not_invertible, _of_squares, triangular_solve


def _lu_kernel(x: Array) -> tuple[Array, Array]:
    """For each column, use the largest remaining element as the pivot, and subtract multiples of its row from those below."""
    size = x.shape[-1]
    whole = x.reshape(-1, size, size).copy()
    order = np.tile(np.arange(size, dtype=np.int32), (len(whole), 1))
    each = np.arange(len(whole))
    for k in range(size):
        best = k + abs(whole[:, k:, k]).argmax(axis=1)
        for rows in (whole, order):
            rows[each, k], rows[each, best] = rows[each, best].copy(), rows[each, k].copy()
        pivots = whole[:, k, k]
        if np.any(pivots == 0):
            raise _not_invertible("Lu")
        whole[:, k + 1 :, k] /= pivots[:, None]
        whole[:, k + 1 :, k + 1 :] -= whole[:, k + 1 :, k, None] * whole[:, k, None, k + 1 :]
    return whole.reshape(x.shape), order.reshape(x.shape[:-1])


_lu: Primitive = Primitive(
    "Lu",
    _of_squares("Lu", _lu_kernel),
    vjp=not_registered(
        reason="TensorFlow has no rule for `lu`, but it has rules for `tf.linalg.solve` and `tf.linalg.inv`"
    ),
    batch=leading_axes,
    dtype_kinds=DIFFERENTIABLE_KINDS,
    outputs=2,
)


class Lu(NamedTuple):
    """The result of `lu`: both triangles in one matrix, without the ones on the diagonal of L, and each row's original index."""

    lu: Value
    p: Value


def lu(input: Value, output_idx_type: Any = dtypes.int32, name: str | None = None) -> Lu:
    """Return the LU factorization of matrices.

    Args:
        input: A tensor of shape [..., n, n] with a float or complex dtype.
        output_idx_type: The dtype of the permutation: int32 or int64.
        name: Ignored.

    Returns:
        A named tuple of `lu` [..., n, n] and the permutation `p` [..., n].

    Raises:
        InvalidArgumentError: the matrix is not square, or is singular.

    Gradient: Requesting it raises LookupError, as in TensorFlow.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/lu
    """
    both, order = _lu(as_operand(input))
    return Lu(both, cast(order, output_idx_type))


def _parts(lower_upper: Any, perm: Any, validate_args: bool, op: str) -> tuple[Value, Value]:
    both, order = read_once(lower_upper), read_once(perm)
    shape = tuple(both.shape)
    if len(shape) < 2 or shape[-1] != shape[-2] or tuple(order.shape) != shape[:-1]:
        raise InvalidArgumentError(
            f"`{op}` requires `lower_upper` of shape `[..., n, n]` and `perm` of shape `[..., n]`, but their shapes are {shape} "
            f"and {tuple(order.shape)}.",
            fix="write `lower_upper, perm = tf.linalg.lu(A)`",
            code="MT507",
        )
    if validate_args and np.any(np.sort(np.asarray(order), axis=-1) != np.arange(shape[-1])):
        raise InvalidArgumentError(
            f"`{op}`: `perm` must contain each row index once, but is {np.asarray(order).tolist()}.",
            fix="write `lower_upper, perm = tf.linalg.lu(A)`",
            code="MT507",
        )
    return both, order


def _with_ones(both: Value) -> Value:
    ones = np.ones(tuple(both.shape)[:-1], raw_dtype(both))
    return set_diag(band_part(both, -1, 0), ones)


def lu_solve(
    lower_upper: Value,
    perm: Value,
    rhs: Value,
    validate_args: bool = False,
    name: str | None = None,
) -> Value:
    """Solve A · x = rhs, given the result of `lu(A)`.

    Args:
        lower_upper: A tensor of shape [..., n, n].
        perm: A tensor of shape [..., n].
        rhs: A tensor of shape [..., n, k], with the same leading axes.
        validate_args: Whether to check that `perm` contains each row once.
        name: Ignored.

    Returns:
        The solution x, of shape [..., n, k].

    Raises:
        InvalidArgumentError: the shapes do not fit; or `perm` is not a permutation, if checked.

    Gradient: Derivatives of any order with respect to `lower_upper` and `rhs` are supported. A gradient through `lu` raises
    LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/lu_solve
    """
    both, order = _parts(lower_upper, perm, validate_args, "lu_solve")
    right = as_operand(as_operand(rhs, both))
    moved = gather(right, order, batch_dims=len(order.shape) - 1)
    return triangular_solve(both, triangular_solve(_with_ones(both), moved), lower=False)


def lu_reconstruct(
    lower_upper: Value, perm: Value, validate_args: bool = False, name: str | None = None
) -> Value:
    """Return the matrix A, given the result of `lu(A)`.

    Args:
        lower_upper: A tensor of shape [..., n, n].
        perm: A tensor of shape [..., n].
        validate_args: Whether to check that `perm` contains each row once.
        name: Ignored.

    Returns:
        The matrix A, of shape [..., n, n].

    Raises:
        InvalidArgumentError: the shapes do not fit; or `perm` is not a permutation, if checked.

    Gradient: Derivatives of any order with respect to `lower_upper` are supported. A gradient through `lu` raises LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/lu_reconstruct
    """
    both, order = _parts(lower_upper, perm, validate_args, "lu_reconstruct")
    product = matmul(_with_ones(both), band_part(both, 0, -1))
    back = np.argsort(np.asarray(order), axis=-1).astype(np.int32)
    return gather(product, back, batch_dims=len(order.shape) - 1)


def lu_matrix_inverse(
    lower_upper: Value, perm: Value, validate_args: bool = False, name: str | None = None
) -> Value:
    """Return the inverse of the matrix A, given the result of `lu(A)`.

    Args:
        lower_upper: A tensor of shape [..., n, n].
        perm: A tensor of shape [..., n].
        validate_args: Whether to check that `perm` contains each row once.
        name: Ignored.

    Returns:
        The inverse, of shape [..., n, n].

    Raises:
        InvalidArgumentError: the shapes do not fit; or `perm` is not a permutation, if checked.

    Gradient: Derivatives of any order with respect to `lower_upper` are supported. A gradient through `lu` raises LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/lu_matrix_inverse
    """
    both, order = _parts(lower_upper, perm, validate_args, "lu_matrix_inverse")
    shape = tuple(both.shape)
    one = eye(shape[-1], batch_shape=shape[:-2], dtype=raw_dtype(both))
    return lu_solve(both, order, one)
