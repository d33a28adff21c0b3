"""Activations as layers.

Source: https://keras.io/api/layers/activation_layers/
"""

from typing import Any

from minitape.core.values import Value
from minitape.keras import activations, initializers
from minitape.keras.layers.layer import Layer


class Activation(Layer):
    """A function as a layer.

    Args:
        activation: The function, or its name.

    Source: https://keras.io/api/layers/core_layers/activation/
    """

    def __init__(self, activation: Any, **settings: Any) -> None:
        super().__init__(**settings)
        self.activation = activations.get(activation)

    def call(self, inputs: Value) -> Value:
        return self.activation(inputs)


class ReLU(Layer):
    """`relu` as a layer.

    Args:
        max_value: Where it ends; nowhere by default.
        negative_slope: The slope below `threshold`.
        threshold: Where it begins.

    Source: https://keras.io/api/layers/activation_layers/relu/
    """

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.max_value, self.negative_slope = max_value, negative_slope
        self.threshold = threshold

    def call(self, inputs: Value) -> Value:
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """x above 0, and negative_slope·x below.

    Source: https://keras.io/api/layers/activation_layers/leaky_relu/
    """

    def __init__(self, negative_slope: float = 0.3, **settings: Any) -> None:
        super().__init__(**settings)
        self.negative_slope = negative_slope

    def call(self, inputs: Value) -> Value:
        return activations.leaky_relu(inputs, self.negative_slope)


class ELU(Layer):
    """x above 0, and alpha·(eˣ - 1) below.

    Source: https://keras.io/api/layers/activation_layers/elu/
    """

    def __init__(self, alpha: float = 1.0, **settings: Any) -> None:
        super().__init__(**settings)
        self.alpha = alpha

    def call(self, inputs: Value) -> Value:
        return activations.elu(inputs, self.alpha)


class PReLU(Layer):
    """x above 0, and alpha·x below, where each alpha is learned.

    Args:
        alpha_initializer: First value of the slopes, shape of one example.

    Source: https://keras.io/api/layers/activation_layers/prelu/; He et al. 2015.
    """

    def __init__(self, alpha_initializer: Any = "zeros", **settings: Any) -> None:
        super().__init__(**settings)
        self.alpha_initializer = initializers.get(alpha_initializer)

    def build(self, input_shape: Any) -> None:
        self.alpha = self.add_weight(input_shape[1:], self.alpha_initializer, name="alpha")

    def call(self, inputs: Value) -> Value:
        return activations.relu(inputs) - self.alpha * activations.relu(-inputs)


class Softmax(Layer):
    """`softmax` along `axis` as a layer.

    Source: https://keras.io/api/layers/activation_layers/softmax/
    """

    def __init__(self, axis: int = -1, **settings: Any) -> None:
        super().__init__(**settings)
        self.axis = axis

    def call(self, inputs: Value) -> Value:
        return activations.softmax(inputs, self.axis)
