"""Square root and logarithm of matrices.

    sqrtm    R with R·R = A
    logm     L with e^L = A; its gradient raises LookupError, because TensorFlow has no rule for it

If A changes, the root changes so that its square remains A: Ȧ = Ṙ·R + R·Ṙ. This is one linear equation for all elements of Ṙ,
and the vjp solves its transpose.

Source: N. Higham, "Functions of Matrices" (2008), chapters 6 and 11.
"""

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.declaration import DIFFERENTIABLE_KINDS, not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.ops.creation import eye
from minitape.ops.products import flipped
from minitape.ops.reshaping import _reshape
from minitape.ops.rules import leading_axes
from minitape.ops.solvers import _of_squares, _solve

_MOST_STEPS = 60


def _root(x: Array) -> Array:
    """Run Newton's iteration in the form of Denman and Beavers: R and its inverse are corrected by each other."""
    root, back = x.copy(), np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape).copy()
    for _ in range(_MOST_STEPS):
        try:
            next_root = (root + np.linalg.inv(back)) / 2
            back = (back + np.linalg.inv(root)) / 2
        except np.linalg.LinAlgError:
            return np.full_like(x, np.nan)
        moved, root = abs(next_root - root).max(initial=0), next_root
        if moved <= 4 * np.finfo(x.dtype).eps * abs(root).max(initial=0):
            return root
    return np.full_like(x, np.nan)


def _sqrtm_kernel(x: Array) -> Array:
    """Compute each matrix separately, in the wide dtype; return NaN for a matrix that has no real root."""
    wide = x.astype(np.result_type(x.dtype, np.float64))
    flat = [_root(each) for each in wide.reshape(-1, *x.shape[-2:])]
    return np.array(flat, wide.dtype).reshape(x.shape).astype(x.dtype)


def _sqrtm_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """Solve X·yᵀ + yᵀ·X = ȳ, as a vector: row by row, (1 ⊗ y + yᵀ ⊗ 1) · X = ȳ."""
    size = y.shape[-1]
    lead = tuple(y.shape)[:-2]
    one = eye(size, dtype=raw_dtype(y))._array

    def crossed(a: Value, b: Value) -> Value:
        """Return the Kronecker product: each number of a times all of b."""
        split = _reshape(a, shape=(*a.shape[:-2], size, 1, size, 1)) * _reshape(
            b, shape=(*b.shape[:-2], 1, size, 1, size)
        )
        return _reshape(split, shape=(*lead, size * size, size * size))

    matrix = crossed(one, y) + crossed(flipped(y), one)
    column = _reshape(ybar, shape=(*lead, size * size, 1))
    return _reshape(_solve(matrix, column), shape=tuple(y.shape))


_sqrtm: Primitive = Primitive(
    "MatrixSquareRoot",
    _of_squares("MatrixSquareRoot", _sqrtm_kernel),
    vjp=(_sqrtm_vjp,),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = the solution X of X·yᵀ + yᵀ·X = ȳ",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def sqrtm(input: Value, name: str | None = None) -> Value:
    """Return the square root of matrices.

    Args:
        input: A tensor of shape [..., n, n], invertible, with a float or complex dtype.
        name: Ignored.

    Returns:
        The root whose eigenvalues have a positive real part; NaN for a real matrix without a real root.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the output.

    Unlike in TensorFlow, the gradient of a complex root is the complex conjugate of TensorFlow's.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/sqrtm
    """
    return _sqrtm(as_operand(input))


def _logm_kernel(x: Array) -> Array:
    """Compute the logarithm from the eigenvectors."""
    e, v = np.linalg.eig(x.astype(np.complex128))
    return (v * np.log(e)[..., None, :] @ np.linalg.inv(v)).astype(x.dtype)


_logm: Primitive = Primitive(
    "MatrixLogarithm",
    _of_squares("MatrixLogarithm", _logm_kernel),
    vjp=not_registered(reason="TensorFlow has no rule for `logm`"),
    batch=leading_axes,
    dtype_kinds="c",
)


def logm(input: Value, name: str | None = None) -> Value:
    """Return the logarithm of matrices.

    Args:
        input: A tensor of shape [..., n, n], invertible and diagonalizable; complex64 or complex128.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: the matrix is not square, or not complex.

    Gradient: Requesting it raises LookupError, as in TensorFlow.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/logm
    """
    return _logm(as_operand(input))
