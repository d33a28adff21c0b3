"""The outcome of a program as JSON, in the same form for TensorFlow and for minitape.

observe(case, tf)  runs a case; returns the result or the error, and the warnings
describe(result)   a result as plain JSON: kind, dtype, shape, numbers
disagreements(ours, theirs) where two descriptions differ, as sentences
"""

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from programs.case import Case

# The names of TensorFlow's eager classes for Tensor and Variable.
KINDS = {
    "EagerTensor": "Tensor",
    "Tensor": "Tensor",
    "BaseResourceVariable": "Variable",
    "Variable": "Variable",
    "IndexedSlices": "IndexedSlices",
    "DType": "DType",
    "TensorShape": "TensorShape",
    "Reference": "Reference",
}

# float32 carries 24 bits: 6e-8 of a rounding. TensorFlow's vectorised kernels (Eigen, oneDNN) and
# NumPy's differ by one or two of those for each elementary function, and a gradient chains a few.
# In float64 the same few roundings of 1.1e-16 stay far below 1e-12.
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-6, "float64": 1e-12}
TOLERANCE |= {"complex64": 2e-6, "complex128": 1e-12}


@dataclass
class Outcome:
    """The outcome of a case; `error` is kept for the traceback and is not recorded."""

    record: dict[str, Any]
    error: Exception | None = None
    warned: list[str] = field(default_factory=list)


def observe(case: Case, tf: Any) -> Outcome:
    """Run a case, and describe what it returned or raised and which warnings it emitted."""
    tf.keras.backend.clear_session()  # otherwise layer names would continue the numbering of other programs
    error = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            record = {"result": describe(case(tf, np))}
        except Exception as raised:
            error = raised
            record = {"raises": [cls.__name__ for cls in _up_to_exception(type(raised))]}
    # NumPy says when it divides by zero, and future removals come and go with versions:
    # neither is about the program.
    passing = (RuntimeWarning, DeprecationWarning, PendingDeprecationWarning, FutureWarning)
    received = [each for each in caught if not issubclass(each.category, passing)]
    categories = sorted({each.category.__name__ for each in received})
    if categories:
        record["warns"] = categories
    return Outcome(record, error, [str(each.message) for each in received])


def _up_to_exception(cls: type) -> list[type]:
    mro = cls.__mro__
    return list(mro[: mro.index(Exception) + 1])


# --- describe ---


def describe(thing: Any) -> Any:
    """Return a result as JSON that names the type of each part."""
    if thing is None or isinstance(thing, bool | str) or type(thing) is int:
        return thing
    if type(thing) is float:
        return thing if math.isfinite(thing) else {"kind": "float", "value": str(thing)}
    if type(thing) is complex:
        return {"kind": "complex", "value": [thing.real, thing.imag]}
    if isinstance(thing, np.ndarray):
        return {"kind": "ndarray", **_numbers(thing, thing.dtype.name)}
    if isinstance(thing, np.generic):
        return {"kind": "NumPy scalar", **_numbers(np.asarray(thing), thing.dtype.name)}
    if isinstance(thing, type):
        return {"kind": "type", "name": thing.__name__}
    kind = next((KINDS[cls.__name__] for cls in type(thing).__mro__ if cls.__name__ in KINDS), None)
    return _described_structure(thing) if kind is None else _described_kind(kind, thing)


def _described_kind(kind: str, thing: Any) -> Any:
    match kind:
        case "DType":
            return {"kind": kind, "name": thing.name}
        case "TensorShape":
            return {"kind": kind, "value": thing.as_list()}
        case "Reference":
            return {"kind": kind}
        case "IndexedSlices":
            parts = ("values", "indices", "dense_shape")
            return {"kind": kind, **{part: describe(getattr(thing, part)) for part in parts}}
        case _:
            dtype = getattr(thing.dtype, "name", thing.dtype)  # a Keras variable's is a string
            return {"kind": kind, **_numbers(np.asarray(thing.numpy()), dtype)}


def _described_structure(thing: Any) -> Any:
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        parts = dict(zip(thing._fields, map(describe, thing), strict=True))
        return {"kind": type(thing).__name__, "fields": parts}
    if isinstance(thing, tuple):
        return {"kind": "tuple", "items": list(map(describe, thing))}
    if isinstance(thing, list):
        return list(map(describe, thing))
    if isinstance(thing, dict):
        return {"kind": "dict", "items": {str(key): describe(thing[key]) for key in thing}}
    return {"kind": type(thing).__name__}


def _numbers(array: Any, dtype: str) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(array.shape), "value": _nested(array)}


def _nested(array: Any) -> Any:
    if array.ndim:
        return [_nested(np.asarray(row, array.dtype)) for row in array]
    item = array[()]
    if isinstance(item, bytes):
        return item.decode()
    if item.dtype.name == "bfloat16":  # no float to NumPy
        item = np.float32(item)
    if isinstance(item, np.complexfloating):
        return [_number(item.real), _number(item.imag)]
    return _number(item) if isinstance(item, np.floating) else array.item()


def _number(item: Any) -> float | str:
    """Return the shortest decimal that represents this number in its dtype; NaN and infinity become strings, because JSON lacks
    them.
    """
    return float(str(item)) if np.isfinite(item) else str(item)


# --- compare ---


def disagreements(ours: Any, theirs: Any, rtol: float | None = None, at: str = "") -> Iterator[str]:
    """Return a sentence for each difference between minitape's description and the recorded one."""
    where = at or "the result"
    if isinstance(theirs, dict) and isinstance(ours, dict) and ours.get("kind") == theirs["kind"]:
        yield from _in_parts(ours, theirs, rtol, at)
    elif isinstance(theirs, list) and isinstance(ours, list):
        if len(ours) != len(theirs):
            yield f"{where} has {len(ours)} items, in TensorFlow {len(theirs)}"
        for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
            yield from disagreements(mine, other, rtol, f"{at}[{i}]")
    elif isinstance(theirs, float) and isinstance(ours, float):
        # A Python float in a result was read from a float32 tensor.
        if not _close(np.array(ours), np.array(theirs), rtol or TOLERANCE["float32"]):
            yield f"{where} is {ours}, in TensorFlow {theirs}"
    elif type(ours) is not type(theirs) or ours != theirs:
        yield f"{where} is {_short(ours)}, in TensorFlow {_short(theirs)}"


def _in_parts(ours: Any, theirs: Any, rtol: float | None, at: str) -> Iterator[str]:
    if "dtype" in theirs:
        yield from _in_numbers(ours, theirs, rtol, at)
        return
    for part in sorted(theirs.keys() | ours.keys()):
        mine, other = ours.get(part), theirs.get(part)
        if (part == "items" and isinstance(other, dict)) or part == "fields":
            if list(mine) != list(other):
                yield f"{at or 'the result'} has keys {list(mine)}, in TensorFlow {list(other)}"
            for key in sorted(mine.keys() & other.keys()):
                yield from disagreements(mine[key], other[key], rtol, f"{at}[{key!r}]")
        else:
            inner = at if part == "items" else f"{at}.{part}"
            yield from disagreements(mine, other, rtol, inner)


def _in_numbers(ours: Any, theirs: Any, rtol: float | None, at: str) -> Iterator[str]:
    where = at or "the result"
    for part in ("dtype", "shape"):
        if ours[part] != theirs[part]:
            yield f"{where} has {part} {ours[part]}, in TensorFlow {theirs[part]}"
            return
    dtype = theirs["dtype"]
    if dtype not in TOLERANCE:
        if ours["value"] != theirs["value"]:
            yield f"{where} is {_short(ours['value'])}, in TensorFlow {_short(theirs['value'])}"
        return
    mine, other = (np.array(each["value"], np.float64) for each in (ours, theirs))
    if not _close(mine, other, rtol or TOLERANCE[dtype]):
        yield f"{where} is {_short(ours['value'])}, in TensorFlow {_short(theirs['value'])}"


def _close(ours: Any, theirs: Any, rtol: float) -> bool:
    # The inputs are of order one, so a difference close to zero keeps their rounding errors.
    return bool(np.allclose(ours, theirs, rtol=rtol, atol=rtol, equal_nan=True))


def _short(description: Any) -> str:
    if isinstance(description, dict) and "value" in description:
        kind, dtype = description["kind"], description.get("dtype", "")
        return f"{kind} {dtype} {description['value']}"[:160]
    return repr(description)[:160]
