"""Linear systems, inverses and determinants; a batch is processed matrix by matrix.

    inv, det, slogdet           the inverse and the determinant
    solve, triangular_solve     x with A·x = b

If A changes, the solution changes so that A·x remains b: ẋ = -A⁻¹·Ȧ·x. All rules in this module are the transpose of that
equation.

Source: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation" (2008).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minitape.core.arguments import strict_flag
from minitape.core.batched import raw_dtype
from minitape.core.blas import factored
from minitape.core.convert import as_operand
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError
from minitape.ops.broadcasting import sum_to
from minitape.ops.diagonals import _band_part
from minitape.ops.products import adjoint, flipped, matmul_primitive
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import leading_axes, leading_axes_broadcast, leading_axes_of_all

Kernel = Callable[..., Any]


def _of_squares(name: str, kernel: Kernel) -> Kernel:
    """Return a kernel that checks that matrices are square, and computes float16 in float32 for LAPACK."""

    def checked(a: Array, *others: Array, **settings: Any) -> Any:
        if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
            raise InvalidArgumentError(
                f"`{name}`: Input matrix must be square, but its shape is {a.shape}.",
                fix="use `tf.linalg.lstsq(A, b)` or `tf.linalg.pinv(A)` for a matrix that is not square",
                code="MT507",
            )
        return _in_lapack(kernel)(a, *others, **settings)

    return checked


def _in_lapack(kernel: Kernel) -> Kernel:
    def wide(*arrays: Array, **settings: Any) -> Any:
        dtype = arrays[0].dtype
        if dtype != np.float16:
            return factored(kernel, *arrays, **settings)
        y = factored(kernel, *(array.astype(np.float32) for array in arrays), **settings)
        return tuple(each.astype(dtype) for each in y) if type(y) is tuple else y.astype(dtype)

    return wide


def _not_invertible(name: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"`{name}`: Input is not invertible, because its rows are linearly dependent.",
        fix="use `tf.linalg.lstsq(A, b)`, `tf.linalg.pinv(A)` or `A + 1e-6 * tf.eye(n)`",
    )


# --- inverse and determinant ---


def _inverse_kernel(x: Array) -> Array:
    if np.isnan(x).any():
        raise _not_invertible("MatrixInverse")
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        raise _not_invertible("MatrixInverse") from None


def _inverse_vjp(ybar: Value, y: Value, x: Value) -> Value:
    return -matmul_primitive(flipped(y), matmul_primitive(ybar, flipped(y)))


_inverse: Primitive = Primitive(
    "MatrixInverse",
    _of_squares("MatrixInverse", _inverse_kernel),
    vjp=(_inverse_vjp,),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = -yᵀ·ȳ·yᵀ",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def inv(input: Value, adjoint: bool = False, name: str | None = None) -> Value:
    """Return the inverse of square matrices.

    Args:
        input: A tensor of shape [..., n, n] with a float or complex dtype.
        adjoint: Whether to invert the conjugate transpose instead.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: the matrix is not square, or is singular.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/inv
    """
    x = as_operand(input)
    return _inverse(_adjoint_if(adjoint, x))


def _adjoint_if(wanted: Any, x: Value) -> Value:
    return adjoint(x) if strict_flag(wanted, "adjoint") else x


def _as_matrix(x: Value) -> Value:
    """Return one number for each matrix, with two axes of size 1 for broadcasting."""
    return _reshape(x, shape=(*x.shape, 1, 1))


def _as_row(x: Value) -> Value:
    """Return one number for each column."""
    return _reshape(x, shape=(*x.shape[:-1], 1, x.shape[-1]))


_det: Primitive = Primitive(
    "MatrixDeterminant",
    _of_squares("MatrixDeterminant", np.linalg.det),
    vjp=(lambda ybar, y, x: _as_matrix(ybar * y) * flipped(_inverse(x)),),
    batch=leading_axes,
    residuals="xy",
    rule="x̄ = ȳ·y·(x⁻¹)ᵀ",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def det(input: Value, name: str | None = None) -> Value:
    """Return the determinant of square matrices.

    Args:
        input: A tensor of shape [..., n, n] with a float or complex dtype.
        name: Ignored.

    Returns:
        A tensor of shape [...], with the dtype of `input`.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the input and the output. A singular
    matrix raises InvalidArgumentError in the backward pass, because the rule needs the inverse.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/det
    """
    return _det(as_operand(input))


def _slogdet_kernel(x: Array) -> tuple[Array, ...]:
    sign, logarithm = np.linalg.slogdet(x)
    return sign, logarithm.astype(x.dtype)  # even for complex matrices, as in TensorFlow


def _slogdet_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """Use only the cotangent of the logarithm, because the sign is locally constant."""
    owed = np.zeros(tuple(y[1].shape), raw_dtype(x)) if ybar[1] is None else ybar[1]
    return _as_matrix(owed) * flipped(_inverse(x))


_slogdet: Primitive = Primitive(
    "LogMatrixDeterminant",
    _of_squares("LogMatrixDeterminant", _slogdet_kernel),
    vjp=(_slogdet_vjp,),
    batch=leading_axes,
    residuals="x",
    rule="x̄ = ȳ·(x⁻¹)ᵀ for the logarithm, 0 for the sign",
    dtype_kinds=DIFFERENTIABLE_KINDS,
    outputs=2,
)


class LogMatrixDeterminant(NamedTuple):
    """The sign of a determinant, and the logarithm of its absolute value."""

    sign: Value
    log_abs_determinant: Value


def slogdet(input: Value, name: str | None = None) -> LogMatrixDeterminant:
    """Return the sign of the determinant and the logarithm of its absolute value, neither of which can overflow.

    Args:
        input: A tensor of shape [..., n, n] with a float or complex dtype.
        name: Ignored.

    Returns:
        A named tuple `(sign, log_abs_determinant)`, both of shape [...].

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: For the logarithm, derivatives of any order are supported, including batched ones. The gradient of the sign is 0.
    The tape keeps the input.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/slogdet
    """
    return LogMatrixDeterminant(*_slogdet(as_operand(input)))


# --- solving ---


def _solve_kernel(a: Array, b: Array) -> Array:
    if a.ndim != b.ndim or a.shape[:-1] != b.shape[:-1]:
        raise InvalidArgumentError(
            f"`MatrixSolve`: a matrix of shape {a.shape} and right-hand sides of shape {b.shape} do not fit together.",
            fix="pass a matrix of shape `[..., n, n]` and right-hand sides of shape `[..., n, k]`; for a vector, use "
            "`tf.expand_dims(b, -1)`",
            code="MT507",
        )
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        raise _not_invertible("MatrixSolve") from None


_solve: Primitive = Primitive(
    "MatrixSolve",
    _of_squares("MatrixSolve", _solve_kernel),
    vjp=(
        lambda ybar, y, a, b: -matmul_primitive(_solve(flipped(a), ybar), flipped(y)),
        lambda ybar, y, a, b: _solve(flipped(a), ybar),
    ),
    batch=leading_axes_of_all,
    residuals=("ay", "a"),
    rule="b̄ = the solution x of aᵀ·x = ȳ   ā = -b̄·yᵀ",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def solve(matrix: Value, rhs: Value, adjoint: bool = False, name: str | None = None) -> Value:
    """Solve matrix · x = rhs.

    Args:
        matrix: A tensor of shape [..., n, n] with a float or complex dtype.
        rhs: A tensor of shape [..., n, k], with the same leading axes.
        adjoint: Whether to use the conjugate transpose of the matrix.
        name: Ignored.

    Returns:
        The solution x, of shape [..., n, k].

    Raises:
        InvalidArgumentError: the shapes do not fit, or the matrix is singular.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the matrix and the solution.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/solve
    """
    a, b = as_operand(matrix, rhs), as_operand(rhs, matrix)
    return _solve(_adjoint_if(adjoint, a), b)


def _triangle(x: Value, lower: bool) -> Value:
    return _band_part(x, lower=-1, upper=0) if lower else _band_part(x, lower=0, upper=-1)


def _triangular_kernel(a: Array, b: Array, *, lower: bool) -> Array:
    try:
        return np.linalg.solve(np.tril(a) if lower else np.triu(a), b)
    except np.linalg.LinAlgError:
        raise _not_invertible("MatrixTriangularSolve") from None


def _triangular_matrix_vjp(ybar: Value, y: Value, a: Value, b: Value, *, lower: bool) -> Value:
    owed = _triangular_solve(flipped(a), ybar, lower=not lower)
    return sum_to(_triangle(-matmul_primitive(owed, flipped(y)), lower), a)


_triangular_solve: Primitive = Primitive(
    "MatrixTriangularSolve",
    _of_squares("MatrixTriangularSolve", _triangular_kernel),
    vjp=(
        _triangular_matrix_vjp,
        lambda ybar, y, a, b, lower: sum_to(
            _triangular_solve(flipped(a), ybar, lower=not lower), b
        ),
    ),
    batch=leading_axes_broadcast,
    residuals=("ay", "a"),
    rule="b̄ = the solution x of aᵀ·x = ȳ   ā = the triangle of -b̄·yᵀ",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def triangular_solve(
    matrix: Value, rhs: Value, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Value:
    """Solve matrix · x = rhs for a triangular matrix.

    Args:
        matrix: A tensor of shape [..., n, n]; only one triangle is read.
        rhs: A tensor of shape [..., n, k]; leading axes broadcast.
        lower: True for the lower triangle, False for the upper one.
        adjoint: Whether to use the conjugate transpose of the matrix.
        name: Ignored.

    Returns:
        The solution x, of shape [..., n, k].

    Raises:
        InvalidArgumentError: the shapes do not fit, or the diagonal contains 0.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient of the other triangle is 0. The tape
    keeps the matrix and the solution.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/triangular_solve
    """
    a, b = as_operand(matrix, rhs), as_operand(rhs, matrix)
    is_lower = strict_flag(lower, "lower", default=True)
    return _triangular_solve(
        _adjoint_if(adjoint, a), b, lower=is_lower != strict_flag(adjoint, "adjoint")
    )
