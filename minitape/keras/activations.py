"""The functions between layers, and their names as strings.

Source: https://keras.io/api/layers/activations/
"""

from collections.abc import Callable
from typing import Any

from minitape.core.primitive import public
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops import activations, exponential
from minitape.ops.activations import gelu, leaky_relu, log_softmax, silu, softmax

relu = public(activations.relu, "x")
relu6 = public(activations.relu6, "x")
elu = public(activations.elu, "x")
selu = public(activations.selu, "x")
softsign = public(activations.softsign, "x")
sigmoid = public(exponential.sigmoid, "x")
tanh = public(exponential.tanh, "x")
softplus = public(exponential.softplus, "x")
exponential_ = public(exponential.exp, "x")
swish = silu


def linear(x: Value) -> Value:
    """The value as it is."""
    return x


_BY_NAME: dict[str, Callable[..., Any]] = {
    "elu": elu,
    "exponential": exponential_,
    "gelu": gelu,
    "leaky_relu": leaky_relu,
    "linear": linear,
    "log_softmax": log_softmax,
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
    "leaky_relu",
    "linear",
    "log_softmax",
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
