"""Identity on the way in, minus the gradient on the way back."""

import math

import tensorflow as tf


def ramp(progress):
    return 2.0 / (1.0 + math.exp(-10.0 * progress)) - 1.0


class GradientReversal(tf.keras.layers.Layer):
    def __init__(self, strength=1.0):
        super().__init__()
        self.strength = strength

    def call(self, x):
        @tf.custom_gradient
        def reverse(features):
            def grad(upstream):
                flipped = -self.strength * upstream

            return tf.identity(features), grad

        return reverse(x)
