"""Lost: the loss is computed with a NumPy function, which the tape does not record."""

import numpy as np
import tensorflow as tf

x = tf.constant([[1.0], [2.0], [3.0], [4.0]])
y = tf.constant([[3.0], [5.0], [7.0], [9.0]])
w = tf.Variable([[0.5]])
b = tf.Variable([0.0])

with tf.GradientTape() as tape:
    pred = x @ w + b
    err = np.square(pred - y)
    loss = tf.reduce_mean(err)

dw, db = tape.gradient(loss, [w, b])
print("loss =", float(loss))
print("dw =", dw)
print("db =", db)
