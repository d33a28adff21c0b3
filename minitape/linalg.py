"""`tf.linalg`: matrices."""

from itertools import chain

from minitape.lazy_namespace import helpful_getattr, with_submodules
from minitape.ops.clipping import global_norm
from minitape.ops.creation import eye
from minitape.ops.diagonals import (
    band_part,
    diag,
    diag_part,
    set_diag,
    tensor_diag,
    tensor_diag_part,
    trace,
)
from minitape.ops.factorization import cholesky, eigh, eigvalsh, qr, svd
from minitape.ops.matrix_functions import cholesky_solve, expm, logdet, lstsq, matrix_rank, pinv
from minitape.ops.products import (
    adjoint,
    cross,
    einsum,
    matmul,
    matrix_transpose,
    matvec,
    tensordot,
)
from minitape.ops.solvers import det, inv, slogdet, solve, triangular_solve
from minitape.ops.statistics import l2_normalize, norm, normalize

# Modules that are imported when one of their names is first used.
_LATER = {
    "ops.matrices.bands": ("banded_triangular_solve", "tridiagonal_matmul", "tridiagonal_solve"),
    "ops.matrices.eigen": ("eig", "eigh_tridiagonal", "eigvals"),
    "ops.matrices.roots": ("logm", "sqrtm"),
    "ops.matrices.triangles": ("lu", "lu_matrix_inverse", "lu_reconstruct", "lu_solve"),
}

__getattr__ = with_submodules(__name__, _LATER, helpful_getattr(__name__))

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eigh",
    "eigvalsh",
    "einsum",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "lstsq",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
    *chain.from_iterable(_LATER.values()),
]
