"""Exponentials, logarithms and functions made of them.

    exp ↔ log, expm1 ↔ log1p       inverse functions; the second pair stays accurate near 0
    sigmoid, tanh                  values from 0 to 1, and from -1 to 1
    softplus, log_sigmoid          a smooth relu, and the logarithm of a sigmoid
    erf, erfc                      the error function and its complement

The derivatives of several of these follow from the output, so a tape keeps the output instead of the input. Each kernel works
over the whole range of its dtype, because none of them computes exp of a large number.
"""

import math
from collections.abc import Callable

import numpy as np

from minitape.core.convert import as_operand
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Value
from minitape.ops.rules import elementwise

exp: Primitive = Primitive(
    "Exp",
    np.exp,
    vjp=(lambda ybar, y, x: ybar * y,),
    batch=elementwise,
    residuals="y",  # exp is its own derivative
    rule="x̄ = ȳ·y",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

log: Primitive = Primitive(
    "Log",
    np.log,
    vjp=(lambda ybar, y, x: ybar / x,),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ / x",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

expm1: Primitive = Primitive(
    "Expm1",
    np.expm1,
    vjp=(lambda ybar, y, x: ybar * exp(x),),
    batch=elementwise,
    residuals="x",  # y + 1 equals the derivative too, but loses precision far below 0
    rule="x̄ = ȳ·eˣ",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

log1p: Primitive = Primitive(
    "Log1p",
    np.log1p,
    vjp=(lambda ybar, y, x: ybar / (x + 1.0),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ / (1 + x)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)


def _sigmoid_kernel(x: Array) -> Array:
    # e^-|x| never overflows; for x < 0 the fraction is expanded by eˣ.
    small = np.exp(-abs(x))
    if x.ndim:
        return np.exp(np.minimum(x, 0)) / (1 + small)
    return (small if x < 0 else 1) / (1 + small)


# The derivatives of sigmoid and tanh are separate ops, so that recording a backward pass records one op instead of three.
_sigmoid_grad: Primitive = Primitive(
    "SigmoidGrad",
    lambda y, ybar: ybar * (y * (1.0 - y)),
    vjp=(
        lambda zbar, z, y, ybar: zbar * ybar * (1.0 - 2.0 * y),
        lambda zbar, z, y, ybar: _sigmoid_grad(y, zbar),
    ),
    batch=elementwise,
    residuals=("ab", "a"),
    rule="ȳ·y·(1 - y)",
    dtype_kinds="f",
)

sigmoid: Primitive = Primitive(
    "Sigmoid",
    _sigmoid_kernel,
    vjp=(lambda ybar, y, x: _sigmoid_grad(y, ybar),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ·y·(1 - y)",
    dtype_kinds="f",
)

_tanh_grad: Primitive = Primitive(
    "TanhGrad",
    lambda y, ybar: ybar * (1.0 - y * y),
    vjp=(
        lambda zbar, z, y, ybar: -2.0 * y * zbar * ybar,
        lambda zbar, z, y, ybar: _tanh_grad(y, zbar),
    ),
    batch=elementwise,
    residuals=("ab", "a"),
    rule="ȳ·(1 - y²)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

tanh: Primitive = Primitive(
    "Tanh",
    np.tanh,
    vjp=(lambda ybar, y, x: _tanh_grad(y, ybar),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ·(1 - y²)",
    dtype_kinds=DIFFERENTIABLE_KINDS,
)

softplus: Primitive = Primitive(
    "Softplus",
    lambda x: np.logaddexp(x, x.dtype.type(0)),
    vjp=(lambda ybar, y, x: ybar * sigmoid(x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·sigmoid x",
    dtype_kinds="f",
)


def log_sigmoid(x: Value, name: str | None = None) -> Value:
    """Return the logarithm of `sigmoid(x)`, without overflow or log of 0.

    Args:
        x: A tensor of any shape with a float dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Gradient: Derivatives of any order are supported, including batched ones. The function is computed as -softplus(-x).

    Source: https://www.tensorflow.org/api_docs/python/tf/math/log_sigmoid
    """
    return -softplus(-as_operand(x))


def _each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """Return a kernel that calls a Python function for each element, because NumPy has no error function."""
    loop = np.frompyfunc(function, 1, 1)

    def kernel(x: Array) -> Array:
        return np.array(loop(x), x.dtype) if x.ndim else x.dtype.type(function(x))

    return kernel


_DERIVATIVE_AT_ZERO = 2 / math.sqrt(math.pi)

erf: Primitive = Primitive(
    "Erf",
    _each(math.erf),
    vjp=(lambda ybar, y, x: ybar * _DERIVATIVE_AT_ZERO * exp(-(x * x)),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ·2/√π·e^(-x²)",
    dtype_kinds="f",
)

erfc: Primitive = Primitive(
    "Erfc",
    _each(math.erfc),
    vjp=(lambda ybar, y, x: ybar * -_DERIVATIVE_AT_ZERO * exp(-(x * x)),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = -ȳ·2/√π·e^(-x²)",
    dtype_kinds="f",
)
