"""Band matrices.

    tridiagonal_matmul, tridiagonal_solve    three diagonals
    banded_triangular_solve                  the main diagonal and some on one side of it

None of these functions has a rule of its own, because the tape records the construction of the whole matrix, or products of the
diagonals.
"""

from typing import Any

from minitape.core.convert import as_operand, read_once
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError, TapeValueError, UnimplementedError
from minitape.ops.arithmetic import conj
from minitape.ops.diagonals import diag, diag_part
from minitape.ops.products import matrix_transpose
from minitape.ops.reshaping import _reshape, expand_dims
from minitape.ops.slicing import _pad
from minitape.ops.solvers import solve, triangular_solve


def _three(diagonals: Any, diagonals_format: str, op: str) -> tuple[Value, Value, Value]:
    """Return the upper diagonal (its last element is ignored), the main one, and the lower one (its first element is ignored)."""
    if diagonals_format == "sequence":
        upper, middle, lower = map(read_once, diagonals)
        size = middle.shape[-1]
        for each, what in ((upper, "upper"), (lower, "lower")):
            if each.shape[-1] not in (size, size - 1):
                raise TapeValueError(
                    f"`{op}`: the {what} diagonal has {each.shape[-1]} elements, but the main diagonal has {size} elements.",
                    fix="pass as many elements as the main diagonal has, or one less",
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
            f"Unrecognized `diagonals_format`: {diagonals_format}.",
            fix='pass `diagonals_format="compact"`',
        )
    if len(x.shape) < 2 or x.shape[-2] != 3:
        raise TapeValueError(
            f"`{op}`: Expected diagonals of shape [..., 3, n], got {tuple(x.shape)}.",
            fix='pass `diagonals_format="matrix"` for a whole matrix',
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
    """Solve matrix · x = rhs for a tridiagonal matrix.

    Args:
        diagonals: A tensor of shape [..., 3, n]: the upper, main and lower diagonal; or another form according to
            `diagonals_format`.
        rhs: A tensor of shape [..., n] or [..., n, k] with the dtype of the first argument.
        diagonals_format: "compact", "sequence" for three values, "matrix" for the whole matrix.
        transpose_rhs: Whether to use the transpose of `rhs`.
        conjugate_rhs: Whether to use the complex conjugate of `rhs`.
        name: Ignored.
        partial_pivoting: Ignored, because rows are always pivoted.
        perturb_singular: Must be False.

    Returns:
        The solution x, in the shape of `rhs`.

    Raises:
        ValueError: the shapes do not fit, or the format is unknown.
        InvalidArgumentError: the matrix is singular.
        UnimplementedError: `perturb_singular` is True.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. A tape records the whole
    matrix and `solve`.

    Unlike TensorFlow, minitape creates the whole n × n matrix and solves it like any other matrix.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/tridiagonal_solve
    """
    if perturb_singular or not isinstance(partial_pivoting, bool):
        raise UnimplementedError(
            "`tridiagonal_solve` does not support `perturb_singular=True`.",
            fix="pass `perturb_singular=False`, and add `1e-6` to the main diagonal",
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
    """Multiply a tridiagonal matrix by another matrix.

    Args:
        diagonals: A tensor of shape [..., 3, n]: the upper, main and lower diagonal; or another form according to
            `diagonals_format`.
        rhs: A tensor of shape [..., n, k] with the dtype of the first argument.
        diagonals_format: "compact", "sequence" for three values, "matrix" for the whole matrix.
        name: Ignored.

    Returns:
        A tensor of shape [..., n, k].

    Raises:
        ValueError: the shapes do not fit, or the format is unknown.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/tridiagonal_matmul
    """
    upper, middle, lower = _three(diagonals, diagonals_format, "tridiagonal_matmul")
    x = as_operand(as_operand(rhs, middle))
    if len(x.shape) < 2 or x.shape[-2] != middle.shape[-1]:
        raise TapeValueError(
            f"`tridiagonal_matmul`: a matrix with {middle.shape[-1]} columns cannot be multiplied by a matrix of "
            f"shape {tuple(x.shape)}.",
            fix="pass `rhs` of shape `[..., n, k]`",
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
    """Solve matrix · x = rhs for a triangular band matrix.

    Args:
        bands: A tensor of shape [..., diagonals, n]: the main diagonal first for a lower triangle, last for an upper one;
            aligned as by `tf.linalg.diag(..., align="LEFT_RIGHT")`.
        rhs: A tensor of shape [..., n, k] with the dtype of the first argument.
        lower: Whether the matrix is a lower triangle.
        adjoint: Whether to use the conjugate transpose of the matrix.
        name: Ignored.

    Returns:
        The solution x, of shape [..., n, k].

    Raises:
        InvalidArgumentError: the shapes do not fit, or the diagonal contains 0.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones. A tape records the whole
    triangle and `triangular_solve`.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/banded_triangular_solve
    """
    x = read_once(bands)
    if len(x.shape) < 2:
        raise InvalidArgumentError(
            f"`banded_triangular_solve` requires `bands` of shape `[..., diagonals, n]`, but the shape is {tuple(x.shape)}.",
            fix="use `bands[tf.newaxis]` for a single diagonal",
            code="MT507",
        )
    count = x.shape[-2]
    diagonals = (1 - count, 0) if lower else (0, count - 1)
    matrix = diag(x, k=diagonals, align="LEFT_RIGHT")
    return triangular_solve(matrix, as_operand(rhs, x), lower=lower, adjoint=adjoint)
