import numpy as np
import tensorflow as tf

scores = tf.Variable([[0.5, 1.0, 0.2]])
keep = tf.constant([[1.0, 1.0, 0.0]])

with tf.GradientTape() as tape:
    blocked = (1.0 - keep) * -np.inf
    attention = tf.nn.softmax(scores + blocked)
    out = tf.reduce_sum(attention * [[1.0, 2.0, 3.0]])

print("out:", out.numpy(), "grad:", tape.gradient(out, scores).numpy())
