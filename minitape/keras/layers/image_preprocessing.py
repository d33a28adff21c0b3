"""Layers that prepare images for a model by resizing, cropping or randomly flipping them.

Images have the shape [batch, height, width, channels], or [height, width, channels].

Source: https://keras.io/api/layers/preprocessing_layers/image_preprocessing/
"""

from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import random
from minitape.keras.layers.keywords import positive, refuse_given
from minitape.keras.layers.layer import Layer, check_rank
from minitape.keras.layers.spatial import checked_format, checked_method, refuse_channels_first
from minitape.ops.identity import cast
from minitape.ops.images.resizing import resize
from minitape.ops.indexing import where
from minitape.ops.reordering import reverse


class _ImageLayer(Layer):
    """Base class that checks images and casts them to the layer's dtype."""

    data_format: str

    def _pictures(self, data: Value) -> Value:
        refuse_channels_first(self, self.data_format)
        check_rank(self, data.shape, 3, most=4)
        return cast(data, self.dtype)


class Resizing(_ImageLayer):
    """Resize images.

    Inputs of shape [batch, height, width, channels] or [height, width, channels], cast to the dtype of the layer.

    Args:
        height: Height of the output in pixels; a positive integer.
        width: Width of the output in pixels; a positive integer.
        interpolation: "bilinear", "nearest", "bicubic", "lanczos3" or "lanczos5".
        crop_to_aspect_ratio: Not supported; must be False.
        pad_to_aspect_ratio: Not supported; must be False.
        fill_mode: Not supported; must be "constant".
        fill_value: Not supported; must be 0.
        antialias: Whether to blur before shrinking, to avoid aliasing.
        data_format: Must be "channels_last" (the default).
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `interpolation` is unknown, or a size is not a positive integer.
        UnimplementedError: an unsupported argument is set.

    Source: https://keras.io/api/layers/preprocessing_layers/image_preprocessing/resizing/
    """

    def __init__(
        self,
        height: int,
        width: int,
        interpolation: str = "bilinear",
        crop_to_aspect_ratio: bool = False,
        pad_to_aspect_ratio: bool = False,
        fill_mode: str = "constant",
        fill_value: float = 0.0,
        antialias: bool = False,
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        refuse_given(
            self,
            "use `tf.image.resize_with_pad` or `tf.image.central_crop` instead",
            crop_to_aspect_ratio=crop_to_aspect_ratio,
            pad_to_aspect_ratio=pad_to_aspect_ratio,
            fill_mode=None if fill_mode == "constant" else fill_mode,
            fill_value=None
            if isinstance(fill_value, int | float) and not fill_value
            else fill_value,
        )
        self.height, self.width = positive("height", height), positive("width", width)
        self.interpolation, self.antialias = checked_method(interpolation), antialias
        self.data_format = checked_format(data_format)

    def call(self, data: Value, training: Any = True) -> Value:
        size = (self.height, self.width)
        return resize(self._pictures(data), size, self.interpolation, antialias=self.antialias)


class CenterCrop(_ImageLayer):
    """Crop images to their center; crop smaller images to the output's aspect ratio and resize them.

    Inputs of shape [batch, height, width, channels] or [height, width, channels], cast to the dtype of the layer.

    Args:
        height: Height of the output in pixels; a positive integer.
        width: Width of the output in pixels; a positive integer.
        data_format: Must be "channels_last" (the default).
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: a size is not a positive integer.

    Source: https://keras.io/api/layers/preprocessing_layers/image_preprocessing/center_crop/
    """

    def __init__(
        self, height: int, width: int, data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.height, self.width = positive("height", height), positive("width", width)
        self.data_format = checked_format(data_format)

    def call(self, data: Value, training: Any = True) -> Value:
        x = self._pictures(data)
        height, width = int(x.shape[-3]), int(x.shape[-2])
        if height >= self.height and width >= self.width:
            return _middle(x, self.height, self.width)
        part = _middle(
            x,
            max(min(height, int(width * self.height / self.width)), 1),
            max(min(width, int(height * self.width / self.height)), 1),
        )
        return resize(part, (self.height, self.width))


def _middle(x: Value, height: int, width: int) -> Value:
    down, across = (x.shape[-3] - height) // 2, (x.shape[-2] - width) // 2
    return x[..., down : down + height, across : across + width, :]


class RandomFlip(_ImageLayer):
    """Flip each image with probability ½ during training; a call without `training` counts as training.

    Inputs of shape [batch, height, width, channels] or [height, width, channels], cast to the dtype of the layer.

    Args:
        mode: "horizontal", "vertical" or "horizontal_and_vertical" (two independent flips).
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        data_format: Must be "channels_last" (the default).
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `mode` is unknown.

    Source: https://keras.io/api/layers/preprocessing_layers/image_augmentation/random_flip/
    """

    def __init__(
        self,
        mode: str = "horizontal_and_vertical",
        seed: Any = None,
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if mode not in ("horizontal", "vertical", "horizontal_and_vertical"):
            raise TapeValueError(
                f"RandomFlip layer {self.name} received an unknown mode argument {mode}",
                fix='pass `mode="horizontal"`',
            )
        self.mode = mode
        self.seed, self.seed_generator = seed, random.own_generator(seed)
        self.data_format = checked_format(data_format)

    def call(self, data: Value, training: Any = True) -> Value:
        x = self._pictures(data)
        if not training:
            return x
        for word, axis in (("horizontal", -2), ("vertical", -3)):
            if word in self.mode:
                x = self._mirrored(x, axis)
        return x

    def _mirrored(self, x: Value, axis: int) -> Value:
        examples = (x.shape[0], 1, 1, 1) if len(x.shape) == 4 else (1, 1, 1)
        is_mirrored = random.uniform(examples, seed=self.seed_generator) <= 0.5
        return where(is_mirrored, reverse(x, [axis]), x)
