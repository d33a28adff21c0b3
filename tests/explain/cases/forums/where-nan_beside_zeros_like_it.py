import tensorflow as tf

scores = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name="scores")
valid = tf.constant([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])


def masked_rms(x, m):
    n = tf.reduce_sum(m, axis=1)
    ss = tf.reduce_sum(m * x * x, axis=1)
    rms = tf.sqrt(ss / n)
    return tf.where(n > 0, rms, tf.zeros_like(rms))


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(masked_rms(scores, valid))
print(loss.numpy(), tape.gradient(loss, scores).numpy())
