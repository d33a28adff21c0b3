"""Layers that add noise during training, so that the model does not rely on individual values.

Outside of training each layer returns its inputs unchanged.

Source: https://keras.io/api/layers/regularization_layers/
"""

import math
from typing import Any

import numpy as np

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import random
from minitape.keras.layers.layer import Layer, check_rank
from minitape.keras.layers.spatial import checked_format
from minitape.ops.axes import real_number
from minitape.ops.identity import cast


def _checked_rate(rate: Any) -> Any:
    """Check a dropout rate.

    Raises:
        ValueError: `rate` is not a number from 0 to 1.
    """
    if not isinstance(rate, int | float | np.number) or not 0 <= rate <= 1:
        raise TapeValueError(
            "Invalid value received for argument `rate`. Expected a float value between 0 and 1. "
            f"Received: rate={rate}",
            fix="use a rate from 0 to 1",
        )
    return rate


class _WhileTraining(Layer):
    """Base class of layers that change their inputs only during training."""

    supports_masking = True
    seed_generator: random.SeedGenerator | None

    def call(self, inputs: Value, training: Any = False) -> Value:
        return self._disturbed(inputs) if training else inputs

    def _disturbed(self, inputs: Value) -> Value:
        raise NotImplementedError

    def _noise(self, like: Value, mean: float, stddev: float) -> Value:
        return random.normal(tuple(like.shape), mean, stddev, like.dtype, self.seed_generator)


class Dropout(_WhileTraining):
    """Set a random fraction of the inputs to 0 during training, and scale the others by 1 / (1 - rate).

    The inputs may have any shape; the output has the same shape and, on average, the same mean.

    Args:
        rate: Fraction that is dropped, from 0 to 1.
        noise_shape: Shape of the random mask, which broadcasts to the inputs. Along an axis where this shape has size 1, all
            elements are kept or dropped together. None means the shape of the inputs.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `rate` is not between 0 and 1.

    Source: https://keras.io/api/layers/regularization_layers/dropout/; Srivastava et al. 2014.
    """

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.rate, self.noise_shape = _checked_rate(rate), noise_shape
        self.seed, self.seed_generator = seed, random.own_generator(seed)
        self.built = True

    def _disturbed(self, inputs: Value) -> Value:
        return self._dropped(inputs, self.noise_shape)

    def _dropped(self, inputs: Value, fates: Any) -> Value:
        return random.dropout(inputs, self.rate, fates, self.seed_generator)


class SpatialDropout1D(Dropout):
    """Drop whole channels of a sequence during training.

    The inputs have shape [batch, steps, channels]; the output has the same shape.

    Args:
        rate: Fraction that is dropped, from 0 to 1.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        name: Name of the layer.
        dtype: Dtype of the layer.

    Raises:
        ValueError: `rate` is not between 0 and 1, or the inputs do not have rank 3.

    Source: https://keras.io/api/layers/regularization_layers/spatial_dropout1d/
    """

    def __init__(
        self, rate: float, seed: Any = None, name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(rate, seed=seed, name=name, dtype=dtype)

    def _disturbed(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, 3, most=3)
        return self._dropped(inputs, (None, 1, None))


class SpatialDropout(Dropout):
    """Drop whole channels of images or volumes during training.

    Args:
        rate: Fraction that is dropped, from 0 to 1.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        name: Name of the layer.
        dtype: Dtype of the layer.
    """

    rank = 2

    def __init__(
        self,
        rate: float,
        data_format: str | None = None,
        seed: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(rate, seed=seed, name=name, dtype=dtype)
        self.data_format = checked_format(data_format)

    def _disturbed(self, inputs: Value) -> Value:
        check_rank(self, inputs.shape, self.rank + 2, most=self.rank + 2)
        space = (1,) * self.rank
        is_last = self.data_format == "channels_last"
        return self._dropped(inputs, (None, *space, None) if is_last else (None, None, *space))


class SpatialDropout2D(SpatialDropout):
    """Drop whole channels of images during training.

    The inputs have rank 4; the output has the same shape.

    Args:
        rate: Fraction that is dropped, from 0 to 1.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        name: Name of the layer.
        dtype: Dtype of the layer.

    Raises:
        ValueError: `rate` is not between 0 and 1, or the inputs do not have rank 4.

    Source: https://keras.io/api/layers/regularization_layers/spatial_dropout2d/
    """


class SpatialDropout3D(SpatialDropout):
    """Drop whole channels of volumes during training.

    The inputs have rank 5; the output has the same shape.

    Args:
        rate: Fraction that is dropped, from 0 to 1.
        data_format: "channels_last" ([batch, ..., channels]) or "channels_first" ([batch, channels, ...]); None
            (the default) means "channels_last".
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        name: Name of the layer.
        dtype: Dtype of the layer.

    Raises:
        ValueError: `rate` is not between 0 and 1, or the inputs do not have rank 5.

    Source: https://keras.io/api/layers/regularization_layers/spatial_dropout3d/
    """

    rank = 3


class GaussianNoise(_WhileTraining):
    """Add normally distributed noise with mean 0 during training.

    The inputs may have any shape; the output has the same shape.

    Args:
        stddev: Standard deviation of the noise, from 0 to 1.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `stddev` is not between 0 and 1.

    Source: https://keras.io/api/layers/regularization_layers/gaussian_noise/
    """

    def __init__(self, stddev: float, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not 0 <= real_number(stddev) <= 1:
            raise TapeValueError(
                "Invalid value received for argument `stddev`. Expected a float value between 0 and 1. "
                f"Received: stddev={stddev}",
                fix="pass `stddev=0.1`",
            )
        self.stddev = stddev
        self.seed, self.seed_generator = seed, random.own_generator(seed)
        self.built = True

    def _disturbed(self, inputs: Value) -> Value:
        return inputs + self._noise(inputs, 0.0, self.stddev) if self.stddev else inputs


class GaussianDropout(_WhileTraining):
    """Multiply the inputs by normally distributed noise with mean 1 during training.

    The inputs may have any shape; the output has the same shape. The standard deviation is the same as for a `Dropout` with
    this rate: √(rate / (1 - rate)).

    Args:
        rate: Rate of the `Dropout` with the same standard deviation, from 0 to 1.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `rate` is not between 0 and 1.

    Source: https://keras.io/api/layers/regularization_layers/gaussian_dropout/
    """

    def __init__(self, rate: float, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate = _checked_rate(rate)
        self.seed, self.seed_generator = seed, random.own_generator(seed)
        self.built = True

    def _disturbed(self, inputs: Value) -> Value:
        if not self.rate:
            return inputs
        return inputs * self._noise(inputs, 1.0, math.sqrt(self.rate / (1.0 - self.rate)))


class AlphaDropout(_WhileTraining):
    """Drop a fraction of the outputs of `selu` during training, and keep their mean and variance.

    The inputs may have any shape; the output has the same shape.

    Args:
        rate: Fraction that is dropped, from 0 to 1.
        noise_shape: Shape of the random mask, which broadcasts to the inputs; None means the shape of the inputs.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `rate` is not between 0 and 1.

    Source: https://keras.io/api/layers/regularization_layers/alpha_dropout/; Klambauer et al., arXiv 1706.02515.
    """

    _dropped_to = -1.6732632423543772 * 1.0507009873554805

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.rate, self.noise_shape = _checked_rate(rate), noise_shape
        self.seed, self.seed_generator = seed, random.own_generator(seed)
        self.built = True

    def _disturbed(self, inputs: Value) -> Value:
        if not self.rate:
            return inputs
        wanted = self.noise_shape or inputs.shape
        shape = [own if n is None else n for n, own in zip(wanted, inputs.shape, strict=True)]
        is_kept = cast(random.uniform(shape, seed=self.seed_generator) >= self.rate, inputs.dtype)
        low = self._dropped_to
        stretch = ((1 - self.rate) * (1 + self.rate * low**2)) ** -0.5
        dropped = inputs * is_kept + low * (1.0 - is_kept)
        return stretch * dropped - stretch * low * self.rate
