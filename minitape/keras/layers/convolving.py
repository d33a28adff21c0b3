"""Layers that slide a kernel over sequences and pictures.

    Conv1D, Conv2D                        y at each place: Σ of kernel times what lies under it
    Conv1DTranspose, Conv2DTranspose      the same backwards: each place is spread out by the kernel

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
from minitape.ops.shaping import expand_dims, squeeze
from minitape.ops.slicing import pad


class Convolution(Layer):
    """activation(kernel slid over the inputs + bias).

    Args:
        filters: How many outputs.
        kernel_size: Size of the kernel: one number, or one for each axis of space.
        strides: How far it moves.
        padding: "valid" or "same"; for sequences "causal" too, where no step sees a later one.
        data_format: "channels_last"; "channels_first" is refused by a call, as TensorFlow does without a GPU.
        dilation_rate: How far apart the taps of the kernel lie.
        groups: Into how many parts the channels are split, each with filters of its own.
        activation: A function or its name; none by default.
        use_bias: Whether to add one.
        kernel_initializer: First value of the kernel, [*kernel_size, channels / groups, filters].
        bias_initializer: First value of the bias, [filters].
        kernel_regularizer: A price on the kernel, among the layer's `losses`.
        bias_regularizer: The same for the bias.
        activity_regularizer: The same for the answer.
        kernel_constraint: What the kernel is brought back to after each update.
        bias_constraint: The same for the bias.

    Raises:
        ValueError: a setting is no such size; the kernel is larger than the input; the channels or the filters do not
            split into the groups.
    """

    rank = 2
    paddings: tuple[str, ...] = ("valid", "same")
    not_last: type[OpError] = UnimplementedError  # what TensorFlow raises for channels_first

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
                fix="groups=1",
            )
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise TapeValueError(
                "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
                f"strides={self.strides} and dilation_rate={self.dilation_rate}",
                fix="strides=1",
            )

    def build(self, input_shape: Any) -> None:
        check_rank(self, input_shape, self.rank + 2)
        channels = shape_channels_last(input_shape, self.data_format)[-1]
        if channels is not None and channels % self.groups:
            raise TapeValueError(
                "The number of input channels must be evenly divisible by the number of groups. "
                f"Received groups={self.groups}, but the input has {channels} channels "
                f"(full input shape is {tuple(input_shape)}).",
                fix="groups=1",
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
                fix='padding="same", or a smaller kernel',
                code="MT507",
            )

    def _convolved(self, x: Value) -> Value:
        raise NotImplementedError


class Conv1D(Convolution):
    """activation(conv1d(inputs, kernel) + bias), along a sequence.

    Args: as those of `Convolution`.

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
    """activation(conv2d(inputs, kernel) + bias), over a picture.

    Args: as those of `Convolution`.

    Source: https://keras.io/api/layers/convolution_layers/convolution2d/
    """

    __init__ = with_defaults(Convolution.__init__, strides=(1, 1), dilation_rate=(1, 1))

    def _convolved(self, x: Value) -> Value:
        settings = (self.strides, self.padding.upper(), "NHWC", self.dilation_rate)
        return convolution.conv2d(x, self.kernel, *settings)


class Transposed(Convolution):
    """activation(kernel spread out at each place of the inputs + bias): they grow by the strides.

    Args: as those of `Convolution`, without groups, and with
        output_padding: By how much the answer is longer at its end; None for what keeps every input.
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
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
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
                fix="output_padding=0",
            )

    def _kernel_shape(self, channels: Any) -> Any:
        return (*self.kernel_size, self.filters, channels)

    def _check_fits(self, shape: Ints) -> None:
        """Everything fits: the answer is larger."""

    def _grown(self, lengths: Any) -> Ints:
        """How long each axis of space becomes."""
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
    """activation(conv1d_transpose(inputs, kernel) + bias): sequences grow by the strides.

    Args: as those of `Transposed`.

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
    """activation(conv2d_transpose(inputs, kernel) + bias): pictures grow by the strides.

    Args: as those of `Transposed`.

    Source: https://keras.io/api/layers/convolution_layers/convolution2d_transpose/
    """

    __init__ = with_defaults(Transposed.__init__, strides=(1, 1), dilation_rate=(1, 1))

    def _convolved(self, x: Value) -> Value:
        batch, *lengths, _ = x.shape
        shape = (batch, *self._grown(lengths), self.filters)
        settings = (self.strides, self.padding.upper(), "NHWC", self.dilation_rate)
        return convolution.conv2d_transpose(x, self.kernel, shape, *settings)
