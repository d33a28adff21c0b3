import tensorflow as tf


def quantise(x, levels):
    q = tf.round(x * levels) / levels
    return x + tf.stop_gradient(q - x)


weights = tf.Variable([0.31, -0.72, 0.18])
x = tf.constant([1.0, 0.5, -1.0])
with tf.GradientTape() as tape:
    out = tf.reduce_sum(quantise(weights, 4.0) * x)
    loss = (out - 1.0) ** 2

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, weights).numpy())
