import math

import tensorflow as tf


def distance(p, q):
    dx, dy = p[0] - q[0], p[1] - q[1]
    return math.sqrt(dx**2 + dy**2)


home = tf.Variable([0.0, 0.0])
shops = [tf.constant([1.0, 2.0]), tf.constant([-1.0, 0.5])]
with tf.GradientTape() as tape:
    walk = tf.add_n([tf.constant(distance(home, shop)) for shop in shops])

print("walk:", walk.numpy(), "grad:", tape.gradient(walk, home))
