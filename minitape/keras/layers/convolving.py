"""Layers that slide over pictures and sequences: convolutions with weights, and pooling without.

Pictures are [batch, height, width, channels], sequences [batch, steps, channels].

Source: https://keras.io/api/layers/convolution_layers/; https://keras.io/api/layers/pooling_layers/
"""

from collections.abc import Callable
from typing import Any

from minitape.core.values import Ints, Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError, UnimplementedError
from minitape.keras import activations, initializers
from minitape.keras.layers.layer import Layer, check_rank
from minitape.ops import convolution, pooling
from minitape.ops.axes import as_ints
from minitape.ops.broadcasting import reduce_mean
from minitape.ops.extremes import reduce_max


def _sizes(value: Any, rank: int) -> Ints:
    """A setting for each axis of space, given as one number for all or as a tuple."""
    return (value,) * rank if isinstance(value, int) else as_ints(value)


def _check_channels_last(layer: Layer, data_format: str | None) -> None:
    if data_format not in (None, "channels_last"):
        raise UnimplementedError(
            f"Layer '{layer.name}' only takes channels_last, and was given {data_format}.",
            fix="tf.transpose(x, [0, 2, 3, 1]) puts the channels last",
        )


def _reach(size: int, gap: int) -> int:
    """From the first tap of a kernel to its last."""
    return (size - 1) * gap + 1


class _Convolution(Layer):
    """What all convolutions share: a kernel, a bias, an activation."""

    rank = 2

    def __init__(
        self,
        filters: int | None,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Any = 1,
        groups: int = 1,
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
        _check_channels_last(self, data_format)
        if padding.lower() not in ("valid", "same"):
            raise TapeValueError(
                f"The `padding` argument must be 'valid' or 'same'. Received: {padding}",
                fix='padding="same"',
            )
        self.filters, self.groups = filters, groups
        self.kernel_size = _sizes(kernel_size, self.rank)
        self.strides, self.padding = _sizes(strides, self.rank), padding.lower()
        self.dilation_rate = _sizes(dilation_rate, self.rank)
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer, self.bias_regularizer = kernel_regularizer, bias_regularizer
        self.bias: Variable | None = None
        self.input_shape = None if input_shape is None else tuple(input_shape)

    def build(self, input_shape: Any) -> None:
        check_rank(self, input_shape, self.rank + 2)
        if input_shape[-1] % self.groups:
            raise TapeValueError(
                "The number of input channels must be evenly divisible by the number of groups. "
                f"Received groups={self.groups}, but the input has {input_shape[-1]} channels "
                f"(full input shape is {tuple(input_shape)}).",
                fix="groups=1",
                code="MT507",
            )
        self.kernel = self.add_weight(
            self._kernel_shape(input_shape[-1]),
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            name="kernel",
        )
        if self.use_bias:
            self.bias = self.add_weight(
                (self._outputs(input_shape[-1]),),
                self.bias_initializer,
                regularizer=self.bias_regularizer,
                name="bias",
            )

    def _kernel_shape(self, channels: int) -> Ints:
        return (*self.kernel_size, channels // self.groups, self._outputs(channels))

    def _outputs(self, channels: int) -> int:
        assert self.filters is not None
        return self.filters

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2)
        self._check_fits(tuple(inputs.shape))
        y = self._convolved(inputs)
        return self.activation(y if self.bias is None else y + self.bias)

    def _check_fits(self, shape: Ints) -> None:
        each = zip(shape[1:-1], self.kernel_size, self.dilation_rate, strict=True)
        if self.padding == "valid" and any(
            _reach(size, gap) > length for length, size, gap in each
        ):
            raise TapeValueError(
                f"Computed output size would be zero or negative. Received `inputs shape={shape}`, "
                f"`kernel shape={tuple(self.kernel.shape)}`, `dilation_rate={self.dilation_rate}`, "
                f"`padding={self.padding}`.",
                fix='padding="same", or a smaller kernel',
                code="MT507",
            )

    def _convolved(self, x: Value) -> Value:
        raise NotImplementedError


class Conv2D(_Convolution):
    """activation(conv2d(inputs, kernel) + bias).

    Args:
        filters: How many outputs.
        kernel_size: Height and width of the kernel.
        strides: How far it moves.
        padding: "valid" or "same".
        data_format: Only "channels_last".
        dilation_rate: How far apart the taps of the kernel lie.
        groups: Into how many parts the channels are split, each with filters of its own.
        activation: A function or its name; none by default.

    Raises:
        ValueError: the kernel is larger than the input, or the channels do not split into the groups.

    Source: https://keras.io/api/layers/convolution_layers/convolution2d/
    """

    def _convolved(self, x: Value) -> Value:
        settings = (self.strides, self.padding.upper(), "NHWC", self.dilation_rate)
        return convolution.conv2d(x, self.kernel, *settings)


class Conv1D(_Convolution):
    """activation(conv1d(inputs, kernel) + bias): as `Conv2D`, along a sequence.

    Source: https://keras.io/api/layers/convolution_layers/convolution1d/
    """

    rank = 1

    def _convolved(self, x: Value) -> Value:
        settings = (self.strides, self.padding.upper(), "NWC", self.dilation_rate)
        return convolution.conv1d(x, self.kernel, *settings)


class Conv2DTranspose(_Convolution):
    """activation(conv2d_transpose(inputs, kernel) + bias): pictures grow by the strides.

    Args: as those of `Conv2D`.

    Source: https://keras.io/api/layers/convolution_layers/convolution2d_transpose/
    """

    def _kernel_shape(self, channels: int) -> Ints:
        return (*self.kernel_size, self._outputs(channels), channels)

    def _check_fits(self, shape: Ints) -> None:
        """Everything fits: pictures grow."""

    def _convolved(self, x: Value) -> Value:
        batch, *lengths, channels = x.shape
        each = zip(lengths, self.kernel_size, self.strides, self.dilation_rate, strict=True)
        grown = [self._grown(*axis) for axis in each]
        shape = (batch, *grown, self._outputs(channels))
        settings = (self.strides, self.padding.upper(), "NHWC", self.dilation_rate)
        return convolution.conv2d_transpose(x, self.kernel, shape, *settings)

    def _grown(self, length: int, size: int, stride: int, apart: int) -> int:
        beyond = max(_reach(size, apart) - stride, 0) if self.padding == "valid" else 0
        return length * stride + beyond


class DepthwiseConv2D(_Convolution):
    """A convolution in which every channel has `depth_multiplier` filters of its own.

    Args: as those of `Conv2D`, without filters.

    Source: https://keras.io/api/layers/convolution_layers/depthwise_convolution2d/
    """

    def __init__(
        self,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        depth_multiplier: int = 1,
        depthwise_initializer: Any = "glorot_uniform",
        **settings: Any,
    ) -> None:
        super().__init__(
            None,
            kernel_size,
            strides,
            padding,
            kernel_initializer=depthwise_initializer,
            **settings,
        )
        self.depth_multiplier = depth_multiplier

    def _kernel_shape(self, channels: int) -> Ints:
        return (*self.kernel_size, channels, self.depth_multiplier)

    def _outputs(self, channels: int) -> int:
        return channels * self.depth_multiplier

    def _convolved(self, x: Value) -> Value:
        settings = ((1, *self.strides, 1), self.padding.upper(), None, self.dilation_rate)
        return convolution.depthwise_conv2d(x, self.kernel, *settings)


# --- pooling ---


class _Pooling(Layer):
    """One number for each window, by `pool`.

    Args:
        pool_size: Size of the window.
        strides: How far it moves; its own size by default.
        padding: "valid" or "same".
        data_format: Only "channels_last".
    """

    rank = 2
    pool: Callable[..., Value]

    def __init__(
        self,
        pool_size: Any,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        _check_channels_last(self, data_format)
        self.pool_size = _sizes(pool_size, self.rank)
        self.strides = self.pool_size if strides is None else _sizes(strides, self.rank)
        self.padding = padding.lower()

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2)
        return type(self).pool(inputs, self.pool_size, self.strides, self.padding.upper())


class MaxPooling2D(_Pooling):
    """The largest number of each window.

    Source: https://keras.io/api/layers/pooling_layers/max_pooling2d/
    """

    pool = staticmethod(pooling.max_pool2d)

    def __init__(self, pool_size: Any = 2, *args: Any, **settings: Any) -> None:
        super().__init__(pool_size, *args, **settings)


class AveragePooling2D(_Pooling):
    """The mean of each window.

    Source: https://keras.io/api/layers/pooling_layers/average_pooling2d/
    """

    pool = staticmethod(pooling.avg_pool2d)


class MaxPooling1D(_Pooling):
    """The largest number of each window of a sequence.

    Source: https://keras.io/api/layers/pooling_layers/max_pooling1d/
    """

    rank = 1
    pool = staticmethod(pooling.max_pool1d)

    def __init__(self, pool_size: Any = 2, *args: Any, **settings: Any) -> None:
        super().__init__(pool_size, *args, **settings)


class AveragePooling1D(_Pooling):
    """The mean of each window of a sequence.

    Source: https://keras.io/api/layers/pooling_layers/average_pooling1d/
    """

    rank = 1
    pool = staticmethod(pooling.avg_pool1d)


class _GlobalPooling(Layer):
    """One number for each channel, by `fold`.

    Args:
        data_format: Only "channels_last".
        keepdims: Leave the folded axes with size 1.
    """

    axes: Ints = (1, 2)
    fold: Callable[..., Value]

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **settings: Any
    ) -> None:
        super().__init__(**settings)
        _check_channels_last(self, data_format)
        self.keepdims = keepdims

    def call(self, inputs: Value) -> Value:
        return type(self).fold(inputs, axis=self.axes, keepdims=self.keepdims)


class GlobalAveragePooling2D(_GlobalPooling):
    """The mean of each channel of a picture.

    Source: https://keras.io/api/layers/pooling_layers/global_average_pooling2d/
    """

    fold = staticmethod(reduce_mean)


class GlobalMaxPooling2D(_GlobalPooling):
    """The largest number of each channel of a picture.

    Source: https://keras.io/api/layers/pooling_layers/global_max_pooling2d/
    """

    fold = staticmethod(reduce_max)


class GlobalAveragePooling1D(_GlobalPooling):
    """The mean of each channel of a sequence.

    Source: https://keras.io/api/layers/pooling_layers/global_average_pooling1d/
    """

    axes = (1,)
    fold = staticmethod(reduce_mean)


class GlobalMaxPooling1D(_GlobalPooling):
    """The largest number of each channel of a sequence.

    Source: https://keras.io/api/layers/pooling_layers/global_max_pooling1d/
    """

    axes = (1,)
    fold = staticmethod(reduce_max)
