import tensorflow as tf


def hill(position):
    return 5.0 - 0.1 * position**2


hiker = tf.Variable([0.0, 0.0], name="hiker")
with tf.GradientTape() as tape:
    height = tf.reduce_sum(hill(hiker))

uphill = tape.gradient(height, hiker)
print("height:", height.numpy(), "uphill:", uphill.numpy())
