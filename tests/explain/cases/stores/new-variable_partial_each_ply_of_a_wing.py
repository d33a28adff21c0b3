import math

import tensorflow as tf

angle = tf.Variable(0.3, name="angle")
loads = [1.0, 0.4, 0.2]


def stiffness(angle):
    return tf.cos(angle) ** 4 + 0.2


with tf.GradientTape() as tape:
    total = tf.constant(0.0)
    for ply, load in enumerate(loads):
        turned = tf.Variable(stiffness(angle + ply * math.pi / 8))
        total += load / turned
    weight = 1.0 + 0.5 * tf.sin(angle) ** 2
    cost = total + weight
print(cost.numpy(), tape.gradient(cost, angle))
