"""Keeps the freed memory of arrays in the process, if the C library is glibc.

glibc returns freed memory at the end of its heap to the system once there is more of it than about twice the largest array
so far, and the next array gets it back page by page. In a program that creates and frees arrays of the same sizes at each
training step, that can take longer than the computation. The two settings of this module make glibc reuse the memory instead.

Source: https://man7.org/linux/man-pages/man3/mallopt.3.html
"""

import ctypes
import os
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # malloc.h
# The maximum number of bytes of freed memory that the process keeps at the end of its heap.
_MOST_KEPT = 256 << 20
_LARGEST_REUSED = (
    32 << 20
)  # in bytes, the largest value that glibc accepts; larger arrays get pages of their own


def keep_freed_memory() -> bool:
    """Let glibc reuse freed memory, unless the user's environment configures its allocator.

    Returns:
        Whether both settings were made.
    """
    is_set_by_user = any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ)
    if sys.platform != "linux" or is_set_by_user:
        return False
    # other C libraries do not have this function
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_REUSED) and mallopt(_M_TRIM_THRESHOLD, _MOST_KEPT)
    )
