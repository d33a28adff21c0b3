from functools import partial

import tensorflow as tf

theta = tf.Variable([0.3, -0.8])


def cost(direction, load):
    return tf.reduce_sum((direction - load) ** 2)


objective = partial(cost, tf.math.l2_normalize(theta))
with tf.GradientTape() as tape:
    value = objective(load=tf.constant([1.0, 0.0]))
print(value.numpy(), tape.gradient(value, theta))
