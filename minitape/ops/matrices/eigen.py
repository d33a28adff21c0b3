"""Eigenvalues of general matrices and of symmetric tridiagonal matrices.

    eig, eigvals        A·V = V·diag(e): complex, even for a real matrix
    eigh_tridiagonal    for a symmetric tridiagonal matrix

If A changes by Ȧ, the eigenvalues change by the diagonal of V⁻¹·Ȧ·V, and the eigenvectors by its other elements; their norm
stays 1.

Source: M. Giles, "Collected matrix derivative results" (2008); C. Boeddeker et al., arXiv 1701.00392, equation 4.77.
"""

from typing import Any

import numpy as np

from minitape.core.arguments import listed, word
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, read_once
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, UnimplementedError
from minitape.ops.arithmetic import conj, reciprocal
from minitape.ops.axes import real_number
from minitape.ops.complex_numbers import _complex, _real, real
from minitape.ops.creation import zeros_like
from minitape.ops.diagonals import diag
from minitape.ops.factorization import eigh
from minitape.ops.products import flipped, matmul_primitive
from minitape.ops.rules import leading_axes
from minitape.ops.solvers import _as_row, _of_squares, _solve


def _eig_kernel(x: Array) -> tuple[Array, Array]:
    e, v = np.linalg.eig(x)
    wide = np.result_type(x.dtype, np.complex64)
    return e.astype(wide), v.astype(wide)


def _mirrored(x: Value) -> Value:
    return flipped(conj(x))


def _eig_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """V⁻ᴴ·(diag(ē) + F∘(Vᴴ·V̄ - VᴴV·diag of its real part))·Vᴴ with F_ij = conj(1/(e_j - e_i)), for conjugated cotangents."""
    ebar, vbar = ybar
    e, v = y
    size = v.shape[-1]
    terms = []
    if ebar is not None:
        terms.append(_as_row(conj(ebar)) * np.eye(size, dtype=raw_dtype(v)))
    if vbar is not None:
        off_diagonal = (1 - np.eye(size)).astype(raw_dtype(v))
        # The diagonal is not used; a 1 avoids 1/0.
        gaps = _as_row(e) - flipped(_as_row(e)) + np.eye(size, dtype=raw_dtype(v))
        inner = matmul_primitive(_mirrored(v), conj(vbar))
        real = _real(inner)
        along = _complex(real, zeros_like(real)) * np.eye(size, dtype=raw_dtype(v))
        turned = inner - matmul_primitive(matmul_primitive(_mirrored(v), v), along)
        terms.append(conj(reciprocal(gaps)) * off_diagonal * turned)
    middle = matmul_primitive(sum(terms[1:], terms[0]), _mirrored(v))
    whole = conj(_solve(_mirrored(v), middle))
    return _real(whole) if raw_dtype(x).kind == "f" else whole


_eig: Primitive = Primitive(
    "Eig",
    _of_squares("Eig", _eig_kernel),
    vjp=(_eig_vjp,),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = v⁻ᵀ·(diag ē + F∘(vᵀ·v̄ without the part along v))·vᵀ with F_ij = 1/(e_j - e_i)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
    outputs=2,
)


def eig(tensor: Value, name: str | None = None) -> tuple[Value, Value]:
    """Return the eigenvalues of matrices, and the eigenvectors as columns of norm 1.

    Args:
        tensor: A tensor of shape [..., n, n] with a float or complex dtype.
        name: Ignored.

    Returns:
        The eigenvalues [..., n] and the eigenvectors [..., n, n], complex, in no particular order. Each vector has an
        arbitrary phase.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient through the eigenvectors of equal
    eigenvalues is NaN. The tape keeps the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eig
    """
    e, v = _eig(as_operand(tensor))
    return e, v


def eigvals(tensor: Value, name: str | None = None) -> Value:
    """Return the eigenvalues of matrices, in no particular order.

    Args:
        tensor: A tensor of shape [..., n, n] with a float or complex dtype.
        name: Ignored.

    Returns:
        A tensor of shape [..., n] with a complex dtype.

    Raises:
        InvalidArgumentError: the matrix is not square.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eigvals
    """
    return eig(tensor)[0]


def eigh_tridiagonal(
    alpha: Value,
    beta: Value,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """Return the eigenvalues of a symmetric tridiagonal matrix in ascending order.

    Args:
        alpha: A tensor of shape [n]: the main diagonal; real.
        beta: A tensor of shape [n - 1]: the neighboring diagonal.
        eigvals_only: Whether to return only the eigenvalues, without the eigenvectors.
        select: "a" for all eigenvalues, "i" for a range of indices, "v" for a range of values.
        select_range: The two indices or values, both included.
        tol: Must be None.
        name: Ignored.

    Returns:
        The eigenvalues [k]; with `eigvals_only=False` also the eigenvectors [n, k]. For n = 1 the result is always `alpha`, as
        in TensorFlow.

    Raises:
        InvalidArgumentError: the shapes do not fit, or `select_range` is empty.
        TypeError: `select_range` is missing.
        UnimplementedError: `tol` is given.
        ValueError: `select` is unknown.

    Gradient: Derivatives of any order are supported. A tape records the whole matrix and `eigh`.

    Unlike in TensorFlow, the gradient is the derivative of the eigenvalues, not of the steps of TensorFlow's search algorithm.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eigh_tridiagonal
    """
    if tol is not None:
        raise UnimplementedError(
            f"`eigh_tridiagonal` does not support a tolerance, but got `tol={tol}`.",
            fix="use `tf.linalg.eigh_tridiagonal(alpha, beta)`, which computes with the full accuracy of the dtype",
        )
    a, b = read_once(alpha), read_once(beta)
    if len(a.shape) != 1 or tuple(b.shape) != (a.shape[0] - 1,):
        raise InvalidArgumentError(
            f"`eigh_tridiagonal` requires `alpha` of shape `[n]` and `beta` of shape `[n - 1]`, but their shapes are "
            f"{tuple(a.shape)} "
            f"and {tuple(b.shape)}.",
            fix="pass a `beta` with one element less than `alpha`",
            code="MT507",
        )
    if a.shape[0] == 1:
        return real(a)
    how = word(select, "select", ("a", "i", "v"))
    e, v = eigh(diag(a) + diag(b, k=-1) + diag(b, k=1))
    first, end = 0, a.shape[0]
    if how != "a":
        low, high = _limits(select_range, how)
        first, end = (int(low), int(high) + 1) if how == "i" else _between(e, low, high)
    chosen = e[first:end]
    return chosen if eigvals_only else (chosen, v[:, first:end])


def _limits(select_range: Any, select: str) -> tuple[float, float]:
    """Return the two ends of `select_range`; two equal indices select one eigenvalue, but two equal values select none."""
    low, high = (real_number(each) for each in listed(select_range, "select_range"))
    if low > high or (select == "v" and low == high):
        raise InvalidArgumentError(
            f"`eigh_tridiagonal`: `select_range` is empty, because it is {low} to {high}.",
            fix=f"pass `select_range=({high}, {low})`" if low > high else None,
            code="MT507",
        )
    return low, high


def _between(e: Value, low: float, high: float) -> tuple[int, int]:
    """Return the slice of the ascending `e` from `low` to `high`; an eigenvalue that exceeds an end by a rounding error is
    included.
    """
    values = np.asarray(e)
    slack = 2.1 * values.size * np.finfo(values.dtype).eps * np.max(np.abs(values))
    return (
        int(np.searchsorted(values, low - slack, side="left")),
        int(np.searchsorted(values, high + slack, side="right")),
    )
