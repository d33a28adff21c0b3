"""A tensor in numbers: what a trace keeps of a value (docs/trace-format.md, `T`)."""

import math
from typing import Any

import numpy as np

DATA_LIMIT = 64
STRIP_CELLS = 16


def summarise(array: Any, identity: int, name: str | None, dtype: str) -> dict[str, Any]:
    """Shape, dtype and numbers of `array` as JSON can hold them."""
    array = np.asarray(array)
    summary: dict[str, Any] = {
        "id": identity,
        "name": name,
        "shape": list(array.shape),
        "dtype": dtype,
        "n": int(array.size),
    }
    if array.dtype.kind not in "biufc":
        return summary | dict.fromkeys(("min", "max", "mean", "std", "l2")) | {
            "zeros": 0, "nan": 0, "inf": 0,
            "data": [_text(each) for each in array.reshape(-1)[:DATA_LIMIT]],
        }  # fmt: skip
    if array.size == 1 and array.dtype.kind != "c":
        return summary | _of_one(array)
    flat = array.reshape(-1)
    flat = np.abs(flat) if array.dtype.kind == "c" else flat.astype(np.float64, copy=False)
    total = np.add.reduce(flat) if flat.size else 0.0
    if math.isfinite(total):
        finite, nan, inf = flat, 0, 0
    else:  # only then is it worth counting
        good = np.isfinite(flat)
        finite, nan = flat[good], int(np.isnan(flat).sum())
        inf = int(flat.size - good.sum()) - nan
        total = np.add.reduce(finite)
    summary |= _moments(finite, total)
    summary |= {"zeros": int(flat.size - np.count_nonzero(flat)), "nan": nan, "inf": inf}
    if array.size <= DATA_LIMIT:
        summary["data"] = _plain(array)
    if array.ndim:
        summary["strip"] = _strip(flat)
    return summary


def _of_one(array: Any) -> dict[str, Any]:
    """The facts about a single number: most values of a scalar program, and not worth NumPy's start-up costs."""
    number = float(array.item())
    digits = _digits(number)
    if not math.isfinite(number):
        facts = dict.fromkeys(("min", "max", "mean", "std", "l2"))
    else:
        l2 = math.sqrt(number * number)
        facts = {
            "min": digits,
            "max": digits,
            "mean": digits or 0.0,  # a mean is a sum that starts from zero: that of -0.0 is 0.0
            "std": _spread(l2, number, 1),
            "l2": digits if l2 == number > 0 else _digits(l2),
        }
    facts |= {
        "zeros": int(number == 0),
        "nan": int(math.isnan(number)),
        "inf": int(math.isinf(number)),
        "data": _plain(array),
    }
    if array.ndim:
        facts["strip"] = [digits]
    return facts


def _moments(finite: Any, total: Any) -> dict[str, Any]:
    if not finite.size:
        return dict.fromkeys(("min", "max", "mean", "std", "l2"))
    mean = float(total / finite.size)
    l2 = float(np.sqrt(np.dot(finite, finite)))
    return {
        "min": _digits(np.minimum.reduce(finite)),
        "max": _digits(np.maximum.reduce(finite)),
        "mean": _digits(mean),
        "std": _spread(l2, mean, finite.size),
        "l2": _digits(l2),
    }


def _spread(l2: float, mean: float, size: int) -> float:
    """The standard deviation, from the root of the sum of squares."""
    return _digits(math.sqrt(max(l2 * l2 / size - mean * mean, 0.0)))


def _digits(number: float) -> float:
    """Seven digits: what float32 has."""
    return float(f"{number:.7g}")


def _strip(flat: Any) -> list[float]:
    cells = min(STRIP_CELLS, flat.size)
    if not cells:
        return []
    if cells == flat.size:
        return [_digits(each) for each in flat.tolist()]
    edges = np.arange(cells + 1) * flat.size // cells
    means = np.add.reduceat(flat, edges[:-1]) / np.diff(edges)
    return [_digits(mean) for mean in means.tolist()]


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
    return np.array(plain).reshape(array.shape).tolist()


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
