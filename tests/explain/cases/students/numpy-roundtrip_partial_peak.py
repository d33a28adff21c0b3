import numpy as np
import tensorflow as tf

signal = tf.Variable([1.0, 4.0, 2.0])
window = tf.constant([0.2, 0.5, 0.3])

with tf.GradientTape() as tape:
    peak = np.max(signal)
    scaled = signal / peak
    energy = tf.reduce_sum(window * scaled**2)

grad = tape.gradient(energy, signal)
print("energy:", energy.numpy(), "grad:", grad.numpy())
