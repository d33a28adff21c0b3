"""Define activation functions, and look them up by name.

`sigmoid` and `softmax` store the logits from which they were computed. A cross entropy that receives the probabilities
uses these logits instead, so the computation neither overflows nor loses precision.

Source: https://keras.io/api/layers/activations/
"""

import warnings
from collections.abc import Callable
from typing import Any

from minitape.core.convert import as_operand, read_once
from minitape.core.frames import frames_to_user
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError, code_list
from minitape.keras import saving
from minitape.keras.naming import names
from minitape.keras.symbol import drawable
from minitape.ops import activations as ops
from minitape.ops import exponential as exps
from minitape.ops.arithmetic import abs as absolute
from minitape.ops.arithmetic import sqrt, square
from minitape.ops.axes import canonical_axis, real_number
from minitape.ops.broadcasting import reduce_sum
from minitape.ops.clipping import clip_by_value
from minitape.ops.comparison import greater
from minitape.ops.creation import zeros_like
from minitape.ops.cumulative import cumsum
from minitape.ops.identity import cast
from minitape.ops.indexing import where
from minitape.ops.joining import split
from minitape.ops.minmax import maximum, minimum
from minitape.ops.ranges import range as count_up
from minitape.ops.reshaping import reshape
from minitape.ops.sorting import sort


def _remembering(logits: Value, y: Value) -> Value:
    """Store the logits from which the probabilities were computed, so that a loss can use them without losing precision."""
    if type(y) is Tensor:
        y._keras_logits = logits
    return y


# --- probabilities ---


@drawable
def sigmoid(x: Value) -> Value:
    """Compute the sigmoid 1 / (1 + e⁻ˣ).

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x` and values between 0 and 1.
    """
    logits = as_operand(x)
    return _remembering(logits, exps.sigmoid(logits))


@drawable
def softmax(x: Value, axis: int | None = -1) -> Value:
    """Normalize eˣ to sum 1 along `axis`.

    If the axis has size 1, every output is 1, and the function warns about it.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        axis: Axis along which the outputs sum to 1; None means over all elements.

    Returns:
        A tensor with the shape of `x`.
    """
    logits = as_operand(x)
    if axis is None:
        return reshape(ops.softmax(reshape(logits, (-1,))), logits.shape)
    is_alone = isinstance(axis, int) and tuple(logits.shape)[axis:][:1] == (1,)
    if is_alone and not names.drawing:
        warnings.warn(
            f"`softmax` over axis {axis} of a tensor of shape {tuple(logits.shape)}: the axis has size 1, so every output "
            'is 1 regardless of the input. For a single output use `activation="sigmoid"`.',
            UserWarning,
            stacklevel=frames_to_user(),
        )
    y = ops.softmax(logits, axis)
    return _remembering(logits, y) if axis in (-1, len(y.shape) - 1) else y


@drawable
def log_softmax(x: Value, axis: int | None = -1) -> Value:
    """Compute the logarithm of `softmax` without loss of precision.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        axis: Axis along which the probabilities sum to 1; None means over all elements.

    Returns:
        A tensor with the shape of `x`.
    """
    logits = as_operand(x)
    if axis is None:
        return reshape(ops.log_softmax(reshape(logits, (-1,))), logits.shape)
    return ops.log_softmax(logits, axis)


@drawable
def log_sigmoid(x: Value) -> Value:
    """Compute log(sigmoid(x)) without loss of precision.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return exps.log_sigmoid(x)


@drawable
def sparse_sigmoid(x: Value) -> Value:
    """Compute a piecewise linear sigmoid: 0 below -1, 1 above 1, and linear in between.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    line = where(value >= 1.0, zeros_like(value) + 1.0, 0.5 * (value + 1.0))
    return where(value <= -1.0, zeros_like(value), line)


@drawable
def sparsemax(x: Value, axis: int = -1) -> Value:
    """Project the inputs onto the probability simplex along `axis`, which makes small outputs exactly 0.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        axis: Axis along which the outputs sum to 1.

    Returns:
        A tensor with the shape of `x`.

    Source: Martins, Astudillo, arXiv 1602.02068.
    """
    logits = read_once(x)
    in_order = sort(logits, axis=axis, direction="DESCENDING")
    sums = cumsum(in_order, axis=axis)
    sizes = [1] * len(logits.shape)
    sizes[axis] = -1
    positions = reshape(count_up(1, logits.shape[axis] + 1, dtype=logits.dtype), sizes)
    counts = greater(in_order - (sums - 1.0) / positions, 0.0)
    number = reduce_sum(cast(counts, logits.dtype), axis=axis, keepdims=True)
    kept = reduce_sum(where(counts, sums, zeros_like(sums)), axis=axis, keepdims=True)
    return maximum(logits - (kept - 1.0) / number, 0.0)


# --- piecewise linear functions ---


@drawable
def relu(
    x: Value, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0
) -> Value:
    """Return x between `threshold` and `max_value`, and negative_slope · (x - threshold) below `threshold`.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        negative_slope: Factor of the output below `threshold`.
        max_value: Upper limit of the output; None means no limit.
        threshold: Inputs less than or equal to this value count as inactive.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    if negative_slope and max_value is None and not threshold:
        return ops.leaky_relu(value, negative_slope)
    if threshold:
        y = where(value > threshold, value, zeros_like(value))
    else:
        y = ops.relu6(value) if max_value == 6 else ops.relu(value)
    if max_value is not None and (threshold or max_value != 6):
        y = clip_by_value(y, 0.0, max_value)
    return y - negative_slope * ops.relu(threshold - value) if negative_slope else y


@drawable
def leaky_relu(x: Value, negative_slope: float = 0.2) -> Value:
    """Return x for positive inputs and negative_slope · x for all others.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        negative_slope: Factor for negative inputs.

    Returns:
        A tensor with the shape of `x`.
    """
    return ops.leaky_relu(x, negative_slope)


@drawable
def relu6(x: Value) -> Value:
    """Clip x to [0, 6].

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return ops.relu6(as_operand(x))


@drawable
def hard_sigmoid(x: Value) -> Value:
    """Clip x/6 + ½ to [0, 1].

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return ops.relu6(as_operand(x) + 3.0) / 6.0


@drawable
def hard_silu(x: Value) -> Value:
    """Compute x · hard_sigmoid(x).

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    return value * hard_sigmoid(value)


@drawable
def hard_tanh(x: Value) -> Value:
    """Clip x to [-1, 1].

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return clip_by_value(x, -1.0, 1.0)


@drawable
def hard_shrink(x: Value, threshold: float = 0.5) -> Value:
    """Set elements with |x| ≤ `threshold` to 0.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        threshold: Largest absolute value that becomes 0.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    return where(absolute(value) > threshold, value, zeros_like(value))


@drawable
def soft_shrink(x: Value, threshold: float = 0.5) -> Value:
    """Move x toward 0 by `threshold`; elements with |x| ≤ `threshold` become 0.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        threshold: Distance by which elements move toward 0.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    below = where(value < -threshold, value + threshold, zeros_like(value))
    return where(value > threshold, value - threshold, below)


@drawable
def threshold(x: Value, threshold: float, default_value: float) -> Value:
    """Return x where it is above `threshold`, and `default_value` elsewhere.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        threshold: Value that an input must exceed to be returned unchanged.
        default_value: Output for inputs that do not exceed the threshold.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    return where(value > threshold, value, zeros_like(value) + default_value)


@drawable
def linear(x: Value) -> Value:
    """Return x unchanged.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        `x`.
    """
    return x


# --- smooth functions ---


@drawable
def elu(x: Value, alpha: float = 1.0) -> Value:
    """Return x for positive inputs and alpha · (eˣ - 1) for all others.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        alpha: Factor of the exponential part.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    y = ops.elu(value)
    return y if alpha == 1 else where(value > 0.0, y, alpha * y)


@drawable
def celu(x: Value, alpha: float = 1.0) -> Value:
    """Return x for positive inputs and alpha · (e^(x/alpha) - 1) for all others.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        alpha: Scale of the exponential part; the output approaches -alpha for large negative inputs.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    return maximum(value, 0.0) + alpha * exps.expm1(minimum(value, 0.0) / alpha)


@drawable
def selu(x: Value) -> Value:
    """Compute a scaled `elu`, which preserves the mean and variance of its inputs from layer to layer.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return ops.selu(as_operand(x))


@drawable
def exponential(x: Value) -> Value:
    """Compute eˣ.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return exps.exp(as_operand(x))


@drawable
def gelu(x: Value, approximate: bool = False) -> Value:
    """Compute x · Φ(x), where Φ is the distribution function of the standard normal distribution.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        approximate: Whether to approximate Φ with a tanh.

    Returns:
        A tensor with the shape of `x`.
    """
    return ops.gelu(x, approximate)


@drawable
def glu(x: Value, axis: int = -1) -> Value:
    """Split x into two halves along `axis`, and multiply the first by the sigmoid of the second.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        axis: Axis to split; its size must be even.

    Returns:
        A tensor with half the size along `axis`.

    Raises:
        ValueError: the size of the axis is odd.
    """
    value = read_once(x)
    position = canonical_axis(axis, len(value.shape), "glu")
    if value.shape[position] % 2:
        raise TapeValueError(
            f"axis size must be divisible by 2. Received: x.shape={tuple(value.shape)} with axis={axis}",
            fix="use an even number of features",
        )
    one, other = split(value, 2, axis=axis)
    return one * exps.sigmoid(other)


@drawable
def silu(x: Value) -> Value:
    """Compute x · sigmoid(x).

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return ops.silu(x)


@drawable
def mish(x: Value) -> Value:
    """Compute x · tanh(softplus(x)).

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    return value * exps.tanh(exps.softplus(value))


@drawable
def softplus(x: Value) -> Value:
    """Compute log(1 + eˣ).

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return exps.softplus(as_operand(x))


@drawable
def sparse_plus(x: Value) -> Value:
    """Compute a smooth ReLU: 0 below -1, x above 1, and (x + 1)²/4 in between.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    bend = where(value < 1.0, 0.25 * square(value + 1.0), value)
    return where(value <= -1.0, zeros_like(value), bend)


@drawable
def squareplus(x: Value, b: float = 4) -> Value:
    """Compute (x + √(x² + b)) / 2.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.
        b: Smoothness; 0 gives `relu`.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    return (value + sqrt(square(value) + real_number(b))) / 2.0


@drawable
def softsign(x: Value) -> Value:
    """Compute x / (1 + |x|).

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return ops.softsign(as_operand(x))


@drawable
def tanh(x: Value) -> Value:
    """Compute the hyperbolic tangent.

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return exps.tanh(as_operand(x))


@drawable
def tanh_shrink(x: Value) -> Value:
    """Compute x - tanh(x).

    Args:
        x: A tensor or array of any shape with a floating-point dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    value = read_once(x)
    return value - exps.tanh(value)


swish, hard_swish = silu, hard_silu

_ALL: tuple[Callable[..., Any], ...] = (
    celu,
    elu,
    exponential,
    gelu,
    glu,
    hard_shrink,
    hard_sigmoid,
    hard_silu,
    hard_tanh,
    leaky_relu,
    linear,
    log_sigmoid,
    log_softmax,
    mish,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    soft_shrink,
    softmax,
    softplus,
    softsign,
    sparse_plus,
    sparse_sigmoid,
    sparsemax,
    squareplus,
    tanh,
    tanh_shrink,
    threshold,
)
_BY_NAME = {each.__name__: each for each in _ALL} | {"swish": silu, "hard_swish": hard_silu}


def get(identifier: Any) -> Callable[..., Any]:
    """Return the activation for an identifier.

    Args:
        identifier: A function, a name such as "relu", or None.

    Returns:
        The activation function, which is `linear` for None.

    Raises:
        ValueError: no activation has that name.
    """
    if identifier is None:
        return linear
    if callable(identifier):
        return identifier  # type: ignore[no-any-return]  # a user-defined function
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]
    raise TapeValueError(
        f"Could not interpret activation function identifier: {identifier}",
        fix=f"use one of {code_list(_BY_NAME)}, or a function",
    )


def serialize(activation: Any) -> Any:
    """Convert an activation function to a name or a dict of plain values.

    Args:
        activation: The function.

    Returns:
        The name of a Keras activation; otherwise a dict that `deserialize` reads.
    """
    return activation.__name__ if activation in _ALL else saving.serialize_keras_object(activation)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Create an activation from the result of `serialize`, or from its name.

    Args:
        config: The result of `serialize`, or a name.
        custom_objects: Dict from names to classes or functions that are not part of Keras.

    Returns:
        A function.

    Raises:
        TypeError: the class name is unknown.
        ValueError: `get` does not recognize the name.
    """
    return saving.made_from(config, "keras.activations", get, custom_objects)


__all__ = [
    *(each.__name__ for each in _ALL),
    "deserialize",
    "get",
    "hard_swish",
    "serialize",
    "swish",
]
