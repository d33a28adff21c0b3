"""A tensor in numbers: what a trace keeps of a value (docs/trace-format.md, `T`)."""

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
    flat = array.reshape(-1)
    flat = np.abs(flat) if array.dtype.kind == "c" else flat.astype(np.float64, copy=False)
    total = float(np.add.reduce(flat)) if flat.size else 0.0
    if np.isfinite(total):
        finite, nan, inf = flat, 0, 0
    else:  # only then is it worth counting
        good = np.isfinite(flat)
        finite, nan = flat[good], int(np.isnan(flat).sum())
        inf = int(flat.size - good.sum()) - nan
    summary |= _moments(finite)
    summary |= {"zeros": int(flat.size - np.count_nonzero(flat)), "nan": nan, "inf": inf}
    if array.size <= DATA_LIMIT:
        summary["data"] = _plain(array)
    if array.ndim:
        summary["strip"] = _strip(flat)
    return summary


def _moments(finite: Any) -> dict[str, Any]:
    if not finite.size:
        return dict.fromkeys(("min", "max", "mean", "std", "l2"))
    mean = float(finite.mean())
    l2 = float(np.sqrt(np.dot(finite, finite)))
    spread = float(np.sqrt(max(l2 * l2 / finite.size - mean * mean, 0.0)))
    return {
        "min": _digits(finite.min()),
        "max": _digits(finite.max()),
        "mean": _digits(mean),
        "std": _digits(spread),
        "l2": _digits(l2),
    }


def _digits(number: Any) -> float:
    """Seven digits: what float32 has."""
    return float(f"{float(number):.7g}")


def _strip(flat: Any) -> list[float]:
    cells = min(STRIP_CELLS, flat.size)
    if not cells:
        return []
    edges = np.arange(cells + 1) * flat.size // cells
    means = np.add.reduceat(flat, edges[:-1]) / np.diff(edges)
    return [_digits(mean) for mean in means.tolist()]


def _plain(array: Any) -> Any:
    if array.dtype == np.float32 or array.dtype == np.float16:
        # The shortest text that gives the same float32, not the digits of its float64.
        return (
            np.array([float(str(each)) for each in array.reshape(-1)]).reshape(array.shape).tolist()
        )
    if array.dtype.kind == "c":
        return np.array([str(each) for each in array.reshape(-1)]).reshape(array.shape).tolist()
    return array.tolist()


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
