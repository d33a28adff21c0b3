import numpy as np
import tensorflow as tf

alpha = tf.Variable(0.3)
beta = tf.Variable(0.8)
pairs = [(1.0, 0.5), (2.0, 1.5), (3.0, 2.0)]

with tf.GradientTape() as tape:
    errors = [(alpha * a + beta - b) ** 2 for a, b in pairs]
    mean_error = np.mean(errors)
    loss = tf.sqrt(mean_error)

for v, g in zip(["alpha", "beta"], tape.gradient(loss, (alpha, beta))):
    print(v, g)
