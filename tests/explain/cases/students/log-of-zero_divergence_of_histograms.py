import tensorflow as tf


def divergence(p, q):
    return tf.reduce_sum(p * (tf.math.log(p) - tf.math.log(q)))


counts = tf.constant([4.0, 0.0, 6.0])
weights = tf.Variable([1.0, 1.0, 1.0])
with tf.GradientTape() as tape:
    p = counts * weights / tf.reduce_sum(counts * weights)
    loss = divergence(p, tf.constant([0.3, 0.3, 0.4]))
print(loss.numpy(), tape.gradient(loss, weights).numpy())
