import tensorflow as tf


def potential(r, powers, weights):
    return tf.reduce_sum(weights * r[:, None] ** powers, axis=1)


r = tf.Variable([0.0, 1.0, 1.5])
powers = tf.constant([1.0, 2.0, 3.0])
weights = tf.Variable([0.5, -0.2, 0.1])

with tf.GradientTape() as tape:
    with tf.GradientTape() as force_tape:
        v = tf.reduce_sum(potential(r, powers, weights))
    force = -force_tape.gradient(v, r)
    error = force - tf.constant([0.1, 0.2, 0.3])
    scaled = error / 2.0
    loss = tf.reduce_mean(tf.square(scaled))
print(tape.gradient(loss, [r, weights]))
