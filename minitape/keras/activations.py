"""The functions between layers, and their names as strings.

sigmoid and softmax remember the logits that they were made of: a cross entropy that gets the probabilities takes the logits
instead, which neither overflow nor lose digits.

Source: https://keras.io/api/layers/activations/
"""

from collections.abc import Callable
from typing import Any

from minitape.core.convert import as_operand
from minitape.core.primitive import public
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops import activations, exponential
from minitape.ops.activations import gelu, log_softmax, silu
from minitape.ops.clipping import clip_by_value
from minitape.ops.extremes import minimum
from minitape.ops.making import zeros_like
from minitape.ops.picking import where

relu6 = public(activations.relu6, "x")
selu = public(activations.selu, "x")
softsign = public(activations.softsign, "x")
tanh = public(exponential.tanh, "x")
softplus = public(exponential.softplus, "x")
exponential_ = public(exponential.exp, "x")
swish = silu


class Probabilities(Tensor):
    """A tensor that knows of which logits it was made; to ops and tapes it is a tensor like any other."""

    __slots__ = ("logits",)

    def __init__(self, value: Tensor, logits: Value) -> None:
        self._array, self._id = value._array, value._id
        self.logits = logits

    def _read(self) -> Tensor:
        """The plain tensor that an op computes with."""
        tensor = Tensor.__new__(Tensor)
        tensor._array, tensor._id = self._array, self._id
        return tensor


def _remembering(logits: Value, y: Value) -> Value:
    return Probabilities(y, logits) if type(y) is Tensor else y


def sigmoid(x: Value) -> Value:
    """1 / (1 + e⁻ˣ)."""
    logits = as_operand(x)
    return _remembering(logits, exponential.sigmoid(logits))


def softmax(x: Value, axis: int = -1) -> Value:
    """eˣ as shares of their sum along `axis`."""
    logits = as_operand(x)
    y = activations.softmax(logits, axis)
    return _remembering(logits, y) if axis in (-1, len(y.shape) - 1) else y


def relu(
    x: Value, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0
) -> Value:
    """x from `threshold` to `max_value`, where it stays; below, negative_slope · (x - threshold)."""
    value = as_operand(x)
    if not threshold:
        y = (
            activations.leaky_relu(value, negative_slope)
            if negative_slope
            else activations.relu(value)
        )
        return y if max_value is None else minimum(y, max_value)
    below = negative_slope * (value - threshold) if negative_slope else zeros_like(value)
    y = where(value > threshold, value, below)
    return y if max_value is None else minimum(y, max_value)


def leaky_relu(x: Value, negative_slope: float = 0.2) -> Value:
    """x above 0, and negative_slope · x below."""
    return activations.leaky_relu(x, negative_slope)


def elu(x: Value, alpha: float = 1.0) -> Value:
    """x above 0, and alpha · (eˣ - 1) below."""
    y = activations.elu(as_operand(x))
    return y if alpha == 1 else where(y > 0.0, y, alpha * y)


def hard_sigmoid(x: Value) -> Value:
    """x/6 + ½, cut off at 0 and 1."""
    return activations.relu6(as_operand(x) + 3.0) / 6.0


def hard_tanh(x: Value) -> Value:
    """x, cut off at -1 and 1."""
    return clip_by_value(x, -1.0, 1.0)


def mish(x: Value) -> Value:
    """x · tanh(softplus(x))."""
    value = as_operand(x)
    return value * exponential.tanh(exponential.softplus(value))


def log_sigmoid(x: Value) -> Value:
    """log(sigmoid(x)), without its loss of digits."""
    return -exponential.softplus(-as_operand(x))


def linear(x: Value) -> Value:
    """The value as it is."""
    return x


_BY_NAME: dict[str, Callable[..., Any]] = {
    "elu": elu,
    "exponential": exponential_,
    "gelu": gelu,
    "hard_sigmoid": hard_sigmoid,
    "hard_tanh": hard_tanh,
    "leaky_relu": leaky_relu,
    "linear": linear,
    "log_sigmoid": log_sigmoid,
    "log_softmax": log_softmax,
    "mish": mish,
    "relu": relu,
    "relu6": relu6,
    "selu": selu,
    "sigmoid": sigmoid,
    "silu": silu,
    "softmax": softmax,
    "softplus": softplus,
    "softsign": softsign,
    "swish": silu,
    "tanh": tanh,
}


def get(identifier: Any) -> Callable[..., Any]:
    """The activation that a user means: a function, its name, or None for none.

    Raises:
        ValueError: there is no such name.
    """
    if identifier is None:
        return linear
    if callable(identifier):
        return identifier  # type: ignore[no-any-return]  # a user's own function
    if identifier in _BY_NAME:
        return _BY_NAME[identifier]
    raise TapeValueError(
        f"Could not interpret activation function identifier: {identifier}",
        fix=f"one of {', '.join(_BY_NAME)}, or a function",
    )


__all__ = [
    "elu",
    "gelu",
    "get",
    "hard_sigmoid",
    "hard_tanh",
    "leaky_relu",
    "linear",
    "log_sigmoid",
    "log_softmax",
    "mish",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
]
