import tensorflow as tf


def normalise(counts):
    return counts / tf.reduce_sum(counts, axis=1, keepdims=True)


weights = tf.Variable([[1.0, 3.0], [0.0, 0.0], [2.0, 2.0]])
prices = tf.constant([1.0, 2.0])

with tf.GradientTape() as tape:
    shares = normalise(weights)
    value = tf.reduce_sum(shares * prices)

print("value:", value.numpy(), "grad:", tape.gradient(value, weights).numpy())
