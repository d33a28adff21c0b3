"""The orbit of a satellite in SI units: metres, kilograms, seconds."""

import tensorflow as tf

G = tf.constant(6.674e-11, tf.float64)
mass = tf.Variable(5.97e24, dtype=tf.float64)
radius = tf.Variable(6.771e6, dtype=tf.float64)
with tf.GradientTape() as tape:
    speed = tf.sqrt(G * mass / radius)
    period = 2.0 * 3.141592653589793 * radius / speed
    energy = -G * mass * 1000.0 / (2.0 * radius)
    mismatch = 1e30 * (((period - 5550.0) / 5550.0) ** 2 + ((energy + 2.9e10) / 2.9e10) ** 2)
d_mass, d_radius = tape.gradient(mismatch, [mass, radius])
print(float(d_mass), float(d_radius))
