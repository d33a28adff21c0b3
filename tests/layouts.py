"""The same array with different memory layouts.

    LAYOUTS     functions by name; each returns an array with the shape and values of its argument

"big-endian" also has a different NumPy dtype. For an array with at most one element, some layouts are the same as the ordinary
one.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any


def not_aligned(x: Array) -> Array:
    """Return an array whose elements are misaligned by one byte, as in a packed record of a file."""
    records = np.zeros(x.shape, np.dtype([("tag", "u1"), ("x", x.dtype)]))
    records["x"] = x
    return records["x"]


def read_only(x: Array) -> Array:
    frozen = np.array(x)
    frozen.flags.writeable = False
    return frozen


def with_gaps(x: Array) -> Array:
    """Return every second column of a wider array."""
    wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype) if x.ndim else np.zeros(1, x.dtype)
    view = wide[..., ::2] if x.ndim else wide[0, ...]
    view[...] = x
    return view


def with_negative_strides(x: Array) -> Array:
    reverse = (slice(None, None, -1),) * x.ndim
    return np.ascontiguousarray(x[reverse])[reverse] if x.ndim else np.array(x)


def swapped_axes(x: Array) -> Array:
    """Return an array in C order except for the last two axes, like a stack of transposed matrices."""
    return np.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2) if x.ndim > 1 else np.array(x)


def big_endian(x: Array) -> Array:
    return x.astype(x.dtype.newbyteorder(">"))


def in_fortran_order(x: Array) -> Array:
    return np.array(x, order="F")


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "Fortran order": in_fortran_order,
    "swapped axes": swapped_axes,
    "negative strides": with_negative_strides,
    "with gaps": with_gaps,
    "not aligned": not_aligned,
    "read-only": read_only,
    "big-endian": big_endian,
}
