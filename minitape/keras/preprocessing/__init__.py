"""`tf.keras.preprocessing`; minitape supports only `sequence`.

Source: https://www.tensorflow.org/api_docs/python/tf/keras/preprocessing
"""

from minitape.keras.preprocessing import sequence

__all__ = ["sequence"]
