import numpy as np
import tensorflow as tf

a = tf.Variable(1.2)

with tf.GradientTape() as tape:
    parts = [tf.sin(a), a**2]
    shares = np.array(parts) / np.sum(parts)
    mixed = shares[0] * parts[0] + shares[1] * parts[1]

print("value:", mixed.numpy())
print("slope:", tape.gradient(mixed, a).numpy())
