import numpy as np
import tensorflow as tf

table = np.array([[1.0, 2.0], [2.0, np.nan], [3.0, 6.5]], dtype=np.float32)
w = tf.Variable(1.0)
b = tf.Variable(0.0)

with tf.GradientTape() as tape:
    x, y = table[:, 0], table[:, 1]
    loss = tf.reduce_mean((w * x + b - y) ** 2)

print("loss:", loss.numpy(), [g.numpy() for g in tape.gradient(loss, [w, b])])
