"""Numbers as rows of bits.

    bitwise_and, bitwise_or, bitwise_xor, invert     bit by bit
    left_shift, right_shift                          moved by some places
    bitcast                                          the same bits, read as another dtype

A bit is 0 or 1 and nothing between, so there is nothing to send back.
"""

import operator
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import as_operand
from minitape.core.declaration import NUMBERS, no_gradient, not_registered
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
    accepts=WHOLE,
)

bitwise_or: Primitive = Primitive(
    "BitwiseOr",
    operator.or_,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    accepts=WHOLE,
)

bitwise_xor: Primitive = Primitive(
    "BitwiseXor",
    operator.xor,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    accepts=WHOLE,
)

invert: Primitive = Primitive(
    "Invert",
    operator.invert,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    accepts=WHOLE,
)

left_shift: Primitive = Primitive(
    "LeftShift",
    operator.lshift,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    accepts=WHOLE,
)

right_shift: Primitive = Primitive(
    "RightShift",
    operator.rshift,
    vjp=no_gradient(
        reason="it computes with the bits of integers, which do not change continuously"
    ),
    batch=elementwise,
    accepts=WHOLE,
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
            f"has to be of size {want // have}.",
            code="MT507",
        )
    return array.view(dtype)[..., 0]


_bitcast: Primitive = Primitive(
    "Bitcast",
    _bitcast_kernel,
    vjp=not_registered(
        reason="TensorFlow has no rule for bitcast, which reinterprets the bits of a number"
    ),
    batch=leading_axes,
    accepts=NUMBERS,
)


def bitcast(input: Value, type: Any, name: str | None = None) -> Value:
    """The same bits, read as another dtype.

    Args:
        input: Numbers of any shape.
        type: Of the result. A smaller one gets a new last axis, a larger one takes the last axis in.
        name: Ignored.

    Raises:
        InvalidArgumentError: the last axis does not make up whole numbers of the new dtype.

    Gradient: none is registered: asking for one raises LookupError.

    Source: https://www.tensorflow.org/api_docs/python/tf/bitcast
    """
    return _bitcast(as_operand(input), dtype=dtypes.as_dtype(type).numpy)
