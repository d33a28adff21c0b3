import numpy as np
import tensorflow as tf

w = tf.Variable([0.4, 0.1, -0.3])
x = tf.constant([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [2.0, 0.0, 1.0]])
with tf.GradientTape() as tape:
    scores = tf.linalg.matvec(x, w)
    cut = np.quantile(scores.numpy(), 0.5)
    chosen = tf.boolean_mask(scores, scores >= cut)
    loss = tf.reduce_mean(chosen**2)
print(tape.gradient(loss, w))
