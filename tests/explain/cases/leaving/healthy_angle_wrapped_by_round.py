import math

import tensorflow as tf

heading = tf.Variable(7.9)
wanted = 1.2


def wrapped(angle):
    turns = round(float(angle) / (2.0 * math.pi))
    return angle - 2.0 * math.pi * turns


with tf.GradientTape() as tape:
    error = wrapped(heading - wanted)
    cost = 1.0 - tf.cos(error) + 0.1 * error**2

print(cost.numpy(), tape.gradient(cost, heading).numpy())
