import math

import tensorflow as tf

theta = tf.Variable(0.6)
length = tf.Variable(2.0)

with tf.GradientTape() as tape:
    x = length * math.sin(theta)
    y = length * math.cos(theta)
    distance = (x - 1.0) ** 2 + (y - 1.0) ** 2

d_theta, d_length = tape.gradient(distance, [theta, length])
print("theta:", d_theta, "length:", d_length.numpy())
