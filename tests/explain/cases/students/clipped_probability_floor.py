import tensorflow as tf


def safe_log(p):
    return tf.math.log(tf.maximum(p, 0.05))


rarity = tf.Variable([0.01, 0.002])
with tf.GradientTape() as tape:
    bits = -tf.reduce_sum(safe_log(rarity)) / 0.6931

print("bits:", bits.numpy(), "grad:", tape.gradient(bits, rarity).numpy())
