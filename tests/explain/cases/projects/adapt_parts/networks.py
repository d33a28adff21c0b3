"""The two halves of the model."""

import tensorflow as tf


def make_encoder(units):
    layers = [tf.keras.layers.Dense(u, activation="tanh") for u in units]
    return tf.keras.Sequential([tf.keras.Input((6,)), *layers])


def make_classifier(classes):
    return tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(classes)])
