"""Ops on the bits of numbers.

    bitwise_and, bitwise_or, bitwise_xor, invert     bitwise logic
    left_shift, right_shift                          shift by a number of bits
    bitcast                                          the same bits as a different dtype

Bits do not change continuously, so none of these ops is differentiable.
"""

import operator
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import as_operand
from minitape.core.declaration import NUMERIC_KINDS, no_gradient, not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError
from minitape.ops.rules import elementwise, leading_axes

WHOLE = "iu"

bitwise_and: Primitive = Primitive(
    "BitwiseAnd",
    operator.and_,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    dtype_kinds=WHOLE,
)

bitwise_or: Primitive = Primitive(
    "BitwiseOr",
    operator.or_,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    dtype_kinds=WHOLE,
)

bitwise_xor: Primitive = Primitive(
    "BitwiseXor",
    operator.xor,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    dtype_kinds=WHOLE,
)

invert: Primitive = Primitive(
    "Invert",
    operator.invert,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    dtype_kinds=WHOLE,
)

left_shift: Primitive = Primitive(
    "LeftShift",
    operator.lshift,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    dtype_kinds=WHOLE,
)

right_shift: Primitive = Primitive(
    "RightShift",
    operator.rshift,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    dtype_kinds=WHOLE,
)


def _bitcast_kernel(x: Array, *, dtype: Any) -> Array:
    array = np.ascontiguousarray(x) if x.ndim else np.asarray(x)
    have, want = array.dtype.itemsize, dtype.itemsize
    if have == want:
        return array.view(dtype)[()]
    if have > want:
        return np.ascontiguousarray(array[..., None]).view(dtype)
    if array.shape[-1:] != (want // have,):
        raise InvalidArgumentError(
            f"Cannot bitcast from {array.dtype} to {dtype}: the last axis of shape {array.shape} "
            f"must have size {want // have}.",
            code="MT507",
        )
    return array.view(dtype)[..., 0]


_bitcast: Primitive = Primitive(
    "Bitcast",
    _bitcast_kernel,
    vjp=not_registered(
        reason="TensorFlow has no rule for `bitcast`, which reinterprets the bits of a number"
    ),
    batch=leading_axes,
    dtype_kinds=NUMERIC_KINDS,
)


def bitcast(input: Value, type: Any, name: str | None = None) -> Value:
    """Interpret the bits of `input` as a different dtype.

    Args:
        input: A tensor of any shape with a number dtype.
        type: The dtype of the result. A smaller dtype adds a last axis, a larger one removes the last axis.
        name: Ignored.

    Returns:
        The same bytes, with dtype `type`.

    Raises:
        InvalidArgumentError: the size of the last axis does not fit the new dtype.

    Gradient: No gradient is registered, so requesting one raises LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/bitcast
    """
    return _bitcast(as_operand(input), dtype=dtypes.as_dtype(type).numpy)
