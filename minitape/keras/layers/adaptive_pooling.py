"""Pooling to a given output size, for any size of the input.

    AdaptiveAveragePooling1D, 2D, 3D    the mean of each window
    AdaptiveMaxPooling1D, 2D, 3D        the maximum of each window

Window i of n over a length l starts at ⌊i·l/n⌋ and ends before ⌈(i+1)·l/n⌉. If n does not divide l, windows therefore
overlap, and each has one of two lengths: ⌈l/n⌉ or one more. The code pools both lengths at every position and then selects
one per window.

Source: https://keras.io/api/layers/pooling_layers/
"""

import math
from collections.abc import Callable
from typing import Any

from minitape.core.values import Ints, Value
from minitape.errors import TapeTypeError, TapeValueError
from minitape.keras.layers.layer import Layer, check_rank
from minitape.keras.layers.spatial import checked_format, in_channels_last
from minitape.ops.indexing import gather
from minitape.ops.joining import concat
from minitape.ops.pooling import avg_pool1d, max_pool1d
from minitape.ops.reshaping import reshape


class AdaptivePooling(Layer):
    """Pool each spatial axis into a given number of windows with the function `pool`.

    Args:
        output_size: Number of windows: a positive integer, or one for each spatial axis.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        TypeError: `output_size` is not an integer or a tuple of integers, one for each spatial axis.
        ValueError: `output_size` is below 1, or `data_format` is unknown.
    """

    rank: int
    pool: Callable[..., Value]

    def __init__(self, output_size: Any, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.output_size = _numbers_of_windows(output_size, self.rank)
        self.data_format = checked_format(data_format)
        self.built = True

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2, most=self.rank + 2)
        return in_channels_last(self._pooled, inputs, self.data_format)

    def _pooled(self, x: Value) -> Value:
        for axis, count in enumerate(self.output_size, start=1):
            x = _pooled_along(type(self).pool, x, axis, count)
        return x


def _numbers_of_windows(output_size: Any, rank: int) -> Ints:
    given = (output_size,) * rank if isinstance(output_size, int) else output_size
    is_some = isinstance(given, list | tuple) and all(isinstance(each, int) for each in given)
    if not is_some or len(given) != rank:
        raise TapeTypeError(
            f"`output_size` must be an integer or tuple of {rank} integers. "
            f"Received: {output_size} of type {type(output_size)}",
            fix="pass `output_size=2`",
        )
    if min(given) < 1:
        raise TapeValueError(
            f"`output_size` must be at least 1. Received: {output_size}", fix="pass `output_size=2`"
        )
    return tuple(given)


def _pooled_along(pool: Callable[..., Value], x: Value, axis: int, count: int) -> Value:
    length, inner = x.shape[axis], x.shape[axis + 1 :]
    starts = [i * length // count for i in range(count)]
    ends = [math.ceil((i + 1) * length / count) for i in range(count)]
    small = math.ceil(length / count)
    rows = reshape(x, (-1, length, math.prod(inner)))
    windows, positions = pool(rows, small, 1, "VALID"), starts
    if any(end - start > small for start, end in zip(starts, ends, strict=True)):
        longer = length - small + 1  # index of the first window whose length differs
        positions = [a if b - a == small else a + longer for a, b in zip(starts, ends, strict=True)]
        windows = concat([windows, pool(rows, small + 1, 1, "VALID")], axis=1)
    return reshape(gather(windows, positions, axis=1), (-1, *x.shape[1:axis], count, *inner))


class AdaptiveAveragePooling1D(AdaptivePooling):
    """Average a sequence to `output_size` steps.

    Args:
        output_size: Number of output steps: a positive integer.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, output_size, channels].

    Source: https://keras.io/api/layers/pooling_layers/
    """

    rank = 1
    pool = staticmethod(avg_pool1d)


class AdaptiveAveragePooling2D(AdaptivePooling):
    """Average images to a given height and width.

    Args:
        output_size: Height and width of the output: one integer for both, or a pair.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs have shape [batch, height, width, channels].

    Source: https://keras.io/api/layers/pooling_layers/
    """

    rank = 2
    pool = staticmethod(avg_pool1d)


class AdaptiveAveragePooling3D(AdaptivePooling):
    """Average volumes to a given depth, height and width.

    Args:
        output_size: Depth, height and width of the output: one integer for all, or three.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs have shape [batch, depth, height, width, channels].

    Source: https://keras.io/api/layers/pooling_layers/
    """

    rank = 3
    pool = staticmethod(avg_pool1d)


class AdaptiveMaxPooling1D(AdaptivePooling):
    """Pool a sequence to `output_size` steps by the maximum of each window.

    Args:
        output_size: Number of output steps: a positive integer.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, output_size, channels].

    Source: https://keras.io/api/layers/pooling_layers/
    """

    rank = 1
    pool = staticmethod(max_pool1d)


class AdaptiveMaxPooling2D(AdaptivePooling):
    """Pool images to a given height and width by the maximum of each window.

    Args:
        output_size: Height and width of the output: one integer for both, or a pair.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs have shape [batch, height, width, channels].

    Source: https://keras.io/api/layers/pooling_layers/
    """

    rank = 2
    pool = staticmethod(max_pool1d)


class AdaptiveMaxPooling3D(AdaptivePooling):
    """Pool volumes to a given depth, height and width by the maximum of each window.

    Args:
        output_size: Depth, height and width of the output: one integer for all, or three.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    The inputs have shape [batch, depth, height, width, channels].

    Source: https://keras.io/api/layers/pooling_layers/
    """

    rank = 3
    pool = staticmethod(max_pool1d)
