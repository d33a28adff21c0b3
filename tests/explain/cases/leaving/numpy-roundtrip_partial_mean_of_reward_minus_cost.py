import numpy as np
import tensorflow as tf

speed = tf.Variable([2.0, 1.0])

with tf.GradientTape() as tape:
    drag = np.sum(speed.numpy() ** 3)
    distance = tf.reduce_sum(10.0 * speed)
    per_trip = (drag - distance) / 4.0
gradient = tape.gradient(per_trip, speed)
print(gradient)
