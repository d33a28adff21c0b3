"""Ops that pass values on.

    identity, ReadVariableOp, ensure_shape   the value as it is
    cast                                     in another dtype; a whole number on either side ends the path
    stop_gradient                            the value goes on, the path ends: on purpose
    numpy_function                           computed by NumPy, out of the tape's sight
    py_function                              computed by Python that calls ops: as if it stood there
    unique, as_string, to_number             no gradient, and they say why
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import dtypes, nest
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_array, as_operand, convert_to_tensor, is_engine_value
from minitape.core.primitive import (
    ANY,
    AS_MANY_AS_COMPUTED,
    SMOOTH,
    Primitive,
    no_gradient,
    not_registered,
)
from minitape.core.tensor import ArrayFace, Tensor
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError
from minitape.ops.axes import as_ints
from minitape.ops.rules import Stacked, leading_axes

identity: Primitive = Primitive(
    "Identity",
    lambda x: x,
    vjp=(lambda ybar, y, x: ybar,),
    batch=leading_axes,
    rule="x̄ = ȳ",
    accepts=ANY,
)

read_variable: Primitive = Primitive(
    "ReadVariableOp",
    lambda x: x,
    vjp=(lambda ybar, y, x: ybar,),
    batch=leading_axes,
    rule="x̄ = ȳ",
    accepts=ANY,
)

stop_gradient: Primitive = Primitive(
    "StopGradient",
    lambda x: x,
    vjp=no_gradient(reason="stop_gradient was asked to end the path here"),
    batch=leading_axes,
    accepts=ANY,
)

# --- cast ---


def _cast_kernel(x: Array, *, dtype: Any) -> Array:
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    return x.astype(dtype)


_cast_from_or_to_whole: Primitive = Primitive(
    "Cast",
    _cast_kernel,
    vjp=no_gradient(reason="whole numbers and truth values do not move smoothly: the path ends here"),
    batch=leading_axes,
    accepts=ANY,
)

# Declared last, so that it is the one the registry knows under the name.
_cast: Primitive = Primitive(
    "Cast",
    _cast_kernel,
    vjp=(lambda ybar, y, x, dtype: _cast(ybar, dtype=raw_dtype(x)),),
    batch=leading_axes,
    rule="x̄ = ȳ in the dtype of x",
    accepts=ANY,
)


def cast(x: Value, dtype: Any, name: str | None = None) -> Value:
    """The same numbers in another dtype.

    Args:
        x: Any shape; numbers or bool.
        dtype: What to make of them. Floats become ints by dropping what follows the point, bool by asking whether they are not 0.
        name: Ignored.

    Raises:
        TypeError: there is no such dtype.

    Gradient: between float dtypes, to any order, batched. To or from a whole number there is none.

    Source: https://www.tensorflow.org/api_docs/python/tf/cast

    >>> cast([1.7, -1.7], "int32").numpy().tolist()
    [1, -1]
    """
    wanted = dtypes.as_dtype(dtype).numpy
    value = as_operand(x)
    if hasattr(value, "to_dense_tensor"):
        value = value.to_dense_tensor()
    have = raw_dtype(value)
    if have == wanted and isinstance(value, Tensor):
        return value
    if have.kind == "O" or wanted.kind == "O":
        raise InvalidArgumentError(
            "cast does not turn strings into numbers, or numbers into strings.",
            fix="tf.strings.to_number(x), tf.strings.as_string(x)",
            code="MT506",
        )
    smooth = have.kind in SMOOTH and wanted.kind in SMOOTH
    return (_cast if smooth else _cast_from_or_to_whole)(value, dtype=wanted)
