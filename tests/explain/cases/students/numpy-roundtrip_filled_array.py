import numpy as np
import tensorflow as tf

spring = tf.Variable(2.0)
positions = [0.0, 0.5, 1.5, 3.0]
forces = np.zeros(3, dtype=np.float32)

with tf.GradientTape() as tape:
    for i in range(3):
        stretch = positions[i + 1] - positions[i] - 0.4
        forces[i] = spring * stretch
    strain = tf.reduce_sum(tf.constant(forces) ** 2)

grad = tape.gradient(strain, spring)
print("forces:", forces, "grad:", grad)
