"""Pooling layers, which reduce each window or each whole channel to one value.

Source: https://keras.io/api/layers/pooling_layers/
"""

from collections.abc import Callable
from typing import Any

from minitape.core.values import Value
from minitape.keras.layers.layer import Layer, check_rank
from minitape.keras.layers.spatial import (
    checked_format,
    checked_padding,
    in_channels_last,
    sizes,
    with_defaults,
)
from minitape.ops import pooling
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.creation import zeros_like
from minitape.ops.identity import cast
from minitape.ops.indexing import where
from minitape.ops.minmax import reduce_max
from minitape.ops.reshaping import expand_dims


class Pooling(Layer):
    """Reduce each window to one value with the function `pool`.

    Args:
        pool_size: Size of the window: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each; None (the default) means `pool_size`.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        name: Name of the layer.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not positive, or `padding` or `data_format` is unknown.
    """

    rank = 2
    pool: Callable[..., Value]

    def __init__(
        self,
        pool_size: Any,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.pool_size = sizes("pool_size", pool_size, self.rank)
        self.strides = self.pool_size if strides is None else sizes("strides", strides, self.rank)
        self.padding = checked_padding(padding, ("valid", "same"))
        self.data_format = checked_format(data_format)
        self.built = True

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2, most=self.rank + 2)
        return in_channels_last(self._pooled, inputs, self.data_format)

    def _pooled(self, x: Value) -> Value:
        return type(self).pool(x, self.pool_size, self.strides, self.padding.upper())


class PoolingOfTwo(Pooling):
    """A `Pooling` with windows of size 2 by default.

    Args:
        pool_size: Size of the window: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each; None (the default) means `pool_size`.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        name: Name of the layer.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.
    """

    def __init__(
        self,
        pool_size: Any = 2,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, data_format, name, **kwargs)


class MaxPooling1D(PoolingOfTwo):
    """Return the maximum of each window of a sequence.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, new steps, channels].

    Args:
        pool_size: Size of the window: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each; None (the default) means `pool_size`.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        name: Name of the layer.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/max_pooling1d/
    """

    rank = 1
    pool = staticmethod(pooling.max_pool1d)


class MaxPooling2D(PoolingOfTwo):
    """Return the maximum of each window of an image.

    The inputs have shape [batch, height, width, channels]; the output has shape [batch, new height, new width, channels].

    Args:
        pool_size: Size of the window: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each; None (the default) means `pool_size`.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        name: Name of the layer.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/max_pooling2d/
    """

    pool = staticmethod(pooling.max_pool2d)
    __init__ = with_defaults(PoolingOfTwo.__init__, pool_size=(2, 2))


class AveragePooling1D(Pooling):
    """Return the mean of each window of a sequence.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, new steps, channels].

    Args:
        pool_size: Size of the window: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each; None (the default) means `pool_size`.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        name: Name of the layer.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/average_pooling1d/
    """

    rank = 1
    pool = staticmethod(pooling.avg_pool1d)


class AveragePooling2D(Pooling):
    """Return the mean of each window of an image.

    The inputs have shape [batch, height, width, channels]; the output has shape [batch, new height, new width, channels].

    Args:
        pool_size: Size of the window: an integer for all spatial axes, or one for each.
        strides: Step of the window: an integer for all spatial axes, or one for each; None (the default) means `pool_size`.
        padding: "valid" (no padding) or "same" (padded so that with stride 1 the output has the size of the input).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        name: Name of the layer.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/average_pooling2d/
    """

    pool = staticmethod(pooling.avg_pool2d)


# --- global pooling ---


class GlobalPooling(Layer):
    """Reduce each channel to one value with the function `fold`.

    Args:
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        keepdims: Whether to keep the reduced axes with size 1.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.
    """

    rank = 2
    fold: Callable[..., Value]

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.data_format, self.keepdims = checked_format(data_format), keepdims
        self.built = True

    def _axes(self) -> tuple[int, ...]:
        first = 1 if self.data_format == "channels_last" else 2
        return tuple(range(first, first + self.rank))

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2, most=self.rank + 2)
        return type(self).fold(inputs, axis=self._axes(), keepdims=self.keepdims)


class GlobalAveragePooling1D(GlobalPooling):
    """Return the mean of each channel of a sequence; masked steps are excluded.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, channels].

    Args:
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        keepdims: Whether to keep the reduced axes with size 1.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/global_average_pooling1d/
    """

    rank = 1
    supports_masking = True
    fold = staticmethod(reduce_mean)

    def call(self, inputs: Value, mask: Any = None) -> Value:
        """Compute the mean of each channel.

        Args:
            inputs: A tensor of shape [batch, steps, channels], or [batch, channels, steps] with channels first.
            mask: Bool tensor [batch, steps], False for steps to ignore; by default the mask attached to the inputs.

        Returns:
            A tensor [batch, channels]; with `keepdims` the axis of the steps has size 1.
        """
        if mask is None:
            return super().call(inputs)
        (steps,) = self._axes()
        counts = expand_dims(cast(mask, "bool"), axis=2 if steps == 1 else 1)
        kept = where(counts, inputs, zeros_like(inputs))
        number = reduce_sum(cast(counts, inputs.dtype), axis=steps, keepdims=self.keepdims)
        return reduce_sum(kept, axis=steps, keepdims=self.keepdims) / number

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return None


class GlobalAveragePooling2D(GlobalPooling):
    """Return the mean of each channel of an image.

    The inputs have shape [batch, height, width, channels]; the output has shape [batch, channels].

    Args:
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        keepdims: Whether to keep the reduced axes with size 1.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/global_average_pooling2d/
    """

    fold = staticmethod(reduce_mean)


class GlobalMaxPooling1D(GlobalPooling):
    """Return the maximum of each channel of a sequence.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, channels].

    Args:
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        keepdims: Whether to keep the reduced axes with size 1.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/global_max_pooling1d/
    """

    rank = 1
    fold = staticmethod(reduce_max)


class GlobalMaxPooling2D(GlobalPooling):
    """Return the maximum of each channel of an image.

    The inputs have shape [batch, height, width, channels]; the output has shape [batch, channels].

    Args:
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        keepdims: Whether to keep the reduced axes with size 1.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/pooling_layers/global_max_pooling2d/
    """

    fold = staticmethod(reduce_max)


# Keras also exports these classes under a shorter name, but default layer names derive from the longer one.
MaxPool1D, MaxPool2D = MaxPooling1D, MaxPooling2D
AvgPool1D, AvgPool2D = AveragePooling1D, AveragePooling2D
GlobalMaxPool1D, GlobalMaxPool2D = GlobalMaxPooling1D, GlobalMaxPooling2D
GlobalAvgPool1D, GlobalAvgPool2D = GlobalAveragePooling1D, GlobalAveragePooling2D
