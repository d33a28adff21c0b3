"""Low-rank additions to frozen matrices (Hu et al.)."""

import tensorflow as tf


class AdaptedDense(tf.Module):
    def __init__(self, kernel, bias, rank, alpha=4.0):
        super().__init__()
        inputs, outputs = kernel.shape
        self.kernel = tf.constant(kernel)
        self.bias = tf.constant(bias)
        self.scale = alpha / rank
        self.down = tf.Variable(tf.zeros((inputs, rank)), name="down")
        self.up = tf.Variable(tf.zeros((rank, outputs)), name="up")

    def __call__(self, x):
        return x @ self.kernel + self.bias + self.scale * (x @ self.down) @ self.up


def collect(layers):
    return [v for layer in layers for v in (layer.down, layer.up)]
