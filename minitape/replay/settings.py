"""Converts the attributes of a recorded op to the form that minitape's primitives accept. Lists become tuples, and names of
dtypes become dtypes."""

import functools
import inspect
from typing import Any

import numpy as np

from minitape.core.dtypes import as_dtype
from minitape.core.primitive import Primitive
from minitape.ops.fields.pooling import Box
from minitape.ops.slicing import Cut
from minitape.ops.windows import Window

_DTYPES = ("dtype", "out_type", "out_idx")
_NOT_IN_JSON = ("NaN", "Infinity", "-Infinity")


def settings_of(primitive: Primitive, attrs: dict[str, Any]) -> dict[str, Any] | None:
    """Return the keyword arguments for the kernel of `primitive`; None if the attributes do not fit.

    Raises:
        TypeError: a value is invalid, such as a dtype that does not exist.
    """
    settings = {name: _setting(name, value) for name, value in attrs.items()}
    return settings if _fit(primitive, settings) else None


def _setting(name: str, value: Any) -> Any:
    if name in _DTYPES and value is not None:
        return as_dtype(value).numpy
    value = _as_tuples(value)
    if name == "window":
        return Window(*value)
    if name == "box":
        return Box(*value)
    if name == "key":
        return tuple(Cut(*each) if isinstance(each, tuple) else each for each in value)
    return value


def _as_tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_as_tuples, value))
    return float(value) if value in _NOT_IN_JSON else value


def _fit(primitive: Primitive, settings: dict[str, Any]) -> bool:
    """Return whether the kernel takes exactly these keywords."""
    keywords = _keywords(primitive)
    if keywords is None:
        return True
    needed = {name for name, is_needed in keywords.items() if is_needed}
    return needed <= settings.keys() <= keywords.keys()


@functools.cache
def _keywords(primitive: Primitive) -> dict[str, bool] | None:
    """Return the keywords of a kernel, and which of them are required; None if it takes any."""
    if isinstance(primitive.kernel, np.ufunc):
        return {}  # no op passes settings to a ufunc, whose signature `inspect` knows only from NumPy 2.4 on
    try:
        parameters = inspect.signature(primitive.kernel).parameters.values()
    except ValueError:
        return None  # a function of NumPy in C, which has a signature only from NumPy 2.4 on
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return None
    return {
        each.name: each.default is each.empty
        for each in parameters
        if each.kind is each.KEYWORD_ONLY
    }
