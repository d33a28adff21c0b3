"""Layers that rearrange the elements of each example and leave the batch axis unchanged.

Source: https://keras.io/api/layers/reshaping_layers/
"""

import math
from typing import Any

from minitape.core.arguments import listed
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras.layers.keywords import positive
from minitape.keras.layers.layer import Layer, check_rank
from minitape.keras.layers.spatial import (
    checked_format,
    checked_method,
    in_channels_last,
    pairs,
    sizes,
    with_defaults,
)
from minitape.ops.axes import whole_number
from minitape.ops.images.resizing import resize
from minitape.ops.indexing import repeat
from minitape.ops.reshaping import expand_dims, reshape, transpose
from minitape.ops.slicing import pad


class Flatten(Layer):
    """Flatten each example to a vector.

    The inputs have shape [batch, ...]; the output has shape [batch, product of the other sizes].

    Args:
        data_format: "channels_last" or "channels_first"; the latter moves the channels to the last axis first. None
            means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/reshaping_layers/flatten/
    """

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = checked_format(data_format)

    def call(self, inputs: Value) -> Value:
        rank = len(inputs.shape)
        if self.data_format == "channels_first" and rank > 1:
            inputs = transpose(inputs, (0, *range(2, rank), 1))
        shape = tuple(inputs.shape)
        return reshape(inputs, (shape[0], math.prod(shape[1:])))


class Reshape(Layer):
    """Reshape each example.

    The inputs have shape [batch, ...]; the output has shape [batch, *target_shape].

    Args:
        target_shape: Shape of one output example; one size may be -1 and is then inferred.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `target_shape` has several -1, or does not fit the number of elements.

    Source: https://keras.io/api/layers/reshaping_layers/reshape/
    """

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(map(whole_number, listed(target_shape, "target_shape")))
        if self.target_shape.count(-1) > 1:
            raise TapeValueError(
                "The `target_shape` argument must not contain more than one `-1` value. "
                f"Received: target_shape={self.target_shape}",
                fix="pass `target_shape=(-1, 2)`",
            )
        self.built = True

    def call(self, inputs: Value) -> Value:
        shape = tuple(inputs.shape)
        have = math.prod(shape[1:])
        known = math.prod(size for size in self.target_shape if size != -1)
        is_open = -1 in self.target_shape
        if (have % known if is_open and known else have != known) or (is_open and not known):
            raise TapeValueError(
                f"Layer '{self.name}' cannot reshape the {have} elements of an example (input shape {shape}) to "
                f"{self.target_shape}.",
                fix=f"pass `target_shape=({have},)`",
                code="MT507",
            )
        sizes_ = tuple(have // known if size == -1 else size for size in self.target_shape)
        return reshape(inputs, (shape[0], *sizes_))


class Permute(Layer):
    """Reorder the axes of each example.

    The inputs have shape [batch, ...].

    Args:
        dims: The new order of the axes, which are numbered from 1 and exclude the batch.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `dims` is not a permutation of 1, 2, ...

    Source: https://keras.io/api/layers/reshaping_layers/permute/
    """

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(map(whole_number, listed(dims, "dims")))
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise TapeValueError(
                f"Invalid permutation argument `dims` for Permute Layer: {dims}. The set of indices in `dims` must be "
                "consecutive and start from 1.",
                fix="pass `dims=(2, 1)`",
            )

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, len(self.dims) + 1, most=len(self.dims) + 1)
        return transpose(inputs, (0, *self.dims))


class RepeatVector(Layer):
    """Repeat each row n times as a sequence.

    The inputs have shape [batch, features]; the output has shape [batch, n, features].

    Args:
        n: Number of repetitions; a positive integer.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `n` is not a positive integer.

    Source: https://keras.io/api/layers/reshaping_layers/repeat_vector/
    """

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n = positive("n", n)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 2, most=2)
        return repeat(expand_dims(inputs, axis=1), self.n, axis=1)


# --- padding and cropping ---


class ZeroPadding(Layer):
    """Add zeros at both ends of each spatial axis.

    Args:
        padding: Number of zeros: one integer for all spatial axes, one integer for each, or a pair (before, after) for each.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.
    """

    rank = 2

    def __init__(self, padding: Any = 1, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.padding = pairs("padding", padding, self.rank)
        self.data_format = checked_format(data_format)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2, most=self.rank + 2)
        border = ((0, 0), *self.padding, (0, 0))
        return in_channels_last(lambda x: pad(x, border), inputs, self.data_format)


class ZeroPadding1D(ZeroPadding):
    """Add zero steps before and after a sequence.

    The inputs have shape [batch, steps, channels].

    Args:
        padding: Number of steps: one integer for both ends, or (before, after).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/reshaping_layers/zero_padding1d/
    """

    rank = 1


class ZeroPadding2D(ZeroPadding):
    """Add a border of zeros around images.

    The inputs have shape [batch, height, width, channels].

    Args:
        padding: An integer, (height, width), or ((top, bottom), (left, right)).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/reshaping_layers/zero_padding2d/
    """

    __init__ = with_defaults(ZeroPadding.__init__, padding=(1, 1))


class ZeroPadding3D(ZeroPadding):
    """Add a border of zeros around volumes.

    The inputs have shape [batch, depth, height, width, channels].

    Args:
        padding: An integer, one for each spatial axis, or a pair (before, after) for each.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/reshaping_layers/zero_padding3d/
    """

    rank = 3
    __init__ = with_defaults(ZeroPadding.__init__, padding=((1, 1), (1, 1), (1, 1)))


def _inner(layer: Layer, x: Value, ends: tuple[tuple[int, ...], ...]) -> Value:
    """Return `x` without the given number of elements at the ends of its spatial axes."""
    for length, (before, after) in zip(x.shape[1:-1], ends, strict=True):
        if before + after >= length:
            raise TapeValueError(
                f"`cropping` of layer '{layer.name}' removes {before + after} of {length} elements of an axis, so the "
                f"result would be empty. Received: inputs.shape={tuple(x.shape)}",
                fix="use a smaller `cropping`",
                code="MT507",
            )
    inner = (slice(a, n - b) for n, (a, b) in zip(x.shape[1:-1], ends, strict=True))
    return x[(slice(None), *inner)]


class Cropping1D(Layer):
    """Remove steps at the start and the end of a sequence.

    The inputs have shape [batch, steps, channels].

    Args:
        cropping: Number of steps: one integer for both ends, or (start, end).
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the result would be empty.

    Source: https://keras.io/api/layers/reshaping_layers/cropping1d/
    """

    def __init__(self, cropping: Any = (1, 1), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cropping = pairs("cropping", cropping, 1)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 3, most=3)
        return _inner(self, inputs, self.cropping)


class Cropping(Layer):
    """Remove the borders of images or volumes.

    Args:
        cropping: Number of elements to remove: one integer, one for each spatial axis, or a pair (before, after)
            for each.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the result would be empty.
    """

    rank = 2

    def __init__(
        self, cropping: Any = ((0, 0), (0, 0)), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.cropping = pairs("cropping", cropping, self.rank)
        self.data_format = checked_format(data_format)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2, most=self.rank + 2)
        return in_channels_last(lambda x: _inner(self, x, self.cropping), inputs, self.data_format)


class Cropping2D(Cropping):
    """Remove the borders of images.

    The inputs have shape [batch, height, width, channels].

    Args:
        cropping: An integer, (height, width), or ((top, bottom), (left, right)).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the result would be empty.

    Source: https://keras.io/api/layers/reshaping_layers/cropping2d/
    """


class Cropping3D(Cropping):
    """Remove the borders of volumes.

    The inputs have shape [batch, depth, height, width, channels].

    Args:
        cropping: An integer, one for each spatial axis, or a pair (before, after) for each.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the result would be empty.

    Source: https://keras.io/api/layers/reshaping_layers/cropping3d/
    """

    rank = 3
    __init__ = with_defaults(Cropping.__init__, cropping=((1, 1), (1, 1), (1, 1)))


# --- upsampling ---


class UpSampling1D(Layer):
    """Repeat each step of a sequence.

    The inputs have shape [batch, steps, channels]; the output has shape [batch, steps × size, channels].

    Args:
        size: Number of repetitions; a positive integer.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/reshaping_layers/up_sampling1d/
    """

    def __init__(self, size: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.size = positive("size", size)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 3, most=3)
        return repeat(inputs, self.size, axis=1)


class UpSampling2D(Layer):
    """Enlarge images by integer factors.

    The inputs have shape [batch, height, width, channels].

    Args:
        size: Factor: an integer, or (height factor, width factor).
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        interpolation: "nearest" repeats each pixel; "bilinear", "bicubic", "lanczos3" and "lanczos5" interpolate.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `interpolation` is unknown; raised when the layer is called.

    Source: https://keras.io/api/layers/reshaping_layers/up_sampling2d/
    """

    def __init__(
        self,
        size: Any = (2, 2),
        data_format: str | None = None,
        interpolation: str = "nearest",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.size = sizes("size", size, 2)
        self.data_format, self.interpolation = checked_format(data_format), interpolation

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 4, most=4)
        return in_channels_last(self._enlarged, inputs, self.data_format)

    def _enlarged(self, x: Value) -> Value:
        down, across = self.size
        if self.interpolation == "nearest":
            return repeat(repeat(x, down, axis=1), across, axis=2)
        size_ = (x.shape[1] * down, x.shape[2] * across)
        return resize(x, size_, checked_method(self.interpolation))


class UpSampling3D(Layer):
    """Enlarge volumes by integer factors, by repeating each element along each axis.

    The inputs have shape [batch, depth, height, width, channels].

    Args:
        size: Factor: an integer, or one for each of depth, height and width.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Source: https://keras.io/api/layers/reshaping_layers/up_sampling3d/
    """

    def __init__(
        self, size: Any = (2, 2, 2), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.size, self.data_format = sizes("size", size, 3), checked_format(data_format)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 5, most=5)
        return in_channels_last(self._enlarged, inputs, self.data_format)

    def _enlarged(self, x: Value) -> Value:
        for axis, times in enumerate(self.size, start=1):
            x = repeat(x, times, axis=axis)
        return x
