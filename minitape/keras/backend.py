"""What is left of Keras's backend: starting the names of layers anew.

Source: https://www.tensorflow.org/api_docs/python/tf/keras/backend/clear_session
"""

from minitape.keras.naming import names


def clear_session() -> None:
    """Number the layers from the start again."""
    names.given.clear()
