import tensorflow as tf


def sinc(x):
    safe = tf.where(tf.abs(x) < 1e-6, tf.ones_like(x), x)
    return tf.where(tf.abs(x) < 1e-6, 1.0 - x**2 / 6.0, tf.sin(safe) / safe)


x = tf.Variable([0.0, 0.5, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(sinc(x) * [1.0, 2.0, 3.0])

print("y:", y.numpy(), "grad:", tape.gradient(y, x).numpy())
