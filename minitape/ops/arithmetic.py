"""Arithmetic, element by element.

    add, subtract, multiply, divide     with broadcasting: what a stretched operand is owed is summed (sum_to)
    pow, square, sqrt, rsqrt            powers
    negative, abs, sign                 signs
    floordiv, floormod                  division with remainder
    divide_no_nan                       a / b, and 0 where b is 0

In a vjp, ȳ (ybar) is the cotangent of the output y; then come y and the inputs a, b (or x). What it returns is the cotangent owed
to its own input. Other pages write arithmetic with Python's operators, so only this page needs theirs.
"""

import operator

import numpy as np

from minitape.core.primitive import SMOOTH, Primitive, no_gradient
from minitape.core.values import Array, Value
from minitape.ops.broadcasting import sum_to
from minitape.ops.comparing import greater
from minitape.ops.exponential import log
from minitape.ops.making import ones_like, zeros_like
from minitape.ops.picking import where
from minitape.ops.rules import elementwise

add: Primitive = Primitive(
    "AddV2",
    operator.add,  # twenty times quicker than np.add on scalars, and the same on arrays
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar, a),
        lambda ybar, y, a, b: sum_to(ybar, b),
    ),
    batch=elementwise,
    rule="ā = ȳ   b̄ = ȳ",
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
    saves=("b", "a"),
    rule="ā = ȳ·b   b̄ = ȳ·a",
)

divide: Primitive = Primitive(
    "RealDiv",
    operator.truediv,
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar / b, a),
        lambda ybar, y, a, b: sum_to(-ybar * a / (b * b), b),
    ),
    batch=elementwise,
    saves=("b", "ab"),
    rule="ā = ȳ/b   b̄ = -ȳ·a/b²",
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
    saves=("b", "ab"),
    rule="as for a/b, and 0 where b is 0",
    accepts=SMOOTH,
)

floordiv: Primitive = Primitive(
    "FloorDiv",
    operator.floordiv,
    vjp=no_gradient(reason="// is flat between whole numbers, and jumps there"),
    batch=elementwise,
)

floormod: Primitive = Primitive(
    "FloorMod",
    operator.mod,
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar, a),
        lambda ybar, y, a, b: sum_to(-ybar * floordiv(a, b), b),
    ),
    batch=elementwise,
    saves=("", "ab"),
    rule="ā = ȳ   b̄ = -ȳ·⌊a/b⌋",
)


def _pow_exponent_vjp(ybar: Value, y: Value, a: Value, b: Value) -> Value:
    # 0ᵇ does not move with b, and a negative base has no real logarithm: TensorFlow takes log a = 0 there.
    positive = greater(a, zeros_like(a))
    log_a = where(positive, log(where(positive, a, ones_like(a))), zeros_like(a))
    return sum_to(ybar * y * log_a, b)


pow: Primitive = Primitive(
    "Pow",
    operator.pow,
    vjp=(
        lambda ybar, y, a, b: sum_to(ybar * b * pow(a, b - 1), a),
        _pow_exponent_vjp,
    ),
    batch=elementwise,
    saves=("ab", "aby"),
    rule="ā = ȳ·b·aᵇ⁻¹   b̄ = ȳ·y·log a",
)

square: Primitive = Primitive(
    "Square",
    lambda x: x * x,
    vjp=(lambda ybar, y, x: ybar * (x * 2),),
    batch=elementwise,
    saves="x",
    rule="x̄ = ȳ·2x",
)


def _sqrt_vjp(ybar: Value, y: Value, x: Value) -> Value:
    # TensorFlow's kernel gives 0 for a cotangent of 0 even at x = 0, where the slope is infinite.
    return divide_no_nan_cotangent(ybar, y * 2)


def _zero_keeps_zero_kernel(ybar: Array, b: Array) -> Array:
    return np.where(ybar == 0, ybar, ybar / b)


divide_no_nan_cotangent: Primitive = Primitive(
    "SqrtGrad",
    _zero_keeps_zero_kernel,
    vjp=(
        lambda zbar, z, ybar, b: divide_no_nan_cotangent(zbar, b),
        lambda zbar, z, ybar, b: -divide_no_nan_cotangent(zbar * z, b),
    ),
    batch=elementwise,
    saves=("b", "by"),
    rule="a/b, and 0 where a is 0",
    accepts=SMOOTH,
)

sqrt: Primitive = Primitive(
    "Sqrt",
    np.sqrt,
    vjp=(_sqrt_vjp,),
    batch=elementwise,
    saves="y",  # the root is its own slope: the input may go
    rule="x̄ = ȳ / (2y)",
    accepts=SMOOTH,
)

rsqrt: Primitive = Primitive(
    "Rsqrt",
    lambda x: 1 / np.sqrt(x),
    vjp=(lambda ybar, y, x: ybar * -0.5 * y * y * y,),
    batch=elementwise,
    saves="y",
    rule="x̄ = -ȳ·y³/2",
    accepts=SMOOTH,
)

negative: Primitive = Primitive(
    "Neg", operator.neg, vjp=(lambda ybar, y, x: -ybar,), batch=elementwise, rule="x̄ = -ȳ"
)

sign: Primitive = Primitive(
    "Sign",
    np.sign,
    vjp=(lambda ybar, y, x: zeros_like(ybar),),
    batch=elementwise,
    rule="x̄ = 0: flat on both sides of 0",
    gives_zero=True,
)

abs: Primitive = Primitive(
    "Abs",
    operator.abs,
    vjp=(lambda ybar, y, x: ybar * sign(x),),
    batch=elementwise,
    saves="x",
    rule="x̄ = ȳ·sign x, and 0 at 0",
)
