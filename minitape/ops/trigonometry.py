"""Trigonometric and hyperbolic functions.

    sin, cos, tan        sinh, cosh        tanh is in `exponential.py`
    asin, acos, atan     asinh, acosh, atanh
    atan2                the angle of the point (x, y), from -π to π

The derivative of an inverse function is 1 over the derivative of the function: where the function is flat (sin at π/2), the
derivative of the inverse is infinite (asin at 1).
"""

import numpy as np

from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.primitive import Primitive
from minitape.ops.arithmetic import sqrt
from minitape.ops.broadcasting import sum_to
from minitape.ops.rules import elementwise

sin: Primitive = Primitive(
    "Sin",
    np.sin,
    vjp=(lambda ybar, y, x: ybar * cos(x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·cos x",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

cos: Primitive = Primitive(
    "Cos",
    np.cos,
    vjp=(lambda ybar, y, x: -ybar * sin(x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = -ȳ·sin x",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

tan: Primitive = Primitive(
    "Tan",
    np.tan,
    vjp=(lambda ybar, y, x: ybar * (1.0 + y * y),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ·(1 + y²)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

asin: Primitive = Primitive(
    "Asin",
    np.arcsin,
    vjp=(lambda ybar, y, x: ybar / sqrt(1.0 - x * x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ / √(1 - x²)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

acos: Primitive = Primitive(
    "Acos",
    np.arccos,
    vjp=(lambda ybar, y, x: -ybar / sqrt(1.0 - x * x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = -ȳ / √(1 - x²)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

atan: Primitive = Primitive(
    "Atan",
    np.arctan,
    vjp=(lambda ybar, y, x: ybar / (1.0 + x * x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ / (1 + x²)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

# The arguments are the coordinates of the point: first y, then x.
atan2: Primitive = Primitive(
    "Atan2",
    np.arctan2,
    vjp=(
        lambda ybar, angle, y, x: sum_to(x * (ybar / (y * y + x * x)), y),
        lambda ybar, angle, y, x: sum_to(-y * (ybar / (y * y + x * x)), x),
    ),
    batch=elementwise,
    residuals="ab",
    rule="ā = ȳ·b / (a² + b²)   b̄ = -ȳ·a / (a² + b²)",
    dtype_kinds="f",
)

# --- hyperbolic ---

sinh: Primitive = Primitive(
    "Sinh",
    np.sinh,
    vjp=(lambda ybar, y, x: ybar * cosh(x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·cosh x",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

cosh: Primitive = Primitive(
    "Cosh",
    np.cosh,
    vjp=(lambda ybar, y, x: ybar * sinh(x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·sinh x",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

asinh: Primitive = Primitive(
    "Asinh",
    np.arcsinh,
    vjp=(lambda ybar, y, x: ybar / cosh(y),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ / cosh y",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

acosh: Primitive = Primitive(
    "Acosh",
    np.arccosh,
    vjp=(lambda ybar, y, x: ybar / sinh(y),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ / sinh y",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

atanh: Primitive = Primitive(
    "Atanh",
    np.arctanh,
    vjp=(lambda ybar, y, x: ybar / (1.0 - x * x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ / (1 - x²)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)
