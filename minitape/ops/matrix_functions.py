"""Functions of matrices, composed of factorizations and products.

    logdet, cholesky_solve      from the Cholesky factor
    lstsq                       least squares
    pinv, matrix_rank           from the singular values
    expm                        I + A + A²/2 + A³/6 + …

None of these functions has a rule of its own, because the tape records the steps.
"""

from math import ceil, log2
from typing import Any

import numpy as np

from minitape.core.batched import Batched, raw_dtype
from minitape.core.convert import as_operand, read_once
from minitape.core.dtypes import kind_of
from minitape.core.tensor import TensorLike
from minitape.core.values import Array, Value
from minitape.errors import AxisError, DtypeMismatchError, TapeValueError
from minitape.ops.axes import real_number
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.comparison import greater
from minitape.ops.complex_numbers import real
from minitape.ops.creation import eye
from minitape.ops.diagonals import diag_part
from minitape.ops.exponential import log
from minitape.ops.factorization import _times_columns, cholesky, svd
from minitape.ops.identity import cast
from minitape.ops.indexing import _select
from minitape.ops.minmax import reduce_max
from minitape.ops.products import matmul
from minitape.ops.reshaping import expand_dims
from minitape.ops.solvers import solve, triangular_solve


def cholesky_solve(chol: Value, rhs: Value, name: str | None = None) -> Value:
    """Solve A · x = rhs, given the Cholesky factor of A.

    Args:
        chol: A tensor of shape [..., n, n]: the result of `cholesky(A)`.
        rhs: A tensor of shape [..., n, k].
        name: Ignored.

    Returns:
        The solution x, in the shape and dtype of `rhs`.

    Raises:
        InvalidArgumentError: the shapes do not fit.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/cholesky_solve
    """
    factor = read_once(chol)
    return triangular_solve(factor, triangular_solve(factor, rhs), adjoint=True)


def logdet(matrix: Value, name: str | None = None) -> Value:
    """Return the logarithm of the determinant of positive definite matrices.

    Args:
        matrix: A tensor of shape [..., n, n], symmetric, with a float dtype.
        name: Ignored.

    Returns:
        A tensor of shape [...].

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/logdet
    """
    return reduce_sum(log(real(diag_part(cholesky(matrix)))), axis=-1) * 2.0


def lstsq(
    matrix: Value,
    rhs: Value,
    l2_regularizer: float = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Value:
    """Return the x that minimizes the norm of matrix · x - rhs; if several do, return the one with the smallest norm.

    Args:
        matrix: A tensor of shape [..., n, m] of full rank; a float dtype.
        rhs: A tensor of shape [..., n, k].
        l2_regularizer: The weight of the squared norm of x in the minimization.
        fast: Whether to solve the normal equations; if False, use the pseudo-inverse, which allows a matrix of any rank but
            ignores `l2_regularizer`.
        name: Ignored.

    Returns:
        A tensor of shape [..., m, k].

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/lstsq
    """
    a = as_operand(read_once(matrix))
    b = as_operand(rhs, a)
    _check_matrix(a, "lstsq")
    if not fast:
        return matmul(pinv(a), b)
    rows, columns = tuple(a.shape)[-2:]
    weight = eye(min(rows, columns), dtype=raw_dtype(a)) * real_number(l2_regularizer)
    if rows >= columns:
        square = matmul(a, a, transpose_a=True) + weight
        return cholesky_solve(cholesky(square), matmul(a, b, transpose_a=True))
    square = matmul(a, a, transpose_b=True) + weight
    return matmul(a, cholesky_solve(cholesky(square), b), transpose_a=True)


def _check_matrix(x: Value, op: str) -> None:
    if len(x.shape) < 2:
        raise AxisError(
            f"`{op}`: the input must have at least 2 dimensions, but its shape is {tuple(x.shape)}.",
            fix="use `tf.reshape(x, [1, -1])` for a row",
            code="MT507",
        )


def _default_cutoff(shape: Any, dtype: Any) -> float:
    """Return the fraction of the largest singular value below which a singular value is a rounding error."""
    return float(10 * max(tuple(shape)[-2:]) * np.finfo(dtype).eps)


def pinv(
    a: Value, rcond: Any = None, validate_args: bool = False, name: str | None = None
) -> Value:
    """Return the Moore-Penrose pseudo-inverse.

    Args:
        a: A tensor of shape [..., n, m] with a float dtype.
        rcond: Singular values below this fraction of the largest one count as 0; a scalar, or one number for each matrix.
        validate_args: Ignored.
        name: Ignored.

    Returns:
        A tensor of shape [..., m, n].

    Raises:
        TypeError: the dtype is not a float dtype.
        ValueError: the shape of `rcond` does not fit the batch.

    Gradient: Derivatives of any order are supported, including batched ones, where the rank does not change.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/pinv
    """
    x = read_once(a)
    _check_matrix(x, "pinv")
    if kind_of(raw_dtype(x)) != "f":
        raise DtypeMismatchError(
            f"`pinv`: `a` must have a float dtype, but has dtype {raw_dtype(x)}.",
            fix="use `tf.cast(a, tf.float32)`",
            code="MT506",
        )
    cutoff = _default_cutoff(x.shape, raw_dtype(x)) if rcond is None else rcond
    s, u, v = svd(x)
    smallest = reduce_max(s, axis=-1) * cutoff
    if tuple(smallest.shape) != tuple(x.shape)[:-2]:
        raise TapeValueError(
            f"`pinv`: `rcond` has shape {tuple(smallest.shape)}, but `a` is a batch of shape {tuple(x.shape)[:-2]}.",
            fix="pass a scalar `rcond`",
            code="MT507",
        )
    counts = greater(s, expand_dims(smallest, -1))
    # The divisor is guarded too: 1/0 would make the gradient NaN where it should be 0.
    inverse = _select(counts, 1.0 / _select(counts, s, s * 0.0 + 1.0), s * 0.0)
    return matmul(_times_columns(v, inverse), u, transpose_b=True)


def matrix_rank(
    a: Value, tol: Any = None, validate_args: bool = False, name: str | None = None
) -> Value:
    """Return the number of linearly independent rows.

    Args:
        a: A tensor of shape [..., n, m] with a float dtype.
        tol: Singular values up to this count as 0.
        validate_args: Ignored.
        name: Ignored.

    Returns:
        An int32 tensor of shape [...].

    Gradient: There is none, because the rank is an integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matrix_rank
    """
    s = svd(read_once(a), compute_uv=False)
    if tol is None:
        size = max(tuple(as_operand(a).shape)[-2:])
        tol = reduce_max(s, axis=-1, keepdims=True) * float(size * np.finfo(raw_dtype(s)).eps)
    return reduce_sum(cast(greater(s, tol), np.int32), axis=-1)


# The coefficients of the Padé approximant of order 13, and the norm up to which it is accurate to the dtype's precision.
# N. Higham, "The scaling and squaring method for the matrix exponential revisited" (2005), table 2.3.
_PADE = (
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
)
_PADE_REACH = 5.371920351148152


def expm(input: Value, name: str | None = None) -> Value:
    """Return the matrix exponential I + A + A²/2 + A³/6 + …

    Args:
        input: A tensor of shape [..., n, n] with a float dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: Derivatives of any order are supported, including batched ones. The tape records the steps, which are products and
    one `solve`.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/expm; Higham (2005), algorithm 2.3.
    """
    x = read_once(input)
    _check_matrix(x, "expm")
    largest = float(np.max(np.sum(abs(_numbers(x)), axis=-2), initial=0.0))
    halvings = max(0, ceil(log2(largest / _PADE_REACH))) if largest > _PADE_REACH else 0
    a = x * 0.5**halvings
    even, odd = _pade(a)
    y = solve(even - odd, even + odd)
    for _ in range(halvings):
        y = matmul(y, y)
    return y


def _numbers(x: Value) -> Array:
    if isinstance(x, Batched):
        x = x.stack
    return x._array if isinstance(x, TensorLike) else x


def _pade(a: Value) -> tuple[Value, Value]:
    """Return the even and the odd powers of the approximant, scaled down so that nothing overflows in float32."""
    c = [each / _PADE[0] for each in _PADE]
    one = eye(a.shape[-1], dtype=raw_dtype(a))
    a2 = matmul(a, a)
    a4 = matmul(a2, a2)
    a6 = matmul(a4, a2)
    even = matmul(a6, a6 * c[12] + a4 * c[10] + a2 * c[8]) + a6 * c[6] + a4 * c[4] + a2 * c[2]
    odd = matmul(a6, a6 * c[13] + a4 * c[11] + a2 * c[9]) + a6 * c[7] + a4 * c[5] + a2 * c[3]
    return even + one * c[0], matmul(a, odd + one * c[1])
