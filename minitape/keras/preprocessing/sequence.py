"""`tf.keras.preprocessing.sequence`: the older location of `tf.keras.utils.pad_sequences`.

Source: https://www.tensorflow.org/api_docs/python/tf/keras/preprocessing/sequence
"""

from minitape.keras.utils.sequences import pad_sequences

__all__ = ["pad_sequences"]
