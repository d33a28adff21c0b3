import numpy as np
import tensorflow as tf

hits = np.array([3.0, 0.0, 2.0], dtype=np.float32)
tries = np.array([4.0, 0.0, 5.0], dtype=np.float32)
skill = np.array([0.5, 0.5, 0.5], dtype=np.float32)
weights = tf.Variable(skill)
for step in range(3):
    with tf.GradientTape() as tape:
        observed = tf.constant(hits) * weights / tf.constant(tries)
        loss = tf.reduce_mean((observed - 0.3) ** 2)
    grad = tape.gradient(loss, weights)
    weights.assign(weights.numpy() - 0.1 * grad.numpy())
