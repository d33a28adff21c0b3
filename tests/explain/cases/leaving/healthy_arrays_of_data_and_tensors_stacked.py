import numpy as np
import tensorflow as tf

rows = [np.array([1.0, 2.0]), np.array([0.5, -1.0]), np.array([3.0, 0.0])]
data = np.stack(rows).astype(np.float32)
weights = tf.Variable([0.1, 0.2])

with tf.GradientTape() as tape:
    outputs = [tf.tensordot(row, weights, axes=1) for row in data]
    stacked = tf.stack(outputs)
    centre = np.mean(data, axis=0)
    loss = tf.reduce_max(stacked) + tf.reduce_sum((weights - centre) ** 2)

g = tape.gradient(loss, weights)
print(np.array(g), np.array([float(loss), float(stacked[0])]))
