"""Matrices taken apart; in a stack of matrices, each.

    cholesky         A = L·Lᵀ for a positive definite A
    eigh             A = V·diag(e)·Vᵀ for a symmetric A
    svd, qr          A = U·diag(s)·Vᵀ, A = Q·R

Each rule asks how the factors must move so that their product moves along with A and they stay what they are: triangular, at
right angles, in order. Where two eigenvalues meet, their vectors have no direction of their own; what they are owed counts as 0
there, as in TensorFlow.

Source: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation" (2008).
"""

from typing import Any, NamedTuple

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.declaration import SMOOTH
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, UnimplementedError
from minitape.ops.arithmetic import _mirrored
from minitape.ops.diagonals import _band_part, _diag, _diag_part
from minitape.ops.products import flipped, matmul_primitive
from minitape.ops.rules import leading_axes
from minitape.ops.solving import _as_row, _in_lapack, _of_squares, _triangular_solve


def _cholesky_kernel(x: Array) -> Array:
    symmetric = (x + np.conj(np.swapaxes(x, -1, -2))) / 2
    try:
        return np.linalg.cholesky(symmetric)
    except np.linalg.LinAlgError:
        return _cholesky_or_nan(symmetric)


def _cholesky_or_nan(x: Array) -> Array:
    """For each matrix its factor, or NaN where it has none: TensorFlow's answer, which spares the others of a stack."""
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
    """L⁻ᵀ·Φ(Lᵀ·L̄)·L⁻¹ made symmetric, where Φ takes the lower triangle and half of the diagonal."""
    middle = _halved_diagonal(matmul_primitive(flipped(y), ybar))
    left = _triangular_solve(flipped(y), middle, lower=False)
    whole = flipped(_triangular_solve(flipped(_mirrored(y)), flipped(left), lower=False))
    return (whole + _mirrored(flipped(whole))) * 0.5


_cholesky: Primitive = Primitive(
    "Cholesky",
    _of_squares("Cholesky", _cholesky_kernel),
    vjp=(_cholesky_vjp,),
    batch=leading_axes,
    saves="y",
    rule="x̄ = y⁻ᵀ·Φ(yᵀ·ȳ)·y⁻¹ made symmetric; Φ takes the lower triangle with half its diagonal",
    accepts=SMOOTH,
)


def cholesky(input: Value, name: str | None = None) -> Value:
    """The lower triangular L with L·Lᵀ = input; NaN for a matrix that is not positive definite.

    Args:
        input: Shape [..., n, n], symmetric; of complex numbers, its own conjugate transpose.
        name: Ignored.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Unlike TensorFlow, which reads the lower triangle only, this reads the mean of both triangles: the same for a symmetric
    matrix, and the function whose slope the gradient is.

    Gradient: to any order, batched; symmetric. Remembers its output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/cholesky;
    I. Murray, "Differentiation of the Cholesky decomposition" (2016), equation 10.
    """
    return _cholesky(as_operand(input))


# --- eigenvalues ---


# So that 0 becomes 0 and not infinity: what coinciding eigenvalues are owed for their vectors.
_NEARLY_ZERO = 1e-20


def _over_gaps(e: Value) -> Value:
    """Entry i, j is 1/(e_j - e_i), and 0 on the diagonal."""
    gaps = _as_row(e) - flipped(_as_row(e))
    # The diagonal is 0 already, but its slope is not: without this, a second order would drown in rounding.
    off_diagonal = 1 - np.eye(e.shape[-1], dtype=raw_dtype(e))
    return gaps / (gaps * gaps + _NEARLY_ZERO) * off_diagonal


def _times_columns(matrix: Value, numbers: Value) -> Value:
    """Each column times its own number: matrix · diag(numbers)."""
    return matrix * _as_row(numbers)


def _eigh_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """V·(diag(ē) + F ∘ VᵀV̄)·Vᵀ with F_ij = 1/(e_j - e_i), as the lower triangle that stands for both."""
    ebar, vbar = ybar
    e, v = y
    terms = []
    if ebar is not None:
        terms.append(_times_columns(v, ebar))
    if vbar is not None:
        inner = matmul_primitive(flipped(v), vbar) * _over_gaps(e)
        terms.append(matmul_primitive(v, inner))
    whole = matmul_primitive(sum(terms[1:], terms[0]), flipped(v))
    return _halved_diagonal(whole + flipped(whole))


_eigh: Primitive = Primitive(
    "SelfAdjointEigV2",
    _of_squares("SelfAdjointEigV2", lambda x: tuple(np.linalg.eigh(x))),
    vjp=(_eigh_vjp,),
    batch=leading_axes,
    saves="y",
    rule="x̄ = v·(diag ē + F∘(vᵀ·v̄))·vᵀ with F_ij = 1/(e_j - e_i)",
    accepts="f",
    outputs=2,
)


def eigh(tensor: Value, name: str | None = None) -> tuple[Value, Value]:
    """The eigenvalues of a symmetric matrix, the smallest first, and its eigenvectors as columns.

    Args:
        tensor: Shape [..., n, n]; only the lower triangle is read.
        name: Ignored.

    Returns:
        The values [..., n] and the vectors [..., n, n]. A vector may come with either sign.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: to any order, batched, in the lower triangle, for only that was read. Of coinciding eigenvalues the vectors
    have no slope, and 0 stands for it. Remembers its output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eigh
    """
    e, v = _eigh(as_operand(tensor))
    return e, v


def eigvalsh(tensor: Value, name: str | None = None) -> Value:
    """The eigenvalues of a symmetric matrix, the smallest first.

    Args:
        tensor: Shape [..., n, n]; only the lower triangle is read.
        name: Ignored.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: to any order, batched, in the lower triangle.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eigvalsh
    """
    return eigh(tensor)[0]


# --- singular values ---


def _svd_kernel(x: Array, *, full: bool) -> tuple[Array, ...]:
    u, s, vt = np.linalg.svd(x, full_matrices=full)
    return s, u, np.swapaxes(vt, -1, -2)


def _off_center(x: Value, basis: Value) -> Value:
    """The part of the columns of x that lies outside the space that the basis spans."""
    return x - matmul_primitive(basis, matmul_primitive(flipped(basis), x))


def _turn(a: Value, abar: Value) -> Value:
    """aᵀ·ā - āᵀ·a: how much the basis is asked to turn."""
    product = matmul_primitive(flipped(a), abar)
    return product - flipped(product)


def _svd_vjp(ybar: Value, y: Value, x: Value, *, full: bool) -> Value:
    """U·(diag(s̄) + (F∘turn of U)·S + S·(F∘turn of V))·Vᵀ with F_ij = 1/(s_j² - s_i²), and what leaves the bases."""
    s, u, v = y
    if full and u.shape[-1] != v.shape[-1]:
        raise UnimplementedError(
            "svd with full_matrices=True has a gradient here for square matrices only.",
            fix="tf.linalg.svd(x)",
        )
    sbar, ubar, vbar = ybar
    gaps = _over_gaps(s * s)
    terms = []
    if sbar is not None:
        terms.append(matmul_primitive(_times_columns(u, sbar), flipped(v)))
    if ubar is not None:
        inner = _times_columns(gaps * _turn(u, ubar), s)
        outside = _times_columns(_off_center(ubar, u), 1.0 / s)
        terms.append(matmul_primitive(matmul_primitive(u, inner) + outside, flipped(v)))
    if vbar is not None:
        inner = _times_columns(gaps * _turn(v, vbar), s)
        outside = _times_columns(_off_center(vbar, v), 1.0 / s)
        terms.append(matmul_primitive(u, flipped(matmul_primitive(v, inner) + outside)))
    return sum(terms[1:], terms[0])


_svd: Primitive = Primitive(
    "Svd",
    _in_lapack(_svd_kernel),
    vjp=(_svd_vjp,),
    batch=leading_axes,
    saves="y",
    rule="x̄ = u·diag(s̄)·vᵀ, and for u and v how far they turn, over s_j² - s_i²",
    accepts="f",
    outputs=3,
)


def svd(
    tensor: Value, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> Any:
    """The singular values of a matrix, the largest first, and the bases that they belong to.

    Args:
        tensor: Shape [..., n, m]; a float dtype.
        full_matrices: Fill the bases up to squares.
        compute_uv: False for the values alone.
        name: Ignored.

    Returns:
        s, u and v with u · diag(s) · vᵀ = tensor, or s alone. A pair of columns may come with either sign.

    Raises:
        InvalidArgumentError: the input is no matrix.
        UnimplementedError: a gradient of the full bases was asked for, of a matrix that is not square.

    Gradient: to any order, batched. Where two singular values coincide, or one is 0, their vectors have no slope.
    Remembers its output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/svd;
    J. Townsend, "Differentiating the Singular Value Decomposition" (2016).
    """
    x = as_operand(tensor)
    if len(x.shape) < 2:
        raise InvalidArgumentError(
            f"Shape must be at least rank 2 but is rank {len(x.shape)}.", code="MT507"
        )
    s, u, v = _svd(x, full=bool(full_matrices and compute_uv))
    return (s, u, v) if compute_uv else s


# --- QR ---


def _qr_vjp(ybar: Value, y: Value, x: Value, *, full: bool) -> Value:
    """(Q̄ + Q·copyltu(R·R̄ᵀ - Q̄ᵀ·Q))·R⁻ᵀ, where copyltu mirrors the lower triangle."""
    q, r = y
    if x.shape[-2] < x.shape[-1] or (full and x.shape[-2] > x.shape[-1]):
        raise UnimplementedError(
            "qr has a gradient here for matrices with at least as many rows as columns, and "
            "full_matrices=False, or for square ones.",
            fix="tf.linalg.qr(tf.transpose(x))",
        )
    qbar, rbar = (
        np.zeros(tuple(out.shape), raw_dtype(out)) if bar is None else bar
        for bar, out in zip(ybar, y, strict=True)
    )
    asked = matmul_primitive(r, flipped(rbar)) - matmul_primitive(flipped(qbar), q)
    half = _halved_diagonal(asked)
    moved = qbar + matmul_primitive(q, half + flipped(half))
    return flipped(_triangular_solve(r, flipped(moved), lower=False))


_qr: Primitive = Primitive(
    "Qr",
    _in_lapack(lambda x, *, full: tuple(np.linalg.qr(x, mode="complete" if full else "reduced"))),
    vjp=(_qr_vjp,),
    batch=leading_axes,
    saves="y",
    rule="x̄ = (q̄ + q·M)·r⁻ᵀ, M the lower triangle of r·r̄ᵀ - q̄ᵀ·q mirrored",
    accepts="f",
    outputs=2,
)


class Qr(NamedTuple):
    """Columns at right angles `q`, and the upper triangle `r` that mixes them."""

    q: Value
    r: Value


def qr(input: Value, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Columns of length 1 at right angles, and an upper triangle: q · r = input.

    Args:
        input: Shape [..., n, m]; a float dtype.
        full_matrices: Fill q up to a square.
        name: Ignored.

    Raises:
        InvalidArgumentError: the input is no matrix.
        UnimplementedError: a gradient of a matrix with more columns than rows, or of the full q, was asked for.

    Gradient: to any order, batched. Remembers its output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/qr
    """
    return Qr(*_qr(as_operand(input), full=bool(full_matrices)))
