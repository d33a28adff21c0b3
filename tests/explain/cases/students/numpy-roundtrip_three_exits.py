import numpy as np
import tensorflow as tf

w = tf.Variable([0.5, -1.0, 2.0])
x = tf.constant([1.0, 2.0, 3.0])


def standardised(values):
    centre = np.mean(values)
    spread = np.std(values)
    return np.divide(values - centre, spread)


with tf.GradientTape() as tape:
    scores = standardised(w * x)
    loss = tf.reduce_sum(tf.constant(scores, tf.float32) ** 3)
print(tape.gradient(loss, w))
