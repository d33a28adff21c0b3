"""Layers that keep signals in bounds, and those that disturb them while training.

Source: https://keras.io/api/layers/normalization_layers/; https://keras.io/api/layers/regularization_layers/
"""

from typing import Any

import numpy as np

from minitape.core.values import Ints, Value
from minitape.errors import TapeValueError
from minitape.keras import initializers
from minitape.keras.layers.layer import Layer
from minitape.ops import normalising, random
from minitape.ops.arithmetic import rsqrt
from minitape.ops.axes import canonical_axes
from minitape.ops.passing import cast
from minitape.ops.shaping import reshape
from minitape.ops.statistics import moments


class _Normalisation(Layer):
    """What both share: gamma and beta, the new size and the new middle."""

    def __init__(
        self,
        axis: Any = -1,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.axis, self.epsilon, self.center, self.scale = axis, epsilon, center, scale
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.beta_regularizer, self.gamma_regularizer = beta_regularizer, gamma_regularizer
        self.gamma: Any = None
        self.beta: Any = None

    def build(self, input_shape: Any) -> None:
        axes = canonical_axes(self.axis, len(input_shape), type(self).__name__)
        shape = tuple(input_shape[axis] for axis in axes)
        if self.scale:
            self.gamma = self.add_weight(
                shape, self.gamma_initializer, regularizer=self.gamma_regularizer, name="gamma"
            )
        if self.center:
            self.beta = self.add_weight(
                shape, self.beta_initializer, regularizer=self.beta_regularizer, name="beta"
            )
        self._kept: Ints = tuple(n if i in axes else 1 for i, n in enumerate(input_shape))
        self._kept = (1, *self._kept[1:])
        self._others = tuple(i for i in range(len(input_shape)) if i not in axes)

    def _along_axis(self, weight: Any) -> Any:
        """A weight in a shape that broadcasts to that of the input."""
        return None if weight is None else reshape(weight, self._kept)


class BatchNormalization(_Normalisation):
    """Each channel moved and stretched to mean beta and deviation gamma.

    While training, by the mean and variance of the batch, which also pull along the moving ones; else by the moving ones.
    With `trainable = False` it never trains.

    Args:
        axis: Where the channels lie.
        momentum: How much of the moving mean and variance each training step keeps.
        epsilon: Keeps the root away from 0.
        center: Whether there is a beta.
        scale: Whether there is a gamma.

    Source: https://keras.io/api/layers/normalization_layers/batch_normalization/; Ioffe, Szegedy, arXiv 1502.03167.
    """

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones",
        **settings: Any,
    ) -> None:
        super().__init__(axis, epsilon, center, scale, **settings)
        self.momentum = momentum
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

    def call(self, inputs: Value, training: Any = None) -> Value:
        mean, variance = self.moving_mean, self.moving_variance
        if training and self.trainable:
            mean, variance = moments(inputs, self._others)
            self._pull(self.moving_mean, mean)
            self._pull(self.moving_variance, variance)
        return normalising.batch_normalization(
            inputs,
            self._along_axis(mean),
            self._along_axis(variance),
            self._along_axis(self.beta),
            self._along_axis(self.gamma),
            self.epsilon,
        )

    def _pull(self, moving: Any, now: Value) -> None:
        moving.assign(moving * self.momentum + now * (1.0 - self.momentum))


class LayerNormalization(_Normalisation):
    """Each example moved and stretched to mean beta and deviation gamma, by its own mean and variance along `axis`.

    Args:
        axis: What is measured together.
        epsilon: Keeps the root away from 0.
        center: Whether there is a beta.
        scale: Whether there is a gamma.

    Source: https://keras.io/api/layers/normalization_layers/layer_normalization/; Ba, Kiros, Hinton, arXiv 1607.06450.
    """

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


class Dropout(Layer):
    """While training, zeros for a random share of the inputs, and the others enlarged so that the mean is kept.

    Args:
        rate: Which share, from 0 to 1.
        noise_shape: Where it has 1, all elements along that axis share one fate.
        seed: Of the random numbers.

    Raises:
        ValueError: `rate` is no share.

    Source: https://keras.io/api/layers/regularization_layers/dropout/; Srivastava et al. 2014.
    """

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: Any = None, **settings: Any
    ) -> None:
        super().__init__(**settings)
        if not 0 <= rate <= 1:
            raise TapeValueError(
                f"Invalid value received for argument `rate`: {rate}", fix="a share from 0 to 1"
            )
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs: Value, training: Any = False) -> Value:
        if not training or not self.rate:
            return inputs
        if self.rate == 1:
            return inputs * 0.0
        return normalising.dropout(inputs, self.rate, self.noise_shape, self.seed)


class GaussianNoise(Layer):
    """While training, normal noise on top of the inputs.

    Args:
        stddev: How wide.
        seed: Of the random numbers.

    Source: https://keras.io/api/layers/regularization_layers/gaussian_noise/
    """

    def __init__(self, stddev: float, seed: Any = None, **settings: Any) -> None:
        super().__init__(**settings)
        self.stddev, self.seed = stddev, seed

    def call(self, inputs: Value, training: Any = False) -> Value:
        if not training or not self.stddev:
            return inputs
        shape = np.asarray(inputs.shape)
        return inputs + cast(random.normal(shape, 0.0, self.stddev, seed=self.seed), inputs.dtype)
