import numpy as np
import tensorflow as tf


def f(v):
    return tf.reduce_sum(tf.sin(v) * v)


x = np.array([1.0, 2.0], dtype=np.float32)
with tf.GradientTape() as tape:
    xt = tf.convert_to_tensor(x)
    tape.watch(xt)
    y = f(x)
print(tape.gradient(y, xt))
