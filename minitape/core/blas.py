"""Products of matrices, and on how many threads NumPy's BLAS makes them.

A BLAS shares products out among threads, from the size of two 64 × 64 matrices on. With idle cores that saves a part of a
millisecond. Where other programs keep the cores busy, each thread waits until it is its turn, and the product waits for the
slowest: a step of a small network then takes a tenth of a second instead of two milliseconds. So what one core does in a
millisecond or two, one core does; only larger work is left to as many threads as the BLAS has.

The limit holds while the product runs and no longer, so the user's own NumPy has the threads that the user gave it. Setting it
is the work of threadpoolctl, which is asked when the first such product comes; without it, all stays as the BLAS does it.
`OPENBLAS_NUM_THREADS=1` (or `MKL_NUM_THREADS`) in the environment sets one thread for everything.

Source: https://github.com/joblib/threadpoolctl
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any

import numpy as np

from minitape.core.values import Array

# In multiplications: below the first a BLAS uses one thread by itself; the second takes a core a millisecond or two.
_SHARED_FROM = 2**18
_WORTH_SHARING = 2**26
# To solve or to factor a matrix is many small products, some of which are shared from very small sizes on.
_FACTORS_SHARED_FROM = 2**12


def product(a: Array, b: Array) -> Array:
    """The product of two matrices, or of each of two stacks of them."""
    if _SHARED_FROM < a.size * b.shape[-1] <= _WORTH_SHARING:
        with one_thread():
            return np.matmul(a, b)
    return np.matmul(a, b)


def factored(kernel: Callable[..., Any], *matrices: Array, **settings: Any) -> Any:
    """What a kernel of `np.linalg` makes of matrices: it takes as long as to multiply the first by itself, some times over."""
    first = matrices[0]
    if (
        first.ndim > 1
        and _FACTORS_SHARED_FROM <= first.size * min(first.shape[-2:]) <= _WORTH_SHARING
    ):
        with one_thread():
            return kernel(*matrices, **settings)
    return kernel(*matrices, **settings)


def one_thread() -> AbstractContextManager[Any]:
    """A block in which the BLAS has one thread, where that can be told to it."""
    blas = _limit()
    return _NO_LIMIT if blas is None else blas.limit(limits=1)


_NO_LIMIT = nullcontext()


@lru_cache(maxsize=1)
def _limit() -> Any:
    """The BLAS to limit; None where it has one thread anyway."""
    blas = blas_in_use()
    if blas is None or all(library["num_threads"] == 1 for library in blas.info()):
        return None
    return blas


def blas_in_use() -> Any:
    """The BLAS libraries of this process as threadpoolctl sees them; None where it is not installed."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController().select(user_api="blas")
