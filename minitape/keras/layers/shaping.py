"""Layers that arrange what each example holds; the batch stays as it is.

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
from minitape.ops.picking import repeat
from minitape.ops.shaping import expand_dims, reshape, transpose
from minitape.ops.slicing import pad


class Flatten(Layer):
    """Each example of the batch as one row.

    Args:
        data_format: "channels_first" puts the channels last before.

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
    """Each example in another shape; one entry may be -1, which is then worked out.

    Raises:
        ValueError: the elements do not fill the shape.

    Source: https://keras.io/api/layers/reshaping_layers/reshape/
    """

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(map(whole_number, listed(target_shape, "target_shape")))
        if self.target_shape.count(-1) > 1:
            raise TapeValueError(
                "The `target_shape` argument must not contain more than one `-1` value. "
                f"Received: target_shape={self.target_shape}",
                fix="target_shape=(-1, 2)",
            )
        self.built = True

    def call(self, inputs: Value) -> Value:
        shape = tuple(inputs.shape)
        have = math.prod(shape[1:])
        known = math.prod(size for size in self.target_shape if size != -1)
        is_open = -1 in self.target_shape
        if (have % known if is_open and known else have != known) or (is_open and not known):
            raise TapeValueError(
                f"Layer '{self.name}' cannot give {have} elements of an example (input shape {shape}) the shape "
                f"{self.target_shape}.",
                fix=f"target_shape=({have},)",
                code="MT507",
            )
        sizes_ = tuple(have // known if size == -1 else size for size in self.target_shape)
        return reshape(inputs, (shape[0], *sizes_))


class Permute(Layer):
    """The axes of each example in another order; they count from 1.

    Raises:
        ValueError: an axis is missing, or named twice.

    Source: https://keras.io/api/layers/reshaping_layers/permute/
    """

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(map(whole_number, listed(dims, "dims")))
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise TapeValueError(
                f"Invalid permutation argument `dims` for Permute Layer: {dims}. The set of indices in `dims` must be "
                "consecutive and start from 1.",
                fix="dims=(2, 1)",
            )

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, len(self.dims) + 1, most=len(self.dims) + 1)
        return transpose(inputs, (0, *self.dims))


class RepeatVector(Layer):
    """Each row n times, as a sequence.

    Raises:
        TypeError: n is no whole number.

    Source: https://keras.io/api/layers/reshaping_layers/repeat_vector/
    """

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n = positive("n", n)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 2, most=2)
        return repeat(expand_dims(inputs, axis=1), self.n, axis=1)


# --- borders ---


class ZeroPadding(Layer):
    """Zeros at both ends of each axis of space.

    Args:
        padding: How many: one number, one for each axis, or a pair for each.
        data_format: "channels_last", or "channels_first".
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
    """Steps of zeros before and after a sequence: one number, or (before, after).

    Source: https://keras.io/api/layers/reshaping_layers/zero_padding1d/
    """

    rank = 1


class ZeroPadding2D(ZeroPadding):
    """A border of zeros around pictures: one number, one for height and one for width, or ((top, bottom), (left, right)).

    Source: https://keras.io/api/layers/reshaping_layers/zero_padding2d/
    """

    __init__ = with_defaults(ZeroPadding.__init__, padding=(1, 1))


class ZeroPadding3D(ZeroPadding):
    """A border of zeros around volumes.

    Source: https://keras.io/api/layers/reshaping_layers/zero_padding3d/
    """

    rank = 3
    __init__ = with_defaults(ZeroPadding.__init__, padding=((1, 1), (1, 1), (1, 1)))


def _inner(layer: Layer, x: Value, ends: tuple[tuple[int, ...], ...]) -> Value:
    """`x` without so many places at the ends of its inner axes."""
    for length, (before, after) in zip(x.shape[1:-1], ends, strict=True):
        if before + after >= length:
            raise TapeValueError(
                f"`cropping` of layer '{layer.name}' takes {before + after} of {length} places away, and nothing is "
                f"left. Received: inputs.shape={tuple(x.shape)}",
                fix="a smaller cropping",
                code="MT507",
            )
    inner = (slice(a, n - b) for n, (a, b) in zip(x.shape[1:-1], ends, strict=True))
    return x[(slice(None), *inner)]


class Cropping1D(Layer):
    """A sequence without its first and last steps.

    Args:
        cropping: How many: one number, or (at the start, at the end).

    Raises:
        ValueError: nothing is left.

    Source: https://keras.io/api/layers/reshaping_layers/cropping1d/
    """

    def __init__(self, cropping: Any = (1, 1), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cropping = pairs("cropping", cropping, 1)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 3, most=3)
        return _inner(self, inputs, self.cropping)


class Cropping(Layer):
    """The middle of pictures or volumes.

    Args:
        cropping: What is cut off: one number, one for each axis of space, or a pair for each.
        data_format: "channels_last", or "channels_first".

    Raises:
        ValueError: nothing is left.
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
    """The middle of pictures.

    Source: https://keras.io/api/layers/reshaping_layers/cropping2d/
    """


class Cropping3D(Cropping):
    """The middle of volumes.

    Source: https://keras.io/api/layers/reshaping_layers/cropping3d/
    """

    rank = 3
    __init__ = with_defaults(Cropping.__init__, cropping=((1, 1), (1, 1), (1, 1)))


# --- enlarging ---


class UpSampling1D(Layer):
    """Each step of a sequence several times.

    Source: https://keras.io/api/layers/reshaping_layers/up_sampling1d/
    """

    def __init__(self, size: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.size = positive("size", size)

    def call(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 3, most=3)
        return repeat(inputs, self.size, axis=1)


class UpSampling2D(Layer):
    """Pictures enlarged.

    Args:
        size: How many times: one number, or one for height and one for width.
        data_format: "channels_last", or "channels_first".
        interpolation: "nearest": each point becomes a block of equal ones; "bilinear": straight lines between the points;
            or "bicubic", "lanczos3", "lanczos5".

    Raises:
        ValueError: there is no such interpolation, when it is called.

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
    """Volumes enlarged: each point becomes a block of equal ones.

    Args:
        size: How many times: one number, or one for each of depth, height and width.
        data_format: "channels_last", or "channels_first".

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
