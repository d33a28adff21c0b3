"""The functions between layers, and their names as strings.

sigmoid and softmax remember the logits that they were made of: a cross entropy that gets the probabilities takes the logits
instead, which neither overflow nor lose digits.

Source: https://keras.io/api/layers/activations/
"""

import warnings
from collections.abc import Callable
from typing import Any

from minitape.core.convert import as_operand, read_once
from minitape.core.frames import frames_to_user
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
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
from minitape.ops.comparing import greater
from minitape.ops.cumulative import cumsum
from minitape.ops.extremes import maximum, minimum
from minitape.ops.joining import split
from minitape.ops.making import zeros_like
from minitape.ops.passing import cast
from minitape.ops.picking import where
from minitape.ops.progressions import range as count_up
from minitape.ops.shaping import reshape
from minitape.ops.sorting import sort


def _remembering(logits: Value, y: Value) -> Value:
    """Probabilities, and of which logits they were made: losses compute with those, and lose no digits."""
    if type(y) is Tensor:
        y._keras_logits = logits
    return y


# --- shares ---


@drawable
def sigmoid(x: Value) -> Value:
    """1 / (1 + e⁻ˣ)."""
    logits = as_operand(x)
    return _remembering(logits, exps.sigmoid(logits))


@drawable
def softmax(x: Value, axis: int | None = -1) -> Value:
    """eˣ as shares of their sum along `axis`; of all elements with None.

    Warns of an axis of size 1, where every share is 1.
    """
    logits = as_operand(x)
    if axis is None:
        return reshape(ops.softmax(reshape(logits, (-1,))), logits.shape)
    is_alone = isinstance(axis, int) and tuple(logits.shape)[axis:][:1] == (1,)
    if is_alone and not names.drawing:
        warnings.warn(
            f"softmax over axis {axis} of a tensor of shape {tuple(logits.shape)}: the axis has size 1, so that every "
            'share is 1, whatever goes in. activation="sigmoid" is meant for one number.',
            UserWarning,
            stacklevel=frames_to_user(),
        )
    y = ops.softmax(logits, axis)
    return _remembering(logits, y) if axis in (-1, len(y.shape) - 1) else y


@drawable
def log_softmax(x: Value, axis: int | None = -1) -> Value:
    """The logarithms of `softmax`, without its loss of digits."""
    logits = as_operand(x)
    if axis is None:
        return reshape(ops.log_softmax(reshape(logits, (-1,))), logits.shape)
    return ops.log_softmax(logits, axis)


@drawable
def log_sigmoid(x: Value) -> Value:
    """log(sigmoid(x)), without its loss of digits."""
    return exps.log_sigmoid(x)


@drawable
def sparse_sigmoid(x: Value) -> Value:
    """0 below -1, 1 above 1, a straight line between."""
    value = read_once(x)
    line = where(value >= 1.0, zeros_like(value) + 1.0, 0.5 * (value + 1.0))
    return where(value <= -1.0, zeros_like(value), line)


@drawable
def sparsemax(x: Value, axis: int = -1) -> Value:
    """Shares of 1 along `axis` of which small ones are exactly 0; Martins, Astudillo, arXiv 1602.02068."""
    logits = read_once(x)
    in_order = sort(logits, axis=axis, direction="DESCENDING")
    sums = cumsum(in_order, axis=axis)
    sizes = [1] * len(logits.shape)
    sizes[axis] = -1
    places = reshape(count_up(1, logits.shape[axis] + 1, dtype=logits.dtype), sizes)
    counts = greater(in_order - (sums - 1.0) / places, 0.0)
    number = reduce_sum(cast(counts, logits.dtype), axis=axis, keepdims=True)
    kept = reduce_sum(where(counts, sums, zeros_like(sums)), axis=axis, keepdims=True)
    return maximum(logits - (kept - 1.0) / number, 0.0)


# --- ramps ---


@drawable
def relu(
    x: Value, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0
) -> Value:
    """x from `threshold` to `max_value`, where it stays; below, negative_slope · (x - threshold)."""
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
    """x above 0, and negative_slope · x below."""
    return ops.leaky_relu(x, negative_slope)


@drawable
def relu6(x: Value) -> Value:
    """x, cut off at 0 and 6."""
    return ops.relu6(as_operand(x))


@drawable
def hard_sigmoid(x: Value) -> Value:
    """x/6 + ½, cut off at 0 and 1."""
    return ops.relu6(as_operand(x) + 3.0) / 6.0


@drawable
def hard_silu(x: Value) -> Value:
    """x · hard_sigmoid(x)."""
    value = read_once(x)
    return value * hard_sigmoid(value)


@drawable
def hard_tanh(x: Value) -> Value:
    """x, cut off at -1 and 1."""
    return clip_by_value(x, -1.0, 1.0)


@drawable
def hard_shrink(x: Value, threshold: float = 0.5) -> Value:
    """x, and 0 where its size is at most `threshold`."""
    value = read_once(x)
    return where(absolute(value) > threshold, value, zeros_like(value))


@drawable
def soft_shrink(x: Value, threshold: float = 0.5) -> Value:
    """x, pulled towards 0 by `threshold`."""
    value = read_once(x)
    below = where(value < -threshold, value + threshold, zeros_like(value))
    return where(value > threshold, value - threshold, below)


@drawable
def threshold(x: Value, threshold: float, default_value: float) -> Value:
    """x above `threshold`, and `default_value` elsewhere."""
    value = read_once(x)
    return where(value > threshold, value, zeros_like(value) + default_value)


@drawable
def linear(x: Value) -> Value:
    """The value as it is."""
    return x


# --- bends ---


@drawable
def elu(x: Value, alpha: float = 1.0) -> Value:
    """x above 0, and alpha · (eˣ - 1) below."""
    value = read_once(x)
    y = ops.elu(value)
    return y if alpha == 1 else where(value > 0.0, y, alpha * y)


@drawable
def celu(x: Value, alpha: float = 1.0) -> Value:
    """x above 0, and alpha · (e^(x/alpha) - 1) below."""
    value = read_once(x)
    return maximum(value, 0.0) + alpha * exps.expm1(minimum(value, 0.0) / alpha)


@drawable
def selu(x: Value) -> Value:
    """`elu`, enlarged so that signals keep their size."""
    return ops.selu(as_operand(x))


@drawable
def exponential(x: Value) -> Value:
    """eˣ."""
    return exps.exp(as_operand(x))


@drawable
def gelu(x: Value, approximate: bool = False) -> Value:
    """x, weighed by the chance that a standard normal number lies below it."""
    return ops.gelu(x, approximate)


@drawable
def glu(x: Value, axis: int = -1) -> Value:
    """One half along `axis`, weighed by the sigmoid of the other."""
    value = read_once(x)
    place = canonical_axis(axis, len(value.shape), "glu")
    if value.shape[place] % 2:
        raise TapeValueError(
            f"axis size must be divisible by 2. Received: x.shape={tuple(value.shape)} with axis={axis}",
            fix="an even number of features",
        )
    one, other = split(value, 2, axis=axis)
    return one * exps.sigmoid(other)


@drawable
def silu(x: Value) -> Value:
    """x · sigmoid(x)."""
    return ops.silu(x)


@drawable
def mish(x: Value) -> Value:
    """x · tanh(softplus(x))."""
    value = read_once(x)
    return value * exps.tanh(exps.softplus(value))


@drawable
def softplus(x: Value) -> Value:
    """log(1 + eˣ)."""
    return exps.softplus(as_operand(x))


@drawable
def sparse_plus(x: Value) -> Value:
    """0 below -1, x above 1, a parabola between."""
    value = read_once(x)
    bend = where(value < 1.0, 0.25 * square(value + 1.0), value)
    return where(value <= -1.0, zeros_like(value), bend)


@drawable
def squareplus(x: Value, b: float = 4) -> Value:
    """(x + √(x² + b)) / 2."""
    value = read_once(x)
    return (value + sqrt(square(value) + real_number(b))) / 2.0


@drawable
def softsign(x: Value) -> Value:
    """x / (1 + |x|)."""
    return ops.softsign(as_operand(x))


@drawable
def tanh(x: Value) -> Value:
    """The hyperbolic tangent."""
    return exps.tanh(as_operand(x))


@drawable
def tanh_shrink(x: Value) -> Value:
    """x - tanh(x)."""
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
    """The activation that a user means: a function, its name, or None for none.

    Raises:
        ValueError: there is no such name.
    """
    if identifier is None:
        return linear
    if callable(identifier):
        return identifier  # type: ignore[no-any-return]  # a user's own function
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]
    raise TapeValueError(
        f"Could not interpret activation function identifier: {identifier}",
        fix=f"one of {', '.join(_BY_NAME)}, or a function",
    )


def serialize(activation: Any) -> Any:
    """An activation as plain values: see `keras.saving`."""
    return activation.__name__ if activation in _ALL else saving.serialize_keras_object(activation)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """An activation from what `serialize` gave, or from its name.

    Raises:
        TypeError: there is no class of that name.
        ValueError: `get` knows no such name.
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
