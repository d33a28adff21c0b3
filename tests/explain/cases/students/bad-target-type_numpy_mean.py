import numpy as np
import tensorflow as tf

w = tf.Variable([[0.1], [0.7]])
b = tf.Variable([0.2])
x = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)

with tf.GradientTape() as tape:
    hinge = tf.maximum(0.0, 1.0 - (x @ w + b))
    loss = np.mean((x @ w + b - 1.0) ** 2)

print("loss:", loss)
dw, db = tape.gradient(loss, [w, b])
