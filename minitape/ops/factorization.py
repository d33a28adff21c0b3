"""Matrix factorizations; in a batch, each matrix is factorized.

    cholesky         A = L·Lᵀ for a positive definite A
    eigh             A = V·diag(e)·Vᵀ for a symmetric A
    svd, qr          A = U·diag(s)·Vᵀ, A = Q·R

Each rule describes how the factors must change with A so that their product remains A and they keep their form (triangular,
orthogonal, sorted). If two eigenvalues are equal, their eigenvectors are not unique. In this case the cotangents of these
eigenvectors count as 0, as in TensorFlow.

For complex matrices, the transpose is the conjugate transpose Aᴴ. The rules are derived for conjugated cotangents
(complex_numbers.py), so they conjugate their inputs and results.

Source: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation" (2008).
"""

from typing import Any, NamedTuple

import numpy as np

from minitape.core.arguments import strict_flag
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, NotInTensorFlowError
from minitape.ops.arithmetic import _conjugate
from minitape.ops.complex_numbers import _complex
from minitape.ops.creation import zeros_like
from minitape.ops.diagonals import _band_part, _diag, _diag_part
from minitape.ops.joining import _concat
from minitape.ops.products import flipped, matmul_primitive
from minitape.ops.rules import leading_axes
from minitape.ops.solvers import _as_row, _in_lapack, _of_squares, _triangular_solve


def _mirrored(x: Value) -> Value:
    """Return Xᴴ, the conjugate transpose."""
    return flipped(_conjugate(x))


def _beside(x: Value, real: Value) -> Value:
    """Return real numbers in the dtype of x."""
    return _complex(real, zeros_like(real)) if raw_dtype(x).kind == "c" else real


def _cholesky_kernel(x: Array) -> Array:
    symmetric = (x + np.swapaxes(x, -1, -2).conj()) / 2
    try:
        return np.linalg.cholesky(symmetric)
    except np.linalg.LinAlgError:
        return _cholesky_or_nan(symmetric)


def _cholesky_or_nan(x: Array) -> Array:
    """Return the factor of each matrix, or NaN if it has none, as TensorFlow does for a batch."""
    if x.ndim > 2:
        return np.stack([_cholesky_or_nan(each) for each in x])
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        return np.tril(np.full_like(x, np.nan))


def _halved_diagonal(x: Value) -> Value:
    triangle = _band_part(x, lower=-1, upper=0)
    half = _diag_part(triangle, k=(0, 0), align="RIGHT_LEFT", padding=0) * 0.5
    shape = tuple(x.shape)[-2:]
    return triangle - _diag(half, shape=shape, k=(0, 0), align="RIGHT_LEFT", padding=0)


def _cholesky_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """L⁻ᴴ·Φ(Lᴴ·L̄)·L⁻¹ made symmetric, where Φ takes the lower triangle and half of the diagonal."""
    middle = _halved_diagonal(matmul_primitive(_mirrored(y), _conjugate(ybar)))
    left = _triangular_solve(_mirrored(y), middle, lower=False)
    whole = _mirrored(_triangular_solve(_mirrored(y), _mirrored(left), lower=False))
    return _conjugate((whole + _mirrored(whole)) * 0.5)


_cholesky: Primitive = Primitive(
    "Cholesky",
    _of_squares("Cholesky", _cholesky_kernel),
    vjp=(_cholesky_vjp,),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = y⁻ᵀ·Φ(yᵀ·ȳ)·y⁻¹ made symmetric; Φ takes the lower triangle with half its diagonal",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def cholesky(input: Value, name: str | None = None) -> Value:
    """Return the lower triangular L with L·Lᵀ = input; NaN for a matrix that is not positive definite.

    Args:
        input: A tensor of shape [..., n, n], symmetric (Hermitian if complex); a float or complex dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Unlike in TensorFlow, the mean of both triangles is used (TensorFlow reads only the lower triangle). The result is the same
    for a symmetric matrix, and the gradient is the derivative of this function.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is a symmetric matrix. The tape keeps
    the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/cholesky;
    I. Murray, "Differentiation of the Cholesky decomposition" (2016), equation 10.
    """
    return _cholesky(as_operand(input))


# --- eigenvalues ---


# With this constant, the reciprocal of a difference of 0 is 0 and not infinity, as needed for the vectors of equal eigenvalues.
_NEARLY_ZERO = 1e-20


def _over_gaps(e: Value) -> Value:
    """Return F with F_ij = 1/(e_j - e_i), and 0 on the diagonal."""
    gaps = _as_row(e) - flipped(_as_row(e))
    # The diagonal is 0 already, but its derivative is not: without this, rounding errors would dominate the second derivative.
    off_diagonal = 1 - np.eye(e.shape[-1], dtype=raw_dtype(e))
    return gaps / (gaps * gaps + _NEARLY_ZERO) * off_diagonal


def _times_columns(matrix: Value, numbers: Value) -> Value:
    """Return matrix · diag(numbers)."""
    return matrix * _as_row(numbers)


def _eigh_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """V·(diag(ē) + F ∘ VᴴV̄)·Vᴴ with F_ij = 1/(e_j - e_i), as the lower triangle, because only that is read."""
    ebar, vbar = ybar
    e, v = y
    terms = []
    if ebar is not None:
        terms.append(_times_columns(v, _conjugate(ebar)))
    if vbar is not None:
        inner = matmul_primitive(_mirrored(v), _conjugate(vbar)) * _over_gaps(e)
        terms.append(matmul_primitive(v, inner))
    whole = matmul_primitive(sum(terms[1:], terms[0]), _mirrored(v))
    return _conjugate(_halved_diagonal(whole + _mirrored(whole)))


def _eigh_kernel(x: Array) -> tuple[Array, Array]:
    if not np.isfinite(np.tril(x)).all():
        raise InvalidArgumentError(
            "Self-adjoint eigen decomposition was not successful. The input contains NaN or infinity.",
            fix="use `tf.debugging.check_numerics(x, 'x')`, which finds the first such value",
        )
    e, v = np.linalg.eigh(x)
    return e.astype(x.dtype), v


_eigh: Primitive = Primitive(
    "SelfAdjointEigV2",
    _of_squares("SelfAdjointEigV2", _eigh_kernel),
    vjp=(_eigh_vjp,),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = v·(diag ē + F∘(vᵀ·v̄))·vᵀ with F_ij = 1/(e_j - e_i)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
    outputs=2,
)


def eigh(tensor: Value, name: str | None = None) -> tuple[Value, Value]:
    """Return the eigenvalues of symmetric matrices in ascending order, and the eigenvectors as columns.

    Args:
        tensor: A tensor of shape [..., n, n] with a float or complex dtype; only the lower triangle is read.
        name: Ignored.

    Returns:
        The eigenvalues [..., n], in the dtype of `tensor`, and the eigenvectors [..., n, n], each up to sign or phase.

    Raises:
        InvalidArgumentError: the matrix is not square, or contains NaN or infinity.

    Gradient: In the lower triangle, derivatives of any order are supported, including batched ones. The gradient through the
    eigenvectors of equal eigenvalues is undefined, and counts as 0. The tape keeps the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eigh
    """
    e, v = _eigh(as_operand(tensor))
    return e, v


def eigvalsh(tensor: Value, name: str | None = None) -> Value:
    """Return the eigenvalues of symmetric matrices in ascending order.

    Args:
        tensor: A tensor of shape [..., n, n]; only the lower triangle is read.
        name: Ignored.

    Returns:
        A tensor of shape [..., n], with the dtype of `tensor`.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: In the lower triangle, derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eigvalsh
    """
    return eigh(tensor)[0]


# --- singular values ---


def _svd_kernel(x: Array, *, full: bool) -> tuple[Array, ...]:
    """Return the factors of each matrix, or NaN if it contains NaN, as TensorFlow does for a batch."""
    try:
        u, s, vt = np.linalg.svd(x, full_matrices=full)
    except np.linalg.LinAlgError:
        if x.ndim > 2:
            each = [_svd_kernel(matrix, full=full) for matrix in x]
            return tuple(np.stack(parts) for parts in zip(*each))
        u, s, vt = (part * np.nan for part in np.linalg.svd(np.ones_like(x), full_matrices=full))
    return s, u, np.swapaxes(vt, -1, -2).conj()


def _both_ways(x: Value) -> Value:
    return x + _mirrored(x)


def _svd_vjp(ybar: Value, y: Value, x: Value, *, full: bool) -> Value:
    """Return the rule of a wide matrix; a tall one uses its conjugate transpose."""
    s, u, v = y
    sbar, ubar, vbar = (None if each is None else _conjugate(each) for each in ybar)
    rows, columns = tuple(x.shape)[-2:]
    if full and abs(rows - columns) > 1:
        raise NotInTensorFlowError(
            f"svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True: {rows} and {columns}.",
            fix="use `tf.linalg.svd(x)`",
        )
    if rows > columns:
        return flipped(_wide_svd(s, v, u, sbar, vbar, ubar))
    return _conjugate(_wide_svd(s, u, v, sbar, ubar, vbar))


def _wide_svd(s: Value, u: Value, v: Value, sbar: Any, ubar: Any, vbar: Any) -> Value:
    """U·(diag(s̄) + (F∘UᴴŪ + its conjugate transpose)·S + S·(F∘VᴴV̄ + ...))·Vᴴ with F_ij = 1/(s_j² - s_i²), plus `_leaving`."""
    count = s.shape[-1]
    sizes = _beside(u, s)
    gaps, inverse = _beside(u, _over_gaps(s * s)), 1.0 / sizes
    first = v[..., :count]
    terms = [] if sbar is None else [_times_columns(u, _beside(u, sbar))]
    if ubar is not None:
        iteration = _both_ways(gaps * matmul_primitive(_mirrored(u), ubar))
        terms.append(matmul_primitive(u, _times_columns(iteration, sizes)))
    outside = None
    if vbar is not None:
        inner = matmul_primitive(_mirrored(first), vbar[..., :count])
        terms.append(matmul_primitive(_times_columns(u, sizes), _both_ways(gaps * inner)))
        if raw_dtype(u).kind == "c":
            diagonal = inner * np.eye(count, dtype=raw_dtype(u))
            phase = _mirrored(diagonal) - diagonal
            terms.append(matmul_primitive(_times_columns(u, inverse), phase) * 0.5)
        if v.shape[-2] > count:
            outside = _leaving(_times_columns(u, inverse), v, vbar, count)
    if not terms:
        return outside
    inside = matmul_primitive(sum(terms[1:], terms[0]), _mirrored(first))
    return inside if outside is None else inside + outside


def _leaving(scaled: Value, v: Value, vbar: Value, count: int) -> Value:
    """Return the part of the cotangent for columns of v that leave the row space; the columns that complete the basis follow."""
    first, own = v[..., :count], vbar[..., :count]
    owed = _mirrored(own)
    owed = owed - matmul_primitive(matmul_primitive(owed, first), _mirrored(first))
    if v.shape[-1] > count:
        moved = matmul_primitive(_mirrored(first), vbar[..., count:])
        owed = owed - matmul_primitive(moved, _mirrored(v[..., count:]))
    return matmul_primitive(scaled, owed)


_svd: Primitive = Primitive(
    "Svd",
    _in_lapack(_svd_kernel),
    vjp=(_svd_vjp,),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = u·diag(s̄)·vᵀ, plus terms of ū and v̄ divided by s_j² - s_i²",
    dtype_kinds=DIFFERENTIABLE_KINDS,
    outputs=3,
)


def svd(
    tensor: Value, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> Any:
    """Return the singular values of matrices in descending order, and the singular vectors.

    Args:
        tensor: A tensor of shape [..., n, m] with a float or complex dtype.
        full_matrices: Whether to extend u and v to square matrices.
        compute_uv: False to compute only the singular values.
        name: Ignored.

    Returns:
        s, u and v with u · diag(s) · vᵀ = tensor, or s alone. The sign of each pair of columns is arbitrary.

    Raises:
        InvalidArgumentError: the rank is below 2.
        NotImplementedError: a gradient is requested, and u or v was extended by more than one column.

    Gradient: Derivatives of any order are supported, including batched ones. If two singular values are equal, or one is 0, the
    gradient through their vectors is undefined. The tape keeps the output.

    Unlike in TensorFlow, the second derivative for complex vectors is the derivative of the first.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/svd;
    J. Townsend, "Differentiating the Singular Value Decomposition" (2016).
    """
    is_full = strict_flag(full_matrices, "full_matrices")
    has_bases = strict_flag(compute_uv, "compute_uv", default=True)
    x = as_operand(tensor)
    if len(x.shape) < 2:
        raise InvalidArgumentError(
            f"Shape must be at least rank 2 but is rank {len(x.shape)}.", code="MT507"
        )
    s, u, v = _svd(x, full=is_full and has_bases)
    return (s, u, v) if has_bases else s


# --- QR ---


def _over_triangle(x: Value, r: Value) -> Value:
    """Return x·r⁻ᴴ for an upper triangular r."""
    return _mirrored(_triangular_solve(r, _mirrored(x), lower=False))


def _qr_vjp(ybar: Value, y: Value, x: Value, *, full: bool) -> Value:
    """Apply the rule of square and tall matrices; of a wide matrix [X, Y] = Q·[U, V], Y gets Q·V̄, and Q the rest."""
    q, r = y
    rows, columns = tuple(x.shape)[-2:]
    if full and rows > columns:
        raise NotInTensorFlowError(
            f"QrGrad not implemented when nrows > ncols and full_matrices is true: {rows} and {columns}.",
            fix="use `tf.linalg.qr(x)`",
        )
    qbar, rbar = (
        np.zeros(tuple(out.shape), raw_dtype(out)) if bar is None else _conjugate(bar)
        for bar, out in zip(ybar, y, strict=True)
    )
    if rows >= columns:
        return _conjugate(_tall_qr(q, r, qbar, rbar))
    beyond = rbar[..., rows:]
    rest = matmul_primitive(q, r[..., rows:])
    owed = qbar + matmul_primitive(rest, _mirrored(beyond))
    square = _tall_qr(q, r[..., :rows], owed, rbar[..., :rows])
    axis = len(x.shape) - 1
    return _conjugate(_concat(square, matmul_primitive(q, beyond), axis=axis))


def _tall_qr(q: Value, r: Value, qbar: Value, rbar: Value) -> Value:
    """Q·(R̄ + T·R⁻ᴴ) + (Q̄ - Q·QᴴQ̄)·R⁻ᴴ, where T is the lower triangle of QᴴQ̄ + R·R̄ᴴ minus its conjugate transpose."""
    iteration, pull = matmul_primitive(_mirrored(q), qbar), matmul_primitive(r, _mirrored(rbar))
    requested = iteration - _mirrored(iteration) + pull - _mirrored(pull)
    lower = _over_triangle(_band_part(requested, lower=-1, upper=0), r)
    owed = matmul_primitive(q, rbar + lower)
    owed = owed + _over_triangle(qbar - matmul_primitive(q, iteration), r)
    if raw_dtype(q).kind != "c":
        return owed
    # The diagonal of R is real, so imaginary cotangents of it are dropped.
    phase = (pull - _mirrored(iteration)) * np.eye(r.shape[-1], dtype=raw_dtype(q))
    phase = (_conjugate(phase) - phase) * 0.5
    return owed + _over_triangle(matmul_primitive(q, phase), r)


_qr: Primitive = Primitive(
    "Qr",
    _in_lapack(lambda x, *, full: tuple(np.linalg.qr(x, mode="complete" if full else "reduced"))),
    vjp=(_qr_vjp,),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = q·(r̄ + T·r⁻ᵀ) + (q̄ - q·qᵀq̄)·r⁻ᵀ, T the lower triangle of qᵀq̄ + r·r̄ᵀ minus its transpose",
    dtype_kinds=DIFFERENTIABLE_KINDS,
    outputs=2,
)


class Qr(NamedTuple):
    """Orthonormal columns `q` and an upper triangular `r`."""

    q: Value
    r: Value


def qr(input: Value, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Return matrices q with orthonormal columns and upper triangular r, with q · r = input.

    Args:
        input: A tensor of shape [..., n, m] with a float or complex dtype.
        full_matrices: Whether to extend q to a square matrix.
        name: Ignored.

    Returns:
        A named tuple of q [..., n, k] and r [..., k, m], with k = min(n, m), or n if `full_matrices`.

    Raises:
        InvalidArgumentError: the rank is below 2.
        NotImplementedError: a gradient is requested, and q was extended.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/qr
    """
    return Qr(*_qr(as_operand(input), full=strict_flag(full_matrices, "full_matrices")))
