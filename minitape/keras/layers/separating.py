"""Convolutions that take each channel by itself: far fewer weights.

    DepthwiseConv1D, DepthwiseConv2D    each channel has filters of its own
    SeparableConv1D, SeparableConv2D    the same, then a Dense over the channels of each place

A sequence is a picture of height 1.

Source: https://keras.io/api/layers/convolution_layers/; Chollet, arXiv 1610.02357.
"""

from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import activations, constraints, initializers, regularizers
from minitape.keras.layers.keywords import positive
from minitape.keras.layers.layer import Layer, check_rank
from minitape.keras.layers.spatial import (
    checked_format,
    checked_padding,
    reach,
    refuse_channels_first,
    shape_channels_last,
    sizes,
    with_defaults,
)
from minitape.ops import convolution
from minitape.ops.shaping import expand_dims, reshape, squeeze


class Depthwise(Layer):
    """A convolution in which every channel has filters of its own.

    Args:
        kernel_size: Size of the kernel: one number, or one for each axis of space.
        strides: How far it moves, the same along all axes.
        padding: "valid" or "same".
        depth_multiplier: How many filters each channel has.
        data_format: "channels_last"; "channels_first" is refused by a call, as TensorFlow does without a GPU.
        dilation_rate: How far apart the taps of the kernel lie.
        activation: A function or its name; none by default.
        use_bias: Whether to add one.
        depthwise_initializer: First value of the kernel, [*kernel_size, channels, depth_multiplier].
        bias_initializer: First value of the bias.
        depthwise_regularizer: A price on the kernel, among the layer's `losses`.
        bias_regularizer: The same for the bias.
        activity_regularizer: The same for the answer.
        depthwise_constraint: What the kernel is brought back to after each update.
        bias_constraint: The same for the bias.

    Raises:
        ValueError: a setting is no such size.
    """

    rank = 2

    def __init__(
        self,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        depth_multiplier: int = 1,
        data_format: str | None = None,
        dilation_rate: Any = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.kernel_size = sizes("kernel_size", kernel_size, self.rank)
        self.strides = sizes("strides", strides, self.rank)
        self.dilation_rate = sizes("dilation_rate", dilation_rate, self.rank)
        self.padding = checked_padding(padding, ("valid", "same"))
        self.depth_multiplier = positive("depth_multiplier", depth_multiplier)
        self.data_format = checked_format(data_format)
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.depthwise_constraint = constraints.get(depthwise_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        check_rank(self, input_shape, self.rank + 2)
        channels = shape_channels_last(input_shape, self.data_format)[-1]
        self._make_kernels(channels)
        if self.use_bias:
            self.bias = self.add_weight(
                (self._outputs(channels),),
                self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                name="bias",
            )

    def _make_kernels(self, channels: Any) -> None:
        self.kernel = self.add_weight(
            (*self.kernel_size, channels, self.depth_multiplier),
            self.depthwise_initializer,
            regularizer=self.depthwise_regularizer,
            constraint=self.depthwise_constraint,
            name="kernel",
        )

    def _outputs(self, channels: int) -> int:
        return channels * self.depth_multiplier

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2, most=self.rank + 2)
        refuse_channels_first(self, self.data_format)
        y = self._mixed(self._each_channel(inputs, self.kernel))
        return self.activation(y if self.bias is None else y + self.bias)

    def _each_channel(self, x: Value, kernel: Any) -> Value:
        is_picture = self.rank == 2
        pictures = x if is_picture else expand_dims(x, axis=1)
        filters = kernel if is_picture else expand_dims(kernel, axis=0)
        steps = self.strides if is_picture else self.strides * 2
        gaps = self.dilation_rate if is_picture else (1, *self.dilation_rate)
        y = self._depthwise(pictures, filters, steps, self.padding.upper(), gaps)
        return y if is_picture else squeeze(y, axis=[1])

    def _depthwise(self, x: Value, filters: Any, steps: Any, padding: str, gaps: Any) -> Value:
        if self.padding == "valid" and any(
            reach(size, gap) > length
            for length, size, gap in zip(x.shape[1:-1], filters.shape[:2], gaps, strict=True)
        ):
            raise TapeValueError(
                f"Computed output size would be zero or negative. Received `inputs shape={tuple(x.shape)}`, "
                f"`kernel shape={tuple(filters.shape)}`, `padding={self.padding}`.",
                fix='padding="same", or a smaller kernel',
                code="MT507",
            )
        return convolution.depthwise_conv2d(x, filters, (1, *steps, 1), padding, None, gaps)

    def _mixed(self, y: Value) -> Value:
        return y


class DepthwiseConv1D(Depthwise):
    """Every channel of a sequence has filters of its own.

    Args: as those of `Depthwise`.

    Source: https://keras.io/api/layers/convolution_layers/depthwise_convolution1d/
    """

    rank = 1


class DepthwiseConv2D(Depthwise):
    """Every channel of a picture has filters of its own.

    Args: as those of `Depthwise`.

    Source: https://keras.io/api/layers/convolution_layers/depthwise_convolution2d/
    """

    __init__ = with_defaults(Depthwise.__init__, strides=(1, 1), dilation_rate=(1, 1))


class Separable(Depthwise):
    """A depthwise convolution, then one of single points that mixes the channels.

    Args: as those of `Depthwise`, and
        filters: How many outputs.
        pointwise_initializer: First value of the second kernel, [1, ..., channels × depth_multiplier, filters].
        pointwise_regularizer: A price on it, among the layer's `losses`.
        pointwise_constraint: What it is brought back to after each update.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Any = 1,
        depth_multiplier: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        pointwise_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            kernel_size,
            strides,
            padding,
            depth_multiplier,
            data_format,
            dilation_rate,
            activation,
            use_bias,
            depthwise_initializer,
            bias_initializer,
            depthwise_regularizer,
            bias_regularizer,
            activity_regularizer,
            depthwise_constraint,
            bias_constraint,
            **kwargs,
        )
        self.filters = positive("filters", filters)
        self.pointwise_initializer = initializers.get(pointwise_initializer)
        self.pointwise_regularizer = regularizers.get(pointwise_regularizer)
        self.pointwise_constraint = constraints.get(pointwise_constraint)

    def _make_kernels(self, channels: Any) -> None:
        self.kernel = self.depthwise_kernel = self.add_weight(
            (*self.kernel_size, channels, self.depth_multiplier),
            self.depthwise_initializer,
            regularizer=self.depthwise_regularizer,
            constraint=self.depthwise_constraint,
            name="depthwise_kernel",
        )
        self.pointwise_kernel = self.add_weight(
            (*(1,) * self.rank, channels * self.depth_multiplier, self.filters),
            self.pointwise_initializer,
            regularizer=self.pointwise_regularizer,
            constraint=self.pointwise_constraint,
            name="pointwise_kernel",
        )

    def _outputs(self, channels: int) -> int:
        return self.filters

    def _mixed(self, y: Value) -> Value:
        return y @ reshape(self.pointwise_kernel, (-1, self.filters))


class SeparableConv1D(Separable):
    """A depthwise convolution of a sequence, then one of single steps.

    Args: as those of `Separable`.

    Source: https://keras.io/api/layers/convolution_layers/separable_convolution1d/
    """

    rank = 1


class SeparableConv2D(Separable):
    """A depthwise convolution of a picture, then one of single points.

    Args: as those of `Separable`.

    Source: https://keras.io/api/layers/convolution_layers/separable_convolution2d/
    """

    __init__ = with_defaults(Separable.__init__, strides=(1, 1), dilation_rate=(1, 1))
