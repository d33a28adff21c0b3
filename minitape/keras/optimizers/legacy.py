"""The optimizers of Keras 2: Keras 3 has kept their names and refuses them, and so does minitape.

Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/legacy
"""

from typing import Any

from minitape.errors import LegacyError


class _Legacy:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = type(self).__name__
        raise LegacyError(
            f"`keras.optimizers.legacy` is not supported in Keras 3: {name}, given {args or kwargs or 'nothing'}, is refused.",
            fix=f"tf.keras.optimizers.{name}",
        )


class Adagrad(_Legacy):
    """Refused: `tf.keras.optimizers.Adagrad` is there."""


class Adam(_Legacy):
    """Refused: `tf.keras.optimizers.Adam` is there."""


class Ftrl(_Legacy):
    """Refused: `tf.keras.optimizers.Ftrl` is there."""


class Optimizer(_Legacy):
    """Refused: `tf.keras.optimizers.Optimizer` is there."""


class RMSprop(_Legacy):
    """Refused: `tf.keras.optimizers.RMSprop` is there."""


class SGD(_Legacy):
    """Refused: `tf.keras.optimizers.SGD` is there."""


__all__ = ["SGD", "Adagrad", "Adam", "Ftrl", "Optimizer", "RMSprop"]
