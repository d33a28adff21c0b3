"""Layers that arrange what each example holds; the batch stays as it is.

Source: https://keras.io/api/layers/reshaping_layers/
"""

import math
from typing import Any

from minitape.core.values import Value
from minitape.keras.layers.layer import Layer
from minitape.ops.axes import as_ints
from minitape.ops.picking import repeat
from minitape.ops.shaping import expand_dims, reshape, transpose
from minitape.ops.slicing import pad


class Flatten(Layer):
    """Each example of the batch as one row.

    Source: https://keras.io/api/layers/reshaping_layers/flatten/
    """

    def __init__(self, *, input_shape: Any = None, **settings: Any) -> None:
        super().__init__(**settings)
        self.input_shape = None if input_shape is None else tuple(input_shape)

    def call(self, inputs: Value) -> Value:
        shape = tuple(inputs.shape)
        return reshape(inputs, (shape[0], math.prod(shape[1:])))


class Reshape(Layer):
    """Each example in another shape; one entry may be -1, which is then worked out.

    Source: https://keras.io/api/layers/reshaping_layers/reshape/
    """

    def __init__(self, target_shape: Any, **settings: Any) -> None:
        super().__init__(**settings)
        self.target_shape = tuple(target_shape)

    def call(self, inputs: Value) -> Value:
        return reshape(inputs, (inputs.shape[0], *self.target_shape))


class Permute(Layer):
    """The axes of each example in another order; they count from 1.

    Source: https://keras.io/api/layers/reshaping_layers/permute/
    """

    def __init__(self, dims: Any, **settings: Any) -> None:
        super().__init__(**settings)
        self.dims = tuple(dims)

    def call(self, inputs: Value) -> Value:
        return transpose(inputs, (0, *self.dims))


class RepeatVector(Layer):
    """Each row n times, as a sequence.

    Source: https://keras.io/api/layers/reshaping_layers/repeat_vector/
    """

    def __init__(self, n: int, **settings: Any) -> None:
        super().__init__(**settings)
        self.n = n

    def call(self, inputs: Value) -> Value:
        return repeat(expand_dims(inputs, axis=1), self.n, axis=1)


class ZeroPadding2D(Layer):
    """A border of zeros around pictures.

    Args:
        padding: How wide: one number, one for height and one for width, or ((top, bottom), (left, right)).

    Source: https://keras.io/api/layers/reshaping_layers/zero_padding2d/
    """

    def __init__(self, padding: Any = (1, 1), **settings: Any) -> None:
        super().__init__(**settings)
        both = (padding, padding) if isinstance(padding, int) else padding
        self.padding = tuple((p, p) if isinstance(p, int) else as_ints(p) for p in both)

    def call(self, inputs: Value) -> Value:
        return pad(inputs, ((0, 0), *self.padding, (0, 0)))


class UpSampling2D(Layer):
    """Each point of a picture as a block of equal ones.

    Args:
        size: Of the block: one number, or one for height and one for width.

    Source: https://keras.io/api/layers/reshaping_layers/up_sampling2d/
    """

    def __init__(self, size: Any = (2, 2), **settings: Any) -> None:
        super().__init__(**settings)
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def call(self, inputs: Value) -> Value:
        down, across = self.size
        return repeat(repeat(inputs, down, axis=1), across, axis=2)
