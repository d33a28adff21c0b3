import numpy as np
import tensorflow as tf

w = tf.Variable([0.4, -0.1])
x = tf.constant([[1.0, 0.0], [0.5, 2.0], [3.0, 1.0], [0.1, 0.1]])
y = tf.constant([1.0, 0.0, 2.0, 0.5])

with tf.GradientTape() as tape:
    errors = tf.square(tf.linalg.matvec(x, w) - y)
    hardest = np.argsort(errors.numpy())[-2:]
    chosen = tf.gather(errors, hardest)
    loss = tf.reduce_mean(chosen)

grad = tape.gradient(loss, w)
print("hardest rows:", sorted(hardest.tolist()), "grad:", grad.numpy())
