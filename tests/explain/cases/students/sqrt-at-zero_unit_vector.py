import tensorflow as tf


def normalise(v):
    return v / tf.norm(v)


direction = tf.Variable([0.0, 0.0, 0.0])
with tf.GradientTape() as tape:
    facing = normalise(direction)
    dot = tf.reduce_sum(facing * [0.0, 1.0, 0.0])

print("dot:", dot.numpy(), "grad:", tape.gradient(dot, direction).numpy())
