import tensorflow as tf


def towards(what, goal):
    return tf.reduce_mean((what - tf.stop_gradient(goal)) ** 2)


codes = tf.Variable([0.0, 1.0])
scale = tf.Variable(0.8)
x = tf.constant([0.2, 0.9])
with tf.GradientTape() as tape:
    z = scale * x
    quantised = tf.gather(codes, tf.argmin(tf.abs(z[:, None] - codes), axis=1))
    passed = z + tf.stop_gradient(quantised - z)
    loss = tf.reduce_mean((passed - x) ** 2) + towards(z, quantised)
print(tape.gradient(loss, [scale, codes]))
