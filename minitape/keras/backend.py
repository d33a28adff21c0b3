"""What is left of Keras's backend: what holds for all of Keras, and starting the names of layers anew.

Source: https://www.tensorflow.org/api_docs/python/tf/keras/backend
"""

from minitape.keras.config import (
    backend,
    epsilon,
    floatx,
    image_data_format,
    set_epsilon,
    set_floatx,
    set_image_data_format,
)
from minitape.keras.naming import names


def clear_session(free_memory: bool = True) -> None:
    """Number the layers from the start again. `free_memory` has no effect: Python frees what nobody holds."""
    names.given.clear()


__all__ = [
    "backend",
    "clear_session",
    "epsilon",
    "floatx",
    "image_data_format",
    "set_epsilon",
    "set_floatx",
    "set_image_data_format",
]
