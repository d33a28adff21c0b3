import numpy as np
import tensorflow as tf

gain = tf.Variable(0.8)
wave = np.sin(np.linspace(0.0, 3.0, 6)).astype(np.float32)
louder = np.empty_like(wave)

with tf.GradientTape() as tape:
    np.multiply(wave, gain, out=louder)
    loudness = tf.reduce_mean(tf.square(louder))

print("loudness:", loudness.numpy(), "grad:", tape.gradient(loudness, gain))
