"""Layers that slide over volumes, [batch, depth, height, width, channels].

    Conv3D, Conv3DTranspose                           a kernel
    MaxPooling3D, AveragePooling3D                    one number of each window
    GlobalMaxPooling3D, GlobalAveragePooling3D        one number of each channel

Source: https://keras.io/api/layers/convolution_layers/, https://keras.io/api/layers/pooling_layers/
"""

from typing import Any

from minitape.core.values import Value
from minitape.keras.layers.convolving import Convolution, Transposed
from minitape.keras.layers.layer import check_rank
from minitape.keras.layers.pooling import GlobalPooling, Pooling, PoolingOfTwo
from minitape.keras.layers.spatial import in_channels_last, with_defaults
from minitape.ops.broadcasting import reduce_mean
from minitape.ops.extremes import reduce_max
from minitape.ops.fields import pooling, volumes
from minitape.ops.joining import concat, split


class Conv3D(Convolution):
    """activation(conv3d(inputs, kernel) + bias), over a volume.

    Args: as those of `Convolution`; `data_format="channels_first"` is taken here, as in Keras.

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
        return volumes.convolution(x, kernel, *settings)


class Conv3DTranspose(Transposed):
    """activation(conv3d_transpose(inputs, kernel) + bias): volumes grow by the strides.

    Args: as those of `Transposed`, with `data_format` before `output_padding`, and taps that do not lie apart.

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
            kernel_size,
            strides,
            padding,
            output_padding,
            data_format,
            dilation_rate,
            activation,
            use_bias,
            kernel_initializer,
            bias_initializer,
            kernel_regularizer,
            bias_regularizer,
            activity_regularizer,
            kernel_constraint,
            bias_constraint,
            **kwargs,
        )

    def _convolved(self, x: Value) -> Value:
        batch, *lengths, _ = x.shape
        shape = (batch, *self._grown(lengths), self.filters)
        settings = (self.strides, self.padding.upper(), "NDHWC", self.dilation_rate)
        return volumes.conv3d_transpose(x, self.kernel, shape, *settings)


class MaxPooling3D(PoolingOfTwo):
    """The largest number of each window.

    Source: https://keras.io/api/layers/pooling_layers/max_pooling3d/
    """

    rank = 3
    pool = staticmethod(pooling.max_pool3d)
    __init__ = with_defaults(PoolingOfTwo.__init__, pool_size=(2, 2, 2))


class AveragePooling3D(Pooling):
    """The mean of each window.

    Source: https://keras.io/api/layers/pooling_layers/average_pooling3d/
    """

    rank = 3
    pool = staticmethod(pooling.avg_pool3d)


class GlobalMaxPooling3D(GlobalPooling):
    """The largest number of each channel of a volume.

    Source: https://keras.io/api/layers/pooling_layers/global_max_pooling3d/
    """

    rank = 3
    fold = staticmethod(reduce_max)


class GlobalAveragePooling3D(GlobalPooling):
    """The mean of each channel of a volume.

    Source: https://keras.io/api/layers/pooling_layers/global_average_pooling3d/
    """

    rank = 3
    fold = staticmethod(reduce_mean)


# Keras has them under these names too; a layer is called after the longer one.
MaxPool3D, AvgPool3D = MaxPooling3D, AveragePooling3D
GlobalMaxPool3D, GlobalAvgPool3D = GlobalMaxPooling3D, GlobalAveragePooling3D
