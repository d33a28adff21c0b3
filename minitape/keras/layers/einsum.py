"""EinsumDense: a Dense along any axes, which an equation names.

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

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # for the axes that "..." stands for


class EinsumDense(Layer):
    """activation(einsum(equation, inputs, kernel) + bias).

    Args:
        equation: Such as "abc,cd->abd": the axes of the inputs, of the kernel, and of the answer.
        output_shape: The sizes of the answer's last axes; None for those of the inputs.
        activation: A function or its name; none by default.
        bias_axes: The letters of the axes along which the bias has numbers of its own; no bias by default.
        kernel_initializer: First value of the kernel; the other settings of weights as those of Dense.
        lora_rank: Refused, as are `lora_alpha`, `gptq_unpacked_column_size` and `quantization_config`.

    Raises:
        ValueError: the equation is none, or does not fit the inputs.

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
            "it trains the whole weight in its own dtype",
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
        """The three parts of the equation, with letters in place of dots."""
        parts = re.fullmatch(
            r"([a-zA-Z.]+),([a-zA-Z]+)->([a-zA-Z.]+)", self.equation.replace(" ", "")
        )
        if parts is None:
            raise TapeValueError(
                f"Invalid einsum equation '{self.equation}'. Equations must be in the form [X],[Y]->[Z].",
                fix='equation="abc,cd->abd"',
            )
        of_input, of_kernel, of_answer = parts.groups()
        free = [letter for letter in _LETTERS if letter not in self.equation]
        dots = "".join(free[: max(rank - len(of_input.replace("...", "")), 0)])
        of_input, of_answer = of_input.replace("...", dots), of_answer.replace("...", dots)
        if len(of_input) != rank:
            raise TapeValueError(
                f"The equation '{self.equation}' of layer '{self.name}' wants inputs of rank {len(of_input)}, and they "
                f"have rank {rank}.",
                fix='"..." in the equation for axes that stay as they are',
                code="MT507",
            )
        return of_input, of_kernel, of_answer

    def _check_size(self, letter: str, size: int, sizes: dict[str, Any]) -> None:
        if sizes.get(letter) not in (None, size):
            raise TapeValueError(
                f"Input shape and output shape do not match at shared dimension '{letter}'. "
                f"Input shape is {sizes[letter]}, and output shape is {size}.",
                fix="None in output_shape for sizes of the input",
                code="MT507",
            )

    def _size(self, letter: str, sizes: dict[str, Any]) -> Any:
        if letter not in sizes:
            raise TapeValueError(
                f"Weight dimension '{letter}' did not have a match in either the input or the output of "
                f"'{self.equation}'.",
                fix="a size for it in output_shape",
            )
        return sizes[letter]

    def _bias_shape(self, of_answer: str, sizes: dict[str, Any]) -> list[int]:
        axes = self.bias_axes or ""
        unknown = [letter for letter in axes if letter not in of_answer]
        if unknown:
            raise TapeValueError(
                f"Bias dimension '{unknown[0]}' was requested, but is not part of the output spec '{of_answer}'.",
                fix=f'bias_axes="{of_answer[-1]}"',
            )
        first = min(of_answer.find(letter) for letter in axes)
        return [sizes[letter] if letter in axes else 1 for letter in of_answer[first:]]

    def call(self, inputs: Value, training: Any = None) -> Value:
        y = einsum(self._full_equation, inputs, self.kernel)
        return self.activation(y if self.bias is None else y + self.bias)
