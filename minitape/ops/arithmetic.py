"""Elementwise arithmetic.

    add, subtract, multiply, divide  with broadcasting; the cotangent of a broadcast operand is a sum (sum_to)
    add_n                            the sum of many values of the same shape
    pow, square, sqrt, rsqrt         powers
    squared_difference               (a - b)²; for complex numbers |a - b|²
    negative, abs, sign, conj        signs
    floordiv, floormod               division with remainder; the remainder has the sign of b
    truncatediv, truncatemod         division with remainder; the remainder has the sign of a
    reciprocal, nextafter            1 / x; the next representable number
    multiply_no_nan, divide_no_nan   a · b and a / b, and 0 where b is 0, even if a is NaN or infinite

The first argument of a vjp, ȳ (ybar), is the cotangent of the output y; then follow y and the inputs a, b (or x). The vjp returns
the cotangent of its own input. Other modules use Python's operators for arithmetic, so only this module needs their rules.
"""

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, is_engine_value, read_once
from minitape.core.declaration import DIFFERENTIABLE_KINDS, EveryInput, no_gradient, not_registered
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import Primitive
from minitape.core.shapes import TensorShape
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError
from minitape.ops.broadcasting import sum_to
from minitape.ops.comparison import REALS
from minitape.ops.creation import ones_like, zeros_like
from minitape.ops.exponential import log
from minitape.ops.identity import cast, identity
from minitape.ops.indexing import _select
from minitape.ops.rules import elementwise, leading_axes_of_all

add: Primitive = Primitive(
    "AddV2",
    operator.add,  # twenty times faster than np.add on scalars, and equally fast on arrays
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar, a),
        lambda ybar, y, a, b: sum_to(ybar, b),
    ),
    batch=elementwise,
    rule="ā = ȳ   b̄ = ȳ",
    dtype_kinds="fciuO",  # strings are concatenated
)

subtract: Primitive = Primitive(
    "Sub",
    operator.sub,
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar, a),
        lambda ybar, y, a, b: sum_to(-ybar, b),
    ),
    batch=elementwise,
    rule="ā = ȳ   b̄ = -ȳ",
)

multiply: Primitive = Primitive(
    "Mul",
    operator.mul,
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar * b, a),
        lambda ybar, y, a, b: sum_to(ybar * a, b),
    ),
    batch=elementwise,
    residuals=("b", "a"),
    rule="ā = ȳ·b   b̄ = ȳ·a",
)


def _divide_kernel(a: Array, b: Array) -> Array:
    quotient = a / b
    if a.dtype.kind in "iu" and a.dtype.itemsize < 4:
        return quotient.astype(
            np.float32
        )  # TensorFlow's choice for 8 and 16 bits; NumPy's is float64
    return quotient


divide: Primitive = Primitive(
    "RealDiv",
    _divide_kernel,
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar / b, a),
        lambda ybar, y, a, b: sum_to(-ybar * (a / b / b), b),  # b² could overflow
    ),
    batch=elementwise,
    residuals=("b", "ab"),
    rule="ā = ȳ/b   b̄ = -ȳ·a/b²",
)


multiply_no_nan: Primitive = Primitive(
    "MulNoNan",
    lambda a, b: np.where(b == 0, b, a * b),
    vjp=(
        lambda ybar, y, a, b: sum_to(multiply_no_nan(ybar, b), a),
        lambda ybar, y, a, b: sum_to(multiply_no_nan(a, ybar), b),
    ),
    batch=elementwise,
    residuals=("b", "a"),
    rule="ā = ȳ·b   b̄ = ȳ·a",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def _divide_no_nan_kernel(a: Array, b: Array) -> Array:
    safe = np.where(b == 0, b.dtype.type(1), b)
    return np.where(b == 0, b.dtype.type(0), a / safe)


divide_no_nan: Primitive = Primitive(
    "DivNoNan",
    _divide_no_nan_kernel,
    vjp=(
        lambda ybar, y, a, b: sum_to(divide_no_nan(ybar, b), a),
        lambda ybar, y, a, b: sum_to(-ybar * divide_no_nan(divide_no_nan(a, b), b), b),
    ),
    batch=elementwise,
    residuals=("b", "ab"),
    rule="as for a/b, and 0 where b is 0",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def _whole_or_real(divide: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """Return a kernel that refuses to divide integers by 0; NumPy would return 0."""

    def kernel(a: Array, b: Array) -> Array:
        if b.dtype.kind in "iu" and not np.all(b):
            raise InvalidArgumentError(
                "Integer division by zero.",
                fix="use `tf.cast(x, tf.float32)`, because floats can represent infinity",
            )
        return divide(a, b)

    return kernel


def _floor_quotient(a: Array, b: Array) -> Array:
    # NumPy's // rounds down the exact quotient. TensorFlow's // rounds down the quotient as a float, so 1 // 0.1 is 10.
    return a // b if a.dtype.kind in "iu" else np.floor(a / b)


floordiv: Primitive = Primitive(
    "FloorDiv",
    _whole_or_real(_floor_quotient),
    vjp=no_gradient(
        reason="its result is piecewise constant, with jumps where the quotient is an integer"
    ),
    batch=elementwise,
    dtype_kinds=REALS,
)

floormod: Primitive = Primitive(
    "FloorMod",
    _whole_or_real(operator.mod),
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar, a),
        lambda ybar, y, a, b: sum_to(-ybar * floordiv(a, b), b),
    ),
    batch=elementwise,
    residuals=("", "ab"),
    rule="ā = ȳ   b̄ = -ȳ·⌊a/b⌋",
    dtype_kinds=REALS,
)


def _truncated_quotient(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.trunc(a / b)
    # Integers beyond 2⁵³ are not exact as floats: use the floor, plus one where the quotient is negative and not exact.
    floor = a // b
    return floor + ((a % b != 0) & ((a < 0) != (b < 0))).astype(a.dtype)


truncatediv: Primitive = Primitive(
    "TruncateDiv",
    _whole_or_real(_truncated_quotient),
    vjp=no_gradient(
        reason="its result is piecewise constant, with jumps where the quotient is an integer"
    ),
    batch=elementwise,
    dtype_kinds=REALS,
)

truncatemod: Primitive = Primitive(
    "TruncateMod",
    _whole_or_real(np.fmod),
    vjp=not_registered(
        reason="TensorFlow has no rule for the remainder with the sign of the dividend"
    ),
    batch=elementwise,
    dtype_kinds=REALS,
)

nextafter: Primitive = Primitive(
    "NextAfter",
    np.nextafter,
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar, a),
        lambda ybar, y, a, b: sum_to(zeros_like(ybar), b),
    ),
    batch=elementwise,
    rule="ā = ȳ   b̄ = 0, because only the direction of b matters",
    dtype_kinds="f",
)


def _pow_exponent_vjp(ybar: Value, y: Value, a: Value, b: Value) -> Value:
    # 0ᵇ does not depend on b > 0, and a negative base has no real logarithm: TensorFlow uses log a = 0 there.
    positive = a != zeros_like(a) if raw_dtype(a).kind == "c" else a > zeros_like(a)
    log_a = _select(positive, log(_select(positive, a, ones_like(a))), zeros_like(a))
    return sum_to(ybar * y * log_a, b)


pow: Primitive = Primitive(
    "Pow",
    operator.pow,
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar * b * pow(a, b - 1), a),
        _pow_exponent_vjp,
    ),
    batch=elementwise,
    residuals=("ab", "ay"),
    rule="ā = ȳ·b·aᵇ⁻¹   b̄ = ȳ·y·log a",
    dtype_kinds="fci",
)

square: Primitive = Primitive(
    "Square",
    lambda x: x * x,
    vjp=(lambda ybar, y, x: ybar * (x * 2),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·2x",
)


def _conjugate(x: Value) -> Value:
    """Return the complex conjugate; return a real number unchanged."""
    return conj(x) if raw_dtype(x).kind == "c" else x


squared_difference: Primitive = Primitive(
    "SquaredDifference",
    lambda a, b: (a - b) * np.conj(a - b) if a.dtype.kind == "c" else (a - b) * (a - b),
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar * (_conjugate(a - b) * 2), a),
        lambda ybar, y, a, b: sum_to(ybar * (_conjugate(b - a) * 2), b),
    ),
    batch=elementwise,
    residuals="ab",
    rule="ā = ȳ·2(a - b)   b̄ = -ā",
)


sqrt: Primitive = Primitive(
    "Sqrt",
    np.sqrt,
    vjp=(lambda ybar, y, x: multiply_no_nan(0.5 / y, ybar),),
    batch=elementwise,
    residuals="y",  # the derivative is computed from the root, so the input is not kept
    rule="x̄ = ȳ / (2y), and 0 where ȳ is 0, even at the pole",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

rsqrt: Primitive = Primitive(
    "Rsqrt",
    lambda x: 1 / np.sqrt(x),
    vjp=(lambda ybar, y, x: multiply_no_nan(-0.5 * y * y * y, ybar),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = -ȳ·y³/2, and 0 where ȳ is 0, even at the pole",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

reciprocal: Primitive = Primitive(
    "Reciprocal",
    lambda x: 1 / x,
    vjp=(lambda ybar, y, x: -ybar * y * y,),
    batch=elementwise,
    residuals="y",
    rule="x̄ = -ȳ·y²",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

negative: Primitive = Primitive(
    "Neg",
    operator.neg,
    vjp=(lambda ybar, y, x: -ybar,),
    batch=elementwise,
    rule="x̄ = -ȳ",
    dtype_kinds="fci",
)

sign: Primitive = Primitive(
    "Sign",
    np.sign,
    vjp=(lambda ybar, y, x: zeros_like(ybar),),
    batch=elementwise,
    rule="x̄ = 0, because sign is constant on both sides of 0",
    dtype_kinds="fi",
    zero_gradient=True,
)

abs: Primitive = Primitive(
    "Abs",
    operator.abs,
    vjp=(lambda ybar, y, x: ybar * sign(x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·sign x, and 0 at 0",
    dtype_kinds="fi",
)

conj: Primitive = Primitive(
    "Conj",
    np.conj,
    vjp=(lambda ybar, y, x: conj(ybar),),
    batch=elementwise,
    rule="x̄ = ȳ, with the sign of its imaginary part reversed",
)

_add_n: Primitive = Primitive(
    "AddN",
    lambda *values: reduce(operator.add, values),
    vjp=EveryInput(lambda position, ybar, y, *values: ybar),
    batch=leading_axes_of_all,
    rule="each input receives ȳ",
)


def add_n(inputs: Any, name: str | None = None) -> Value:
    """Return the sum of a list of values.

    Args:
        inputs: A list of values with the same shape and the same number dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of the inputs.

    Raises:
        ValueError: `inputs` is not a list, or is empty.
        InvalidArgumentError: the shapes differ: `add_n` does not broadcast.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/add_n
    """
    if not isinstance(inputs, list | tuple) or not inputs:
        raise TapeValueError(
            "`add_n` requires a list of at least one tensor.", fix="use `tf.add_n([a, b, c])`"
        )
    values = [as_operand(value) for value in inputs]
    shapes = [tuple(value.shape) for value in values]
    if any(shape != shapes[0] for shape in shapes):
        raise InvalidArgumentError(
            f"`add_n` adds values of the same shape, but got shapes {', '.join(map(str, shapes))}.",
            fix="use `a + b + c`, which broadcasts",
            code="MT507",
        )
    return identity(values[0]) if len(values) == 1 else _add_n(*values)


def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Value:
    """Return the sum of a list of values, and check their shape and dtype if requested.

    Args:
        inputs: Has the same meaning as in `add_n`.
        shape: The shape of the values, with None for an unknown size.
        tensor_dtype: Their dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of the inputs.

    Raises:
        ValueError: the values have a different shape, or `inputs` is not a list or is empty.
        TypeError: the values have a different dtype.

    Gradient: It is the same as the gradient of `add_n`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/accumulate_n
    """
    total = add_n(inputs)
    if shape is not None and not TensorShape(shape).is_compatible_with(total.shape):
        raise TapeValueError(
            f"Shapes {TensorShape(shape)} and {total.shape} are not compatible.",
            fix="remove `shape`",
            code="MT507",
        )
    if tensor_dtype is not None and dtypes.as_dtype(tensor_dtype) != total.dtype:
        raise TapeTypeError(
            f"The `tensor_dtype` argument is {tensor_dtype}, but `input` is of type {total.dtype}.",
            fix="remove `tensor_dtype`, or convert each input with `tf.cast`",
            code="MT506",
        )
    return total


def reciprocal_no_nan(x: Value, name: str | None = None) -> Value:
    """Return 1 / x, and 0 where x is 0.

    Args:
        x: A tensor of any shape with a float or complex dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is 0 where x is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reciprocal_no_nan
    """
    return divide_no_nan(1.0, read_once(x))


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """Return `x` times a scalar.

    Args:
        scalar: A number, or a tensor of rank 0.
        x: A tensor of any shape, or `IndexedSlices`, with the dtype of `scalar`.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`; for IndexedSlices, IndexedSlices of the same rows.

    Raises:
        ValueError: `scalar` is not a scalar.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/scalar_mul
    """
    if isinstance(x, IndexedSlices):
        return IndexedSlices(scalar_mul(scalar, x.values), x.indices, x.dense_shape)
    value = as_operand(x, scalar)
    factor = as_operand(scalar, value)
    if len(getattr(factor, "shape", ())):
        raise TapeValueError(
            f"The input scalar must be a 0-D value. Received shape {tuple(factor.shape)}.",
            fix="use `scalar * x`, which broadcasts",
        )
    return multiply(factor, value)


def divide_no_nan_for_users(x: Value, y: Value, name: str | None = None) -> Value:
    """Return x / y, and 0 where y is 0, even if x is NaN or infinite.

    Args:
        x: A tensor with a number dtype; integers are divided in float64 (8 and 16 bits in float32).
        y: The same dtype; the shapes broadcast.
        name: Ignored.

    Returns:
        A tensor with the broadcast shape; a float or complex dtype.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is 0 where y is 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/divide_no_nan
    """
    a = as_operand(x, y)
    b = as_operand(y, a)
    lead = raw_dtype(a if is_engine_value(a) else b)
    if lead.kind in "iu":
        wide = np.dtype(np.float32 if lead.itemsize < 4 else np.float64)
        a, b = (cast(value, wide) for value in (a, b))
    return divide_no_nan(a, b)
