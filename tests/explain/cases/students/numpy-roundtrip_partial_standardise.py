import numpy as np
import tensorflow as tf


class Standardise:
    def __call__(self, x):
        mean = tf.reduce_mean(x)
        spread = np.std(x.numpy())
        return (x - mean) / spread


weights = tf.Variable([0.5, 1.0, 3.0])
norm = Standardise()
with tf.GradientTape() as tape:
    z = norm(weights * 2.0)
    loss = tf.reduce_sum(z**3)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, weights).numpy())
