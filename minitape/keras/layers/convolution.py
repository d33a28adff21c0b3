"""Convolutions of sequences and images, and their transposes.

    Conv1D, Conv2D                        each output element is the sum of the kernel times a window of the input
    Conv1DTranspose, Conv2DTranspose      the transpose, which spreads each input element over a window of the output

Source: https://keras.io/api/layers/convolution_layers/
"""

from typing import Any

from minitape.core.values import Ints, Value
from minitape.errors import InvalidArgumentError, OpError, TapeValueError, UnimplementedError
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
from minitape.ops.reshaping import expand_dims, squeeze
from minitape.ops.slicing import pad


class Convolution(Layer):
    """Base class of convolutions: activation(convolution of inputs and kernel + bias).

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input);
            `Conv1D` also accepts "causal".
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        groups: Number of groups into which the channels are split; each group is convolved with its own filters.
            Must divide the input channels and `filters`.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [*kernel_size, channels / groups, filters].
        bias_initializer: Initializer of the bias, shape [filters].
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, the kernel is larger than the input, or the channels or filters cannot be
            split into the groups.
    """

    rank = 2
    paddings: tuple[str, ...] = ("valid", "same")
    not_last: type[OpError] = UnimplementedError  # TensorFlow's error for channels_first

    def __init__(
        self,
        filters: int,
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
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.filters, self.groups = positive("filters", filters), positive("groups", groups)
        self.kernel_size = sizes("kernel_size", kernel_size, self.rank)
        self.strides = sizes("strides", strides, self.rank)
        self.dilation_rate = sizes("dilation_rate", dilation_rate, self.rank)
        self.padding = checked_padding(padding, self.paddings)
        self.data_format = checked_format(data_format)
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
        self._check_settings()

    def _check_settings(self) -> None:
        if self.filters % self.groups:
            raise TapeValueError(
                "The number of filters must be evenly divisible by the number of groups. "
                f"Received: groups={self.groups}, filters={self.filters}.",
                fix="pass `groups=1`",
            )
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise TapeValueError(
                "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
                f"strides={self.strides} and dilation_rate={self.dilation_rate}",
                fix="pass `strides=1`",
            )

    def build(self, input_shape: Any) -> None:
        check_rank(self, input_shape, self.rank + 2)
        channels = shape_channels_last(input_shape, self.data_format)[-1]
        if channels is not None and channels % self.groups:
            raise TapeValueError(
                "The number of input channels must be evenly divisible by the number of groups. "
                f"Received groups={self.groups}, but the input has {channels} channels "
                f"(full input shape is {tuple(input_shape)}).",
                fix="pass `groups=1`",
                code="MT507",
            )
        self.kernel = self.add_weight(
            self._kernel_shape(channels),
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
            name="kernel",
        )
        if self.use_bias:
            self.bias = self.add_weight(
                (self.filters,),
                self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                name="bias",
            )

    def _kernel_shape(self, channels: Any) -> Any:
        return (*self.kernel_size, channels and channels // self.groups, self.filters)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2, most=self.rank + 2)
        refuse_channels_first(self, self.data_format, self.not_last)
        return self.activation(self._affine(inputs))

    def _affine(self, x: Value) -> Value:
        self._check_fits(tuple(x.shape))
        y = self._convolved(x)
        return y if self.bias is None else y + self.bias

    def _check_fits(self, shape: Ints) -> None:
        each = zip(shape[1:-1], self.kernel_size, self.dilation_rate, strict=True)
        if self.padding == "valid" and any(reach(size, gap) > length for length, size, gap in each):
            raise TapeValueError(
                f"Computed output size would be zero or negative. Received `inputs shape={shape}`, "
                f"`kernel shape={tuple(self.kernel.shape)}`, `dilation_rate={self.dilation_rate}`, "
                f"`padding={self.padding}`.",
                fix='pass `padding="same"`, or use a smaller kernel',
                code="MT507",
            )

    def _convolved(self, x: Value) -> Value:
        raise NotImplementedError


class Conv1D(Convolution):
    """Convolve a sequence with a kernel: activation(conv1d(inputs, kernel) + bias).

    The inputs have shape [batch, steps, channels]; the output has shape [batch, new steps, filters].

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each.
        padding: "valid" (no padding), "same" (the output has the length of the input with stride 1) or "causal"
            (the output of a step depends only on this and earlier steps).
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        groups: Number of groups into which the channels are split; each group is convolved with its own filters.
            Must divide the input channels and `filters`.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [*kernel_size, channels / groups, filters].
        bias_initializer: Initializer of the bias, shape [filters].
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, the kernel is larger than the input, or the channels or filters cannot be
            split into the groups.

    Source: https://keras.io/api/layers/convolution_layers/convolution1d/
    """

    rank = 1
    paddings = ("valid", "same", "causal")

    def _convolved(self, x: Value) -> Value:
        padding = self.padding
        if padding == "causal":
            before = reach(self.kernel_size[0], self.dilation_rate[0]) - 1
            x, padding = pad(x, ((0, 0), (before, 0), (0, 0))), "valid"
        settings = (self.strides, padding.upper(), "NWC", self.dilation_rate)
        return convolution.conv1d(x, self.kernel, *settings)


class Conv2D(Convolution):
    """Convolve images with a kernel: activation(conv2d(inputs, kernel) + bias).

    The inputs have shape [batch, height, width, channels]; the output has shape [batch, new height, new width, filters].

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        groups: Number of groups into which the channels are split; each group is convolved with its own filters.
            Must divide the input channels and `filters`.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [*kernel_size, channels / groups, filters].
        bias_initializer: Initializer of the bias, shape [filters].
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, the kernel is larger than the input, or the channels or filters cannot be
            split into the groups.

    Source: https://keras.io/api/layers/convolution_layers/convolution2d/
    """

    __init__ = with_defaults(Convolution.__init__, strides=(1, 1), dilation_rate=(1, 1))

    def _convolved(self, x: Value) -> Value:
        settings = (self.strides, self.padding.upper(), "NHWC", self.dilation_rate)
        return convolution.conv2d(x, self.kernel, *settings)


class Transposed(Convolution):
    """Base class of transposed convolutions, whose output is `strides` times as large as the input.

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each.
        padding: "valid" (the output covers every kernel position) or "same" (the output has `strides` times the
            size of the input).
        output_padding: Number of elements to add at the end of the output: an integer, or one for each spatial axis, smaller
            than `strides`. None chooses the smallest size that covers every input.
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [*kernel_size, filters, channels].
        bias_initializer: Initializer of the bias, shape [filters].
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or `output_padding` is not smaller than `strides`.
    """

    not_last = InvalidArgumentError

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        output_padding: Any = None,
        data_format: str | None = None,
        dilation_rate: Any = 1,
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
        more = (
            None
            if output_padding is None
            else sizes("output_padding", output_padding, self.rank, 0)
        )
        self.output_padding = more
        if more is not None and any(n >= stride for n, stride in zip(more, self.strides)):
            raise TapeValueError(
                "The output padding must be strictly less than the strides. Received: "
                f"output_padding={output_padding}, strides={self.strides}",
                fix="pass `output_padding=0`",
            )

    def _kernel_shape(self, channels: Any) -> Any:
        return (*self.kernel_size, self.filters, channels)

    def _check_fits(self, shape: Ints) -> None:
        """Accept every input, because the output is always larger."""

    def _grown(self, lengths: Any) -> Ints:
        """Return the output length for each spatial axis."""
        more = self.output_padding or (None,) * self.rank
        each = zip(lengths, self.kernel_size, self.strides, self.dilation_rate, more, strict=True)
        return tuple(self._grown_axis(*axis) for axis in each)

    def _grown_axis(self, length: int, size: int, stride: int, gap: int, more: int | None) -> int:
        extent = reach(size, gap)
        if self.padding == "valid":
            return (
                (length - 1) * stride + extent + (max(stride - extent, 0) if more is None else more)
            )
        return length * stride if more is None else (length - 1) * stride + extent % 2 + more


class Conv1DTranspose(Transposed):
    """Upsample a sequence: activation(conv1d_transpose(inputs, kernel) + bias).

    The inputs have shape [batch, steps, channels]; the output has shape [batch, new steps, filters].

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each.
        padding: "valid" (the output covers every kernel position) or "same" (the output has `strides` times the
            size of the input).
        output_padding: Number of elements to add at the end of the output: an integer, or one for each spatial axis, smaller
            than `strides`. None chooses the smallest size that covers every input.
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [*kernel_size, filters, channels].
        bias_initializer: Initializer of the bias, shape [filters].
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or `output_padding` is not smaller than `strides`.

    Source: https://keras.io/api/layers/convolution_layers/convolution1d_transpose/
    """

    rank = 1

    def _convolved(self, x: Value) -> Value:
        batch, length, _ = x.shape
        shape = (batch, 1, *self._grown([length]), self.filters)
        settings = ((1, *self.strides), self.padding.upper(), "NHWC", (1, *self.dilation_rate))
        kernel = expand_dims(self.kernel, axis=0)
        y = convolution.conv2d_transpose(expand_dims(x, axis=1), kernel, shape, *settings)
        return squeeze(y, axis=[1])


class Conv2DTranspose(Transposed):
    """Upsample images: activation(conv2d_transpose(inputs, kernel) + bias).

    The inputs have shape [batch, height, width, channels]; the output has shape [batch, new height, new width, filters].

    Args:
        filters: Number of output channels; a positive integer.
        kernel_size: Size of the kernel: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each.
        padding: "valid" (the output covers every kernel position) or "same" (the output has `strides` times the
            size of the input).
        output_padding: Number of elements to add at the end of the output: an integer, or one for each spatial axis, smaller
            than `strides`. None chooses the smallest size that covers every input.
        data_format: Must be "channels_last" (the default) when the layer is called, because a call with "channels_first"
            raises an error, as in TensorFlow without a GPU.
        dilation_rate: Spacing between the kernel elements: an integer for all spatial axes, or one for each; not together
            with `strides` > 1.
        activation: Activation function or its name; None (the default) means linear.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [*kernel_size, filters, channels].
        bias_initializer: Initializer of the bias, shape [filters].
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or `output_padding` is not smaller than `strides`.

    Source: https://keras.io/api/layers/convolution_layers/convolution2d_transpose/
    """

    __init__ = with_defaults(Transposed.__init__, strides=(1, 1), dilation_rate=(1, 1))

    def _convolved(self, x: Value) -> Value:
        batch, *lengths, _ = x.shape
        shape = (batch, *self._grown(lengths), self.filters)
        settings = (self.strides, self.padding.upper(), "NHWC", self.dilation_rate)
        return convolution.conv2d_transpose(x, self.kernel, shape, *settings)
