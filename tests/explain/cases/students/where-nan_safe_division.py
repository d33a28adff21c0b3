import tensorflow as tf


def safe_ratio(a, b):
    ratio = a / b
    return tf.where(tf.equal(b, 0.0), tf.zeros_like(ratio), ratio)


gain = tf.Variable([1.0, 2.0, 3.0])
loads = tf.constant([2.0, 0.0, 4.0])
with tf.GradientTape() as tape:
    efficiency = tf.reduce_mean(safe_ratio(gain, loads * gain**2))

print("efficiency:", efficiency.numpy(), tape.gradient(efficiency, gain).numpy())
