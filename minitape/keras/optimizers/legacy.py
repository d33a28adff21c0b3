"""The optimizers of Keras 2. As in Keras 3, the classes still exist, but their constructors raise an error.

Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/legacy
"""

from typing import Any

from minitape.errors import LegacyError


class _Legacy:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = type(self).__name__
        raise LegacyError(
            f"`keras.optimizers.legacy` is not supported in Keras 3. Received: {name} with {args or kwargs or 'no arguments'}",
            fix=f"use `tf.keras.optimizers.{name}`",
        )


class Adagrad(_Legacy):
    """Not supported; use `tf.keras.optimizers.Adagrad`."""


class Adam(_Legacy):
    """Not supported; use `tf.keras.optimizers.Adam`."""


class Ftrl(_Legacy):
    """Not supported; use `tf.keras.optimizers.Ftrl`."""


class Optimizer(_Legacy):
    """Not supported; use `tf.keras.optimizers.Optimizer`."""


class RMSprop(_Legacy):
    """Not supported; use `tf.keras.optimizers.RMSprop`."""


class SGD(_Legacy):
    """Not supported; use `tf.keras.optimizers.SGD`."""


__all__ = ["SGD", "Adagrad", "Adam", "Ftrl", "Optimizer", "RMSprop"]
