import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
mu, log_sigma = tf.Variable([0.5, -0.5]), tf.Variable([0.0, -1.0])

with tf.GradientTape() as tape:
    noise = rng.standard_normal((8, 2)).astype(np.float32)
    sample = mu + tf.exp(log_sigma) * noise
    fit = tf.reduce_mean(tf.reduce_sum((sample - 1.0) ** 2, axis=1))
    divergence = 0.5 * tf.reduce_sum(mu**2 + tf.exp(2.0 * log_sigma) - 2.0 * log_sigma - 1.0)
    loss = fit + 0.1 * divergence

d_mu, d_sigma = tape.gradient(loss, [mu, log_sigma])
print("fit:", float(fit), "divergence:", float(divergence), d_mu.numpy(), d_sigma.numpy())
