import tensorflow as tf

mean = tf.Variable([0.1, 0.3, -0.2])
actions = tf.constant([0.5, 1.0, -0.7])


def log_prob(actions):
    raw = tf.math.atanh(actions * tf.ones_like(mean))
    return -0.5 * (raw - mean) ** 2 - tf.math.log(1.0 - tf.square(actions) + 1e-6)


with tf.GradientTape() as tape:
    loss = -tf.reduce_mean(log_prob(actions))
print(tape.gradient(loss, mean))
