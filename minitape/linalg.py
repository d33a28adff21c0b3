"""`tf.linalg`: matrices."""

from minitape.ops.making import eye
from minitape.ops.products import diag, diag_part, einsum, matmul, matvec, tensordot, trace
from minitape.ops.statistics import l2_normalize, norm

__all__ = [
    "diag",
    "diag_part",
    "einsum",
    "eye",
    "l2_normalize",
    "matmul",
    "matvec",
    "norm",
    "tensordot",
    "trace",
]
