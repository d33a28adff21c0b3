"""Layers with weights that see each example whole: Dense and Embedding; and what stands around them.

Source: https://keras.io/api/layers/core_layers/
"""

from typing import Any

from minitape.core import dtypes
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.keras import activations, initializers
from minitape.keras.layers.layer import Layer, check_rank, refuse
from minitape.keras.layers.symbol import Symbol
from minitape.ops.making import zeros
from minitape.ops.passing import cast
from minitape.ops.picking import gather


class Dense(Layer):
    """activation(inputs @ kernel + bias).

    Args:
        units: How many outputs.
        activation: A function or its name; none by default.
        use_bias: Whether to add one.
        kernel_initializer: First value of the kernel, shape [inputs, units].
        bias_initializer: First value of the bias, shape [units].
        kernel_regularizer: A price on the kernel, among the layer's `losses`.
        bias_regularizer: The same for the bias.
        input_shape: Shape of one example, for the first layer of a Sequential.

    Source: https://keras.io/api/layers/core_layers/dense/
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        *,
        input_shape: Any = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.units = int(units)
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer, self.bias_regularizer = kernel_regularizer, bias_regularizer
        self.bias: Variable | None = None
        self.input_shape = None if input_shape is None else tuple(input_shape)

    def build(self, input_shape: Any) -> None:
        check_rank(self, input_shape, 2)
        self.kernel = self.add_weight(
            (input_shape[-1], self.units),
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            name="kernel",
        )
        if self.use_bias:
            self.bias = self.add_weight(
                (self.units,),
                self.bias_initializer,
                regularizer=self.bias_regularizer,
                name="bias",
            )

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 2)
        size = self.kernel.shape[0]
        if inputs.shape[-1] != size:
            found = f"expected axis -1 of input shape to have value {size}"
            raise refuse(self, found, inputs.shape)
        y = cast(inputs, self.dtype) @ self.kernel
        return self.activation(y if self.bias is None else y + self.bias)


class Embedding(Layer):
    """Rows of a table by number: the gradient of the table is an IndexedSlices of the rows that were read.

    Args:
        input_dim: How many rows.
        output_dim: How long each is.
        embeddings_initializer: First value of the table.
        embeddings_regularizer: A price on the table, among the layer's `losses`.

    Source: https://keras.io/api/layers/core_layers/embedding/
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.input_dim, self.output_dim = int(input_dim), int(output_dim)
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = embeddings_regularizer

    def build(self, input_shape: Any) -> None:
        self.embeddings = self.add_weight(
            (self.input_dim, self.output_dim),
            self.embeddings_initializer,
            regularizer=self.embeddings_regularizer,
            name="embeddings",
        )

    def call(self, inputs: Value) -> Value:
        return gather(self.embeddings, cast(inputs, dtypes.int32))


class Lambda(Layer):
    """A function of the user's as a layer.

    Source: https://keras.io/api/layers/core_layers/lambda/
    """

    def __init__(self, function: Any, **settings: Any) -> None:
        super().__init__(**settings)
        self.function = function

    def call(self, inputs: Value) -> Value:
        return self.function(inputs)


class InputLayer(Layer):
    """Says what shape one example has, so that a Sequential is built at once."""

    def __init__(self, shape: Any = None, *, input_shape: Any = None, **settings: Any) -> None:
        super().__init__(**settings)
        self.input_shape = tuple(shape if shape is not None else input_shape or ())

    def call(self, inputs: Value) -> Value:
        return inputs


# Stands in for a size that is not known yet: room enough for most windows.
_ANY_SIZE = 32


def Input(  # noqa: N802  # Keras spells it so
    shape: Any = None, batch_size: int | None = None, dtype: Any = None, name: str | None = None
) -> Symbol:
    """The input of a model that is drawn: `Model(inputs, outputs)`; or the first entry of a Sequential.

    Args:
        shape: Of one example; None for a size that is not known.
        batch_size: How many examples; any number by default.
        dtype: Of the input; float32 by default.
        name: By default "input_layer", numbered.

    Unlike TensorFlow, `x + y` cannot be drawn: `tf.keras.layers.Add()([x, y])` can.

    Source: https://keras.io/api/layers/core_layers/input/
    """
    layer = InputLayer(shape, dtype=dtype, name=name)
    sizes = [_ANY_SIZE if size is None else size for size in layer.input_shape]
    return Symbol(layer, None, zeros((batch_size or 1, *sizes), layer.dtype))
