import io

import numpy as np
import tensorflow as tf

w = tf.Variable([0.5, 1.5])


def remember(tensor):
    buffer = io.BytesIO()
    np.save(buffer, tensor.numpy())
    buffer.seek(0)
    return np.load(buffer)


with tf.GradientTape() as tape:
    kept = remember(w * 2.0)
    loss = tf.reduce_sum(tf.constant(kept) ** 2)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, w))
