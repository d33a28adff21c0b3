"""EinsumDense: a dense layer along the axes that an einsum equation names.

Source: https://keras.io/api/layers/core_layers/einsum_dense/
"""

import re
from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import activations, constraints, initializers, regularizers
from minitape.keras.layers.keywords import refuse_given
from minitape.keras.layers.layer import Layer
from minitape.ops.products import einsum

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # letters for the axes that "..." replaces


class EinsumDense(Layer):
    """Compute activation(einsum(equation, inputs, kernel) + bias).

    The shapes of inputs and output follow from the equation.

    Args:
        equation: Axes of inputs, kernel and output, such as "abc,cd->abd"; "..." means further axes of the inputs
            that do not change.
        output_shape: Sizes of the output's last axes; a size of None is taken from the inputs.
        activation: Activation function or its name; None (the default) means linear.
        bias_axes: Letters of the output axes along which the bias varies; None (the default) means no bias.
        kernel_initializer: Initializer of the kernel.
        bias_initializer: Initializer of the bias.
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        lora_rank: Not supported; must be None.
        lora_alpha: Not supported; must be None.
        gptq_unpacked_column_size: Not supported; must be None.
        quantization_config: Not supported; must be None.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`, `activity_regularizer`.

    Raises:
        ValueError: the equation is invalid or does not fit the inputs.
        UnimplementedError: a LoRA or quantization argument is set.

    Source: https://keras.io/api/layers/core_layers/einsum_dense/
    """

    def __init__(
        self,
        equation: str,
        output_shape: Any,
        activation: Any = None,
        bias_axes: str | None = None,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        lora_rank: Any = None,
        lora_alpha: Any = None,
        gptq_unpacked_column_size: Any = None,
        quantization_config: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        refuse_given(
            self,
            "the layer always trains all elements of its weights, in the dtype of the weights",
            lora_rank=lora_rank,
            lora_alpha=lora_alpha,
            gptq_unpacked_column_size=gptq_unpacked_column_size,
            quantization_config=quantization_config,
        )
        self.equation = equation
        self.partial_output_shape = (
            (output_shape,) if isinstance(output_shape, int) else tuple(output_shape)
        )
        self.bias_axes = bias_axes
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        of_input, of_kernel, of_answer = self._spelled_out(len(input_shape))
        sizes = dict(zip(of_input, input_shape, strict=True))
        wanted = zip(reversed(of_answer), reversed(self.partial_output_shape))
        for letter, size in wanted:
            if size is not None:
                self._check_size(letter, size, sizes)
                sizes[letter] = size
        self._full_equation = f"{of_input},{of_kernel}->{of_answer}"
        self.kernel = self.add_weight(
            [self._size(letter, sizes) for letter in of_kernel],
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
            name="kernel",
        )
        if self.bias_axes is not None:
            self.bias = self.add_weight(
                self._bias_shape(of_answer, sizes),
                self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                name="bias",
            )

    def _spelled_out(self, rank: int) -> tuple[str, str, str]:
        """Return the three parts of the equation, with "..." replaced by letters."""
        parts = re.fullmatch(
            r"([a-zA-Z.]+),([a-zA-Z]+)->([a-zA-Z.]+)", self.equation.replace(" ", "")
        )
        if parts is None:
            raise TapeValueError(
                f"Invalid einsum equation '{self.equation}'. Equations must be in the form [X],[Y]->[Z].",
                fix='pass `equation="abc,cd->abd"`',
            )
        of_input, of_kernel, of_answer = parts.groups()
        free = [letter for letter in _LETTERS if letter not in self.equation]
        dots = "".join(free[: max(rank - len(of_input.replace("...", "")), 0)])
        of_input, of_answer = of_input.replace("...", dots), of_answer.replace("...", dots)
        if len(of_input) != rank:
            raise TapeValueError(
                f"The equation '{self.equation}' of layer '{self.name}' requires inputs of rank {len(of_input)}, but the "
                f"inputs have rank {rank}.",
                fix="write `...` in the equation for axes that do not change",
                code="MT507",
            )
        return of_input, of_kernel, of_answer

    def _check_size(self, letter: str, size: int, sizes: dict[str, Any]) -> None:
        if sizes.get(letter) not in (None, size):
            raise TapeValueError(
                f"Input shape and output shape do not match at shared dimension '{letter}'. "
                f"Input shape is {sizes[letter]}, and output shape is {size}.",
                fix="use `None` in `output_shape` for a size that the input determines",
                code="MT507",
            )

    def _size(self, letter: str, sizes: dict[str, Any]) -> Any:
        if letter not in sizes:
            raise TapeValueError(
                f"Weight dimension '{letter}' did not have a match in either the input or the output of "
                f"'{self.equation}'.",
                fix=f"pass a size for `{letter}` in `output_shape`",
            )
        return sizes[letter]

    def _bias_shape(self, of_answer: str, sizes: dict[str, Any]) -> list[int]:
        axes = self.bias_axes or ""
        unknown = [letter for letter in axes if letter not in of_answer]
        if unknown:
            raise TapeValueError(
                f"Bias dimension '{unknown[0]}' was requested, but is not part of the output spec '{of_answer}'.",
                fix=f'pass `bias_axes="{of_answer[-1]}"`',
            )
        first = min(of_answer.find(letter) for letter in axes)
        return [sizes[letter] if letter in axes else 1 for letter in of_answer[first:]]

    def call(self, inputs: Value, training: Any = None) -> Value:
        y = einsum(self._full_equation, inputs, self.kernel)
        return self.activation(y if self.bias is None else y + self.bias)
