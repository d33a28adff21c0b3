"""`tf.linalg`: matrices."""

from minitape.ops.making import eye
from minitape.ops.products import (
    diag,
    diag_part,
    einsum,
    matmul,
    matvec,
    tensordot,
    trace,
)

__all__ = ["diag", "diag_part", "einsum", "eye", "matmul", "matvec", "tensordot", "trace"]
