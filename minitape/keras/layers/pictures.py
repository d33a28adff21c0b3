"""Layers that make pictures fit for a model: another size, the middle, mirrored by chance.

Pictures are [batch, height, width, channels], or one without a batch.

Source: https://keras.io/api/layers/preprocessing_layers/image_preprocessing/
"""

from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import random
from minitape.keras.layers.keywords import positive, refuse_given
from minitape.keras.layers.layer import Layer, check_rank
from minitape.keras.layers.spatial import checked_format, checked_method, refuse_channels_first
from minitape.ops.images.resizing import resize
from minitape.ops.moving import reverse
from minitape.ops.passing import cast
from minitape.ops.picking import where


class _OfPictures(Layer):
    """Checks the pictures, and takes them as numbers of the layer's dtype."""

    data_format: str

    def _pictures(self, data: Value) -> Value:
        refuse_channels_first(self, self.data_format)
        check_rank(self, data.shape, 3, most=4)
        return cast(data, self.dtype)


class Resizing(_OfPictures):
    """Pictures in another size.

    Args:
        height: Of the answer.
        width: Of the answer.
        interpolation: "bilinear", "nearest", "bicubic", "lanczos3" or "lanczos5".
        crop_to_aspect_ratio: Refused, as is `pad_to_aspect_ratio`, and with them `fill_mode` and `fill_value`.
        antialias: Whether a smaller picture is blurred before.
        data_format: Only "channels_last".

    Raises:
        ValueError: there is no such interpolation.

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
            "tf.image.resize_with_pad and tf.image.central_crop do that",
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


class CenterCrop(_OfPictures):
    """The middle of pictures; of those that are too small, the largest part of that shape, enlarged.

    Args:
        height: Of the answer.
        width: Of the answer.
        data_format: Only "channels_last".

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


class RandomFlip(_OfPictures):
    """While training, every second picture mirrored, on average; a call counts as training unless it is told otherwise.

    Args:
        mode: "horizontal", "vertical" or "horizontal_and_vertical".
        seed: Of the random numbers.
        data_format: Only "channels_last".

    Raises:
        ValueError: there is no such mode.

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
                fix='mode="horizontal"',
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
