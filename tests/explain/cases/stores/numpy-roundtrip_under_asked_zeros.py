import numpy as np
import tensorflow as tf

log_sigma = tf.Variable(0.1, name="log_sigma")
mu = tf.Variable(0.5, name="mu")
sample = tf.constant([0.3, 0.9, 1.4])

with tf.GradientTape() as tape:
    sigma = np.exp(log_sigma)
    z = (sample - mu) / sigma
    nll = tf.reduce_mean(0.5 * z * z) + tf.reduce_mean(mu * 0.0)

grads = tape.gradient(nll, {"mu": mu, "log_sigma": log_sigma}, unconnected_gradients="zero")
for name, g in sorted(grads.items()):
    print(name, g.numpy())
