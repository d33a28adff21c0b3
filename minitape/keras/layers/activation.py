"""Layers that apply activation functions.

Source: https://keras.io/api/layers/activation_layers/
"""

import warnings
from typing import Any

from minitape.core.frames import frames_to_user
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import activations, constraints, initializers, regularizers
from minitape.keras.layers.layer import Layer
from minitape.ops.axes import real_number
from minitape.ops.comparison import greater
from minitape.ops.creation import fill, zeros_like
from minitape.ops.exponential import exp
from minitape.ops.identity import cast
from minitape.ops.indexing import where
from minitape.ops.statistics import reduce_logsumexp


class Activation(Layer):
    """Apply an activation function to the inputs.

    Args:
        activation: The function, or its name such as "relu".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs may have any shape; the output has the same shape.

    Source: https://keras.io/api/layers/core_layers/activation/
    """

    supports_masking = True

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.activation = activations.get(activation)
        self.built = True

    def call(self, inputs: Value) -> Value:
        return self.activation(inputs)


def _from_zero(what: str, number: Any, kind: str) -> Any:
    """Check that a setting is not negative, and return it.

    Raises:
        ValueError: the setting is negative or None.
    """
    if number is None or real_number(number) < 0:
        raise TapeValueError(
            f"{what} of a {kind} layer cannot be None or a negative value. Received: {what}={number}",
            fix=f"pass `{what}=0.1`",
        )
    return number


class ReLU(Layer):
    """Apply `relu`, which returns inputs from `threshold` to `max_value` unchanged.

    Args:
        max_value: Upper limit of the output; None (the default) means no limit.
        negative_slope: Below `threshold` the output is `negative_slope * (x - threshold)`; at least 0.
        threshold: Input above which the output is `x`; at least 0.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs may have any shape; the output has the same shape.

    Raises:
        ValueError: a setting is negative.

    Source: https://keras.io/api/layers/activation_layers/relu/
    """

    supports_masking = True

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.max_value = None if max_value is None else _from_zero("max_value", max_value, "ReLU")
        self.negative_slope = _from_zero("negative_slope", negative_slope, "ReLU")
        self.threshold = _from_zero("threshold", threshold, "ReLU")
        self.built = True

    def call(self, inputs: Value) -> Value:
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """Return `x` for positive inputs and `negative_slope * x` for all others.

    Args:
        negative_slope: Factor for negative inputs; at least 0. The old name `alpha` still works, with a warning.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs may have any shape; the output has the same shape.

    Raises:
        ValueError: `negative_slope` is negative or None.

    Source: https://keras.io/api/layers/activation_layers/leaky_relu/
    """

    supports_masking = True

    def __init__(self, negative_slope: float = 0.3, **kwargs: Any) -> None:
        if "alpha" in kwargs:
            negative_slope = kwargs.pop("alpha")
            warnings.warn(
                "Argument `alpha` is deprecated. Use `negative_slope` instead.",
                UserWarning,
                stacklevel=frames_to_user(),
            )
        super().__init__(**kwargs)
        self.negative_slope = _from_zero("negative_slope", negative_slope, "Leaky ReLU")
        self.built = True

    def call(self, inputs: Value) -> Value:
        return activations.leaky_relu(inputs, self.negative_slope)


class ELU(Layer):
    """Return `x` for positive inputs and `alpha * (exp(x) - 1)` for all others.

    Args:
        alpha: Scale of the exponential part; the output approaches `-alpha` for large negative inputs.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs may have any shape; the output has the same shape.

    Source: https://keras.io/api/layers/activation_layers/elu/
    """

    supports_masking = True

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.alpha = alpha
        self.built = True

    def call(self, inputs: Value) -> Value:
        return activations.elu(inputs, self.alpha)


class PReLU(Layer):
    """Return `x` for positive inputs and `alpha * x` for all others, with trainable `alpha`.

    Args:
        alpha_initializer: Initializer of `alpha`, which has the shape of one example.
        alpha_regularizer: Regularizer of `alpha`; the layer adds its penalty to `losses`.
        alpha_constraint: Function that projects `alpha` after each optimizer update.
        shared_axes: Axes of the input along which `alpha` is shared, such as [1, 2] for images; the batch is axis
            0.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs have shape [batch, ...]; the output has the same shape.

    Source: https://keras.io/api/layers/activation_layers/prelu/; He et al. 2015.
    """

    supports_masking = True

    def __init__(
        self,
        alpha_initializer: Any = "Zeros",
        alpha_regularizer: Any = None,
        alpha_constraint: Any = None,
        shared_axes: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.alpha_initializer = initializers.get(alpha_initializer)
        self.alpha_regularizer = regularizers.get(alpha_regularizer)
        self.alpha_constraint = constraints.get(alpha_constraint)
        axes = [shared_axes] if isinstance(shared_axes, int) else shared_axes
        self.shared_axes = None if axes is None else list(axes)

    def build(self, input_shape: Any) -> None:
        shape = list(input_shape)[1:]
        for axis in self.shared_axes or []:
            shape[axis - 1] = 1
        self.alpha = self.add_weight(
            shape,
            self.alpha_initializer,
            regularizer=self.alpha_regularizer,
            constraint=self.alpha_constraint,
            name="alpha",
        )

    def call(self, inputs: Value) -> Value:
        return activations.relu(inputs) - self.alpha * activations.relu(-inputs)


class Softmax(Layer):
    """Apply `softmax` along one or several axes.

    Args:
        axis: Axis, or list of axes, along which the outputs sum to 1.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs may have any shape; the output has the same shape. A call accepts a `mask` that broadcasts to the inputs:
    masked elements become 0.

    Raises:
        ValueError: the mask of a call has more dimensions than the inputs.

    Source: https://keras.io/api/layers/activation_layers/softmax/
    """

    supports_masking = True

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis
        self.built = True

    def call(self, inputs: Value, mask: Any = None) -> Value:
        """Compute the softmax.

        Args:
            inputs: A tensor of any shape.
            mask: Bool tensor that broadcasts to the inputs, False for elements whose output is 0; or None.

        Returns:
            A tensor with the shape of `inputs`.
        """
        if mask is None:
            return self._softmax(inputs)
        if len(mask.shape) > len(inputs.shape):
            raise TapeValueError(
                "The `mask` must be broadcastable to `inputs` and must not have more dimensions. Received: "
                f"inputs.shape={tuple(inputs.shape)}, mask.shape={tuple(mask.shape)}",
                fix="pass a mask with the shape of the inputs",
                code="MT507",
            )
        counts = mask if mask.dtype.is_bool else greater(mask, cast(0.5, mask.dtype))
        # This value is so far below all others that the softmax is 0, but not so large in magnitude that a sum overflows.
        lowest = cast(-3e4 if inputs.dtype.name == "float16" else -1e9, inputs.dtype)
        probabilities = self._softmax(where(counts, inputs, fill(inputs.shape, lowest)))
        return where(counts, probabilities, zeros_like(probabilities))

    def _softmax(self, x: Value) -> Value:
        axes = self.axis if isinstance(self.axis, list | tuple) else [self.axis]
        if len(axes) == 1:
            return activations.softmax(x, axes[0])
        return exp(x - reduce_logsumexp(x, axis=axes, keepdims=True))
