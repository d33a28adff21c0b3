"""Convolutions and pooling of volumes, [batch, depth, height, width, channels].

    Conv3D, Conv3DTranspose                           convolutions
    MaxPooling3D, AveragePooling3D                    one value for each window
    GlobalMaxPooling3D, GlobalAveragePooling3D        one value for each channel

Source: https://keras.io/api/layers/convolution_layers/, https://keras.io/api/layers/pooling_layers/
"""

from typing import Any

from minitape.core.values import Value
from minitape.keras.layers.convolution import Convolution, Transposed
from minitape.keras.layers.layer import check_rank
from minitape.keras.layers.pooling import GlobalPooling, Pooling, PoolingOfTwo
from minitape.keras.layers.spatial import in_channels_last, with_defaults
from minitape.ops.broadcasting import reduce_mean
from minitape.ops.fields import convolution_nd, pooling
from minitape.ops.joining import concat, split
from minitape.ops.minmax import reduce_max


class Conv3D(Convolution):
    """Convolve volumes with a kernel: activation(conv3d(inputs, kernel) + bias).

    The inputs have shape [batch, depth, height, width, channels]. Unlike `Conv2D`, a call supports
    `data_format="channels_first"`, as in Keras.

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" or "channels_first"; None (the default) means "channels_last".
        dilation_rate: Spacing between the kernel elements; not together with `strides` > 1.
        groups: Number of groups of channels, each with its own filters; must divide the input channels and `filters`.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [*kernel_size, channels / groups, filters].
        bias_initializer: Initializer of the bias, shape [filters].
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, the kernel is larger than the input, or the channels or filters cannot be
            split into the groups.

    Source: https://keras.io/api/layers/convolution_layers/convolution3d/
    """

    rank = 3
    __init__ = with_defaults(Convolution.__init__, strides=(1, 1, 1), dilation_rate=(1, 1, 1))

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 5, most=5)
        return self.activation(in_channels_last(self._affine, inputs, self.data_format))

    def _convolved(self, x: Value) -> Value:
        parts = zip(split(x, self.groups, axis=-1), split(self.kernel, self.groups, axis=-1))
        return concat([self._convolved_part(*each) for each in parts], axis=-1)

    def _convolved_part(self, x: Value, kernel: Value) -> Value:
        settings = (self.strides, self.padding.upper(), "NDHWC", self.dilation_rate)
        return convolution_nd.convolution(x, kernel, *settings)


class Conv3DTranspose(Transposed):
    """Upsample volumes: activation(conv3d_transpose(inputs, kernel) + bias).

    The inputs have shape [batch, depth, height, width, channels].

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each.
        padding: "valid" (the output covers every kernel position) or "same" (the output has `strides` times the
            size of the input).
        data_format: Must be "channels_last" (the default) when the layer is called.
        output_padding: Number of elements to add at the end of the output: an integer, or one for each spatial axis, smaller
            than `strides`. None chooses the smallest size that covers every input.
        dilation_rate: Spacing between the kernel elements; must be 1.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [*kernel_size, filters, channels].
        bias_initializer: Initializer of the bias.
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or `output_padding` is not smaller than `strides`.

    Source: https://keras.io/api/layers/convolution_layers/convolution3d_transpose/
    """

    rank = 3

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1, 1),
        padding: str = "valid",
        data_format: str | None = None,
        output_padding: Any = None,
        dilation_rate: Any = (1, 1, 1),
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            filters,
            kernel_size=kernel_size,
            strides=strides,
            padding=padding,
            output_padding=output_padding,
            data_format=data_format,
            dilation_rate=dilation_rate,
            activation=activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint,
            bias_constraint=bias_constraint,
            **kwargs,
        )

    def _convolved(self, x: Value) -> Value:
        batch, *lengths, _ = x.shape
        shape = (batch, *self._grown(lengths), self.filters)
        settings = (self.strides, self.padding.upper(), "NDHWC", self.dilation_rate)
        return convolution_nd.conv3d_transpose(x, self.kernel, shape, *settings)


class MaxPooling3D(PoolingOfTwo):
    """Return the maximum of each window of a volume.

    The inputs have shape [batch, depth, height, width, channels].

    Args:
        pool_size: Size of the window: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each; None (the default) means `pool_size`.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" or "channels_first"; None (the default) means "channels_last".
        name: Name of the layer.
        **kwargs: Arguments of `Layer`: `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/max_pooling3d/
    """

    rank = 3
    pool = staticmethod(pooling.max_pool3d)
    __init__ = with_defaults(PoolingOfTwo.__init__, pool_size=(2, 2, 2))


class AveragePooling3D(Pooling):
    """Return the mean of each window of a volume.

    The inputs have shape [batch, depth, height, width, channels].

    Args:
        pool_size: Size of the window: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each; None (the default) means `pool_size`.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" or "channels_first"; None (the default) means "channels_last".
        name: Name of the layer.
        **kwargs: Arguments of `Layer`: `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/average_pooling3d/
    """

    rank = 3
    pool = staticmethod(pooling.avg_pool3d)


class GlobalMaxPooling3D(GlobalPooling):
    """Return the maximum of each channel of a volume.

    The inputs have shape [batch, depth, height, width, channels]; the output has shape [batch, channels].

    Args:
        data_format: "channels_last" or "channels_first"; None (the default) means "channels_last".
        keepdims: Whether to keep the reduced axes with size 1.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/global_max_pooling3d/
    """

    rank = 3
    fold = staticmethod(reduce_max)


class GlobalAveragePooling3D(GlobalPooling):
    """Return the mean of each channel of a volume.

    The inputs have shape [batch, depth, height, width, channels]; the output has shape [batch, channels].

    Args:
        data_format: "channels_last" or "channels_first"; None (the default) means "channels_last".
        keepdims: Whether to keep the reduced axes with size 1.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/global_average_pooling3d/
    """

    rank = 3
    fold = staticmethod(reduce_mean)


# Keras also exports these classes under a shorter name, but default layer names derive from the longer one.
MaxPool3D, AvgPool3D = MaxPooling3D, AveragePooling3D
GlobalMaxPool3D, GlobalAvgPool3D = GlobalMaxPooling3D, GlobalAveragePooling3D
