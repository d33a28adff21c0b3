"""The weights of the input rows for each output row of a resized image.

An output row lies between input rows, and is a weighted sum of those around it. So resizing an image is a multiplication by
two matrices, one for its rows and one for its columns, and each method computes such a matrix in its own way:

    nearest                     a single 1 in each row
    bilinear                    the two neighbors, weighted by distance
    bicubic                     four neighbors, two of them with negative weights
    area                        all input rows that the output row covers, weighted by overlap
    triangle ... mitchellcubic  a kernel centered at the output row; wider than one row with antialiasing

All weights are computed in float32, so that they are equal to TensorFlow's.

Source: TensorFlow's kernels, core/kernels/image; R. Keys, "Cubic convolution interpolation for digital image processing" (1981);
D. Mitchell, A. Netravali, "Reconstruction filters in computer graphics" (1988).
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from minitape.core.values import Array

_f32 = np.float32


@lru_cache(maxsize=64)
def weights(method: str, old: int, new: int, antialias: bool) -> Array:
    """Return the matrix [new, old] of a method. The matrix is cached, so it is read-only.

    Args:
        method: A method of `tf.image.resize`.
        old: The number of input rows.
        new: The number of output rows.
        antialias: Whether the kernel is widened if rows are skipped.
    """
    matrix = (
        _FILLED[method](old, new) if method in _FILLED else _covered(method, old, new, antialias)
    )
    matrix.setflags(write=False)
    return matrix


def nearest_rows(old: int, new: int) -> Array:
    """Return the index of the input row that each output row copies."""
    middles = (np.arange(new, dtype=_f32) + _f32(0.5)) * _step(old, new)
    return np.minimum(np.floor(middles).astype(np.int64), old - 1)


def _step(old: int, new: int) -> Array:
    """Return the number of input rows for one output row."""
    return _f32(old) / _f32(new)


def _positions(old: int, new: int) -> Array:
    """Return the center of each output row, in units of input rows."""
    return (np.arange(new, dtype=_f32) + _f32(0.5)) * _step(old, new) - _f32(0.5)


def _nearest(old: int, new: int) -> Array:
    matrix = np.zeros((new, old), _f32)
    matrix[np.arange(new), nearest_rows(old, new)] = 1
    return matrix


def _bilinear(old: int, new: int) -> Array:
    positions, lines = _positions(old, new), np.arange(new)
    below = np.floor(positions)
    matrix = np.zeros((new, old), _f32)
    matrix[lines, np.maximum(below, 0).astype(int)] += 1 - (positions - below)
    matrix[lines, np.minimum(np.ceil(positions), old - 1).astype(int)] += positions - below
    return matrix


# The number of positions between two rows in TensorFlow's table of cubic weights.
_CUBIC_OFFSETS = 1024


def _bicubic(old: int, new: int) -> Array:
    positions, lines = _positions(old, new), np.arange(new)
    below = np.floor(positions)
    part = np.rint((positions - below) * _CUBIC_OFFSETS) / _f32(_CUBIC_OFFSETS)
    matrix = np.zeros((new, old), _f32)
    for neighbour in (-1, 0, 1, 2):
        rows = below.astype(int) + neighbour
        is_inside = (rows >= 0) & (rows < old)
        weight = _keys_cubic(abs(part - _f32(neighbour)))
        matrix[lines[is_inside], rows[is_inside]] = weight[is_inside]
    return matrix / matrix.sum(axis=1, keepdims=True, dtype=_f32)


def _area(old: int, new: int) -> Array:
    """Return the part of each input row between the start and the end of each output row."""
    step = _step(old, new)
    begin = (np.arange(new, dtype=_f32) * step)[:, None]
    end = (np.arange(1, new + 1, dtype=_f32) * step)[:, None]
    rows = np.arange(old, dtype=_f32)
    covered = np.minimum(rows + 1, end) - np.maximum(rows, begin)
    return (np.maximum(covered, 0) / step).astype(_f32)


_FILLED: Mapping[str, Callable[[int, int], Array]] = MappingProxyType(
    {
        "nearest": _nearest,
        "bilinear": _bilinear,
        "bicubic": _bicubic,
        "area": _area,
    }
)


# --- kernels centered at the output row ---


def _lanczos(radius: float) -> Callable[[Array], Array]:
    def curve(x: Array) -> Array:
        safe = np.maximum(x, _f32(1e-3))
        wave = radius * np.sin(np.pi * safe) * np.sin(np.pi * safe / radius)
        return np.where(x > radius, 0, np.where(x <= 1e-3, 1, wave / (np.pi**2 * safe**2)))

    return curve


def _keys_cubic(x: Array) -> Array:
    near = ((1.5 * x - 2.5) * x) * x + 1
    far = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x >= 2, 0, np.where(x >= 1, far, near)).astype(_f32)


def _mitchell_cubic(x: Array) -> Array:
    near = (((7 / 6) * x - 2) * x) * x + 8 / 9
    far = (((-7 / 18) * x + 2) * x - 10 / 3) * x + 16 / 9
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


_CURVES: Mapping[str, tuple[float, Callable[[Array], Array]]] = MappingProxyType(
    {
        "triangle": (1.0, lambda x: np.maximum(1 - x, 0)),
        "keyscubic": (2.0, _keys_cubic),
        "mitchellcubic": (2.0, _mitchell_cubic),
        "gaussian": (1.5, lambda x: np.where(x >= 1.5, 0, np.exp(-2 * x * x))),
        "lanczos3": (3.0, _lanczos(3.0)),
        "lanczos5": (5.0, _lanczos(5.0)),
    }
)


def _covered(method: str, old: int, new: int, antialias: bool) -> Array:
    """Return the kernel at the distance of each input row; it is widened for antialiasing if rows are skipped."""
    radius, curve = _CURVES[method]
    step = _f32(1) / (_f32(new) / _f32(old))
    width = max(step, _f32(1)) if antialias else _f32(1)
    middles = ((np.arange(new, dtype=_f32) + _f32(0.5)) * step)[:, None]
    distances = np.arange(old, dtype=_f32) + _f32(0.5) - middles
    row_weights = curve(abs(distances * (_f32(1) / width))).astype(_f32)
    row_weights[abs(distances) > radius * width] = 0
    totals = row_weights.sum(axis=1, keepdims=True, dtype=_f32)
    return row_weights / np.where(totals == 0, 1, totals).astype(_f32)
