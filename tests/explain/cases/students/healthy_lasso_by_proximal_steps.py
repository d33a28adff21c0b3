import numpy as np
import tensorflow as tf

x = tf.constant([[1.0, 0.2, 0.0], [0.5, 1.0, 0.3], [0.1, 0.0, 1.0]])
y = tf.constant([1.0, 0.2, 0.1])
w = tf.Variable([0.5, 0.4, 0.3])


def shrink(v, by):
    return np.sign(v) * np.maximum(np.abs(v) - by, 0.0)


for _ in range(5):
    with tf.GradientTape() as tape:
        residual = tf.linalg.matvec(x, w) - y
        loss = tf.reduce_mean(residual**2)
    w.assign(shrink((w - 0.3 * tape.gradient(loss, w)).numpy(), 0.02))
print("zeros:", int(np.sum(w.numpy() == 0.0)), float(loss))
