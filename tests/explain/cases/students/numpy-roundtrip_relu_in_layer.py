import numpy as np
import tensorflow as tf


class Hidden(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.w = tf.Variable(tf.fill([2, size], 0.3))
        self.b = tf.Variable(tf.zeros([size]))

    def __call__(self, x):
        z = (x @ self.w + self.b).numpy()
        return np.maximum(z, 0.0)


hidden = Hidden(3)
readout = tf.Variable(tf.ones([3, 1]))
x = tf.constant([[1.0, 2.0], [0.5, 0.1]])

with tf.GradientTape() as tape:
    y = tf.matmul(hidden(x), readout)
    loss = tf.reduce_mean(y**2)

grads = tape.gradient(loss, [hidden.w, hidden.b, readout])
print(["missing" if g is None else "fine" for g in grads])
