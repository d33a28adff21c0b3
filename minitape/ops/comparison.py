"""Ops with piecewise constant results: comparison, logic, rounding.

    less, less_equal, greater, greater_equal, equal, not_equal     numbers → bool
    logical_and, logical_or, logical_xor, logical_not              bool → bool
    is_nan, is_inf, is_finite                                      classify numbers
    floor, ceil, round, rint                                       round to integers

Between its jumps such an op is constant, and at a jump it has no derivative. Therefore these ops are not differentiable. The path
ends at the op, and each op states the reason.
"""

import operator

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.declaration import ANY, no_gradient, not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Value
from minitape.ops.rules import elementwise

REALS = "fiu"

less: Primitive = Primitive(
    "Less",
    operator.lt,
    vjp=no_gradient(
        reason="its result is a boolean, which changes only where both sides are equal"
    ),
    batch=elementwise,
    dtype_kinds=REALS,
)

less_equal: Primitive = Primitive(
    "LessEqual",
    operator.le,
    vjp=no_gradient(
        reason="its result is a boolean, which changes only where both sides are equal"
    ),
    batch=elementwise,
    dtype_kinds=REALS,
)

greater: Primitive = Primitive(
    "Greater",
    operator.gt,
    vjp=no_gradient(
        reason="its result is a boolean, which changes only where both sides are equal"
    ),
    batch=elementwise,
    dtype_kinds=REALS,
)

greater_equal: Primitive = Primitive(
    "GreaterEqual",
    operator.ge,
    vjp=no_gradient(
        reason="its result is a boolean, which changes only where both sides are equal"
    ),
    batch=elementwise,
    dtype_kinds=REALS,
)

equal: Primitive = Primitive(
    "Equal",
    operator.eq,
    vjp=no_gradient(reason="its result is a boolean, which has no derivative"),
    batch=elementwise,
    dtype_kinds=ANY,
)

not_equal: Primitive = Primitive(
    "NotEqual",
    operator.ne,
    vjp=no_gradient(reason="its result is a boolean, which has no derivative"),
    batch=elementwise,
    dtype_kinds=ANY,
)

# --- logic ---

logical_and: Primitive = Primitive(
    "LogicalAnd",
    operator.and_,
    vjp=no_gradient(reason="its inputs and its result are booleans, which have no derivative"),
    batch=elementwise,
    dtype_kinds="b",
)

logical_or: Primitive = Primitive(
    "LogicalOr",
    operator.or_,
    vjp=no_gradient(reason="its inputs and its result are booleans, which have no derivative"),
    batch=elementwise,
    dtype_kinds="b",
)

logical_xor: Primitive = Primitive(
    "LogicalXor",
    operator.xor,
    vjp=no_gradient(reason="its inputs and its result are booleans, which have no derivative"),
    batch=elementwise,
    dtype_kinds="b",
)

logical_not: Primitive = Primitive(
    "LogicalNot",
    operator.invert,
    vjp=no_gradient(reason="its inputs and its result are booleans, which have no derivative"),
    batch=elementwise,
    dtype_kinds="b",
)

# --- classification ---

is_nan: Primitive = Primitive(
    "IsNan",
    np.isnan,
    vjp=not_registered(reason="TensorFlow has no rule for `is_nan`, whose result is a boolean"),
    batch=elementwise,
    dtype_kinds="f",
)

is_inf: Primitive = Primitive(
    "IsInf",
    np.isinf,
    vjp=not_registered(reason="TensorFlow has no rule for `is_inf`, whose result is a boolean"),
    batch=elementwise,
    dtype_kinds="f",
)

is_finite: Primitive = Primitive(
    "IsFinite",
    np.isfinite,
    vjp=not_registered(reason="TensorFlow has no rule for `is_finite`, whose result is a boolean"),
    batch=elementwise,
    dtype_kinds="f",
)

# --- rounding ---

floor: Primitive = Primitive(
    "Floor",
    np.floor,
    vjp=no_gradient(reason="its result is piecewise constant, with jumps at the integers"),
    batch=elementwise,
    dtype_kinds="f",
)

ceil: Primitive = Primitive(
    "Ceil",
    np.ceil,
    vjp=no_gradient(reason="its result is piecewise constant, with jumps at the integers"),
    batch=elementwise,
    dtype_kinds="f",
)

_round: Primitive = Primitive(
    "Round",
    np.rint,
    vjp=no_gradient(
        reason="its result is piecewise constant, with jumps halfway between the integers"
    ),
    batch=elementwise,
    dtype_kinds="f",
)

rint: Primitive = Primitive(
    "Rint",
    np.rint,
    vjp=no_gradient(
        reason="its result is piecewise constant, with jumps halfway between the integers"
    ),
    batch=elementwise,
    dtype_kinds="f",
)


def round(x: Value, name: str | None = None) -> Value:
    """Round to the nearest integer; halfway between two integers, to the even one.

    Args:
        x: A tensor of any shape with a number dtype. Integers are returned unchanged.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Gradient: There is none, because the result is piecewise constant.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/round

    >>> import numpy as np
    >>> round(np.array([0.5, 1.5, 2.4])).numpy()
    array([0., 2., 2.])
    """
    value = as_operand(x)
    return value if raw_dtype(value).kind in "iu" else _round(value)
