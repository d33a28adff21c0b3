"""Matrices taken apart: triangles, eigenvalues, roots, logarithms, and matrices with a few diagonals."""

from typing import Any

import numpy as np

from programs.case import Case, rounds, table
from programs.slopes import or_refused, slopes

RANDOM = np.random.default_rng(5)
SQUARE = (RANDOM.normal(size=(2, 3, 3)) + 3 * np.eye(3)).round(3)
DEFINITE = (SQUARE @ SQUARE.swapaxes(-1, -2)).round(3).tolist()
OTHER = (RANDOM.normal(size=(2, 3, 3)) * 0.3).round(3).tolist()
COLUMNS = RANDOM.normal(size=(2, 3, 2)).round(3).tolist()
DIAGONALS = (RANDOM.normal(size=(2, 3, 3)) + np.array([[0.0], [4.0], [0.0]])).round(3).tolist()
VECTORS = RANDOM.normal(size=(2, 3)).round(3).tolist()
SQUARE = SQUARE.tolist()

# A rounding of a matrix moves what is made of its inverse by many.
SOLVED = rounds(1e-10, "solved by other orders of elimination")


def lu(tf: Any, np: Any) -> Any:
    real = tf.constant(SQUARE, tf.float64)
    turned = tf.reverse(real, [-2])
    return [tf.linalg.lu(real), tf.linalg.lu(turned), tf.linalg.lu(turned, tf.int64)[1]]


def lu_of_complex_numbers(tf: Any, np: Any) -> Any:
    z = tf.complex(tf.constant(SQUARE, tf.float64), tf.constant(OTHER, tf.float64))
    return tf.linalg.lu(z)


def what_lu_gave(tf: Any, np: Any) -> Any:
    x = tf.reverse(tf.constant(SQUARE, tf.float64), [-2])
    parts = tf.linalg.lu(x)
    rhs = tf.constant(COLUMNS, tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([parts.lu, rhs])
        solved = tf.linalg.lu_solve(*parts, rhs)
        whole = tf.linalg.lu_reconstruct(*parts)
        inverse = tf.linalg.lu_matrix_inverse(*parts)
    found = [tape.gradient(y, [parts.lu, rhs]) for y in (solved, whole, inverse)]
    return [solved, whole, inverse, found]


def lu_has_no_gradient(tf: Any, np: Any) -> Any:
    x = tf.constant(SQUARE)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.lu_reconstruct(*tf.linalg.lu(x))
    return or_refused(lambda: tape.gradient(y, x))


def _sorted(tf: Any, e: Any) -> Any:
    """Eigenvalues come in no order."""
    order = tf.argsort(tf.math.real(e) + 0.1 * tf.math.imag(e), axis=-1)
    return tf.gather(e, order, batch_dims=len(e.shape) - 1)


def logm(tf: Any, np: Any) -> Any:
    z = tf.complex(tf.constant(SQUARE, tf.float64), tf.constant(OTHER, tf.float64))
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = tf.linalg.logm(z)
    return [y, or_refused(lambda: tape.gradient(y, z))]


def eigh_tridiagonal_with_vectors(tf: Any, np: Any) -> Any:
    alpha, beta = tf.constant([1.0, 2.0, 4.0]), tf.constant([0.5, -0.25])
    e, v = tf.linalg.eigh_tridiagonal(alpha, beta, eigvals_only=False)
    part = tf.linalg.eigh_tridiagonal(alpha, beta, select="i", select_range=(1, 2))
    return [e, tf.abs(v), part]


def sqrtm_of_complex_numbers(tf: Any, np: Any) -> Any:
    """The numbers only: TensorFlow's gradient lacks a conjugate, as differences tell."""
    z = tf.complex(tf.constant(SQUARE, tf.float64), tf.constant(OTHER, tf.float64))
    return tf.linalg.sqrtm(z)


def sizes_of_eigenvectors(tf: Any, np: Any) -> Any:
    """What no phase of a vector changes, and its slope."""
    x = tf.constant(SQUARE, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        e, v = tf.linalg.eig(x)
        loss = tf.reduce_sum(tf.abs(v) ** 4) + tf.reduce_sum(tf.abs(e))
    return [loss, tape.gradient(loss, x)]


OPS = {
    "sqrtm": (lambda tf, x: tf.linalg.sqrtm(x), DEFINITE),
    "sqrtm_of_no_symmetric_matrix": (lambda tf, x: tf.linalg.sqrtm(x), SQUARE),
    "eigvals": (lambda tf, x: _sorted(tf, tf.linalg.eigvals(x)), SQUARE),
    "eigvals_of_complex_numbers": (
        lambda tf, a, b: _sorted(tf, tf.linalg.eigvals(tf.complex(a, b))),
        SQUARE,
        OTHER,
    ),
    "eig_of_eigenvalues": (lambda tf, x: _sorted(tf, tf.linalg.eig(x)[0]), SQUARE),
    "tridiagonal_solve": (
        lambda tf, d, x: tf.linalg.tridiagonal_solve(d, x),
        DIAGONALS,
        COLUMNS,
    ),
    "tridiagonal_solve_of_vectors": (
        lambda tf, d, x: tf.linalg.tridiagonal_solve(d, x),
        DIAGONALS,
        VECTORS,
    ),
    "tridiagonal_solve_of_a_matrix": (
        lambda tf, d, x: tf.linalg.tridiagonal_solve(d, x, diagonals_format="matrix"),
        SQUARE,
        VECTORS,
    ),
    "tridiagonal_solve_of_a_sequence": (
        lambda tf, d, x: tf.linalg.tridiagonal_solve(
            (d[:, 0], d[:, 1], d[:, 2]), x, diagonals_format="sequence"
        ),
        DIAGONALS,
        VECTORS,
    ),
    "tridiagonal_matmul": (
        lambda tf, d, x: tf.linalg.tridiagonal_matmul(d, x),
        DIAGONALS,
        COLUMNS,
    ),
    "banded_triangular_solve": (
        lambda tf, d, x: tf.linalg.banded_triangular_solve(d[:, 1:], x),
        DIAGONALS,
        COLUMNS,
    ),
    "banded_triangular_solve_above": (
        lambda tf, d, x: tf.linalg.banded_triangular_solve(d[:, :2], x, lower=False),
        DIAGONALS,
        COLUMNS,
    ),
    "banded_triangular_solve_turned": (
        lambda tf, d, x: tf.linalg.banded_triangular_solve(d[:, 1:], x, adjoint=True),
        DIAGONALS,
        COLUMNS,
    ),
}


def _complex(op: Any) -> Any:
    return (lambda tf, a, b: op(tf, tf.complex(a, b)), SQUARE, OTHER)


def _definite(tf: Any, z: Any) -> Any:
    return tf.matmul(z, z, adjoint_b=True)


# Bases may turn by a phase, or a sign: what none of them changes is compared.
FACTORS = {
    "cholesky_of_complex_numbers": _complex(lambda tf, z: tf.linalg.cholesky(_definite(tf, z))),
    "eigh_of_complex_numbers": _complex(
        lambda tf, z: [
            tf.linalg.eigh(_definite(tf, z))[0],
            tf.abs(tf.linalg.eigh(_definite(tf, z))[1]),
        ]
    ),
    "svd_of_complex_numbers": _complex(
        lambda tf, z: [
            tf.linalg.svd(z)[0],
            tf.abs(tf.linalg.svd(z)[1]),
            tf.abs(tf.linalg.svd(z)[2]),
        ]
    ),
    "svd_of_wide_complex_numbers": _complex(lambda tf, z: tf.abs(tf.linalg.svd(z[:, :2])[2])),
    "qr_of_complex_numbers": _complex(lambda tf, z: tf.abs(tf.linalg.qr(z)[0])),
    "qr_of_wide_complex_numbers": _complex(lambda tf, z: tf.abs(tf.linalg.qr(z[:, :2])[1])),
    "svd_with_full_bases": (
        lambda tf, x: [tf.abs(each) for each in tf.linalg.svd(x[:, :2], full_matrices=True)],
        SQUARE,
    ),
    "svd_of_a_tall_matrix_with_full_bases": (
        lambda tf, x: [tf.abs(each) for each in tf.linalg.svd(x[:, :, :2], full_matrices=True)],
        SQUARE,
    ),
    "svd_of_a_wide_matrix": (
        lambda tf, x: [tf.abs(each) for each in tf.linalg.svd(x[:, :2])],
        SQUARE,
    ),
    "qr_of_a_wide_matrix": (
        lambda tf, x: [tf.abs(each) for each in tf.linalg.qr(x[:, :2])],
        SQUARE,
    ),
    "qr_with_a_full_basis": (
        lambda tf, x: [tf.abs(each) for each in tf.linalg.qr(x, full_matrices=True)],
        SQUARE,
    ),
}


def _is_complex_svd(name: str) -> bool:
    return name.startswith("svd") and name.endswith("complex_numbers")


def full_bases_that_are_filled_up_by_more(tf: Any, np: Any) -> Any:
    x = tf.constant(SQUARE)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        u = tf.linalg.svd(x[:, :1], full_matrices=True)[1]
        q = tf.linalg.qr(x[:, :, :2], full_matrices=True)[0]
    return [or_refused(lambda: tape.gradient(u, x)), or_refused(lambda: tape.gradient(q, x))]


def matrices_with_nan(tf: Any, np: Any) -> Any:
    x = tf.constant([[[np.nan, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]]])
    return tf.linalg.svd(x, compute_uv=False)


REFUSED = {
    "eigh_of_nan": lambda tf: tf.linalg.eigh(tf.constant([[np.nan, 0.0], [0.0, 1.0]])),
    "lu_of_zeros": lambda tf: tf.linalg.lu(tf.zeros((2, 2))),
    "lu_of_no_square": lambda tf: tf.linalg.lu(tf.ones((2, 3))),
    "sqrtm_of_no_square": lambda tf: tf.linalg.sqrtm(tf.ones((2, 3))),
    "logm_of_floats": lambda tf: tf.linalg.logm(tf.ones((2, 2))),
    "unknown_format": lambda tf: tf.linalg.tridiagonal_solve(
        tf.constant(DIAGONALS), tf.constant(VECTORS), diagonals_format="rows"
    ),
    "too_few_diagonals": lambda tf: tf.linalg.tridiagonal_solve(
        tf.constant(DIAGONALS)[:, :2], tf.constant(VECTORS)
    ),
}

TABLE: tuple[Case, ...] = table(
    {
        **{
            name: SOLVED(slopes(op, *inputs, forward="eig" not in name))
            for name, (op, *inputs) in OPS.items()
        },
        **{
            # TensorFlow's second order of a complex svd is not the slope of its first, as differences tell.
            name: SOLVED(slopes(op, *inputs, second=not _is_complex_svd(name), forward=False))
            for name, (op, *inputs) in FACTORS.items()
        },
        **{f"refused_{name}": (lambda tf, np, op=op: op(tf)) for name, op in REFUSED.items()},
    }
)
