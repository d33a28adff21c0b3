"""Masks that tensors carry from layer to layer."""

import minitape as tf
from minitape import keras
from minitape.keras.masks import mask_of, masks_of


def test_a_deleted_mask_is_no_mask() -> None:
    embedded = keras.layers.Embedding(5, 2, mask_zero=True)
    x = embedded(tf.constant([[1, 2, 0]]))
    assert mask_of(x) is not None
    del x._keras_mask
    assert mask_of(x) is None
    assert masks_of([x, x]) == [None, None]
