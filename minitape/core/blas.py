"""Matrix products, and the number of threads that NumPy's BLAS uses for them.

A BLAS divides a product among threads if the matrices are about 64 × 64 or larger. With idle cores this saves a fraction of a
millisecond. If other programs use the cores, each thread waits for its turn, and the product waits for the slowest thread. A
training step of a small network then takes a tenth of a second instead of two milliseconds. Therefore a product that one core
computes in a millisecond or two runs on one thread. Only a larger product uses all threads of the BLAS.

The limit applies only while the product runs, so the user's own NumPy code has all its threads. The package threadpoolctl sets
the limit and is imported at the first such product. Without this package, the BLAS decides. `OPENBLAS_NUM_THREADS=1` (or
`MKL_NUM_THREADS`) in the environment sets one thread for everything.

Source: https://github.com/joblib/threadpoolctl
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any

import numpy as np

from minitape.core.values import Array

# Numbers of multiplications. Below the first, a BLAS uses one thread in any case; the second takes one core 1 to 2 ms.
_SHARED_FROM = 2**18
_WORTH_SHARING = 2**26
# Solving or factorizing a matrix consists of many small products, some of which use threads even for very small matrices.
_FACTORS_SHARED_FROM = 2**12


def product(a: Array, b: Array) -> Array:
    """Return the product of two matrices, or of each pair in two batches of matrices."""
    if _SHARED_FROM < a.size * b.shape[-1] <= _WORTH_SHARING:
        with one_thread():
            return np.matmul(a, b)
    return np.matmul(a, b)


def factored(kernel: Callable[..., Any], *matrices: Array, **settings: Any) -> Any:
    """Call a kernel of `np.linalg`, on one thread if the matrices are small; such a kernel takes several times as long as one
    product.
    """
    first = matrices[0]
    if (
        first.ndim > 1
        and _FACTORS_SHARED_FROM <= first.size * min(first.shape[-2:]) <= _WORTH_SHARING
    ):
        with one_thread():
            return kernel(*matrices, **settings)
    return kernel(*matrices, **settings)


def one_thread() -> AbstractContextManager[Any]:
    """Return a context manager in which the BLAS uses one thread, if threadpoolctl is installed."""
    blas = _limit()
    return _NO_LIMIT if blas is None else blas.limit(limits=1)


_NO_LIMIT = nullcontext()


@lru_cache(maxsize=1)
def _limit() -> Any:
    """Return the BLAS to limit; None if it has only one thread."""
    blas = blas_in_use()
    if blas is None or all(library["num_threads"] == 1 for library in blas.info()):
        return None
    return blas


def blas_in_use() -> Any:
    """Return the BLAS libraries of this process as threadpoolctl reports them; None if it is not installed."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController().select(user_api="blas")
