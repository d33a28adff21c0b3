"""Matrices with a few diagonals.

    tridiagonal_matmul, tridiagonal_solve    three
    banded_triangular_solve                  the diagonal and those on one side of it

None has a rule of its own: the tape sees the diagonals put into a matrix, or multiplied where they stand.
"""

from typing import Any

from minitape.core.convert import as_operand, read_once
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError, TapeValueError, UnimplementedError
from minitape.ops.arithmetic import conj
from minitape.ops.diagonals import diag, diag_part
from minitape.ops.products import matrix_transpose
from minitape.ops.shaping import _reshape, expand_dims
from minitape.ops.slicing import _pad
from minitape.ops.solving import solve, triangular_solve


def _three(diagonals: Any, diagonals_format: str, op: str) -> tuple[Value, Value, Value]:
    """The upper diagonal (its last number does not count), the diagonal, the lower one (its first does not)."""
    if diagonals_format == "sequence":
        upper, middle, lower = map(read_once, diagonals)
        size = middle.shape[-1]
        for each, what in ((upper, "upper"), (lower, "lower")):
            if each.shape[-1] not in (size, size - 1):
                raise TapeValueError(
                    f"{op}: the {what} diagonal has {each.shape[-1]} elements, but the main diagonal has {size}.",
                    fix="as many elements as the main diagonal, or one less",
                    code="MT507",
                )
        before = ((0, 0),) * (len(middle.shape) - 1)
        if upper.shape[-1] < size:
            upper = _pad(upper, paddings=(*before, (0, 1)), value=0)
        if lower.shape[-1] < size:
            lower = _pad(lower, paddings=(*before, (1, 0)), value=0)
        return upper, middle, lower
    x = read_once(diagonals)
    if diagonals_format == "matrix":
        x = diag_part(x, k=(-1, 1), align="LEFT_RIGHT")
    elif diagonals_format != "compact":
        raise TapeValueError(
            f"Unrecognized diagonals_format: {diagonals_format}.", fix='diagonals_format="compact"'
        )
    if len(x.shape) < 2 or x.shape[-2] != 3:
        raise TapeValueError(
            f"{op}: Expected diagonals of shape [..., 3, n], got {tuple(x.shape)}.",
            fix='diagonals_format="matrix" for a whole matrix',
            code="MT507",
        )
    return x[..., 0, :], x[..., 1, :], x[..., 2, :]


def _whole(upper: Value, middle: Value, lower: Value) -> Value:
    return diag(middle) + diag(upper[..., :-1], k=1) + diag(lower[..., 1:], k=-1)


def tridiagonal_solve(
    diagonals: Any,
    rhs: Value,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Value:
    """The x with matrix · x = rhs, for a matrix that has three diagonals.

    Args:
        diagonals: Shape [..., 3, n]: the upper diagonal, the middle, the lower; or as `diagonals_format` says.
        rhs: Shape [..., n] or [..., n, k], of the same dtype.
        diagonals_format: "compact", "sequence" for three values, "matrix" for the whole.
        transpose_rhs: Solve with the transpose of `rhs`.
        conjugate_rhs: Turn the imaginary parts of `rhs` round first.
        name: Ignored.
        partial_pivoting: True: rows are always exchanged where that keeps digits.
        perturb_singular: Only False.

    Raises:
        ValueError: the shapes do not fit, or there is no such format.
        InvalidArgumentError: the matrix is not invertible.
        UnimplementedError: `perturb_singular`.

    Gradient: to any order, batched; for both. A tape sees the whole matrix, and `solve`.

    Unlike TensorFlow, a system of n numbers takes room for n² and is solved as any other.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/tridiagonal_solve
    """
    if perturb_singular or not isinstance(partial_pivoting, bool):
        raise UnimplementedError(
            "`tridiagonal_solve` does not support perturb_singular=True.",
            fix="perturb_singular=False, with 1e-6 added to the main diagonal",
        )
    matrix = _whole(*_three(diagonals, diagonals_format, "tridiagonal_solve"))
    right = as_operand(as_operand(rhs, matrix))
    right = conj(right) if conjugate_rhs else right
    is_vector = len(right.shape) == len(matrix.shape) - 1
    if is_vector:
        return _reshape(solve(matrix, expand_dims(right, -1)), shape=tuple(right.shape))
    return solve(matrix, matrix_transpose(right) if transpose_rhs else right)


def tridiagonal_matmul(
    diagonals: Any, rhs: Value, diagonals_format: str = "compact", name: str | None = None
) -> Value:
    """A matrix that has three diagonals, times another.

    Args:
        diagonals: Shape [..., 3, n]: the upper diagonal, the middle, the lower; or as `diagonals_format` says.
        rhs: Shape [..., n, k], of the same dtype.
        diagonals_format: "compact", "sequence" for three values, "matrix" for the whole.
        name: Ignored.

    Raises:
        ValueError: the shapes do not fit, or there is no such format.

    Gradient: to any order, batched; for both.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/tridiagonal_matmul
    """
    upper, middle, lower = _three(diagonals, diagonals_format, "tridiagonal_matmul")
    x = as_operand(as_operand(rhs, middle))
    if len(x.shape) < 2 or x.shape[-2] != middle.shape[-1]:
        raise TapeValueError(
            f"tridiagonal_matmul: a matrix of {middle.shape[-1]} columns cannot be multiplied by one of shape {tuple(x.shape)}.",
            fix="rhs of shape [..., n, k]",
            code="MT507",
        )
    before = ((0, 0),) * (len(x.shape) - 2)
    above = _pad(x[..., 1:, :], paddings=(*before, (0, 1), (0, 0)), value=0)
    below = _pad(x[..., :-1, :], paddings=(*before, (1, 0), (0, 0)), value=0)
    return (
        expand_dims(upper, -1) * above
        + expand_dims(middle, -1) * x
        + expand_dims(lower, -1) * below
    )


def banded_triangular_solve(
    bands: Value, rhs: Value, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Value:
    """The x with matrix · x = rhs, for a triangle that has a few diagonals.

    Args:
        bands: Shape [..., diagonals, n]: the main one first for a lower triangle, last for an upper one, each aligned with its
            columns to the left or its rows to the right.
        rhs: Shape [..., n, k], of the same dtype.
        lower: On which side the others lie.
        adjoint: Solve with the adjoint matrix instead.
        name: Ignored.

    Raises:
        InvalidArgumentError: the shapes do not fit, or there is a 0 on the diagonal.

    Gradient: to any order, batched; for both. A tape sees the whole triangle, and `triangular_solve`.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/banded_triangular_solve
    """
    x = read_once(bands)
    if len(x.shape) < 2:
        raise InvalidArgumentError(
            f"banded_triangular_solve: bands [..., diagonals, n] are needed, but the shape is {tuple(x.shape)}.",
            fix="bands[tf.newaxis] for a single diagonal",
            code="MT507",
        )
    count = x.shape[-2]
    diagonals = (1 - count, 0) if lower else (0, count - 1)
    matrix = diag(x, k=diagonals, align="LEFT_RIGHT")
    return triangular_solve(matrix, as_operand(rhs, x), lower=lower, adjoint=adjoint)
