"""Layers with few bits."""

import tensorflow as tf

from quant_parts.estimators import scale_gradient, straight_through


class QuantisedDense(tf.keras.layers.Layer):
    """Dense with a kernel of few bits; the step between two levels is learnt (LSQ)."""

    def __init__(self, units, bits=4, activation=None):
        super().__init__()
        self.units = units
        self.top = 2 ** (bits - 1) - 1
        self.activation = tf.keras.activations.get(activation)

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), name="kernel")
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros", name="bias")
        start = tf.keras.initializers.Constant(0.1)
        self.step = self.add_weight(shape=(), initializer=start, name="step")

    def quantised(self):
        factor = float(self.units * self.top) ** -0.5
        step = scale_gradient(self.step, factor)
        levels = tf.clip_by_value(self.kernel / step, -self.top - 1.0, float(self.top))
        return straight_through(tf.round(levels), levels) * step

    def call(self, x):
        return self.activation(tf.matmul(x, self.quantised()) + self.bias)
