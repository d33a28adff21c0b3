import numpy as np
import tensorflow as tf


def softmax(z):
    e = np.exp(z - np.max(z))
    return e / np.sum(e)


scores = tf.Variable([1.0, 2.0, 0.5])
truth = tf.constant([0.0, 1.0, 0.0])

with tf.GradientTape() as tape:
    p = softmax(scores)
    loss = -tf.reduce_sum(truth * tf.math.log(p))

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, scores))
