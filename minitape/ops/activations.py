"""Activation functions of neural networks.

    relu, relu6, leaky_relu       piecewise linear: the derivative is constant on each piece
    crelu                         relu(x) and relu(-x), concatenated
    elu, selu                     linear where x > 0, exponential elsewhere
    gelu, silu, softsign          smooth
    softmax, log_softmax          probabilities along an axis that add up to 1, and their logarithms

sigmoid, tanh and softplus are in `exponential.py`.

The derivative of a linear piece is constant, so the second derivative of relu is zero. `relu_grad` and similar ops implement
this: they use only the side of the kink on which their second input lies.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, read_once
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import TapeValueError
from minitape.ops.arithmetic import abs, pow, square
from minitape.ops.axes import canonical_axis
from minitape.ops.broadcasting import _add_up, _sum
from minitape.ops.comparison import REALS
from minitape.ops.creation import zeros_like
from minitape.ops.exponential import erfc, exp, sigmoid, tanh
from minitape.ops.identity import cast
from minitape.ops.indexing import _select
from minitape.ops.joining import concat
from minitape.ops.reshaping import _transpose
from minitape.ops.rules import elementwise, leading_axes

# --- piecewise linear ---


def _relu_grad_kernel(ybar: Array, y: Array) -> Array:
    is_open = y if y.dtype == bool else y > 0  # `y > 0` would first convert booleans to int64
    # A product, as in TensorFlow, so an infinite ȳ gives NaN where the derivative is 0.
    return ybar * is_open


relu_grad: Primitive = Primitive(
    "ReluGrad",
    _relu_grad_kernel,
    vjp=(
        lambda zbar, z, ybar, y: relu_grad(zbar, y),
        lambda zbar, z, ybar, y: zeros_like(zbar),
    ),
    batch=elementwise,
    residuals=("b", ""),
    rule="ȳ passes where y > 0",
    same_dtype_args=(0,),  # y may be a boolean, which only shows on which side of the kink x is
)

relu: Primitive = Primitive(
    "Relu",
    lambda x: np.maximum(x, 0),
    vjp=(lambda ybar, y, x: relu_grad(ybar, y),),
    batch=elementwise,
    residuals="y",  # y is above 0 exactly where x is, so the input is not kept
    output_residual=lambda y: y > 0,  # only one byte per element of the output is kept
    rule="x̄ = ȳ where x > 0, else 0 (at 0 too)",
    dtype_kinds=REALS,
)

relu6_grad: Primitive = Primitive(
    "Relu6Grad",
    lambda ybar, y: ybar * ((y > 0) & (y < 6)),
    vjp=(
        lambda zbar, z, ybar, y: relu6_grad(zbar, y),
        lambda zbar, z, ybar, y: zeros_like(zbar),
    ),
    batch=elementwise,
    residuals=("b", ""),
    rule="ȳ passes where 0 < y < 6",
)

relu6: Primitive = Primitive(
    "Relu6",
    lambda x: np.clip(x, x.dtype.type(0), x.dtype.type(6)),
    vjp=(lambda ybar, y, x: relu6_grad(ybar, y),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ where 0 < x < 6, else 0",
    dtype_kinds=REALS,
)

_leaky_grad: Primitive = Primitive(
    "LeakyReluGrad",
    lambda ybar, x, *, alpha: np.where(x > 0, ybar, ybar * ybar.dtype.type(alpha)),
    vjp=(
        lambda zbar, z, ybar, x, alpha: _leaky_grad(zbar, x, alpha=alpha),
        lambda zbar, z, ybar, x, alpha: zeros_like(zbar),
    ),
    batch=elementwise,
    residuals=("b", ""),
    rule="ȳ passes where x > 0, and α·ȳ elsewhere",
)

_leaky_relu: Primitive = Primitive(
    "LeakyRelu",
    lambda x, *, alpha: np.where(x > 0, x, x * x.dtype.type(alpha)),
    vjp=(lambda ybar, y, x, alpha: _leaky_grad(ybar, x, alpha=alpha),),
    batch=elementwise,
    residuals="x",  # with α < 0, the sign of y does not show the side of the kink
    rule="x̄ = ȳ where x > 0, else α·ȳ",
    dtype_kinds="f",
)


def leaky_relu(features: Value, alpha: Any = 0.2, name: str | None = None) -> Value:
    """Return x where x > 0, and alpha·x elsewhere.

    Args:
        features: A tensor of any shape with a number dtype. Integers are converted to float32.
        alpha: The derivative below 0.
        name: Ignored.

    Returns:
        A tensor with the shape of `features`.

    Gradient: Derivatives of any order are supported, including batched ones. The derivative at 0 is alpha. The tape keeps the
    input.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/leaky_relu
    """
    x = as_operand(features)
    if raw_dtype(x).kind in "iu":
        x = cast(x, dtypes.float32)
    # TensorFlow passes alpha as a float32, which makes a difference in float64.
    return _leaky_relu(x, alpha=float(np.float32(alpha)))


def crelu(features: Value, axis: int = -1, name: str | None = None) -> Value:
    """Return relu(x) and relu(-x), concatenated along `axis`.

    Args:
        features: A tensor of rank at least 1 with a real dtype.
        axis: The axis of concatenation.
        name: Ignored.

    Returns:
        A tensor with the shape of `features`, with twice the size along `axis`.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/crelu; Shang et al., arXiv 1603.05201.
    """
    x = read_once(features)
    return relu(concat([x, -x], axis))


# --- linear where x > 0, exponential elsewhere ---

elu: Primitive = Primitive(
    "Elu",
    lambda x: np.where(x < 0, np.expm1(np.minimum(x, x.dtype.type(0))), x),
    vjp=(lambda ybar, y, x: _select(y < 0, ybar * (y + 1.0), ybar),),
    batch=elementwise,
    residuals="y",  # below 0, the derivative is y + 1 = eˣ
    rule="x̄ = ȳ above 0, ȳ·(y + 1) below",
    dtype_kinds="f",
)

# Klambauer, Unterthiner, Mayr, Hochreiter: Self-Normalizing Neural Networks, arXiv 1706.02515, equation 2.
_SELU_SCALE = 1.0507009873554805
_SELU_ALPHA = 1.6732632423543772
_SELU_FLOOR = _SELU_SCALE * _SELU_ALPHA


def _selu_kernel(x: Array) -> Array:
    below = x.dtype.type(_SELU_FLOOR) * np.expm1(np.minimum(x, x.dtype.type(0)))
    return np.where(x < 0, below, x.dtype.type(_SELU_SCALE) * x)


selu: Primitive = Primitive(
    "Selu",
    _selu_kernel,
    vjp=(lambda ybar, y, x: _select(y < 0, ybar * (y + _SELU_FLOOR), ybar * _SELU_SCALE),),
    batch=elementwise,
    residuals="y",
    rule="x̄ = ȳ·λ above 0, ȳ·(y + λα) below",
    dtype_kinds="f",
)

# --- smooth ---

# TensorFlow's constants are rounded to float32, which makes a difference in float64.
_ROOT_OF_HALF = float(np.float32(0.7071067811865476))
_GELU_CUBIC = float(np.float32(0.044715))

# Unlike in TensorFlow, where the gradient op of softsign has no rule (LookupError), the second derivative exists.
softsign: Primitive = Primitive(
    "Softsign",
    lambda x: x / (1 + np.abs(x)),
    vjp=(lambda ybar, y, x: ybar / square(1.0 + abs(x)),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = ȳ / (1 + |x|)²",
    dtype_kinds="f",
)


def gelu(features: Value, approximate: bool = False, name: str | None = None) -> Value:
    """Return x times the probability that a standard normal number is below x.

    Args:
        features: A tensor of any shape with a float dtype.
        approximate: Whether to use the approximation with tanh instead of the error function.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `features`.

    Raises:
        ValueError: `features` does not have a float dtype.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/gelu; Hendrycks, Gimpel, arXiv 1606.08415.
    """
    x = read_once(features)
    if dtypes.kind_of(raw_dtype(x)) != "f":
        raise TapeValueError(
            f"`features.dtype` must be a floating point tensor, but is {raw_dtype(x)}.",
            fix="use `tf.cast(x, tf.float32)`",
            code="MT506",
        )
    if approximate:
        return 0.5 * x * (1.0 + tanh(0.7978845608028654 * (x + _GELU_CUBIC * pow(x, 3.0))))
    return 0.5 * x * erfc(-x * _ROOT_OF_HALF)


def silu(features: Value, beta: Value = 1.0) -> Value:
    """Return x·sigmoid(beta·x), also called swish.

    Args:
        features: A tensor of any shape with a float dtype.
        beta: The factor of x inside the sigmoid.

    Returns:
        A tensor with the shape and dtype of `features`.

    Gradient: Derivatives of any order with respect to both inputs are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/silu; Ramachandran, Zoph, Le, arXiv 1710.05941.
    """
    x = read_once(features)
    return x * sigmoid(beta * x)


# --- along an axis ---


def _softmax_kernel(x: Array) -> Array:
    weights = np.exp(x - _largest(x))
    return weights / _add_up(weights, axis=-1, keepdims=True)


# x.max() calls this too, but through a Python function
_most: Callable[..., Array] = np.maximum.reduce


def _largest(x: Array) -> Array:
    # Subtracted from every exponent, because eˣ of a large x would overflow.
    return _most(x, axis=-1, keepdims=True, initial=-np.inf)


def _sum_last(x: Value) -> Value:
    return _sum(x, axis=(len(x.shape) - 1,), keepdims=True)


def _softmax_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """Return the vjp of softmax, whose second term keeps the sum of the outputs at 1."""
    return (ybar - _sum_last(ybar * y)) * y


_softmax: Primitive = Primitive(
    "Softmax",
    _softmax_kernel,
    vjp=(_softmax_vjp,),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = (ȳ - Σ ȳ·y)·y",
    dtype_kinds="f",
)


def _log_softmax_kernel(x: Array) -> Array:
    shifted = x - _largest(x)
    return shifted - np.log(_add_up(np.exp(shifted), axis=-1, keepdims=True))


_log_softmax: Primitive = Primitive(
    "LogSoftmax",
    _log_softmax_kernel,
    vjp=(lambda ybar, y, x: ybar - _sum_last(ybar) * exp(y),),
    batch=leading_axes,
    residuals="y",
    rule="x̄ = ȳ - (Σ ȳ)·eʸ",
    dtype_kinds="f",
)


def softmax(logits: Value, axis: Any = None, name: str | None = None) -> Value:
    """Return eˣ divided by its sum along `axis`.

    Args:
        logits: A tensor of rank at least 1 with a float dtype.
        axis: The axis along which the results add up to 1; the last by default.
        name: Ignored.

    Returns:
        Probabilities, with the shape and dtype of `logits`.

    Raises:
        InvalidArgumentError: the axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/softmax
    """
    return _along(_softmax, as_operand(logits), axis)


def log_softmax(logits: Value, axis: Any = None, name: str | None = None) -> Value:
    """Return the logarithm of `softmax`, computed without loss of precision.

    Args:
        logits: A tensor of rank at least 1 with a float dtype.
        axis: The axis along which the probabilities add up to 1; the last by default.
        name: Ignored.

    Returns:
        Logarithms, with the shape and dtype of `logits`.

    Raises:
        InvalidArgumentError: the axis is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps the output.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/log_softmax
    """
    return _along(_log_softmax, as_operand(logits), axis)


def _along(op: Primitive, x: Value, axis: Any) -> Value:
    """Apply an op that works along the last axis along another axis."""
    rank = len(x.shape)
    position = canonical_axis(-1 if axis is None else axis, rank, op.name)
    if position == rank - 1:
        return op(x)
    swap = _swapped_with_last(position, rank)
    return _transpose(op(_transpose(x, perm=swap)), perm=swap)


def _swapped_with_last(axis: int, rank: int) -> Ints:
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return tuple(order)
