"""Dense and Embedding layers, and small layers without weights.

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
from minitape.ops.comparison import not_equal
from minitape.ops.creation import zeros_like
from minitape.ops.identity import cast
from minitape.ops.indexing import gather, where
from minitape.ops.minmax import reduce_any

_NO_TUNING = "the layer always trains all elements of its weights, in the dtype of the weights"


class Dense(Layer):
    """Compute activation(inputs @ kernel + bias).

    The inputs have shape [batch, ..., features], with at least rank 2; the output has shape [batch, ..., units]. Inputs are
    cast to the dtype of the layer.

    Args:
        units: Number of units, which is the size of the last output axis; a positive integer.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [features, units].
        bias_initializer: Initializer of the bias, shape [units].
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        lora_rank: Not supported; must be None.
        lora_alpha: Not supported; must be None.
        quantization_config: Not supported; must be None.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `units` is not a positive integer, or the number of features differs from the first call's.
        UnimplementedError: a LoRA or quantization argument is set.

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
    """Look up rows of a trainable table by integer index.

    The inputs have shape [...] and are cast to int32; the output has shape [..., output_dim]. The gradient of the table is an
    `IndexedSlices` with the rows that were read.

    Args:
        input_dim: Number of rows, which is the largest index plus 1.
        output_dim: Number of columns.
        embeddings_initializer: Initializer of the table, shape [input_dim, output_dim].
        embeddings_regularizer: Regularizer of the table; the layer adds its penalty to `losses`.
        embeddings_constraint: Function that projects the table after each optimizer update.
        mask_zero: Whether index 0 marks padding; if so, the output carries a mask that excludes the steps with index 0.
        weights: Initial table, as an array or a list with one array; replaces `embeddings_initializer`.
        lora_rank: Not supported; must be None.
        lora_alpha: Not supported; must be None.
        quantization_config: Not supported; must be None.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`. `input_length` is ignored.

    Raises:
        ValueError: `input_dim` or `output_dim` is not a positive integer.
        UnimplementedError: a LoRA or quantization argument is set.

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
        kwargs.pop("input_length", None)  # Keras 3 warns and ignores this
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
    """Mask time steps in which every feature equals `mask_value`.

    The inputs have shape [batch, steps, features]; the output has the same shape, with zeros in the masked steps, and
    carries a mask of shape [batch, steps].

    Args:
        mask_value: Value that marks padding.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

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
    """Return the inputs unchanged.

    Args:
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/core_layers/identity/
    """

    supports_masking = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.built = True

    def call(self, inputs: Any) -> Any:
        return inputs


class Lambda(Layer):
    """Wrap a function as a layer.

    The function receives the inputs and `arguments`, as well as `mask` and `training` if it has parameters with these names.

    Args:
        function: Function that receives the inputs.
        output_shape: Ignored, because the output's shape is inferred from the function's result.
        mask: Mask of the output, or a function of inputs and mask that returns it.
        arguments: Dict of further keyword arguments of the function.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        TypeError: `function` is not callable.

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
                f"A Lambda layer wraps a function. Received: function={function!r}",
                fix="use `tf.keras.layers.Lambda(lambda x: x)`",
            )
        self.function, self.arguments = function, dict(arguments or {})
        self._mask = mask
        self.supports_masking = mask is not None
        self.built = True

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        context = {"mask": mask, "training": training}
        known = _parameters_of(self.function)
        accepted = {name: value for name, value in context.items() if name in known}
        return self.function(inputs, **{**self.arguments, **accepted})

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return self._mask(inputs, mask) if callable(self._mask) else self._mask


def _parameters_of(function: Any) -> Any:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # built-in functions may have no signature
        return ()


class ActivityRegularization(Layer):
    """Return the inputs unchanged and add a penalty on them to the `losses`.

    Args:
        l1: Factor of the sum of |x|.
        l2: Factor of the sum of x².
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

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
    """Compute inputs · scale + offset.

    The inputs may have any shape and are cast to the dtype of the layer; the output has the same shape.

    Args:
        scale: A number, or an array that broadcasts to the inputs, such as one number for each channel.
        offset: A number, or an array that broadcasts to the inputs.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

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
