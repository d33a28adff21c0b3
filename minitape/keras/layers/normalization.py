"""Layers that normalize their inputs.

    BatchNormalization      each channel, over the batch
    LayerNormalization      each example, over its features; RMSNormalization does not subtract the mean
    GroupNormalization      each example, over groups of channels
    UnitNormalization       each example to length 1
    Normalization           each feature, with the mean and variance of a data set

Source: https://keras.io/api/layers/normalization_layers/
"""

from typing import Any

import numpy as np

from minitape.core.values import Ints, Value
from minitape.errors import TapeTypeError, TapeValueError
from minitape.keras import constraints, initializers, regularizers
from minitape.keras.config import epsilon
from minitape.keras.layers.keywords import refuse_given
from minitape.keras.layers.layer import Layer
from minitape.keras.layers.spatial import with_defaults
from minitape.ops import normalization
from minitape.ops.arithmetic import rsqrt, sqrt, square
from minitape.ops.axes import canonical_axes
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.identity import cast
from minitape.ops.minmax import maximum
from minitape.ops.reshaping import expand_dims, reshape
from minitape.ops.statistics import l2_normalize, moments


class _NormalizationBase(Layer):
    """Base class of normalizations with the weights gamma (scale) and beta (offset)."""

    supports_masking = True

    def __init__(
        self,
        axis: Any = -1,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.axis, self.epsilon, self.center, self.scale = axis, epsilon, center, scale
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = constraints.get(beta_constraint)
        self.gamma_constraint = constraints.get(gamma_constraint)
        self.gamma: Any = None
        self.beta: Any = None

    def build(self, input_shape: Any) -> None:
        axes = canonical_axes(self.axis, len(input_shape), type(self).__name__)
        shape = tuple(input_shape[axis] for axis in axes)
        if self.scale:
            self.gamma = self.add_weight(
                shape,
                self.gamma_initializer,
                regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint,
                name="gamma",
            )
        if self.center:
            self.beta = self.add_weight(
                shape,
                self.beta_initializer,
                regularizer=self.beta_regularizer,
                constraint=self.beta_constraint,
                name="beta",
            )
        self._weight_shape: Ints = tuple(n if i in axes else 1 for i, n in enumerate(input_shape))
        self._others = tuple(i for i in range(len(input_shape)) if i not in axes)

    def _along_axis(self, weight: Any) -> Any:
        """Reshape a weight so that it broadcasts to the input."""
        return None if weight is None else reshape(weight, self._weight_shape)


class BatchNormalization(_NormalizationBase):
    """Normalize each channel over the batch, then scale by gamma and add beta.

    During training the layer uses the mean and variance of the batch and updates the moving averages with them; otherwise
    it uses the moving averages. With `trainable = False` it always uses the moving averages. Masked steps do not contribute
    to the mean and variance.

    The inputs may have any shape; the output has the same shape.

    Args:
        axis: Axis of the channels; a negative axis counts from the last one.
        momentum: Fraction of the moving mean and variance that each training step keeps.
        epsilon: Small number added to the variance to avoid a division by 0.
        center: Whether to add the weight `beta`.
        scale: Whether to multiply by the weight `gamma`.
        beta_initializer: Initializer of `beta`, shape [channels].
        gamma_initializer: Initializer of `gamma`, shape [channels].
        moving_mean_initializer: Initializer of the moving mean, shape [channels].
        moving_variance_initializer: Initializer of the moving variance, shape [channels].
        beta_regularizer: Regularizer of `beta`; the layer adds its penalty to `losses`.
        gamma_regularizer: Regularizer of `gamma`; the layer adds its penalty to `losses`.
        beta_constraint: Function that projects `beta` after each optimizer update.
        gamma_constraint: Function that projects `gamma` after each optimizer update.
        renorm: Not supported; must be False.
        renorm_clipping: Not supported; must be None.
        renorm_momentum: Ignored.
        synchronized: Ignored, because there is only one device.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a mask does not have exactly one dimension fewer than the inputs.
        UnimplementedError: `renorm` or `renorm_clipping` is set.

    Source: https://keras.io/api/layers/normalization_layers/batch_normalization/; Ioffe, Szegedy, arXiv 1502.03167.
    """

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: float = 0.99,
        synchronized: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            axis,
            epsilon=epsilon,
            center=center,
            scale=scale,
            beta_initializer=beta_initializer,
            gamma_initializer=gamma_initializer,
            beta_regularizer=beta_regularizer,
            gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint,
            gamma_constraint=gamma_constraint,
            **kwargs,
        )
        refuse_given(
            self,
            "batch renormalization is not implemented",
            renorm=renorm,
            renorm_clipping=renorm_clipping,
        )
        self.momentum, self.synchronized = momentum, synchronized
        self.renorm_momentum = renorm_momentum
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        shape = (input_shape[self.axis],)
        self.moving_mean = self.add_weight(
            shape, self.moving_mean_initializer, trainable=False, name="moving_mean"
        )
        self.moving_variance = self.add_weight(
            shape, self.moving_variance_initializer, trainable=False, name="moving_variance"
        )

    def call(self, inputs: Value, training: Any = None, mask: Any = None) -> Value:
        """Normalize the inputs; in training mode, also update the moving averages.

        Args:
            inputs: A tensor of any shape.
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.
            mask: Bool tensor of shape `inputs.shape[:-1]`; masked elements do not contribute to the mean and variance.

        Returns:
            A tensor with the shape of `inputs`.
        """
        mean, variance = self.moving_mean, self.moving_variance
        if training and self.trainable:
            mean, variance = self._measured(inputs, mask)
            self._pull(self.moving_mean, mean)
            self._pull(self.moving_variance, variance)
        return normalization.batch_normalization(
            inputs,
            self._along_axis(mean),
            self._along_axis(variance),
            self._along_axis(self.beta),
            self._along_axis(self.gamma),
            self.epsilon,
        )

    def _measured(self, inputs: Value, mask: Any) -> tuple[Value, Value]:
        if mask is None:
            mean, variance = moments(inputs, self._others)
            return mean, variance
        if len(mask.shape) != len(inputs.shape) - 1:
            raise TapeValueError(
                "The mask provided should be one dimension less than the inputs. Received: "
                f"mask.shape={tuple(mask.shape)}, inputs.shape={tuple(inputs.shape)}",
                fix="pass a mask of shape `inputs.shape[:-1]`",
            )
        weights = cast(expand_dims(mask, axis=-1), inputs.dtype)
        fraction = weights / (reduce_sum(weights, self._others, keepdims=True) + epsilon())
        mean = reduce_sum(inputs * fraction, self._others, keepdims=True)
        variance = reduce_sum(square(inputs - mean) * fraction, self._others)
        return reshape(mean, variance.shape), variance

    def _pull(self, moving: Any, now: Value) -> None:
        moving.assign(moving * self.momentum + now * (1.0 - self.momentum))


class LayerNormalization(_NormalizationBase):
    """Normalize each example by its own mean and variance along `axis`, then scale by gamma and add beta.

    The inputs may have any shape; the output has the same shape.

    Args:
        axis: Axis, or list of axes, over which mean and variance are computed; gamma and beta have the sizes of
            these axes.
        epsilon: Small number added to the variance to avoid a division by 0.
        center: Whether to add the weight `beta`.
        scale: Whether to multiply by the weight `gamma`.
        beta_initializer: Initializer of `beta`.
        gamma_initializer: Initializer of `gamma`.
        beta_regularizer: Regularizer of `beta`; the layer adds its penalty to `losses`.
        gamma_regularizer: Regularizer of `gamma`; the layer adds its penalty to `losses`.
        beta_constraint: Function that projects `beta` after each optimizer update.
        gamma_constraint: Function that projects `gamma` after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/normalization_layers/layer_normalization/; Ba, Kiros, Hinton, arXiv 1607.06450.
    """

    __init__ = with_defaults(_NormalizationBase.__init__)

    def call(self, inputs: Value) -> Value:
        measured = tuple(i for i in range(len(inputs.shape)) if i not in self._others)
        mean, variance = moments(inputs, measured, keepdims=True)
        factor = rsqrt(variance + self.epsilon)
        if self.gamma is not None:
            factor = self._along_axis(self.gamma) * factor
        shift = -mean * factor
        if self.beta is not None:
            shift = self._along_axis(self.beta) + shift
        return inputs * factor + shift


class RMSNormalization(Layer):
    """Divide each example by its root mean square along `axis`, then multiply by a weight `scale`.

    The inputs may have any shape; the output has the same shape.

    Args:
        axis: Axis, or list of axes, over which the mean square is computed.
        epsilon: Small number added to the mean square to avoid a division by 0.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/normalization_layers/rms_normalization/; Zhang, Sennrich, arXiv 1910.07467.
    """

    def __init__(self, axis: Any = -1, epsilon: float = 1e-06, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis, self.epsilon = axis, epsilon

    def build(self, input_shape: Any) -> None:
        self._axes = canonical_axes(self.axis, len(input_shape), "RMSNormalization")
        shape = tuple(input_shape[axis] for axis in self._axes)
        self._weight_shape = [n if i in self._axes else 1 for i, n in enumerate(input_shape)]
        self.scale = self.add_weight(shape, "ones", name="scale")

    def call(self, x: Value) -> Value:
        size = reduce_mean(square(x), axis=self._axes, keepdims=True)
        return x * rsqrt(size + self.epsilon) * reshape(self.scale, self._weight_shape)


class GroupNormalization(_NormalizationBase):
    """Normalize groups of channels of each example by their own mean and variance, then scale by gamma and add beta.

    The inputs have shape [batch, ...]; the output has the same shape.

    Args:
        groups: Number of groups, which must divide the number of channels; -1 means one group for each channel.
        axis: Axis of the channels; a negative axis counts from the last one.
        epsilon: Small number added to the variance to avoid a division by 0.
        center: Whether to add the weight `beta`.
        scale: Whether to multiply by the weight `gamma`.
        beta_initializer: Initializer of `beta`.
        gamma_initializer: Initializer of `gamma`.
        beta_regularizer: Regularizer of `beta`; the layer adds its penalty to `losses`.
        gamma_regularizer: Regularizer of `gamma`; the layer adds its penalty to `losses`.
        beta_constraint: Function that projects `beta` after each optimizer update.
        gamma_constraint: Function that projects `gamma` after each optimizer update.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the number of groups does not divide the number of channels.

    Source: https://keras.io/api/layers/normalization_layers/group_normalization/; Wu, He, arXiv 1803.08494.
    """

    def __init__(
        self,
        groups: int = 32,
        axis: int = -1,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            axis,
            epsilon=epsilon,
            center=center,
            scale=scale,
            beta_initializer=beta_initializer,
            gamma_initializer=gamma_initializer,
            beta_regularizer=beta_regularizer,
            gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint,
            gamma_constraint=gamma_constraint,
            **kwargs,
        )
        self.groups = groups

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        channels = input_shape[self.axis]
        self.groups = channels if self.groups == -1 else self.groups
        if channels % self.groups:
            raise TapeValueError(
                f"`GroupNormalization` layer '{self.name}' cannot split {channels} channels into {self.groups} groups.",
                fix=f"pass `groups={channels}`, or another divisor of {channels}",
                code="MT507",
            )

    def call(self, inputs: Value) -> Value:
        shape = list(inputs.shape)
        at = self.axis % len(shape)
        split = [self.groups, shape[at] // self.groups]
        grouped = reshape(inputs, [*shape[:at], *split, *shape[at + 1 :]])
        kept = [1] * at + split + [1] * (len(shape) - at - 1)
        measured = [i for i in range(1, len(shape) + 1) if i != at]
        mean, variance = moments(grouped, measured, keepdims=True)
        factor = rsqrt(variance + self.epsilon)
        if self.gamma is not None:
            factor = factor * reshape(self.gamma, kept)
        shift = -mean * factor
        if self.beta is not None:
            shift = shift + reshape(self.beta, kept)
        return reshape(grouped * factor + shift, shape)


class UnitNormalization(Layer):
    """Scale each example to Euclidean length 1 along `axis`.

    The inputs may have any shape; the output has the same shape.

    Args:
        axis: Axis, or list of axes, over which the length is computed.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/normalization_layers/unit_normalization/
    """

    supports_masking = True

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis
        self.built = True

    def call(self, inputs: Value) -> Value:
        return l2_normalize(inputs, axis=self.axis, epsilon=1e-24)


class Normalization(Layer):
    """Shift and scale each feature to mean 0 and variance 1, using given statistics or those that `adapt` computed.

    The inputs may have any shape; the output has the same shape and the dtype of the layer.

    Args:
        axis: Axis, or axes, of the features, each with its own statistics; None means one mean and variance for all
            values.
        mean: Mean to use instead of `adapt`, together with `variance`.
        variance: Variance to use instead of `adapt`, together with `mean`.
        invert: Whether to apply the inverse transformation, from normalized values to the original ones.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: only one of `mean` and `variance` is given.

    Source: https://keras.io/api/layers/preprocessing_layers/numerical/normalization/
    """

    supports_masking = True

    def __init__(
        self,
        axis: Any = -1,
        mean: Any = None,
        variance: Any = None,
        invert: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if (mean is None) != (variance is None):
            raise TapeValueError(
                "When setting values directly, both `mean` and `variance` must be set. Received: "
                f"mean={mean} and variance={variance}",
                fix="use `Normalization(mean=..., variance=...)`",
            )
        self.axis = () if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
        self.input_mean, self.input_variance, self.invert = mean, variance, invert

    def build(self, input_shape: Any) -> None:
        rank = len(input_shape)
        kept = canonical_axes(self.axis, rank, "Normalization") if self.axis else ()
        self._measured = tuple(axis for axis in range(rank) if axis not in kept)
        self._weight_shape = [input_shape[axis] if axis in kept else 1 for axis in range(rank)]
        if self.input_mean is None:
            shape = tuple(input_shape[axis] for axis in kept)
            self.adapt_mean = self.add_weight(shape, "zeros", trainable=False, name="mean")
            self.adapt_variance = self.add_weight(shape, "ones", trainable=False, name="variance")
            self.count = self.add_weight((), "zeros", "int32", trainable=False, name="count")

    def adapt(self, data: Any) -> None:
        """Compute the mean and variance of a data set, and store them in the layer.

        Args:
            data: An array or a tensor, or an iterable of batches; if a batch is a tuple, its first element is used.

        Raises:
            TypeError: `data` is not iterable.
            ValueError: `data` is empty.
        """
        is_one = hasattr(data, "shape") and not hasattr(data, "element_spec")
        total, squares, count = 0.0, 0.0, 0.0
        for batch in [data] if is_one else _batches(data):
            numbers = np.asarray(batch, self.dtype.numpy)
            if not self.built:
                self.build(numbers.shape)
            of_batch = float(np.prod([numbers.shape[axis] for axis in self._measured]))
            mean, variance = numbers.mean(self._measured), numbers.var(self._measured)
            fraction = of_batch / (count + of_batch)
            merged = total * (1 - fraction) + mean * fraction
            squares = (squares + (total - merged) ** 2) * (1 - fraction) + (
                variance + (mean - merged) ** 2
            ) * fraction
            total, count = merged, count + of_batch
        if not count:
            raise TapeValueError(
                "`adapt()` received no data.", fix="call `normalization.adapt(array)`"
            )
        self.adapt_mean.assign(np.asarray(total, self.dtype.numpy))
        self.adapt_variance.assign(np.asarray(squares, self.dtype.numpy))

    @property
    def mean(self) -> Any:
        """Return the mean in a shape that broadcasts to the inputs."""
        return self._broadcast(self.input_mean, "adapt_mean")

    @property
    def variance(self) -> Any:
        """Return the variance, in a shape that broadcasts to the inputs."""
        return self._broadcast(self.input_variance, "adapt_variance")

    def _broadcast(self, given: Any, measured: str) -> Any:
        if given is None:
            return reshape(getattr(self, measured), self._weight_shape)
        numbers = np.asarray(given, self.dtype.numpy)
        return np.array(np.broadcast_to(numbers, self._weight_shape))

    def call(self, inputs: Value) -> Value:
        width = maximum(sqrt(self.variance), self.dtype.numpy.type(epsilon()))
        x = cast(inputs, self.dtype)
        return self.mean + x * width if self.invert else (x - self.mean) / width


def _batches(data: Any) -> Any:
    """Yield the inputs of each batch, without the labels that a data set may also yield."""
    if not hasattr(data, "__iter__"):
        raise TapeTypeError(
            f"Unsupported data type: {type(data)}. `adapt` takes an array, a tensor, or batches of them.",
            fix="call `normalization.adapt(np.array(...))`",
        )
    for batch in data:
        yield batch[0] if isinstance(batch, tuple) else batch
