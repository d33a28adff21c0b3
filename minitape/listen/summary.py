"""A tensor in numbers: what a trace keeps of a value (docs/trace-format.md, `T`)."""

import math
from typing import Any

from numpy import abs as absolute

# By name, so that a program which puts its own functions in NumPy's places does not reach them.
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
)
from numpy import array as array_of

DATA_LIMIT = 64
STRIP_CELLS = 16
_NARROW = (
    "float32",
    "float16",
    "bfloat16",
)  # told with their own few digits, not with those of their float64
_LARGE = 4096  # float32 of so many is summed as it is: to widen it first would take twice as long as all the rest


def summarise(array: Any, identity: int, name: str | None, dtype: str) -> dict[str, Any]:
    """Shape, dtype and numbers of `array` as JSON can hold them."""
    array = asarray(array)
    size, kind = array.size, array.dtype.kind
    if size == 1 and kind in "biuf":
        return _of_one(array, identity, name, dtype)
    summary: dict[str, Any] = {
        "id": identity,
        "name": name,
        "shape": list(array.shape),
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
    elif size < _LARGE or array.dtype != float32:
        flat = flat.astype(float64, copy=False)
    summary |= _facts(flat)
    if size <= DATA_LIMIT:
        summary["data"] = _plain(array)
    if array.ndim:
        summary["strip"] = summary.pop("means")
    else:
        del summary["means"]
    return summary


def _facts(flat: Any) -> dict[str, Any]:
    """Everything about a row of real numbers; each pass over it serves more than one fact."""
    sums = _sums(flat)
    total = math.fsum(sums)
    if math.isfinite(total):
        moments, nan, inf = _moments(flat, total), 0, 0
    else:  # only then is it worth counting
        good = isfinite(flat)
        finite, nan = flat[good].astype(float64), int(isnan(flat).sum())
        inf = int(flat.size - good.sum()) - nan
        moments = _moments(finite, float(add.reduce(finite)))
    is_on_one_side = moments["min"] is not None and (moments["min"] > 0 or moments["max"] < 0)
    zeros = 0 if is_on_one_side and not nan else int(count_nonzero(flat == 0))
    return moments | {"zeros": zeros, "nan": nan, "inf": inf, "means": _strip(flat, sums)}


def _sums(flat: Any) -> list[float]:
    """The sums of at most 16 equal stretches: what strip and mean are made of, in one pass."""
    size = flat.size
    cells = min(STRIP_CELLS, size)
    if cells == size:
        return flat.tolist()  # type: ignore[no-any-return]
    if size % cells == 0:
        return add.reduce(flat.reshape(cells, -1), axis=1).tolist()  # type: ignore[no-any-return]
    if flat.dtype == float32:  # stretch by stretch, for `reduceat` adds one number after the other
        edges = [i * size // cells for i in range(cells + 1)]
        return [float(add.reduce(flat[edges[i] : edges[i + 1]])) for i in range(cells)]
    return add.reduceat(flat, arange(cells) * size // cells).tolist()  # type: ignore[no-any-return]


def _of_one(array: Any, identity: int, name: str | None, dtype: str) -> dict[str, Any]:
    """A single number: most values of a scalar program, and not worth NumPy's start-up costs."""
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
        "mean": (digits or 0.0)
        if is_finite
        else None,  # a sum that starts from zero: that of -0.0 is 0.0
        "std": 0.0 if is_finite else None,
        "l2": abs(digits) if is_finite else None,
        "zeros": int(number == 0),
        "nan": int(number != number),
        "inf": int(not is_finite and number == number),
        "data": _shortest(number, digits, array) if dtype in _NARROW else array.tolist(),
    }
    if array.ndim:
        summary["strip"] = [digits]
        if dtype in _NARROW:
            summary["data"] = array_of(summary["data"]).reshape(array.shape).tolist()
    return summary


def _shortest(number: float, digits: float, array: Any) -> float:
    """The number with the fewest digits that give it again in its own dtype."""
    if array.dtype == float32:
        for few in (float(f"{number:.6g}"), digits):
            if float32(few) == number:
                return few
    return float(str(array.reshape(())[()]))


def _moments(finite: Any, total: float) -> dict[str, Any]:
    if not finite.size:
        return dict.fromkeys(("min", "max", "mean", "std", "l2"))
    size = finite.size
    mean = total / size
    squares = float(dot(finite, finite))
    if finite.dtype == float32:
        if not math.isfinite(squares):  # too large for float32
            return _moments(finite.astype(float64), total)
        if (
            squares < 2 * size * mean * mean
        ):  # what is left of the squares without the mean would be rounding
            around = finite - float32(mean)
            spread = math.sqrt(max(float(dot(around, around)) / size, 0.0))
        else:
            spread = math.sqrt(squares / size - mean * mean)
        digits = _six_digits
    else:
        spread = math.sqrt(max(squares / size - mean * mean, 0.0))
        digits = _digits
    return {
        "min": _digits(minimum.reduce(finite)),
        "max": _digits(maximum.reduce(finite)),
        "mean": digits(mean),
        "std": digits(spread),
        "l2": digits(math.sqrt(squares)),
    }


def _digits(number: float) -> float:
    """Seven digits: what float32 has."""
    return float(f"{number:.7g}")


def _six_digits(number: float) -> float:
    """What is left of seven where many were added in float32."""
    return float(f"{number:.6g}")


def _strip(flat: Any, sums: list[float]) -> list[float]:
    """The means of the stretches that have these sums."""
    cells, size = len(sums), flat.size
    if cells < size:
        edges = [i * size // cells for i in range(cells + 1)]
        sums = [sums[i] / (edges[i + 1] - edges[i]) for i in range(cells)]
    form = "%.6g " if flat.dtype == float32 else "%.7g "
    return [float(each) for each in (form * cells % tuple(sums)).split()]


def _plain(array: Any) -> Any:
    kind = array.dtype.kind
    # The shortest text that gives the same float32, not the digits of its float64.
    if kind == "f" and array.dtype.itemsize < 8:
        plain: list[Any] = [float(str(each)) for each in array.reshape(-1)]
    elif kind == "c":
        plain = [str(each) for each in array.reshape(-1)]
    else:
        return array.tolist()
    if array.ndim <= 1:
        return plain if array.ndim else plain[0]
    return array_of(plain).reshape(array.shape).tolist()


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
