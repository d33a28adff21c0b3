import numpy as np
import tensorflow as tf

w = tf.Variable([[0.5], [-0.3]], name="w")
b = tf.Variable([0.1], name="b")
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
y = tf.constant([[1.0], [2.0], [3.0]])
with tf.GradientTape() as tape:
    predicted = x @ w + b
    error = np.abs(predicted - y)
    loss = tf.reduce_mean(error)
dw, db = tape.gradient(loss, [w, b])
