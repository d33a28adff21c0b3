"""Computes the statistics that a trace stores for a tensor (docs/trace-format.md, `T`)."""

import math
from functools import lru_cache
from typing import Any

from numpy import abs as absolute

# Imported by name, so that a program that replaces functions of NumPy does not affect them.
from numpy import (
    add,
    arange,
    asarray,
    count_nonzero,
    dot,
    float32,
    float64,
    isfinite,
    isnan,
    maximum,
    minimum,
    ones,
)
from numpy import array as array_of

from minitape.tracer.packing import Extremes, Packing

DATA_LIMIT = 64
STRIP_CELLS = 16
# These dtypes are written with their own few digits, not with the digits of float64.
_NARROW = ("float32", "float16", "bfloat16")
_LARGE = 4096  # elements; larger float32 tensors are summed without conversion, which would take most of the time


def summarize(
    array: Any, identity: int, name: str | None, dtype: str, packing: Packing | None = None
) -> dict[str, Any]:
    """Return the shape, dtype and numbers of `array` as data for JSON; `packing` adds the elements."""
    if type(array) is float32:
        return _of_float32(array, identity, name, dtype)
    given = array = asarray(array)
    if array.dtype.kind == "V":  # for bfloat16, whose numbers are all representable in float32
        array = array.astype(float32)
    size, kind = array.size, array.dtype.kind
    if size == 1 and kind in "biuf":
        return _of_one(array, identity, name, dtype)
    summary: dict[str, Any] = {
        "id": identity,
        "name": name,
        "shape": [*array.shape],
        "dtype": dtype,
        "n": size,
    }
    if kind not in "biufc":
        summary |= dict.fromkeys(("min", "max", "mean", "std", "l2"))
        data = [_text(each) for each in array.reshape(-1)[:DATA_LIMIT]]
        return summary | {"zeros": 0, "nan": 0, "inf": 0, "data": data}
    flat = array.reshape(-1)
    if kind == "c":
        flat = absolute(flat)
    if size > DATA_LIMIT:
        is_summed_as_it_is = size >= _LARGE and flat.dtype == float32
        flat = flat if is_summed_as_it_is else flat.astype(float64, copy=False)
        down = None if packing is None else packing.sums_down(flat, given.shape)
        facts, means, extremes = _many(flat, down)
        summary |= facts
    else:
        facts, means = _few(flat.tolist())
        summary |= facts
        summary["data"] = _plain(array)
    if array.ndim:
        summary["strip"] = means
    if size > DATA_LIMIT and packing is not None:
        summary |= packing.of(given, flat, dtype, extremes, down)
    return summary


# Statistics of a flattened tensor of real numbers, and the means of its segments.
_Facts = tuple[dict[str, Any], list[float]]


def _few(row: list[float]) -> _Facts:
    """Return the statistics of a few numbers, for which Python is faster than a NumPy call."""
    size, total = len(row), sum(row)
    if not size or not math.isfinite(total):
        return _odd(array_of(row, float64))
    cells = min(STRIP_CELLS, size)
    sums = row if cells == size else [sum(row[a:b]) for a, b in _stretches(size, cells)]
    squares = sum([each * each for each in row])
    zeros = row.count(0.0)
    return _reported(size, (min(row), max(row), total, squares), sums, zeros=zeros)


def _many(flat: Any, down: Any) -> tuple[dict[str, Any], list[float], Extremes | None]:
    """Return the statistics of many numbers; each pass computes several of them with the fastest NumPy function."""
    is_even = down is not None and flat.size // down.shape[1] % STRIP_CELLS == 0
    sums = add.reduce(down, axis=1).tolist() if is_even else _sums(flat)
    total = sum(sums)
    if not math.isfinite(total):
        return *_odd(flat), None
    extremes = int(flat.argmin()), int(flat.argmax())
    least, most = map(flat.item, extremes)
    squares = float(flat.dot(flat))
    is_exact = flat.dtype == float64
    if not is_exact:
        mean = total / flat.size
        if not math.isfinite(squares):  # too large for float32
            return *_odd(flat), extremes
        # The difference of the mean of squares and the square of the mean would lose too many digits.
        if squares < 2 * flat.size * mean * mean:
            around = flat - float32(mean)
            squares = float(around.dot(around)) + flat.size * mean * mean
    zeros = 0 if least > 0 or most < 0 else _zeros(flat)
    moments = least, most, total, squares
    return *_reported(flat.size, moments, sums, zeros=zeros, is_exact=is_exact), extremes


def _zeros(flat: Any) -> int:
    # For floats, NumPy counts booleans fastest, if there are enough of them.
    return int(flat.size - count_nonzero(flat) if flat.size < _LARGE else count_nonzero(flat == 0))


def _reported(
    size: int,
    moments: tuple[float, float, float, float],
    sums: list[float],
    *,
    zeros: int,
    is_exact: bool = True,
) -> _Facts:
    """Return the minimum, maximum, sum and sum of squares as a trace stores them, and the means from the segments' sums."""
    least, most, total, squares = moments
    mean = total / size
    spread = math.sqrt(max(squares / size - mean * mean, 0.0))
    means = _means(size, sums)
    # All numbers are formatted together, because formatting and parsing each one separately takes three times as long.
    form = _SEVEN[len(sums)] if is_exact else _SIX[len(sums)]
    numbers = [
        *map(float, (form % (least, most, mean, spread, math.sqrt(squares), *means)).split())
    ]
    facts = {
        "min": numbers[0],
        "max": numbers[1],
        "mean": numbers[2],
        "std": _known(numbers[3]),
        "l2": _known(numbers[4]),
        "zeros": zeros,
        "nan": 0,
        "inf": 0,
    }
    return facts, numbers[5:]


def _known(number: float) -> float | None:
    """Return the number; None if it was too large to compute, such as the square of a number above 1e154."""
    return number if math.isfinite(number) else None


# float32 has seven digits; six of them are reliable after many additions.
_SEVEN = ["%.7g " * (5 + cells) for cells in range(STRIP_CELLS + 1)]
_SIX = ["%.7g %.7g " + "%.6g " * (3 + cells) for cells in range(STRIP_CELLS + 1)]


def _odd(flat: Any) -> _Facts:
    """Return the statistics of a row that contains NaN, or whose sum is not finite."""
    flat = flat.astype(float64)
    good = isfinite(flat)
    finite, nan = flat[good], int(isnan(flat).sum())
    counts = {
        "zeros": int(count_nonzero(flat == 0)),
        "nan": nan,
        "inf": int(flat.size - good.sum()) - nan,
    }
    means = _means(flat.size, _sums(flat))
    if good.all() and flat.size:  # each number is finite; only their sum is too large
        means = [each * flat.size for each in _means(flat.size, _sums(flat / flat.size))]
    means = [_digits(each) for each in means]
    if not finite.size:
        return dict.fromkeys(("min", "max", "mean", "std", "l2")) | counts, means
    mean, squares = float(add.reduce(finite) / finite.size), float(dot(finite, finite))
    moments = {
        "min": float(minimum.reduce(finite)),
        "max": float(maximum.reduce(finite)),
        "mean": mean,
        "std": math.sqrt(max(squares / finite.size - mean * mean, 0.0)),
        "l2": math.sqrt(squares),
    }
    return {key: _known(_digits(each)) for key, each in moments.items()} | counts, means


def _means(size: int, sums: list[float]) -> list[float]:
    """Return the means of the segments of a row with these sums."""
    cells = len(sums)
    if cells == size:
        return sums
    if size % cells == 0:
        length = size // cells
        return [each / length for each in sums]
    return [each / (b - a) for each, (a, b) in zip(sums, _stretches(size, cells), strict=True)]


@lru_cache(maxsize=256)
def _stretches(size: int, cells: int) -> list[tuple[int, int]]:
    """Return the start and end of each of a number of equal segments of a row."""
    return [(i * size // cells, (i + 1) * size // cells) for i in range(cells)]


@lru_cache(maxsize=256)
def _starts(size: int, cells: int) -> Any:
    return arange(cells) * size // cells


def _sums(flat: Any) -> list[float]:
    """Return the sums of at most 16 equal segments, from which the strip and the mean are computed in one pass."""
    size = flat.size
    cells = min(STRIP_CELLS, size)
    if cells == size:
        return flat.tolist()  # type: ignore[no-any-return]
    if size % cells:
        if flat.dtype == float32:  # `reduceat` adds one number after the other
            return [float(add.reduce(flat[a:b])) for a, b in _stretches(size, cells)]
        return add.reduceat(flat, _starts(size, cells)).tolist()  # type: ignore[no-any-return]
    length = _row_of(size // cells)
    if length > _LONGEST:
        return add.reduce(flat.reshape(cells, -1), axis=1).tolist()  # type: ignore[no-any-return]
    # A product with ones takes a third of the time, and is as exact for short rows.
    sums = flat.reshape(-1, length).dot(_ones(length, flat.dtype))
    if sums.size > cells:
        sums = add.reduce(sums.reshape(cells, -1), axis=1)
    return sums.tolist()  # type: ignore[no-any-return]


_LONGEST = 512


@lru_cache(maxsize=256)
def _row_of(length: int) -> int:
    """Return the length of short rows that segments of this length can be cut into, or the shortest possible length."""
    while length > _LONGEST and length % 2 == 0:
        length //= 2
    return length


@lru_cache(maxsize=256)
def _ones(length: int, dtype: Any) -> Any:
    return ones(length, dtype)


def _of_one(array: Any, identity: int, name: str | None, dtype: str) -> dict[str, Any]:
    """Return the summary of a scalar. Scalar programs have many of them, and calling NumPy for each is too slow."""
    number = array.item()
    digits = float(f"{number:.7g}")
    is_finite = number - number == 0
    summary = {
        "id": identity,
        "name": name,
        "shape": list(array.shape),
        "dtype": dtype,
        "n": 1,
        "min": digits if is_finite else None,
        "max": digits if is_finite else None,
        "mean": digits + 0.0
        if is_finite
        else None,  # the sum starts from zero, so that of -0.0 is 0.0
        "std": 0.0 if is_finite else None,
        "l2": abs(digits) if is_finite else None,
        "zeros": int(number == 0),
        "nan": int(number != number),
        "inf": int(not is_finite and number == number),
        # For a narrow dtype, the shortest decimal number that converts to the same value.
        "data": float(str(array.reshape(())[()])) if dtype in _NARROW else array.tolist(),
    }
    if array.ndim:
        summary["strip"] = [digits]
        if dtype in _NARROW:
            summary["data"] = array_of(summary["data"]).reshape(array.shape).tolist()
    return summary


def _of_float32(value: Any, identity: int, name: str | None, dtype: str) -> dict[str, Any]:
    """Return the summary of a float32 scalar in half the time, because most values of a scalar program are float32 scalars."""
    number = float(value)
    digits = float(f"{number:.7g}")
    if number - number != 0:
        return _of_one(asarray(value), identity, name, dtype)
    return {
        "id": identity,
        "name": name,
        "shape": [],
        "dtype": dtype,
        "n": 1,
        "min": digits,
        "max": digits,
        "mean": digits + 0.0,  # as in `_of_one`
        "std": 0.0,
        "l2": abs(digits),
        "zeros": 0 if digits else int(number == 0),
        "nan": 0,
        "inf": 0,
        "data": float(str(value)),
    }


def _digits(number: float) -> float:
    """Return the number with seven digits, the precision of float32."""
    return float(f"{number:.7g}")


def _plain(array: Any) -> Any:
    kind = array.dtype.kind
    if kind == "f" and array.dtype.itemsize < 8:
        plain: list[Any] = list(map(float, map(str, array.reshape(-1))))
    elif kind == "c":
        plain = [str(each) for each in array.reshape(-1)]
    else:
        return array.tolist()
    if array.ndim <= 1:
        return plain if array.ndim else plain[0]
    return array_of(plain).reshape(array.shape).tolist()


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
