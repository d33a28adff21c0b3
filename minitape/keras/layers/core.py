"""Layers with weights that see each example whole, Dense and Embedding, and small ones without.

Source: https://keras.io/api/layers/core_layers/
"""

import inspect
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.values import Value
from minitape.errors import TapeTypeError
from minitape.keras import activations, constraints, initializers, regularizers
from minitape.keras.layers.keywords import positive, refuse_given
from minitape.keras.layers.layer import Layer, check_rank, refuse
from minitape.ops.comparing import not_equal
from minitape.ops.extremes import reduce_any
from minitape.ops.making import zeros_like
from minitape.ops.passing import cast
from minitape.ops.picking import gather, where

_NO_TUNING = "it trains the whole weight in its own dtype"


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
        activity_regularizer: The same for the answer.
        kernel_constraint: What the kernel is brought back to after each update.
        bias_constraint: The same for the bias.
        lora_rank: Refused, as are `lora_alpha` and `quantization_config`.

    Raises:
        ValueError: `units` is no whole number above 0; an input has another size than the first one.

    Source: https://keras.io/api/layers/core_layers/dense/
    """

    supports_masking = True

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        lora_rank: Any = None,
        lora_alpha: Any = None,
        quantization_config: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        refuse_given(
            self,
            _NO_TUNING,
            lora_rank=lora_rank,
            lora_alpha=lora_alpha,
            quantization_config=quantization_config,
        )
        self.units = positive("units", units)
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.kernel: Any = None
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        check_rank(self, input_shape, 2)
        self.kernel = self.add_weight(
            (input_shape[-1], self.units),
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
            name="kernel",
        )
        if self.use_bias:
            self.bias = self.add_weight(
                (self.units,),
                self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                name="bias",
            )

    def call(self, inputs: Value, training: Any = None) -> Value:
        shape, (size, _) = tuple(inputs.shape), self.kernel.shape
        check_rank(self, shape, 2)
        if shape[-1] != size:
            found = f"expected axis -1 of input shape to have value {size}"
            raise refuse(self, found, shape)
        y = cast(inputs, self.dtype) @ self.kernel
        return self.activation(y if self.bias is None else y + self.bias)


class Embedding(Layer):
    """Rows of a table by number: the gradient of the table is an IndexedSlices of the rows that were read.

    Args:
        input_dim: How many rows.
        output_dim: How long each is.
        embeddings_initializer: First value of the table.
        embeddings_regularizer: A price on the table, among the layer's `losses`.
        embeddings_constraint: What the table is brought back to after each update.
        mask_zero: Whether number 0 stands for a step that does not count: the answer then has a mask.
        weights: The table itself, as an array or a list with one, in place of an initializer.
        lora_rank: Refused, as are `lora_alpha` and `quantization_config`.

    Source: https://keras.io/api/layers/core_layers/embedding/
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None,
        embeddings_constraint: Any = None,
        mask_zero: bool = False,
        weights: Any = None,
        lora_rank: Any = None,
        lora_alpha: Any = None,
        quantization_config: Any = None,
        **kwargs: Any,
    ) -> None:
        kwargs.pop("input_length", None)  # Keras 3 takes it, warns, and has no use for it
        super().__init__(**kwargs)
        refuse_given(
            self,
            _NO_TUNING,
            lora_rank=lora_rank,
            lora_alpha=lora_alpha,
            quantization_config=quantization_config,
        )
        self.input_dim = positive("input_dim", input_dim)
        self.output_dim = positive("output_dim", output_dim)
        table = weights[0] if isinstance(weights, list | tuple) else weights
        self.embeddings_initializer = initializers.get(
            embeddings_initializer if table is None else initializers.Constant(table)
        )
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.mask_zero = self.supports_masking = mask_zero

    def build(self, input_shape: Any = None) -> None:
        self.embeddings = self.add_weight(
            (self.input_dim, self.output_dim),
            self.embeddings_initializer,
            regularizer=self.embeddings_regularizer,
            constraint=self.embeddings_constraint,
            name="embeddings",
        )

    def call(self, inputs: Value) -> Value:
        return gather(self.embeddings, cast(inputs, dtypes.int32))

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return not_equal(inputs, 0) if self.mask_zero else None


class Masking(Layer):
    """Steps that hold nothing but `mask_value` do not count: they become 0, and the answer has a mask.

    Args:
        mask_value: What fills a step that is none.

    Source: https://keras.io/api/layers/core_layers/masking/
    """

    def __init__(self, mask_value: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.mask_value = mask_value
        self.built = True

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return reduce_any(not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Value) -> Value:
        counts = reduce_any(not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        return where(counts, inputs, zeros_like(inputs))


class Identity(Layer):
    """The input as it is.

    Source: https://keras.io/api/layers/core_layers/identity/
    """

    supports_masking = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.built = True

    def call(self, inputs: Any) -> Any:
        return inputs


class Lambda(Layer):
    """A function of the user's as a layer.

    Args:
        function: Of the inputs.
        output_shape: Without effect: the shape is learned from the function's answer.
        mask: The answer's mask, or a function of inputs and mask that gives it.
        arguments: Further arguments of the function, by name.

    Raises:
        TypeError: the function takes no positional argument.

    Source: https://keras.io/api/layers/core_layers/lambda/
    """

    def __init__(
        self,
        function: Any,
        output_shape: Any = None,
        mask: Any = None,
        arguments: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not callable(function):
            raise TapeTypeError(
                f"A Lambda layer is made of a function, and was given {function!r}.",
                fix="tf.keras.layers.Lambda(lambda x: x)",
            )
        self.function, self.arguments = function, dict(arguments or {})
        self._mask = mask
        self.supports_masking = mask is not None
        self.built = True

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        told = {"mask": mask, "training": training}
        known = _parameters_of(self.function)
        about = {name: value for name, value in told.items() if name in known}
        return self.function(inputs, **{**self.arguments, **about})

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return self._mask(inputs, mask) if callable(self._mask) else self._mask


def _parameters_of(function: Any) -> Any:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # one of Python's own, which has none to show
        return ()


class ActivityRegularization(Layer):
    """The input as it is, with a price on it among the `losses`.

    Args:
        l1: Price of each |x|.
        l2: Price of each x².

    Source: https://keras.io/api/layers/regularization_layers/activity_regularization/
    """

    supports_masking = True

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any) -> None:
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.l1, self.l2 = l1, l2
        self.built = True

    def call(self, inputs: Value) -> Value:
        return inputs


class Rescaling(Layer):
    """inputs · scale + offset.

    Args:
        scale: A number, or one for each channel.
        offset: The same.

    Source: https://keras.io/api/layers/preprocessing_layers/image_preprocessing/rescaling/
    """

    supports_masking = True

    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset

    def call(self, inputs: Value) -> Value:
        kind = self.dtype.numpy
        return cast(inputs, self.dtype) * np.asarray(self.scale, kind) + np.asarray(
            self.offset, kind
        )
