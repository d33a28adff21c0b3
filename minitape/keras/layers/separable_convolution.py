"""Convolutions that filter each channel separately and therefore have far fewer weights.

    DepthwiseConv1D, DepthwiseConv2D    each channel has its own filters
    SeparableConv1D, SeparableConv2D    a depthwise convolution, then a dense layer over the channels of each position

A sequence is treated as an image of height 1.

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
from minitape.ops.reshaping import expand_dims, reshape, squeeze


class Depthwise(Layer):
    """Base class of convolutions in which each channel has its own filters.

    Args:
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window, the same along all axes.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        depth_multiplier: Number of filters for each input channel.
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        depthwise_initializer: Initializer of the depthwise kernel, shape [*kernel_size, channels,
            depth_multiplier].
        bias_initializer: Initializer of the bias.
        depthwise_regularizer: Regularizer of the depthwise kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        depthwise_constraint: Function that projects the depthwise kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or the kernel is larger than the input.
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
                fix='pass `padding="same"`, or use a smaller kernel',
                code="MT507",
            )
        return convolution.depthwise_conv2d(x, filters, (1, *steps, 1), padding, None, gaps)

    def _mixed(self, y: Value) -> Value:
        return y


class DepthwiseConv1D(Depthwise):
    """Convolve each channel of a sequence with its own filters.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, new steps, channels × depth_multiplier].

    Args:
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window, the same along all axes.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        depth_multiplier: Number of filters for each input channel.
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        depthwise_initializer: Initializer of the depthwise kernel, shape [*kernel_size, channels,
            depth_multiplier].
        bias_initializer: Initializer of the bias.
        depthwise_regularizer: Regularizer of the depthwise kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        depthwise_constraint: Function that projects the depthwise kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or the kernel is larger than the input.

    Source: https://keras.io/api/layers/convolution_layers/depthwise_convolution1d/
    """

    rank = 1


class DepthwiseConv2D(Depthwise):
    """Convolve each channel of an image with its own filters.

    The inputs have shape [batch, height, width, channels]; the output has shape [batch, new height, new width, channels ×
    depth_multiplier].

    Args:
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window, the same along all axes.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        depth_multiplier: Number of filters for each input channel.
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        depthwise_initializer: Initializer of the depthwise kernel, shape [*kernel_size, channels,
            depth_multiplier].
        bias_initializer: Initializer of the bias.
        depthwise_regularizer: Regularizer of the depthwise kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        depthwise_constraint: Function that projects the depthwise kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or the kernel is larger than the input.

    Source: https://keras.io/api/layers/convolution_layers/depthwise_convolution2d/
    """

    __init__ = with_defaults(Depthwise.__init__, strides=(1, 1), dilation_rate=(1, 1))


class Separable(Depthwise):
    """Base class of a depthwise convolution followed by a pointwise one that mixes the channels.

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window, the same along all axes.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        depth_multiplier: Number of filters for each input channel.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        depthwise_initializer: Initializer of the depthwise kernel, shape [*kernel_size, channels,
            depth_multiplier].
        pointwise_initializer: Initializer of the pointwise kernel, shape [1, ..., channels × depth_multiplier,
            filters].
        bias_initializer: Initializer of the bias.
        depthwise_regularizer: Regularizer of the depthwise kernel; the layer adds its penalty to `losses`.
        pointwise_regularizer: Regularizer of the pointwise kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        depthwise_constraint: Function that projects the depthwise kernel after each optimizer update.
        pointwise_constraint: Function that projects the pointwise kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.
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
            strides=strides,
            padding=padding,
            depth_multiplier=depth_multiplier,
            data_format=data_format,
            dilation_rate=dilation_rate,
            activation=activation,
            use_bias=use_bias,
            depthwise_initializer=depthwise_initializer,
            bias_initializer=bias_initializer,
            depthwise_regularizer=depthwise_regularizer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            depthwise_constraint=depthwise_constraint,
            bias_constraint=bias_constraint,
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
    """Convolve each channel of a sequence separately, then mix the channels of each step.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, new steps, filters].

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window, the same along all axes.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        depth_multiplier: Number of filters for each input channel.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        depthwise_initializer: Initializer of the depthwise kernel, shape [*kernel_size, channels,
            depth_multiplier].
        pointwise_initializer: Initializer of the pointwise kernel, shape [1, ..., channels × depth_multiplier,
            filters].
        bias_initializer: Initializer of the bias.
        depthwise_regularizer: Regularizer of the depthwise kernel; the layer adds its penalty to `losses`.
        pointwise_regularizer: Regularizer of the pointwise kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        depthwise_constraint: Function that projects the depthwise kernel after each optimizer update.
        pointwise_constraint: Function that projects the pointwise kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or the kernel is larger than the input.

    Source: https://keras.io/api/layers/convolution_layers/separable_convolution1d/
    """

    rank = 1


class SeparableConv2D(Separable):
    """Convolve each channel of an image separately, then mix the channels of each pixel.

    The inputs have shape [batch, height, width, channels]; the output has shape [batch, new height, new width, filters].

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window, the same along all axes.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        depth_multiplier: Number of filters for each input channel.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        depthwise_initializer: Initializer of the depthwise kernel, shape [*kernel_size, channels,
            depth_multiplier].
        pointwise_initializer: Initializer of the pointwise kernel, shape [1, ..., channels × depth_multiplier,
            filters].
        bias_initializer: Initializer of the bias.
        depthwise_regularizer: Regularizer of the depthwise kernel; the layer adds its penalty to `losses`.
        pointwise_regularizer: Regularizer of the pointwise kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        depthwise_constraint: Function that projects the depthwise kernel after each optimizer update.
        pointwise_constraint: Function that projects the pointwise kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or the kernel is larger than the input.

    Source: https://keras.io/api/layers/convolution_layers/separable_convolution2d/
    """

    __init__ = with_defaults(Separable.__init__, strides=(1, 1), dilation_rate=(1, 1))
